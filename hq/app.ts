import { join } from 'node:path';
import { hash } from 'node:crypto';
import { type Clock, systemClock } from '../common/clock.ts';
import { ensureSecretFile } from '../common/config.ts';
import { AGENT } from '../common/agent/act/record.ts';
import { agentRetentionHook, timelineNotifications } from '../common/agent/act/traces.ts';
import { createAgent } from '../common/agent/create.ts';
import { createRuleSet } from '../common/agent/rule-set/create.ts';
import { readAdminKey } from '../common/core/admin-key/configured.ts';
import { AdminKeyService } from '../common/core/admin-key/service.ts';
import type { CoreBase, CoreSecrets } from '../common/core/compose/part.ts';
import { type Core, createCore } from '../common/core/core.ts';
import { intakeDoc } from '../common/core/event/routes.ts';
import { operationRoutes } from '../common/core/operation/routes.ts';
import { SecretResolver } from '../common/core/secret/resolver.ts';
import type { Resolve } from '../common/http/address.ts';
import { openAdminSocket } from '../common/http/admin-socket.ts';
import { Authenticator } from '../common/http/auth.ts';
import { createHttpApp } from '../common/http/app.ts';
import { BodyBudget, bodyMetrics, HUB_BODIES } from '../common/http/body/budget.ts';
import { AnswerCounts, answerMetrics } from '../common/http/middleware/access-log.ts';
import { readTls } from '../common/http/credentials.ts';
import { listen } from '../common/http/listen.ts';
import type { Route } from '../common/http/route.ts';
import { Lifecycle } from '../common/lifecycle.ts';
import { createLogger, type Logger } from '../common/log.ts';
import { Loop } from '../common/loop.ts';
import { commit, version } from '../common/package.ts';
import { dataFolder, withholdFromOthers } from '../common/private-files.ts';
import { tellServiceManager } from '../common/service-manager.ts';
import { newSecret, readSecret, SealedVault } from '../common/secret.ts';
import { passwordMethod } from './auth/login.ts';
import { PasswordHasher } from './auth/password.ts';
import { userRoutes } from './auth/routes.ts';
import { UserService } from './auth/service.ts';
import type { HubConfig } from './config.ts';
import { Forms } from './form/forms.ts';
import { UploadFolder } from './form/upload-folder.ts';
import { createHttpClient } from './http-client.ts';
import { hubMessages } from './hub-messages.ts';
import { createSiteEvidence } from './evidence/create.ts';
import { createDatasets } from './dataset/datasets.ts';
import { createReceiver } from './receiver/module.ts';
import { CATALOGUE } from './integration/catalogue.ts';
import { openErrors } from './integration/envelope.ts';
import { createIntegration, integrationRetentionHook } from './integration/module.ts';
import type { DeliveryStep } from './integration/sender.ts';
import { knowledgeMetrics, knowledgeRoutes } from './knowledge/routes.ts';
import { KnowledgeService } from './knowledge/service.ts';
import { embedOptions } from './policy/embed/options.ts';
import { createLibrary } from './policy/library.ts';
import { openOriginals } from './policy/original/open.ts';
import { createPolicySearch } from './policy/search/module.ts';
import { type HubStore, openHubStore } from './stores.ts';

/** Parts that a test may replace. */
export interface HubOverrides {
  clock?: Clock;
  log?: Logger;
  hasher?: PasswordHasher;
  /** Looks up the hosts of webhooks. */
  resolve?: Resolve;
  onDeliveryStep?: (step: DeliveryStep) => void;
  /** Longest attempt to deliver to a webhook, ms. */
  deliveryMs?: number;
}

export interface Hub {
  url: string;
  store: HubStore;
  stop(): Promise<void>;
}

/** Keys that other processes changed are believed at most this long, ms. */
const KEY_CACHE_MS = 2_000;

/** Sites, consumers and browsers of the whole enterprise, often behind one proxy. */
const CONNECTIONS = 4_096;

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

async function compose(
  config: HubConfig,
  parts: HubOverrides & { clock: Clock; log: Logger },
  lifecycle: Lifecycle,
): Promise<Hub> {
  const { clock, log } = parts;
  dataFolder(config.dataDir, 0o755);
  withholdFromOthers(config.dataDir, ['postgres']);
  const secretsDir = join(config.dataDir, 'secrets');
  const adminKey = readAdminKey(config, secretsDir);
  const masterText = readSecret(
    config.masterKeyRef ?? ensureSecretFile(join(secretsDir, 'master-key'), () => newSecret('flm_')),
    config.secrets,
  );
  const masterKey = hash('sha256', masterText, 'buffer');

  const url = await databaseUrl(config, log, lifecycle);
  const store = await openHubStore({ url, clock, log, poolSize: config.databasePool });
  lifecycle.onStop('store', () => store.close());

  const adminKeys = new AdminKeyService({
    adminKeys: store.adminKeys,
    configured: adminKey,
    clock,
    log,
    cacheMs: KEY_CACHE_MS,
  });
  const hasher = parts.hasher ?? new PasswordHasher();
  const secretResolver = new SecretResolver({
    secrets: store.secrets,
    directory: config.secretsDir,
    masterKey,
  });
  const ruleSet = createRuleSet({
    stores: store,
    clock,
    log,
    instance: config.instance,
    remote: null,
    dataDir: config.dataDir,
    cacheFile: null,
    tenants: () => Promise.resolve(config.agentTenants),
  });
  lifecycle.onStop('rules', () => ruleSet.loop.stop());
  const base: CoreBase = { stores: store, clock, log, instance: config.instance };
  const secrets: CoreSecrets = {
    vault: new SealedVault(masterKey),
    sources: { ...config.secrets, masterKey },
    resolver: secretResolver,
    sealing: new SealedVault(masterKey),
  };
  const evidence = createSiteEvidence({ store, config, secrets: secrets.sources, clock, log });
  lifecycle.onStop('evidence of sites', () => evidence.stop());
  const core = createCore({
    base,
    secrets,
    outbound: {
      createClient: createHttpClient,
      feedbackNetworks: config.feedbackNetworks,
      pushNetworks: config.pushNetworks,
    },
    access: {
      adminKeys,
      keyCacheMs: KEY_CACHE_MS,
      login: passwordMethod(store.users, hasher),
      deviceSecret: masterKey,
      trustedProxies: config.trustedProxies,
    },
    events: {},
    disposition: {
      notifications: timelineNotifications(store),
      knowledge: store.knowledge,
      decisions: store.receiver,
    },
    consumers: { own: config.agent.enabled ? AGENT : null },
    evidence: { files: evidence.files, limit: config.evidenceLimit, far: evidence.service },
    retention: {
      limits: config.retention,
      hooks: [
        agentRetentionHook(store.agent),
        integrationRetentionHook(store.integration.deliveries),
        evidence.service.retentionHook,
      ],
      holdUnsent: false,
    },
    administration: {
      messages: hubMessages,
      onRule: () => ruleSet.registered(),
      tenantsOfSite: async (instance) => (await store.receiver.site(instance))?.tenants ?? [],
    },
  });
  const agent = createAgent({
    base,
    core,
    ruleSet,
    secrets,
    createClient: createHttpClient,
    config: config.agent,
    tenants: config.agentTenants,
  });
  lifecycle.onStop('agent', () => agent.stop());
  const receiver = createReceiver({
    receiver: store.receiver,
    wants: store.evidenceWants,
    keys: core.keys,
    alarms: store.alarms,
    clock,
    log,
    epoch: () => store.epoch(),
    instance: config.instance,
    onConflicts: (count) => core.events.conflicted(count),
    beside: (request) => evidence.service.beside(request),
  });
  lifecycle.onStop('core', () => core.stop());
  const datasets = createDatasets({
    sources: store.datasetSources,
    pulls: store.datasetPulls,
    served: store.served,
    counting: (now) => store.servedCounts.round(now),
    alarms: store.alarms,
    secretResolver,
    networks: config.datasetNetworks,
    clock,
    log,
    instance: config.instance,
  });
  lifecycle.onStop('datasets', () => datasets.stop());
  const integration = createIntegration({
    store: store.integration,
    alarms: store.alarms,
    vault: new SealedVault(masterKey),
    secrets: { ...config.secrets, masterKey },
    networks: config.webhookNetworks,
    keepDays: config.webhookKeepDays,
    clock,
    log,
    instance: config.instance,
    resolve: parts.resolve,
    onStep: parts.onDeliveryStep,
    attemptMs: parts.deliveryMs,
  });
  lifecycle.onStop('integration', () => integration.stop());
  const indexing = new Loop({
    name: 'event index',
    interval: INDEX_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round: () => store.eventIndex.round(),
  });
  lifecycle.onStop('event index', () => indexing.stop());

  const knowledge = new KnowledgeService(store.knowledge, clock);
  const library = createLibrary({
    policy: store.policy,
    audit: store.audit,
    storage: await openOriginals(config.originals, store.policy.place, config.secrets),
    dataDir: config.dataDir,
    consoleTenants: config.consoleTenants,
    clock,
    log,
  });
  lifecycle.onStop('policy library', () => library.stop());
  const search = createPolicySearch({
    store: store.policy,
    alarms: store.alarms,
    audit: store.audit,
    origins: library.origins,
    databaseUrl: url,
    directory: join(config.dataDir, 'policy-index'),
    logLevel: config.logLevel,
    instance: config.instance,
    embed: embedOptions(config),
    clock,
    log,
  });
  lifecycle.onStop('policy search', () => search.stop());

  const bodies = new BodyBudget(HUB_BODIES);
  const answers = new AnswerCounts();
  const routes: Route[] = [
    ...core.routes,
    ...receiver.routes,
    ...evidence.routes,
    ...datasets.routes,
    ...integration.routes,
    ...agent.routes,
    ...knowledgeRoutes(knowledge),
    ...library.routes,
    ...search.routes,
    ...userRoutes(new UserService({ users: store.users, hasher, sessions: core.sessions, clock })),
    ...operationRoutes({
      service: 'fieldline-hq',
      role: 'hq',
      version,
      commit,
      instance: config.instance,
      epoch: () => store.epoch(),
      kbQueryEmbed: config.embed !== null,
      probe: () => store.probe(),
      metrics: [
        ...bodyMetrics(bodies),
        ...answerMetrics(answers),
        ...core.metrics,
        ...evidence.metrics,
        ...receiver.metrics,
        ...agent.metrics,
        ...datasets.metrics,
        ...integration.metrics,
        ...knowledgeMetrics(knowledge, store.knowledge),
        ...library.metrics,
        ...search.metrics,
      ],
      allRoutes: () => routes,
      metricsNetworks: config.metricsNetworks,
      webhooks: CATALOGUE,
      bodies: new Map([['POST /api/core/events', intakeDoc]]),
    }),
  ];
  const uploads = new UploadFolder(join(config.dataDir, 'uploads-incoming'));
  // Files are as old as their own clock says, whatever the injected one.
  uploads.sweep(Date.now());
  const app = createHttpApp({
    routes,
    log,
    bodies,
    answers,
    forms: new Forms(uploads),
    errorForms: [openErrors],
    trustedProxies: config.trustedProxies,
    authenticator: authenticatorOf(config, { adminKeys, core, clock }),
  });
  const tls = readTls(config.tls, config.secrets);
  await agent.begin();
  const listening = await listen(app, {
    at: config.listen,
    connections: CONNECTIONS,
    ...(tls ? { tls } : {}),
  });
  lifecycle.onStop('http', () => listening.close());
  const { adminSocket } = config;
  if (!(await openAdminSocket(adminSocket, app, lifecycle)))
    log.info({ adminSocket }, 'another process of this hub has the local socket');

  core.start();
  evidence.start();
  datasets.start();
  integration.start();
  await ruleSet.start();
  agent.start();
  library.start();
  search.start();
  indexing.start();
  const host = config.listen.host === '0.0.0.0' ? '127.0.0.1' : config.listen.host;
  const address = `${tls ? 'https' : 'http'}://${host}:${listening.port}`;
  await tellServiceManager(config, {
    store,
    lifecycle,
    log,
    status: () => Promise.resolve(`serving at ${address}`),
  });
  log.info(
    { url: address, instance: config.instance, database: config.databaseUrl ? 'given' : 'embedded', version },
    'hub is ready',
  );
  return { url: address, store, stop: () => lifecycle.stop() };
}

/** Told apart by their key, their session, their signature or the local socket. */
function authenticatorOf(
  { trustedProxies }: HubConfig,
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

/** The embedded server is loaded only where no other is given. */
async function databaseUrl(config: HubConfig, log: Logger, lifecycle: Lifecycle): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  const { startEmbeddedPostgres } = await import('./store/embedded/server.ts');
  const server = await startEmbeddedPostgres({
    dir: config.dataDir,
    log: { info: (text) => log.info(text), warn: (text) => log.warn(text) },
  });
  lifecycle.onStop('embedded postgres', () => server.stop());
  return server.url;
}
