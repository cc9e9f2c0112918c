import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Clock } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { Logger } from '../../common/log.ts';
import { probeDisk, type DiskProbe } from '../retention/measure.ts';
import type { ShedPort } from '../retention/port.ts';
import type { ClockMarks } from '../status/clock.ts';
import type { HistoryPort } from '../status/history.ts';
import type { UplinkStatePort } from '../uplink/port.ts';
import { SiteAgent } from './agent.ts';
import { SiteAlarms } from './alarm.ts';
import { SiteAudit } from './audit.ts';
import { Checkpointer, defaultLimits, type CheckpointLimits } from './checkpoint.ts';
import { GroupCommit } from './database.ts';
import { SiteClockMarks } from './clock-marks.ts';
import { isDamage, isStorageFault, StoreDamaged } from './fault.ts';
import { IntegrityCheck, writeMarker, type IntegrityView } from './integrity.ts';
import { Dictionary } from './dictionary.ts';
import { SiteChannels } from './channel.ts';
import { SiteEvents } from './event.ts';
import { defaultIndexLimits, EventIndex, type EventIndexLimits } from './event-index.ts';
import { SiteEvidence } from './evidence.ts';
import { SiteEvidenceJobs } from './evidence-job.ts';
import { SiteFeedback } from './feedback.ts';
import { ForgottenKeys } from './forgotten-keys.ts';
import { defaultKeyLimits, KeyIndex, type KeyIndexLimits } from './key-index.ts';
import { SiteKeys } from './key.ts';
import { lockStore, type StoreLock } from './lock.ts';
import { SiteIncidents } from './incident.ts';
import { SiteLoginAttempts } from './login-attempt.ts';
import { Meta } from './meta.ts';
import { migrate, readMigrations, type Migration, type Upgrade } from './migrate.ts';
import { SiteHistory } from './history.ts';
import { SiteNotifications } from './notification.ts';
import { SitePush } from './push.ts';
import { SiteRetention } from './retention.ts';
import { SiteRules } from './rule.ts';
import { DAMAGED_MARKER, salvage, setAside, type Salvage } from './salvage.ts';
import { SiteSessions } from './session.ts';
import { SiteShed } from './shed.ts';
import { SiteStats } from './stats.ts';
import { SiteSubscriptions } from './subscription.ts';
import { diskSync, type SyncLayer } from './sync.ts';
import { SiteTasks } from './task.ts';
import { SiteUplink } from './uplink.ts';
import { SiteVerdicts } from './verdict.ts';

export const DATABASE_FILE = 'site.db';

export interface StoreFacts {
  /** WAL bytes in use; the file keeps its size and is written over. */
  walBytes: number;
  dbBytes: number;
  /** Of them, what deleted rows have freed and later ones will fill. */
  dbFreeBytes: number;
  /** Transactions, the operations in them, and syncs of the WAL, since the store was opened. */
  commits: number;
  operations: number;
  syncs: number;
  checkpoints: number;
  /** Written to the WAL since the store was opened. */
  walBytesWritten: number;
  /** Idempotency keys that are not yet in the key index table. */
  keysInMemory: number;
  /** Newest events that lists and statistics read row by row. */
  eventsOutsideBlocks: number;
}

export interface SiteStore extends Stores {
  uplink: UplinkStatePort;
  /** For retention, which tells it of the events that it removes. */
  eventIndex: EventIndex;
  history: HistoryPort;
  shed: ShedPort;
  clockMarks: ClockMarks;
  integrity(): IntegrityView;
  /** The slow reading of every row begins; `close` ends it. */
  startIntegrity(): void;
  /** What had to be done to open it. */
  opened: { salvaged: Salvage | null; upgrade: Upgrade | null };
  /** A new epoch, whose event ids continue after the store's own head and `nextIdAfter`. @returns the epoch */
  renewEpoch(nextIdAfter: number): Promise<string>;
  facts(): StoreFacts;
  /**
   * Resolves with the cause when the disk refused a sync. No write succeeds from then on and `close` leaves
   * the files as they are. The process must end by SIGKILL: an orderly exit would let SQLite copy the WAL,
   * which can no longer be trusted to read back as written, and drop it.
   */
  failed: Promise<Error>;
}

export interface OpenOptions {
  /** Created when missing. */
  dir: string;
  clock: Clock;
  log: Logger;
  sync?: SyncLayer;
  checkpoint?: CheckpointLimits;
  keyIndex?: KeyIndexLimits;
  eventIndex?: EventIndexLimits;
  migrations?: readonly Migration[];
  probe?: DiskProbe;
  /** Before the first reading of every row, ms. */
  integrityAfterMs?: number;
}

/** The WAL file is made this much longer than where a round begins, so that its size, and with it the file system's journal, rests. */
const WAL_SLACK = 1.25;
/** Waits for a program that holds the write lock for a moment. It blocks the event loop, so it is short. */
const BUSY_MS = 250;

/**
 * Opens the store, recovers what a crash left, and migrates it.
 * @throws when another process has it open, when newer code wrote it, or when SQLite cannot recover it
 */
export async function openSiteStore(options: OpenOptions): Promise<SiteStore> {
  fs.mkdirSync(options.dir, { recursive: true });
  const lock = lockStore(path.join(options.dir, 'site.lock'));
  try {
    const marker = path.join(options.dir, DAMAGED_MARKER);
    if (fs.existsSync(marker)) return openAnew(options, lock, fs.readFileSync(marker, 'utf8').trim());
    try {
      return openWhole(options, lock, null);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return openAnew(options, lock, (error as Error).message);
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openWhole(options: OpenOptions, lock: StoreLock, damaged: { file: string; reason: string } | null): SiteStore {
  const opened: { close(): void }[] = [];
  try {
    const files = openFiles(options, opened);
    const salvaged = damaged && salvage(damaged.file, files.main, damaged.reason, options.log);
    const pages = files.main.pragma('page_count', { simple: true }) as number;
    // What the WAL held is in the file by now.
    if (salvaged === null && files.settled && pages * 4096 > fs.fstatSync(files.dbFd).size) throw new StoreDamaged('the file is shorter than the store that it holds');
    return assemble(options, files, { lock, salvaged });
  } catch (error) {
    for (const part of opened.reverse()) part.close();
    throw error;
  }
}

/** The damaged store goes aside, and the site goes on with what can be read of it. */
function openAnew(options: OpenOptions, lock: StoreLock, reason: string): SiteStore {
  const { dir, clock } = options;
  options.log.error({ reason }, 'the store is damaged; what can be read is saved into a new one, which may take a while');
  const aside = setAside(dir, DATABASE_FILE, 'damaged', clock.now());
  syncDirectory(dir);
  const store = openWhole(options, lock, { file: path.join(dir, aside), reason });
  fs.rmSync(path.join(dir, DAMAGED_MARKER), { force: true });
  return store;
}

interface StoreFiles {
  main: Database.Database;
  pin: Database.Database;
  dbFd: number;
  walFd: number;
  /** Whether the WAL was copied into the file. */
  settled: boolean;
  upgrade: Upgrade | null;
}

function openFiles(options: OpenOptions, opened: { close(): void }[]): StoreFiles {
  const file = path.join(options.dir, DATABASE_FILE);
  const connect = () => {
    const connection = new Database(file, { timeout: BUSY_MS });
    opened.push(connection);
    return connection;
  };
  const main = connect();
  const upgrade = prepareMain(main, options);
  const pin = connect();
  pin.pragma('cache_size = 8');
  pin.pragma('query_only = ON');
  pin.prepare('SELECT count(*) FROM meta').get();
  const sync = options.sync ?? diskSync;
  // Opened before and closed after nothing else: closing it drops SQLite's locks on the file, which are the process's.
  const dbFd = sync.open(file);
  const walFd = sync.open(`${file}-wal`);
  const settled = settleFiles(main, { dbFd, walFd }, (options.checkpoint ?? defaultLimits).triggerBytes * WAL_SLACK, options.log);
  syncDirectory(options.dir);
  return { main, pin, dbFd, walFd, settled, upgrade };
}

function prepareMain(main: Database.Database, options: OpenOptions): Upgrade | null {
  main.pragma('page_size = 4096');
  main.pragma('journal_mode = WAL');
  main.pragma('wal_autocheckpoint = 0');
  main.pragma('synchronous = FULL');
  main.pragma('cache_size = -4096');
  main.pragma(`journal_size_limit = ${4 * (options.checkpoint ?? defaultLimits).triggerBytes}`);
  const upgrade = migrate(main, {
    migrations: options.migrations ?? readMigrations(),
    now: options.clock.now(),
    copyPath: (version) => path.join(options.dir, `site-before-upgrade-from-${version}.db`),
    freeBytes: () => (options.probe ?? probeDisk)(options.dir).freeBytes,
  });
  if (upgrade.from === 0 || upgrade.to === upgrade.from) return null;
  options.log.info({ ...upgrade }, upgrade.copy === null ? 'the store was migrated; there was no room for a copy of it from before' : 'the store was migrated; a copy of it from before was kept');
  return upgrade;
}

/**
 * Makes everything durable that an earlier process may have left in the page cache only, empties the WAL
 * and fills its file with zeros to the size it will have.
 */
function settleFiles(main: Database.Database, fds: { dbFd: number; walFd: number }, walBytes: number, log: Logger): boolean {
  let settled = true;
  fs.fdatasyncSync(fds.walFd);
  fs.fdatasyncSync(fds.dbFd);
  try {
    main.pragma('wal_checkpoint(TRUNCATE)');
    if (fs.fstatSync(fds.walFd).size === 0) fillWithZeros(fds.walFd, walBytes);
  } catch (error) {
    if (!isStorageFault(error) && !(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    log.warn({ err: error }, 'the disk is full; the store was opened with its WAL as it is');
    settled = false;
  }
  main.pragma('synchronous = NORMAL');
  return settled;
}

function fillWithZeros(fd: number, bytes: number): void {
  // Page by page: one large write would make large folios, which the kernel later counts as written whole.
  const zeros = Buffer.alloc(4096);
  for (let at = 0; at < bytes; at += zeros.length) fs.writeSync(fd, zeros, 0, zeros.length, at);
  fs.fdatasyncSync(fd);
}

function syncDirectory(dir: string): void {
  const fd = fs.openSync(dir, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function assemble(options: OpenOptions, files: StoreFiles, { lock, salvaged }: { lock: StoreLock; salvaged: Salvage | null }): SiteStore {
  const { clock, log } = options;
  const sync = options.sync ?? diskSync;
  const { main, pin, dbFd, walFd } = files;
  const newId = () => clock.newId();
  const orm = drizzle({ client: main });
  const group = new GroupCommit(main, { sync, walFd, log });
  const checkpointer = new Checkpointer({
    group, pin, sync, dbFd, limits: options.checkpoint ?? defaultLimits, log, monotonic: () => clock.monotonic(),
  });
  const meta = new Meta(main);
  const words = new Dictionary(group);
  const forgotten = new ForgottenKeys(main);
  const keyIndex = new KeyIndex({ group, meta, words, forgotten, limits: options.keyIndex ?? defaultKeyLimits, log });
  const events = new SiteEvents(group, { keys: keyIndex, words, meta, forgotten });
  const verdicts = new SiteVerdicts(group, orm, events);
  const eventIndex = new EventIndex({ group, meta, words, events, verdicts, limits: options.eventIndex ?? defaultIndexLimits, log });
  events.useIndex(eventIndex);
  const audit = new SiteAudit(group, orm);
  const subscriptions = new SiteSubscriptions({ group, orm, events, audit, newId });
  const tasks = new SiteTasks({ group, orm, events, audit });
  const notifications = new SiteNotifications(group, orm);
  const channels = new SiteChannels({ group, orm, audit });
  const uplink = new SiteUplink({ group, orm, events, verdicts, audit, newId });
  const shared = { group, words, forgotten, uplink, audit, subscriptions: () => subscriptions.all(), onForget: (eventIds: readonly number[]) => eventIndex.forget(eventIds) };
  const retention = new SiteRetention({ ...shared, meta });
  let epoch = firstEpoch(meta, files, newId);

  const renewEpoch = async (nextIdAfter: number) => {
    const next = newId();
    await group.write(() => {
      events.continueAfter(nextIdAfter);
      meta.set('epoch', next);
    });
    epoch = next;
    return next;
  };

  const integrity = new IntegrityCheck({
    sqlite: main, clock, log, ...(options.integrityAfterMs === undefined ? {} : { firstAfterMs: options.integrityAfterMs }),
    onDamage: (error) => {
      writeMarker(path.join(options.dir, DAMAGED_MARKER), error.message);
      log.fatal({ err: error }, 'the store is damaged; the process ends, and the next start saves what can be read');
      group.fail(error);
    },
  });
  group.onDamage = (error) => integrity.found(error);
  let closing: Promise<unknown> | null = null;

  return {
    epoch: () => epoch,
    probe: () => group.write(() => meta.set('probed_at', clock.now())),
    events,
    verdicts,
    subscriptions,
    keys: new SiteKeys({ group, orm, audit, newId }),
    feedback: new SiteFeedback(group, orm),
    audit,
    alarms: new SiteAlarms(group, orm),
    sessions: new SiteSessions({ group, orm, audit, newId }),
    tasks,
    notifications,
    channels,
    agent: new SiteAgent({ group, orm, events, tasks, channels, notifications }),
    rules: new SiteRules({ group, orm, audit }),
    incidents: new SiteIncidents({ group, orm, events, audit }),
    loginAttempts: new SiteLoginAttempts(group, orm),
    push: new SitePush({ group, orm, audit }),
    evidence: new SiteEvidence({ group, orm, audit }),
    evidenceJobs: new SiteEvidenceJobs(group, orm),
    stats: new SiteStats({ sqlite: main, words, index: eventIndex, monotonic: () => clock.monotonic() }),
    eventIndex,
    retention,
    history: new SiteHistory({ group, meta, words, events }),
    shed: new SiteShed({ ...shared, retention }),
    clockMarks: new SiteClockMarks(group),
    integrity: () => integrity.view(),
    startIntegrity: () => integrity.loop.start(),
    opened: { salvaged, upgrade: files.upgrade },
    uplink,
    renewEpoch,
    failed: group.failed,
    facts: () => ({
      walBytes: checkpointer.walBytes, dbBytes: fs.fstatSync(dbFd).size, dbFreeBytes: (main.pragma('freelist_count', { simple: true }) as number) * 4096, ...group.counts, checkpoints: checkpointer.rounds,
      walBytesWritten: checkpointer.walBytesWritten, keysInMemory: keyIndex.pending, eventsOutsideBlocks: eventIndex.pending,
    }),
    close: async () => {
      closing ??= integrity.loop.stop().then(() => shut({ eventIndex, keyIndex, checkpointer, group, log }, files, sync)).then((whole) => whole && lock.release());
      await closing;
    },
  };
}

interface Running {
  eventIndex: EventIndex;
  keyIndex: KeyIndex;
  checkpointer: Checkpointer;
  group: GroupCommit;
  log: Logger;
}

/** @returns false when a sync had failed and everything was left as it is */
async function shut({ eventIndex, keyIndex, checkpointer, group, log }: Running, files: StoreFiles, sync: SyncLayer): Promise<boolean> {
  await eventIndex.close();
  await keyIndex.close();
  await checkpointer.settled();
  await group.drain();
  await checkpointer.settled();
  if (group.hasFailed) return false;
  try {
    await checkpointer.round();
  } catch (error) {
    if (group.hasFailed) return false;
    log.warn({ err: error }, 'the last checkpoint failed; the next start recovers from the WAL');
  }
  files.pin.close();
  files.main.close();
  sync.close(files.walFd);
  sync.close(files.dbFd);
  return true;
}

function firstEpoch(meta: Meta, files: StoreFiles, newId: () => string): string {
  const found = meta.text('epoch');
  if (found !== null) return found;
  const epoch = newId();
  meta.set('epoch', epoch);
  fs.fdatasyncSync(files.walFd);
  return epoch;
}
