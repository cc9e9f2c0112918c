import type { NetworkList } from '../../http/outbound/address.ts';
import { isSecure } from '../../http/outbound/transport.ts';
import { AdminKeyRefusals } from '../admin-key/refusals.ts';
import { adminKeyRoutes } from '../admin-key/routes.ts';
import type { AdminKeyService } from '../admin-key/service.ts';
import type { KeyNews } from '../key/port.ts';
import { keyRoutes } from '../key/routes.ts';
import { KeyService } from '../key/service.ts';
import { adminKeyMetrics, sessionMetrics } from '../metrics.ts';
import type { LoginMethod } from '../session/login.ts';
import { sessionRoutes } from '../session/routes.ts';
import { SessionService } from '../session/service.ts';
import type { CoreBase, CorePart, CoreSecrets } from './part.ts';

export interface AccessOptions {
  adminKeys: AdminKeyService;
  /** How long a looked-up key is believed, ms. */
  keyCacheMs: number;
  /** Tells of keys that other processes change; null: there are none. */
  keyNews: KeyNews | null;
  /** How people log in here. */
  login: LoginMethod;
  /** Seals the marks of browsers that a user is known by. */
  deviceSecret: Buffer;
  /** Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: NetworkList;
}

export interface Access extends CorePart {
  keys: KeyService;
  sessions: SessionService;
  adminKeyRefusals: AdminKeyRefusals;
}

/** Who may call: signing keys, login sessions and admin keys. */
export function createAccess(base: CoreBase, secrets: CoreSecrets, options: AccessOptions): Access {
  const { stores, clock, log } = base;
  const keys = new KeyService({
    keys: stores.keys,
    vault: secrets.vault,
    sources: secrets.sources,
    clock,
    log,
    cacheMs: options.keyCacheMs,
    news: options.keyNews,
  });
  const sessions = new SessionService({
    sessions: stores.sessions,
    attempts: stores.loginAttempts,
    audit: stores.audit,
    method: options.login,
    deviceSecret: options.deviceSecret,
    clock,
    log,
  });
  const attempts = { attempts: stores.loginAttempts, audit: stores.audit };
  const adminKeyRefusals = new AdminKeyRefusals({ ...attempts, clock, log });
  return {
    keys,
    sessions,
    adminKeyRefusals,
    routes: accessRoutes(base, options, keys, sessions),
    metrics: [...sessionMetrics(sessions), ...adminKeyMetrics(adminKeyRefusals)],
    start: () => {
      sessions.start();
      adminKeyRefusals.start();
    },
    stop: async () => {
      await Promise.all([sessions.stop(), adminKeyRefusals.stop()]);
    },
  };
}

function accessRoutes(
  { stores, clock }: CoreBase,
  { adminKeys, login, trustedProxies }: AccessOptions,
  keys: KeyService,
  sessions: SessionService,
): CorePart['routes'] {
  const now = (): number => clock.now();
  return [
    ...keyRoutes(keys, now),
    ...adminKeyRoutes({ service: adminKeys, sessions: stores.sessions, now }),
    ...sessionRoutes({
      service: sessions,
      method: login,
      secure: (request) => isSecure(request, trustedProxies),
    }),
  ];
}
