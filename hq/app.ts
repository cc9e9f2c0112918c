import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { hash } from 'node:crypto';
import { systemClock, type Clock } from '../common/clock.ts';
import { ensureSecretFile } from '../common/config.ts';
import { createCore } from '../common/core/core.ts';
import { intakeDoc } from '../common/core/event/routes.ts';
import { operationRoutes } from '../common/core/operation/routes.ts';
import { Authenticator } from '../common/http/auth.ts';
import { readTls } from '../common/http/credentials.ts';
import { createHttpApp, listen } from '../common/http/server.ts';
import type { Route } from '../common/http/route.ts';
import { Lifecycle } from '../common/lifecycle.ts';
import { createLogger, type Logger } from '../common/log.ts';
import { Loop } from '../common/loop.ts';
import { commit, version } from '../common/package.ts';
import { newSecret, readSecret, SealedVault } from '../common/secret.ts';
import { passwordMethod } from './auth/login.ts';
import { PasswordHasher } from './auth/password.ts';
import { userRoutes } from './auth/routes.ts';
import { UserService } from './auth/service.ts';
import type { HubConfig } from './config.ts';
import { receiverRoutes } from './receiver/routes.ts';
import { ReceiverService } from './receiver/service.ts';
import { openHubStore, type HubStore } from './store/open.ts';

/** Parts that a test may replace. */
export interface HubOverrides {
  clock?: Clock;
  log?: Logger;
  hasher?: PasswordHasher;
}

export interface Hub {
  url: string;
  store: HubStore;
  stop(): Promise<void>;
}

/** Keys that other processes changed are believed at most this long, ms. */
const KEY_CACHE_MS = 2_000;

/** How far lists and statistics read row by row, in time. */
const INDEX_EVERY_MS = 1_000;

/** Puts the hub together and starts it; the only composition root of the program. */
export async function startHub(config: HubConfig, overrides: HubOverrides = {}): Promise<Hub> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLogger('fieldline-hq', config.logLevel);
  const lifecycle = new Lifecycle(log, 15_000);
  try {
    return await compose(config, { ...overrides, clock, log }, lifecycle);
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

async function compose(config: HubConfig, parts: HubOverrides & { clock: Clock; log: Logger }, lifecycle: Lifecycle): Promise<Hub> {
  const { clock, log } = parts;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o755 });
  const secretsDir = join(config.dataDir, 'secrets');
  const adminKey = readSecret(config.adminKeyRef ?? ensureSecretFile(join(secretsDir, 'admin-key'), () => newSecret('fla_')), config.secrets);
  const masterText = readSecret(config.masterKeyRef ?? ensureSecretFile(join(secretsDir, 'master-key'), () => newSecret('flm_')), config.secrets);
  const masterKey = hash('sha256', masterText, 'buffer');

  const url = await databaseUrl(config, log, lifecycle);
  const store = await openHubStore({ url, clock, log, poolSize: config.databasePool });
  lifecycle.onStop('store', () => store.close());

  const hasher = parts.hasher ?? new PasswordHasher();
  const core = createCore({
    stores: store, clock, log, instance: config.instance, vault: new SealedVault(masterKey), secrets: { ...config.secrets, masterKey },
    feedbackNetworks: config.feedbackNetworks, pushNetworks: config.pushNetworks, dataDir: config.dataDir, evidenceLimit: config.evidenceLimit,
    retention: config.retention, holdUnsent: false, keyCacheMs: KEY_CACHE_MS,
    login: passwordMethod(store.users, hasher), deviceSecret: masterKey, secure: config.tls !== null,
  });
  const receiver = new ReceiverService({ receiver: store.receiver, keys: core.keys, alarms: store.alarms, clock, log, epoch: () => store.epoch(), instance: config.instance });
  lifecycle.onStop('core', () => core.stop());
  const indexing = new Loop({ name: 'event index', interval: INDEX_EVERY_MS, log, monotonic: () => clock.monotonic(), round: () => store.eventIndex.round() });
  lifecycle.onStop('event index', () => indexing.stop());

  const routes: Route[] = [
    ...core.routes,
    ...receiverRoutes(receiver),
    ...userRoutes(new UserService({ users: store.users, hasher, sessions: core.sessions, clock })),
    ...operationRoutes({
      service: 'fieldline-hq', role: 'hq', version, commit, instance: config.instance, epoch: () => store.epoch(), kbQueryEmbed: false,
      probe: () => store.probe(), metrics: core.metrics, allRoutes: () => routes, metricsAccess: ['admin', 'session'], bodies: new Map([['POST /api/core/events', intakeDoc]]),
    }),
  ];
  const app = createHttpApp({ routes, log, trustedProxies: config.trustedProxies, authenticator: new Authenticator({ adminKey, keys: core.keys, sessions: core.sessions, clock }) });
  const tls = readTls(config.tls, config.secrets);
  const listening = await listen(app, { at: config.listen, ...(tls ? { tls } : {}) });
  lifecycle.onStop('http', () => listening.close());

  core.start();
  indexing.start();
  const host = config.listen.host === '0.0.0.0' ? '127.0.0.1' : config.listen.host;
  const address = `${tls ? 'https' : 'http'}://${host}:${listening.port}`;
  log.info({ url: address, instance: config.instance, database: config.databaseUrl ? 'given' : 'embedded', version }, 'hub is ready');
  return { url: address, store, stop: () => lifecycle.stop() };
}

/** The embedded server is loaded only where no other is given. */
async function databaseUrl(config: HubConfig, log: Logger, lifecycle: Lifecycle): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  const { startEmbeddedPostgres } = await import('./store/embedded.ts');
  const server = await startEmbeddedPostgres({ dir: config.dataDir, log: { info: (text) => log.info(text), warn: (text) => log.warn(text) } });
  lifecycle.onStop('embedded postgres', () => server.stop());
  return server.url;
}
