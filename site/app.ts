import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '../common/clock.ts';
import { ensureSecretFile } from '../common/config.ts';
import type { AgentSteps } from '../common/agent/act/agent.ts';
import { AGENT } from '../common/agent/act/decide.ts';
import { agentRetentionHook, timelineNotifications } from '../common/agent/act/traces.ts';
import { createAgent } from '../common/agent/create.ts';
import { createRuleSet } from '../common/agent/rule-set/create.ts';
import type { RuleSet } from '../common/agent/rule-set/rule-set.ts';
import { RemoteRules } from '../common/agent/rule-set/source.ts';
import { readAdminKey } from '../common/core/admin-key/configured.ts';
import { AdminKeyService } from '../common/core/admin-key/service.ts';
import { createCore, type Core } from '../common/core/core.ts';
import { intakeDoc } from '../common/core/event/routes.ts';
import type { FileSteps } from '../common/core/evidence/files.ts';
import { redactUrl } from '../common/http/redact-url.ts';
import { operationRoutes } from '../common/core/operation/routes.ts';
import { SecretResolver } from '../common/core/secret/resolver.ts';
import { referenceOwners, tellOldReferences } from '../common/core/secret/old-reference.ts';
import { adminKeyMethod } from '../common/core/session/login.ts';
import { Authenticator } from '../common/http/auth.ts';
import { BodyBudget, bodyMetrics, SITE_BODIES } from '../common/http/body/budget.ts';
import { readKeyText, readTls } from '../common/http/credentials.ts';
import { listen } from '../common/http/listen.ts';
import { createHttpApp } from '../common/http/server.ts';
import type { Route } from '../common/http/route.ts';
import { withStrictTransport } from '../common/http/transport.ts';
import { Lifecycle } from '../common/lifecycle.ts';
import { createLogger, type Logger } from '../common/log.ts';
import { commit, version } from '../common/package.ts';
import { dataFolder, withholdFromOthers } from '../common/private-files.ts';
import { tellServiceManager } from '../common/service-manager.ts';
import { FileVault, newSecret, readSecret, SealedVault } from '../common/secret.ts';
import type { SiteConfig } from './config.ts';
import { createHttpClient } from './http-client.ts';
import type { DiskProbe } from './retention/measure.ts';
import { siteMessages } from './site-messages.ts';
import { createClockWatch, createOperations } from './status/create.ts';
import { headline } from './status/headline.ts';
import { siteMetrics } from './status/metrics.ts';
import { openSiteStore, type SiteStore } from './store/open.ts';
import type { SyncLayer } from './store/engine/sync.ts';
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
  agentSteps?: AgentSteps;
  probe?: DiskProbe;
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

async function compose(
  config: SiteConfig,
  parts: SiteOverrides & { clock: Clock; log: Logger },
  lifecycle: Lifecycle,
): Promise<Site> {
  const { clock, log } = parts;
  dataFolder(config.dataDir, 0o750);
  withholdFromOthers(config.dataDir);
  const secretsDir = join(config.dataDir, 'secrets');
  const vault = new FileVault(secretsDir);
  const adminKey = readAdminKey(config, secretsDir);
  const sealKey = hash(
    'sha256',
    readSecret(
      ensureSecretFile(join(secretsDir, 'seal-key'), () => newSecret('flm_')),
      config.secrets,
    ),
    'buffer',
  );

  const store = await openSiteStore({
    dir: config.dataDir,
    clock,
    log,
    ...(parts.sync ? { sync: parts.sync } : {}),
    ...(parts.probe ? { probe: parts.probe } : {}),
  });
  lifecycle.onStop('store', () => store.close());
  const clockWatch = await createClockWatch({ store, instance: config.instance, clock, log });

  const adminKeys = new AdminKeyService({
    adminKeys: store.adminKeys,
    configured: adminKey,
    clock,
    log,
    cacheMs: 60_000,
  });
  const secretResolver = new SecretResolver({
    secrets: store.secrets,
    directory: config.secretsDir,
    masterKey: sealKey,
  });
  const ruleSet = createRules(config, { store, clock, log }, lifecycle);
  const core = createCore({
    messages: siteMessages,
    stores: store,
    clock,
    log,
    instance: config.instance,
    vault,
    secretResolver,
    secrets: { ...config.secrets, masterKey: sealKey },
    sealing: new SealedVault(sealKey),
    feedbackNetworks: config.feedbackNetworks,
    pushNetworks: config.pushNetworks,
    dataDir: config.dataDir,
    evidenceLimit: config.evidenceLimit,
    retention: config.retention,
    retentionHooks: [agentRetentionHook(store.agent)],
    holdUnsent: config.uplink !== null,
    createClient: createHttpClient,
    notifications: timelineNotifications(store),
    fileSteps: parts.fileSteps,
    keyCacheMs: 60_000,
    adminKeys,
    ownConsumer: config.agent.enabled ? AGENT : null,
    onRule: () => ruleSet.registered(),
    tenantsOfSite: null,
    clockSuspect: () => clockWatch.suspect,
    login: adminKeyMethod(adminKeys, store.sessions),
    deviceSecret: Buffer.from(adminKey),
    trustedProxies: config.trustedProxies,
    onStored: () => sender?.notify(),
    onChange: () => sender?.notify(),
  });
  const sender = createSender(
    config,
    { store, core, clock, log, report: () => operations.report() },
    lifecycle,
  );
  lifecycle.onStop('core', () => core.stop());
  const agent = createAgent({
    stores: store,
    core,
    ruleSet,
    ...config.agent,
    tenants: config.agentTenants,
    vault,
    secretResolver,
    secrets: config.secrets,
    instance: config.instance,
    clock,
    log,
    createClient: createHttpClient,
    steps: parts.agentSteps,
  });
  lifecycle.onStop('agent', () => agent.stop());
  const status: StatusOptions = { store, sender, instance: config.instance, clock };
  const operations = createOperations(config, {
    store,
    core,
    uplink: status,
    clock,
    log,
    clockWatch,
    probe: parts.probe,
  });
  lifecycle.onStop('operations', () => operations.stop());

  const bodies = new BodyBudget(SITE_BODIES);
  const routes: Route[] = [
    ...operations.guarded(core.routes),
    ...operations.routes,
    ...agent.routes,
    ...siteUplinkRoutes(status, new ParkedService({ uplink: store.uplink, sender, clock })),
    ...operationRoutes({
      service: 'fieldline-site',
      role: 'site',
      version,
      commit,
      instance: config.instance,
      epoch: () => store.epoch(),
      kbQueryEmbed: false,
      probe: () => store.probe(),
      metrics: [
        ...bodyMetrics(bodies),
        ...core.metrics,
        ...agent.metrics,
        ...siteMetrics(store, status),
        ...operations.metrics,
      ],
      allRoutes: () => routes,
      metricsNetworks: config.metricsNetworks,
      bodies: new Map([['POST /api/core/events', intakeDoc]]),
    }),
  ];
  const api = createHttpApp({
    routes,
    log,
    bodies,
    trustedProxies: config.trustedProxies,
    authenticator: authenticatorOf(config, { adminKeys, core, clock }),
  });
  const app = withStrictTransport(api, config.trustedProxies);
  const tls = readTls(config.tls, config.secrets);
  await agent.begin();
  await tellOldReferences(await referenceOwners(store), {
    alarms: store.alarms,
    self: config.instance,
    now: clock.now(),
  });
  const listening = await listen(app, { at: config.listen, ...(tls ? { tls } : {}) });
  lifecycle.onStop('http', () => listening.close());
  await openAdminSocket(config.adminSocket, app, lifecycle);

  await operations.start();
  core.start();
  await ruleSet.start();
  agent.start();
  sender?.start();
  const url = `${tls ? 'https' : 'http'}://${config.listen.host === '0.0.0.0' ? '127.0.0.1' : config.listen.host}:${listening.port}`;
  await tellServiceManager(config, {
    store,
    lifecycle,
    log,
    status: () => headline(status, operations.disk.budget?.level === 'full'),
  });
  log.info(
    {
      url,
      instance: config.instance,
      dataDir: config.dataDir,
      uplink: config.uplink === null ? null : redactUrl(config.uplink.url),
      version,
    },
    'site is ready',
  );
  return { url, store, failed: store.failed, stop: () => lifecycle.stop() };
}

/** Told apart by their key, their session, their signature or the local socket. */
function authenticatorOf(
  { trustedProxies }: SiteConfig,
  { adminKeys, core, clock }: { adminKeys: AdminKeyService; core: Core; clock: Clock },
): Authenticator {
  return new Authenticator({
    adminKeys,
    refusals: core.adminKeyRefusals,
    trustedProxies,
    keys: core.keys,
    sessions: core.sessions,
    clock,
  });
}

/** Rules of headquarters where there is one, beside those registered here, for the tenants of the nodes. */
function createRules(
  config: SiteConfig,
  { store, clock, log }: { store: SiteStore; clock: Clock; log: Logger },
  lifecycle: Lifecycle,
): RuleSet {
  const { uplink, instance, dataDir, rulesCacheFile, agentTenants } = config;
  const client = uplink && createHttpClient();
  if (client) lifecycle.onStop('rules client', () => client.close());
  const nodeTenants = async (): Promise<string[]> => [
    ...new Set((await store.keys.list('node')).flatMap(({ tenantCode }) => tenantCode ?? [])),
  ];
  const ruleSet = createRuleSet({
    stores: store,
    clock,
    log,
    instance,
    dataDir,
    cacheFile: rulesCacheFile,
    remote:
      uplink && client
        ? new RemoteRules({
            client,
            url: uplink.url,
            key: () => readKeyText(uplink.keyRef, config.secrets),
            now: () => clock.now(),
          })
        : null,
    tenants: () => (agentTenants === null ? nodeTenants() : Promise.resolve(agentTenants)),
  });
  lifecycle.onStop('rules', () => ruleSet.loop.stop());
  return ruleSet;
}

/** null without headquarters. */
function createSender(
  config: SiteConfig,
  parts: { store: SiteStore; core: Core; clock: Clock; log: Logger; report: () => Promise<string> },
  lifecycle: Lifecycle,
): UplinkSender | null {
  const { uplink, instance } = config;
  if (!uplink) return null;
  const { store, core, clock, log } = parts;
  const client = createHttpClient();
  lifecycle.onStop('uplink client', () => client.close());
  const onWritten = (feedbackId: string): void => {
    core.feedback
      .firstTry(feedbackId, { tenantCode: null })
      .catch((error: unknown) => log.warn({ err: error }, 'the first feedback try failed'));
  };
  const sender = new UplinkSender({
    store,
    client,
    instance,
    version,
    clock,
    log,
    alarms: store.alarms,
    url: uplink.url,
    interval: uplink.intervalMs,
    batch: uplink.batch,
    report: parts.report,
    key: () => readKeyText(uplink.keyRef, config.secrets),
    applyDecision: decisionApplier({
      events: store.events,
      verdicts: store.verdicts,
      clock,
      instance: config.instance,
      onWritten,
    }),
  });
  lifecycle.onStop('uplink', () => sender.stop());
  return sender;
}

/** The store's lock makes sure that a socket found here is a leftover. */
async function openAdminSocket(
  path: string,
  app: ReturnType<typeof createHttpApp>,
  lifecycle: Lifecycle,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const listening = await listen(app, { at: { socket: path } });
  chmodSync(path, 0o660);
  lifecycle.onStop('admin socket', () => listening.close());
}
