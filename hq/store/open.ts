import type pg from 'pg';
import type { Clock } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { Logger } from '../../common/log.ts';
import type { UserPort } from '../auth/port.ts';
import type { PullPort, SourcePort } from '../dataset/port.ts';
import type { IntegrationStore } from '../integration/port.ts';
import type { KnowledgePort } from '../knowledge/port.ts';
import type { EmbeddingLease } from '../policy/embed/port.ts';
import type { PolicyStore } from '../policy/port.ts';
import type { CitationPort } from '../policy/verify/port.ts';
import type { ReceiverPort } from '../receiver/port.ts';
import { createAdminKeys } from './port/admin-key.ts';
import { createAgent } from './port/agent.ts';
import { createAlarms } from './port/alarm.ts';
import { createAudit } from './port/audit.ts';
import { createChannels } from './port/channel.ts';
import { Database } from './engine/database.ts';
import { createPulls } from '../dataset/store/pull.ts';
import { createSources } from '../dataset/store/source.ts';
import { Epoch } from './engine/epoch.ts';
import { createEventIndex, type EventIndex } from './event-index/event-index.ts';
import { asStartError } from './engine/errors.ts';
import { createEvents } from './port/event.ts';
import { createEvidence } from './port/evidence.ts';
import { createEvidenceJobs } from './port/evidence-job.ts';
import { createFeedback } from './port/feedback.ts';
import { createIncidents } from './port/incident.ts';
import { IngestQueue } from './engine/ingest-queue.ts';
import { createIntegrationStore } from '../integration/store/integration.ts';
import { createKeys } from './port/key.ts';
import { createKnowledge } from '../knowledge/store/knowledge.ts';
import { createLoginAttempts } from './port/login-attempt.ts';
import { checkSchema, migrate, MIGRATIONS_DIR, newestNumber, readMigrations } from './migrate.ts';
import { createCitations } from '../policy/store/citation.ts';
import { createEmbeddingLease } from '../policy/store/embedding.ts';
import { createPolicy } from '../policy/store/policy.ts';
import { createReceiver } from '../receiver/store/receiver.ts';
import { createNotifications } from './port/notification.ts';
import { createPush } from './port/push.ts';
import { createRetention } from './port/retention.ts';
import { createRules } from './port/rule.ts';
import { createServedCounts, type ServedCounts } from '../dataset/store/served-counts.ts';
import { createServed, type ServedStore } from '../dataset/store/served-dataset.ts';
import { createSecrets } from './port/secret.ts';
import { createSessions } from './port/session.ts';
import { createStats } from './event-index/stats.ts';
import { createSubscriptions } from './port/subscription.ts';
import { createTasks } from './port/task.ts';
import { createUsers } from '../auth/store/user.ts';
import { createVerdicts } from './port/verdict.ts';

export interface HubStoreOptions {
  /** postgresql:// address; PostgreSQL 15 or later, encoding UTF8. */
  url: string;
  clock: Clock;
  log: Logger;
  /** Most connections of this process. Default 10. */
  poolSize?: number | undefined;
  /** Bring the database up to date first. Default true; otherwise it must be up to date. */
  migrate?: boolean | undefined;
  /** Newest ids that a list looks at row by row. Default 500. */
  listProbe?: number | undefined;
}

export interface HubStore extends Stores {
  receiver: ReceiverPort;
  users: UserPort;
  datasetSources: SourcePort;
  datasetPulls: PullPort;
  integration: IntegrationStore;
  served: ServedStore;
  /** Its rounds are for the program to run. */
  servedCounts: ServedCounts;
  knowledge: KnowledgePort;
  policy: PolicyStore & { citations: CitationPort; embeddingLease: EmbeddingLease };
  /** Its rounds are for the program to run. */
  eventIndex: EventIndex;
  pool: pg.Pool;
}

const PROBE_WITHIN = '2s';

/**
 * Opens the store of the headquarters hub. Any number of processes may have it
 * open; nothing is kept in this one that another would miss.
 * @throws MigrationError when database and program do not go together, DatabaseUnusable
 */
export async function openHubStore(options: HubStoreOptions): Promise<HubStore> {
  const { clock, log } = options;
  const database = new Database(options);
  try {
    const epoch = new Epoch();
    await prepare(database, epoch, options);
    const queue = new IngestQueue(database);
    const eventIndex = createEventIndex(database);
    return {
      epoch: () => epoch.value,
      probe: () => probe(database, clock),
      events: createEvents(database, queue, epoch, options.listProbe),
      verdicts: createVerdicts(database),
      subscriptions: createSubscriptions(database, clock),
      keys: createKeys(database, clock),
      adminKeys: createAdminKeys(database, clock),
      feedback: createFeedback(database),
      audit: createAudit(database),
      alarms: createAlarms(database),
      sessions: createSessions(database, clock),
      tasks: createTasks(database),
      agent: createAgent(database),
      notifications: createNotifications(database),
      channels: createChannels(database),
      secrets: createSecrets(database),
      incidents: createIncidents(database),
      rules: createRules(database),
      loginAttempts: createLoginAttempts(database),
      stats: createStats(database),
      eventIndex,
      retention: createRetention(database, eventIndex),
      push: createPush(database),
      evidence: createEvidence(database),
      evidenceJobs: createEvidenceJobs(database),
      users: createUsers(database, clock),
      datasetSources: createSources(database),
      datasetPulls: createPulls(database),
      integration: createIntegrationStore(database, options.url, log),
      served: createServed(database),
      servedCounts: createServedCounts(database),
      knowledge: createKnowledge(database),
      policy: {
        ...createPolicy(database),
        citations: createCitations(database),
        embeddingLease: createEmbeddingLease(database),
      },
      receiver: createReceiver(database, { clock, log, epoch }),
      pool: database.pool,
      close: async () => {
        await queue.idle();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw asStartError(error);
  }
}

/** Migrates or checks, and reads the epoch. */
async function prepare(database: Database, epoch: Epoch, options: HubStoreOptions): Promise<void> {
  const { clock, log } = options;
  const migrations = await readMigrations(MIGRATIONS_DIR);
  await database.session(async (client) => {
    if (options.migrate ?? true) await migrate(client, migrations, log, () => clock.now());
    else await checkSchema(client, newestNumber(migrations), log);
    await warnOfLoss(client, log);
    await epoch.open(client, clock.newId());
  });
}

async function warnOfLoss(client: pg.ClientBase, log: Logger): Promise<void> {
  const { rows: off } = await client.query<{ name: string }>(
    `select name from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') ` +
      `and setting = 'off' order by name`,
  );
  if (off.length > 0)
    log.warn(
      { off: off.map((row) => row.name) },
      'this Postgres may lose acknowledged events when it stops suddenly; set these settings to on',
    );
}

async function probe(database: Database, clock: Clock): Promise<void> {
  await database.transaction(async ({ client }) => {
    await client.query(`set local statement_timeout = '${PROBE_WITHIN}'`);
    await client.query(
      `insert into store_facts (name, value) values ('probe', $1) on conflict (name) do update set ` +
        'value = excluded.value',
      [String(clock.now())],
    );
  });
}
