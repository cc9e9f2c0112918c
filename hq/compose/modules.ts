// What only headquarters has: sites, datasets, business systems, knowledge and policies.
import { join } from 'node:path';
import type { FindPolicies } from '../../common/agent/summary/summarizer.ts';
import type { Core } from '../../common/core/core.ts';
import { Loop } from '../../common/loop.ts';
import { counter, type Metric } from '../../common/metrics.ts';
import { cameraRoutes } from '../camera/routes.ts';
import { createDatasets } from '../dataset/datasets.ts';
import type { EvidenceModule } from '../evidence/create.ts';
import { createIntegration } from '../integration/module.ts';
import { knowledgeMetrics, knowledgeRoutes } from '../knowledge/routes.ts';
import { KnowledgeService } from '../knowledge/service.ts';
import { siteNotificationRoute } from '../notification/routes.ts';
import { HandedNotifications } from '../notification/service.ts';
import { planRoutes } from '../plan/routes.ts';
import { PlanService } from '../plan/service.ts';
import { embedOptions } from '../policy/embed/options.ts';
import { createLibrary, type Library } from '../policy/library.ts';
import { openOriginals } from '../policy/original/open.ts';
import { createPolicySearch, type PolicySearch } from '../policy/search/module.ts';
import { createSiteLibraries, type SiteLibraries } from '../policy/site/module.ts';
import { SiteAlarms } from '../receiver/alarm/alarms.ts';
import { createReceiver, type Receiver } from '../receiver/module.ts';
import { statisticsRoutes } from '../statistics/routes.ts';
import { eventIndexLoop } from '../store/event-index-loop.ts';
import { agreeOnOriginals } from './agreement.ts';
import type { Base, HubModule } from './base.ts';
import { damageOf } from './damage.ts';
import { releasesOf, requestsOf, rolloutsOf, settingsOf } from './fleet.ts';
import { replicaOf } from './replica.ts';
import { usersOf } from './sign-in.ts';

/** How often it is seen whether tables need another partition, ms. */
const PARTITIONS_EVERY_MS = 60_000;

/** In the order of their routes in the description of the API; stopped in the reverse one. */
export async function createModules(
  base: Base,
  core: Core,
  evidence: EvidenceModule,
): Promise<{ modules: HubModule[]; findPolicies: FindPolicies }> {
  const sites = sitesOf(base, core, evidence);
  const datasets = datasetsOf(base);
  const integration = integrationOf(base);
  const index = eventIndexOf(base);
  const partitions = partitionsOf(base);
  const library = await libraryOf(base);
  const search = searchOf(base, library);
  const modules = [
    sites,
    requestsOf(base),
    evidence,
    handedOf(base),
    datasets,
    integration,
    index,
    ...replicaOf(base),
    damageOf(base),
    partitions,
    statisticsOf(base),
    knowledgeOf(base),
    plansOf(base),
    settingsOf(base),
    releasesOf(base, library.transfer, () => sites.batchesWaiting()),
    rolloutsOf(base),
    library,
    search,
    siteLibrariesOf(base, library),
    usersOf(base, core),
  ];
  return { modules, findPolicies: (tenantCode, about) => search.excerpts(tenantCode, about) };
}

function sitesOf(
  { config, store, clock, log, lifecycle }: Base,
  core: Core,
  evidence: EvidenceModule,
): Receiver {
  const receiver = createReceiver({
    groups: store.siteGroups,
    receiver: store.receiver,
    sites: store.sites,
    news: store.news,
    hours: store.siteHours,
    decisions: store.decisions,
    orders: store.orders,
    wants: store.evidenceWants,
    notifications: store.siteNotifications,
    joiningCodes: store.joiningCodes,
    attempts: store.loginAttempts,
    keys: core.keys,
    alarms: store.alarms,
    clock,
    log,
    epoch: () => store.epoch(),
    instance: config.instance,
    onConflicts: (count) => core.events.conflicted(count),
    inbox: store.inbox,
    openWants: (ids) => evidence.service.open(ids),
    libraries: store.policy.siteLibraries,
    settings: store.siteSettings,
    requests: store.siteRequests,
    upgrades: store.siteUpgrades,
  });
  lifecycle.onStop('receiver', () => receiver.stop());
  return receiver;
}

function handedOf({ store, clock, log, config }: Base): HubModule {
  const alarms = new SiteAlarms({
    alarms: store.alarms,
    sites: store.sites,
    clock,
    log,
    self: config.instance,
  });
  const { siteNotifications: port, events } = store;
  const handed = new HandedNotifications({ port, events, alarms, clock });
  const site = (instance: string) => store.sites.get(instance);
  return {
    routes: [siteNotificationRoute({ handed, site, epoch: () => store.epoch() })],
    metrics: [handedMetric(handed)],
  };
}

const handedMetric = (handed: HandedNotifications): Metric =>
  counter(
    'fieldline_site_notifications_held_total',
    'Notifications that were left at their site since it hands up more than is taken of one',
    () => handed.held,
  );

function datasetsOf({ config, store, secrets, clock, log, lifecycle }: Base): HubModule {
  const datasets = createDatasets({
    sources: store.datasetSources,
    pulls: store.datasetPulls,
    served: store.served,
    counting: (now) => store.servedCounts.round(now),
    alarms: store.alarms,
    secretResolver: secrets.core.resolver,
    networks: config.datasetNetworks,
    most: config.datasetShare,
    clock,
    log,
    instance: config.instance,
  });
  lifecycle.onStop('datasets', () => datasets.stop());
  return datasets;
}

function integrationOf({ config, overrides, store, secrets, clock, log, lifecycle }: Base): HubModule {
  const integration = createIntegration({
    store: store.integration,
    alarms: store.alarms,
    vault: secrets.core.vault,
    secrets: secrets.core.sources,
    networks: config.webhookNetworks,
    trustedProxies: config.trustedProxies,
    keepDays: config.webhookKeepDays,
    clock,
    log,
    instance: config.instance,
    resolve: overrides.resolve,
    onStep: overrides.onDeliveryStep,
    attemptMs: overrides.deliveryMs,
  });
  lifecycle.onStop('integration', () => integration.stop());
  return integration;
}

/** Keeps the index of events, which lists and statistics read, up to what is stored. */
function eventIndexOf({ store, clock, log, lifecycle }: Base): HubModule {
  const loop = eventIndexLoop({ index: store.eventIndex, clock, log });
  lifecycle.onStop('event index', () => loop.stop());
  return { routes: [], metrics: [], start: () => loop.start() };
}

/** Divides the tables that grow for years ahead of what comes. */
function partitionsOf({ config, store, clock, log, lifecycle }: Base): HubModule {
  const loop = new Loop({
    name: 'partitions',
    interval: PARTITIONS_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round: () => store.partitions.round(clock.now(), config.retention.eventsDays),
  });
  lifecycle.onStop('partitions', () => loop.stop());
  return { routes: [], metrics: [], start: () => loop.start() };
}

const statisticsOf = ({ store, clock }: Base): HubModule => ({
  routes: statisticsRoutes({
    statistics: store.statistics,
    groups: (name, reader) => store.siteGroups.sitesOf(name, reader),
    clock,
  }),
  metrics: [],
});

function knowledgeOf({ store, clock }: Base): HubModule {
  const knowledge = new KnowledgeService(store.knowledge, clock);
  return { routes: knowledgeRoutes(knowledge), metrics: knowledgeMetrics(knowledge, store.knowledge) };
}

/** Names of cameras, and the plans on which they stand. */
function plansOf({ config, store, clock }: Base): HubModule {
  const tenantsOf = async (instance: string) => (await store.sites.get(instance))?.tenants ?? null;
  const { plans, cameraNames: names } = store;
  const service = new PlanService({ plans, names, tenantsOf, clock });
  const cameras = cameraRoutes({ names, instance: config.instance, tenantsOf, clock });
  return { routes: [...planRoutes(service), ...cameras], metrics: [] };
}

async function libraryOf(base: Base): Promise<Library> {
  const { config, store, clock, log, lifecycle } = base;
  const storage = await openOriginals(config.originals, store.policy.storageMarker, config.secrets);
  const agreement = await agreeOnOriginals(base, storage);
  const library = createLibrary({
    policy: store.policy,
    audit: store.audit,
    alarms: store.alarms,
    instance: config.instance,
    storage,
    dataDir: config.dataDir,
    consoleTenants: config.consoleTenants,
    reads: config.policyReading,
    clock,
    log,
  });
  lifecycle.onStop('policy library', () => library.stop());
  lifecycle.onStop('agreement on originals', () => agreement.stop());
  const start = (): void => {
    library.start();
    agreement.start();
  };
  return { ...library, start };
}

function siteLibrariesOf(
  { config, store, clock, log, lifecycle }: Base,
  { origins }: Library,
): SiteLibraries {
  const libraries = createSiteLibraries({
    libraries: store.policy.siteLibraries,
    origins,
    tenantsOf: async (instance) => (await store.sites.get(instance))?.tenants ?? null,
    level: config.siteLibrary,
    epoch: () => store.epoch(),
    alarms: store.alarms,
    instance: config.instance,
    clock,
    log,
  });
  lifecycle.onStop('libraries of sites', () => libraries.stop());
  return libraries;
}

function searchOf(
  { config, databaseUrl, store, clock, log, lifecycle }: Base,
  library: Library,
): PolicySearch {
  const search = createPolicySearch({
    store: store.policy,
    alarms: store.alarms,
    audit: store.audit,
    origins: library.origins,
    databaseUrl,
    directory: join(config.dataDir, 'policy-index'),
    logLevel: config.logLevel,
    instance: config.instance,
    embed: embedOptions(config),
    embedCallsPerDay: config.embed?.callsPerDay ?? 1,
    modelCalls: store.modelCalls,
    clock,
    log,
  });
  lifecycle.onStop('policy search', () => search.stop());
  return search;
}
