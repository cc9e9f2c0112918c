// The stores of the core and of each module of headquarters, over one database.
import type pg from 'pg';
import type { Stores } from '../common/core/stores.ts';
import type { RetryPort } from '../common/http/retry.ts';
import type { FactorPort } from './auth/factor/port.ts';
import type { PasskeyPort } from './auth/passkey/port.ts';
import type { UserPort } from './auth/port.ts';
import type { ProviderPort } from './auth/provider/port.ts';
import { HubFactors } from './auth/store/factor.ts';
import { HubPasskeys } from './auth/store/passkey.ts';
import { HubProvider } from './auth/store/provider.ts';
import { HubUsers } from './auth/store/user.ts';
import type { CameraNamePort } from './camera/port.ts';
import { HubCameraNames } from './camera/store/camera.ts';
import type { PullPort, SourcePort } from './dataset/port.ts';
import { HubPulls } from './dataset/store/pull.ts';
import { HubServedCounts, type ServedCounts } from './dataset/store/served-counts.ts';
import { HubServed, type ServedStore } from './dataset/store/served-dataset.ts';
import { HubSources } from './dataset/store/source.ts';
import type { DutyStore } from './duty/port.ts';
import { createDutyStore } from './duty/store/duty.ts';
import type { WantPort } from './evidence/port.ts';
import { createWants } from './evidence/store/wants.ts';
import type { ReleasePort } from './fleet/release/port.ts';
import type { RequestPort } from './fleet/request/port.ts';
import type { RolloutPort } from './fleet/rollout/port.ts';
import type { SiteSettingsPort } from './fleet/settings/port.ts';
import { HubReleases } from './fleet/store/release.ts';
import { HubSiteRequests } from './fleet/store/request.ts';
import { HubRollouts } from './fleet/store/rollout.ts';
import { HubSiteSettings } from './fleet/store/settings.ts';
import { HubSiteUpgrades } from './fleet/store/upgrade.ts';
import type { SiteUpgradePort } from './fleet/upgrade/port.ts';
import type { IntegrationStore } from './integration/port.ts';
import { emitHazardOfTask } from './integration/store/hazard-from-task.ts';
import { createIntegrationStore } from './integration/store/integration.ts';
import type { KnowledgePort } from './knowledge/port.ts';
import { HubKnowledge } from './knowledge/store/knowledge.ts';
import type { SiteNotificationPort } from './notification/port.ts';
import { createSiteNotifications } from './notification/store/notifications.ts';
import type { PlanPort } from './plan/port.ts';
import { HubPlans } from './plan/store/plan.ts';
import type { EmbeddingLease } from './policy/embed/port.ts';
import type { PolicyStore } from './policy/port.ts';
import { HubCitations } from './policy/store/citation.ts';
import { HubEmbeddingLease } from './policy/store/embedding.ts';
import { createPolicy } from './policy/store/policy.ts';
import type { CitationPort } from './policy/verify/port.ts';
import type { FleetPort, SiteGroupPort } from './receiver/fleet/port.ts';
import type { SiteHourPort } from './receiver/hours/port.ts';
import type { InboxPort } from './receiver/inbox/port.ts';
import type { JoiningCodePort } from './receiver/join/port.ts';
import type { OrderPort } from './receiver/order/port.ts';
import type { DecisionPort, ReceiverPort, SitePort } from './receiver/port.ts';
import { HubDecisions } from './receiver/store/decision.ts';
import { HubOrders } from './receiver/store/given-orders.ts';
import { HubSiteGroups } from './receiver/store/group.ts';
import { HubSiteHours } from './receiver/store/hours.ts';
import { HubInbox } from './receiver/store/inbox.ts';
import { HubJoiningCodes } from './receiver/store/joining-code.ts';
import { HubReceiver } from './receiver/store/receiver.ts';
import { HubSites } from './receiver/store/site.ts';
import type { SiteZonePort } from './receiver/zone/port.ts';
import type { StatisticsPort } from './statistics/port.ts';
import { HubStatistics } from './statistics/store/statistics.ts';
import { HubFacts } from './store/adapter/fact.ts';
import { HubRetries } from './store/adapter/retry.ts';
import { type Damage, readTables } from './store/engine/damage.ts';
import { Database } from './store/engine/database.ts';
import { Epoch } from './store/engine/epoch.ts';
import { HubNews } from './store/engine/news.ts';
import type { Replica } from './store/engine/replica.ts';
import type { EventIndex } from './store/event-index/event-index.ts';
import { type CoreStore, coreStore, type HubStoreOptions, openCoreStore } from './store/open.ts';
import type { Partitions } from './store/partition/partitions.ts';

export interface HubStore extends Stores {
  receiver: ReceiverPort;
  evidenceWants: WantPort;
  siteNotifications: SiteNotificationPort;
  sites: SitePort & SiteZonePort & FleetPort;
  siteGroups: SiteGroupPort;
  siteSettings: SiteSettingsPort;
  joiningCodes: JoiningCodePort;
  siteHours: SiteHourPort;
  /** What headquarters decided on events of sites. */
  decisions: DecisionPort;
  inbox: InboxPort;
  /** What headquarters ordered sites to do to their tasks. */
  orders: OrderPort;
  /** What people asked sites to look at or to do. */
  siteRequests: RequestPort;
  /** Which version headquarters wants at each site. */
  siteUpgrades: SiteUpgradePort;
  releases: ReleasePort;
  rollouts: RolloutPort;
  users: UserPort;
  /** Their second factors. */
  factors: FactorPort;
  passkeys: PasskeyPort;
  /** Sign-ins by the provider of identities. */
  provider: ProviderPort;
  /** Who is called, and what was sent of it. */
  duty: DutyStore;
  /** What every hub of this database must agree with. */
  facts: HubFacts;
  retries: RetryPort;
  datasetSources: SourcePort;
  datasetPulls: PullPort;
  integration: IntegrationStore;
  served: ServedStore;
  /** Its rounds are for the program to run. */
  servedCounts: ServedCounts;
  statistics: StatisticsPort;
  knowledge: KnowledgePort;
  /** Drawings of sites. */
  plans: PlanPort;
  /** What people call cameras. */
  cameraNames: CameraNamePort;
  policy: PolicyStore & { citations: CitationPort; embeddingLease: EmbeddingLease };
  /** Its rounds are for the program to run. */
  eventIndex: EventIndex;
  /** Rows that its rounds, and others over all tenants, had to leave out. */
  /** Its rounds are for the program to run. */
  partitions: Partitions;
  /** What other processes change; it is for the program to start. */
  news: HubNews;
  /** The standby that lists and statistics are read from; null: none. */
  replica: Replica | null;
  /** Asks the standby something, so that its state is known while nobody reads a list. */
  lookAtReplica(): Promise<void>;
  pool: pg.Pool;
  /** Damage that was met in the database. */
  damage: Damage;
  /** Reads all small tables, so that damage in them is met. */
  readTables(): Promise<void>;
}

/**
 * Opens every store of the hub.
 * @throws MigrationError when database and program do not go together, DatabaseUnusable
 */
export async function openHubStore(options: HubStoreOptions): Promise<HubStore> {
  return storeOf(await openCoreStore(options, emitHazardOfTask), options);
}

/** Stores that are not opened: whatever is made of them can be looked at, and nothing be asked. */
export const unopenedHubStore = (options: HubStoreOptions): HubStore =>
  storeOf(coreStore(new Database(options), new Epoch(), options, emitHazardOfTask), options);

function storeOf(coreStores: CoreStore, { clock, log, url }: HubStoreOptions): HubStore {
  const { database, storeEpoch, ...core } = coreStores;
  return {
    ...core,
    receiver: new HubReceiver(database, clock, log, storeEpoch),
    sites: new HubSites(database, clock),
    siteGroups: new HubSiteGroups(database),
    siteSettings: new HubSiteSettings(database),
    joiningCodes: new HubJoiningCodes(database, clock),
    siteHours: new HubSiteHours(database),
    decisions: new HubDecisions(database),
    inbox: new HubInbox(database),
    orders: new HubOrders(database),
    siteRequests: new HubSiteRequests(database),
    siteUpgrades: new HubSiteUpgrades(database),
    releases: new HubReleases(database),
    rollouts: new HubRollouts(database),
    evidenceWants: createWants(database),
    siteNotifications: createSiteNotifications(database),
    users: new HubUsers(database, clock),
    factors: new HubFactors(database, clock),
    passkeys: new HubPasskeys(database, clock),
    provider: new HubProvider(database, clock),
    duty: createDutyStore(database),
    facts: new HubFacts(database),
    retries: new HubRetries(database),
    datasetSources: new HubSources(database),
    datasetPulls: new HubPulls(database),
    integration: createIntegrationStore(database, url, log),
    served: new HubServed(database),
    servedCounts: new HubServedCounts(database),
    statistics: new HubStatistics(database),
    knowledge: new HubKnowledge(database),
    plans: new HubPlans(database),
    cameraNames: new HubCameraNames(database),
    policy: {
      ...createPolicy(database),
      citations: new HubCitations(database),
      embeddingLease: new HubEmbeddingLease(database),
    },
    news: new HubNews(url, log),
    replica: database.replica,
    lookAtReplica: () => database.list(() => Promise.resolve()),
    damage: database.damage,
    readTables: () => readTables(database.pool),
    pool: database.pool,
  };
}
