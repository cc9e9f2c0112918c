import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '../common/clock.ts';
import { ensureSecretFile } from '../common/config.ts';
import { createCore, type Core } from '../common/core/core.ts';
import { intakeDoc } from '../common/core/event/routes.ts';
import type { FileSteps } from '../common/core/evidence/files.ts';
import { operationRoutes } from '../common/core/operation/routes.ts';
import { adminKeyMethod } from '../common/core/session/login.ts';
import { Authenticator } from '../common/http/auth.ts';
import { HttpClient } from '../common/http/client.ts';
import { readKeyText, readTls } from '../common/http/credentials.ts';
import { createHttpApp, listen } from '../common/http/server.ts';
import type { Route } from '../common/http/route.ts';
import { Lifecycle } from '../common/lifecycle.ts';
import { createLogger, type Logger } from '../common/log.ts';
import { commit, version } from '../common/package.ts';
import { FileVault, newSecret, readSecret } from '../common/secret.ts';
import type { SiteConfig } from './config.ts';
import { siteMetrics } from './status/metrics.ts';
import { openSiteStore, type SiteStore } from './store/open.ts';
import type { SyncLayer } from './store/sync.ts';
import { decisionApplier } from './uplink/decisions.ts';
import { ParkedService } from './uplink/parked.ts';
import { siteUplinkRoutes } from './uplink/routes.ts';
import { UplinkSender } from './uplink/sender.ts';
import type { StatusOptions } from './uplink/status.ts';

/** Parts that a test may replace. */
export interface SiteOverrides {
  clock?: Clock;
  log?: Logger;
  sync?: SyncLayer;
  fileSteps?: FileSteps;
}

export interface Site {
  url: string;
  store: SiteStore;
  /** Settles with the reason when the store can no longer be trusted; the process is then to end. */
  failed: Promise<Error>;
  stop(): Promise<void>;
}

/** Puts the site together and starts it; the only composition root of the program. */
export async function startSite(config: SiteConfig, overrides: SiteOverrides = {}): Promise<Site> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? createLogger('fieldline-site', config.logLevel);
  const lifecycle = new Lifecycle(log);
  try {
    return await compose(config, { ...overrides, clock, log }, lifecycle);
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

async function compose(config: SiteConfig, parts: SiteOverrides & { clock: Clock; log: Logger }, lifecycle: Lifecycle): Promise<Site> {
  const { clock, log } = parts;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o750 });
  const secretsDir = join(config.dataDir, 'secrets');
  const vault = new FileVault(secretsDir);
  const adminKeyRef = config.adminKeyRef ?? ensureSecretFile(join(secretsDir, 'admin-key'), () => newSecret('fla_'));
  const adminKey = readSecret(adminKeyRef, config.secrets);

  const store = await openSiteStore({ dir: config.dataDir, clock, log, ...(parts.sync ? { sync: parts.sync } : {}) });
  lifecycle.onStop('store', () => store.close());

  const core = createCore({
    stores: store, clock, log, instance: config.instance, vault, secrets: config.secrets,
    feedbackNetworks: config.feedbackNetworks, pushNetworks: config.pushNetworks, dataDir: config.dataDir, evidenceLimit: config.evidenceLimit,
    retention: config.retention, holdUnsent: config.uplink !== null,
    fileSteps: parts.fileSteps, keyCacheMs: 60_000,
    login: adminKeyMethod(adminKey, store.sessions), deviceSecret: Buffer.from(adminKey), secure: config.tls !== null,
    onStored: () => sender?.notify(), onChange: () => sender?.notify(),
  });
  const sender = createSender(config, { store, core, clock, log }, lifecycle);
  lifecycle.onStop('core', () => core.stop());
  const status: StatusOptions = { store, sender, instance: config.instance, clock };

  const routes: Route[] = [
    ...core.routes,
    ...siteUplinkRoutes(status, new ParkedService({ uplink: store.uplink, sender, clock })),
    ...operationRoutes({
      service: 'fieldline-site', role: 'site', version, commit, instance: config.instance, epoch: () => store.epoch(), kbQueryEmbed: false,
      probe: () => store.probe(), metrics: [...core.metrics, ...siteMetrics(store, status)], allRoutes: () => routes, metricsAccess: ['public'],
      bodies: new Map([['POST /api/core/events', intakeDoc]]),
    }),
  ];
  const app = createHttpApp({ routes, log, trustedProxies: config.trustedProxies, authenticator: new Authenticator({ adminKey, keys: core.keys, sessions: core.sessions, clock }) });
  const tls = readTls(config.tls, config.secrets);
  const listening = await listen(app, { at: config.listen, ...(tls ? { tls } : {}) });
  lifecycle.onStop('http', () => listening.close());
  await openAdminSocket(config.adminSocket, app, lifecycle);

  core.start();
  sender?.start();
  const url = `${tls ? 'https' : 'http'}://${config.listen.host === '0.0.0.0' ? '127.0.0.1' : config.listen.host}:${listening.port}`;
  log.info({ url, instance: config.instance, dataDir: config.dataDir, uplink: config.uplink?.url ?? null, version }, 'site is ready');
  return { url, store, failed: store.failed, stop: () => lifecycle.stop() };
}

/** null without headquarters. */
function createSender(
  config: SiteConfig, parts: { store: SiteStore; core: Core; clock: Clock; log: Logger }, lifecycle: Lifecycle,
): UplinkSender | null {
  const { uplink, instance } = config;
  if (!uplink) return null;
  const { store, core, clock, log } = parts;
  const client = new HttpClient();
  lifecycle.onStop('uplink client', () => client.close());
  const onWritten = (feedbackId: string): void => {
    core.feedback.firstTry(feedbackId).catch((error: unknown) => log.warn({ err: error }, 'the first feedback try failed'));
  };
  const sender = new UplinkSender({
    store, client, instance, version, clock, log, alarms: store.alarms, url: uplink.url, interval: uplink.intervalMs, batch: uplink.batch,
    key: () => readKeyText(uplink.keyRef, config.secrets),
    applyDecision: decisionApplier({ events: store.events, verdicts: store.verdicts, clock, onWritten }),
  });
  lifecycle.onStop('uplink', () => sender.stop());
  return sender;
}

/** The store's lock makes sure that a socket found here is a leftover. */
async function openAdminSocket(path: string, app: ReturnType<typeof createHttpApp>, lifecycle: Lifecycle): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const listening = await listen(app, { at: { socket: path } });
  chmodSync(path, 0o660);
  lifecycle.onStop('admin socket', () => listening.close());
}
