import type pg from 'pg';
import type { Clock } from '../../common/clock.ts';
import type { IngestResult } from '../../common/core/event/port.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { Logger } from '../../common/log.ts';
import { HubAdminKeys } from './adapter/access/admin-key.ts';
import { HubKeys } from './adapter/access/key.ts';
import { HubLoginAttempts } from './adapter/access/login-attempt.ts';
import { HubSecrets } from './adapter/access/secret.ts';
import { HubSessions } from './adapter/access/session.ts';
import { HubAgent } from './adapter/agent/agent.ts';
import { HubAlarms } from './adapter/alarm.ts';
import { HubAlarmNotices } from './adapter/alarm-notice.ts';
import { HubAudit } from './adapter/audit.ts';
import { HubChannels } from './adapter/channel.ts';
import { HubEvents } from './adapter/event.ts';
import { type EventBatch, ingestBatches } from './adapter/event-rows.ts';
import { HubEvidenceFiles } from './adapter/evidence.ts';
import { HubEvidenceJobs } from './adapter/evidence-job.ts';
import { HubFeedback } from './adapter/feedback.ts';
import { HubIncidents } from './adapter/incident/incident.ts';
import { HubLeftOut } from './adapter/left-out.ts';
import { HubModelCalls } from './adapter/model-call.ts';
import { HubNotifications } from './adapter/notification.ts';
import { HubPush } from './adapter/push.ts';
import { HubRetention } from './adapter/retention/retention.ts';
import { HubRules } from './adapter/rule.ts';
import { HubSubscriptions } from './adapter/subscription.ts';
import type { TaskMoveHook } from './adapter/task/move.ts';
import { HubTasks } from './adapter/task/task.ts';
import { HubVerdicts } from './adapter/verdict/verdict.ts';
import { Coalescer } from './engine/coalescer.ts';
import { Database } from './engine/database.ts';
import { Epoch } from './engine/epoch.ts';
import { asStartError } from './engine/errors.ts';
import { type EventIndex, HubEventIndex } from './event-index/event-index.ts';
import { HubStats } from './event-index/stats.ts';
import { checkSchema, migrate, MIGRATIONS_DIR, readMigrations } from './migrate.ts';
import { HubPartitions, type Partitions } from './partition/partitions.ts';

export interface HubStoreOptions {
  /** postgresql:// address; PostgreSQL 15 or later, encoding UTF8. */
  url: string;
  clock: Clock;
  log: Logger;
  /** Most connections of this process. Default 10. */
  poolSize?: number | undefined;
  /** Standbys that lists and statistics are read from; null: the primary. */
  readUrl?: string | null | undefined;
  /** Bring the database up to date first. Default true; otherwise it must be up to date. */
  migrate?: boolean | undefined;
  /** Newest ids that a list looks at row by row. Default 500. */
  listProbe?: number | undefined;
  /** Fewest events of a partition that is made ahead. Default 1,000,000. */
  partEvents?: number | undefined;
}

/** The stores of the core, and what the stores of the hub's other modules are made from. */
export interface CoreStore extends Stores {
  /** Its rounds are for the program to run. */
  eventIndex: EventIndex;
  partitions: Partitions;
  database: Database;
  /** Shared by all who read or renew it. */
  storeEpoch: Epoch;
}

const PROBE_WITHIN = '2s';
/** Most events of one transaction, unless one call alone brings more. */
const MAX_INGESTED = 2_000;

/**
 * Opens the database of the headquarters hub. Any number of processes may have it open; nothing is kept in
 * this one that another would miss.
 * @param onTaskMove runs in the transaction that moves a task
 * @throws MigrationError when database and program do not go together, DatabaseUnusable
 */
export async function openCoreStore(options: HubStoreOptions, onTaskMove: TaskMoveHook): Promise<CoreStore> {
  const database = new Database(options);
  try {
    const epoch = new Epoch();
    await prepare(database, epoch, options);
    return coreStore(database, epoch, options, onTaskMove);
  } catch (error) {
    await database.close();
    throw asStartError(error);
  }
}

/** The stores on a database that nobody has looked at yet: no connection is made before one is asked. */
export function coreStore(
  database: Database,
  epoch: Epoch,
  { clock, listProbe, partEvents }: HubStoreOptions,
  onTaskMove: TaskMoveHook,
): CoreStore {
  const ingesting = new Coalescer<EventBatch, IngestResult[]>(
    (batches) => database.transaction((tx) => ingestBatches(tx, batches)),
    MAX_INGESTED,
    (batch) => batch.events.length,
  );
  const eventIndex = new HubEventIndex(database);
  return {
    epoch: () => epoch.value,
    probe: () => probe(database, clock),
    events: new HubEvents(database, ingesting, epoch, listProbe),
    verdicts: new HubVerdicts(database, onTaskMove),
    subscriptions: new HubSubscriptions(database, clock),
    keys: new HubKeys(database, clock),
    adminKeys: new HubAdminKeys(database, clock),
    feedback: new HubFeedback(database),
    audit: new HubAudit(database),
    alarms: new HubAlarms(database),
    sessions: new HubSessions(database, clock),
    tasks: new HubTasks(database, onTaskMove),
    agent: new HubAgent(database),
    notifications: new HubNotifications(database),
    channels: new HubChannels(database),
    alarmNotices: new HubAlarmNotices(database),
    secrets: new HubSecrets(database),
    incidents: new HubIncidents(database),
    rules: new HubRules(database),
    loginAttempts: new HubLoginAttempts(database),
    stats: new HubStats(database),
    retention: new HubRetention(database, eventIndex),
    push: new HubPush(database),
    evidence: new HubEvidenceFiles(database),
    evidenceJobs: new HubEvidenceJobs(database),
    eventIndex,
    leftOut: new HubLeftOut(database),
    modelCalls: new HubModelCalls(database),
    partitions: new HubPartitions(database, partEvents),
    database,
    storeEpoch: epoch,
    close: async () => {
      await ingesting.idle();
      await database.close();
    },
  };
}

/** Migrates or checks, and reads the epoch. */
async function prepare(database: Database, epoch: Epoch, options: HubStoreOptions): Promise<void> {
  const { clock, log } = options;
  const migrations = await readMigrations(MIGRATIONS_DIR);
  await database.session(async (client) => {
    if (options.migrate ?? true) await migrate(client, migrations, log, () => clock.now());
    else await checkSchema(client, migrations, log);
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
