/**
 * Saves what can be read of a damaged store into a new one, page by page and without SQLite, which gives up
 * a whole table for one page, and all tables for one wrong letter in the schema. Derived tables are left
 * out; they are made again. The new store has an epoch of its own, so that everybody counts anew (DESIGN.md,
 * "Two stores").
 */
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Logger } from '../../common/log.ts';
import { openDamaged } from './damaged-file.ts';
import { DamagedTables, type Found } from './damaged-tables.ts';
import { dropGoneThatIsKept, restoreEvidence } from './evidence.ts';
import { mended } from './mend.ts';
import { MISSED } from './missed.ts';
import type { Value } from './page.ts';
import { type Lost, settle } from './settle.ts';
import { named, SEQUENCES } from './shape.ts';
import { tablesWithoutRoom } from './trial.ts';

export interface Salvage {
  /** Name of the file that was set aside. */
  aside: string;
  reason: string;
  /** Rows saved, by table. */
  saved: Record<string, number>;
  /** Tables of which something could not be read. */
  incomplete: string[];
  lost: Lost;
  /**
   * The log of what goes up beside events could not be read whole, and is written anew; at least so many of
   * its entries had not gone up, null: not known.
   */
  log: { waiting: number | null } | null;
  /** Rows that were left out since what they belong to is lost, by table. */
  parentless: Record<string, number>;
  /** Tables that take no new row although they should, and what SQLite says of each. */
  closed: Record<string, string>;
}

/** Saved by their rows. Every other table of the store is in `DERIVED`. */
export const SAVED: readonly string[] = [
  'meta',
  'keys',
  'devices',
  'admin_keys',
  'secrets',
  'uplink_channels',
  'uplink_parked',
  'uplink_orders',
  // A restart that was done must not be done again when headquarters names it once more.
  'care_requests',
  'events',
  'verdicts',
  'corrections',
  'verdict_changes',
  'subscriptions',
  'push_states',
  'feedback',
  'audit',
  'alarms',
  'login_attempts',
  'tasks',
  'task_entries',
  'incidents',
  'incident_members',
  'evidence_files',
  'evidence_gone',
  'evidence_jobs',
  'retention',
  'forgotten_keys',
  'disk',
  'rules',
  'agent_decisions',
  'agent_cooldowns',
  'agent_deadlines',
  'agent_chains',
  'agent_states',
  'notifications',
  'channels',
  'alarm_notices',
  'model_calls',
  'device_episodes',
  'device_refusals',
];
/** Made anew from the rest, or of the new store itself. */
export const DERIVED: readonly string[] = [
  // A row that was left out is tried at once, and left out again where it still fails.
  'stepped_over',
  // An old copy of a session would let somebody in who had logged out.
  'sessions',
  'schema_version',
  'key_runs',
  'key_chunks',
  // Headquarters tells a store that stands at the beginning of its inbox once more all that it has for it,
  // and of files what an upload needs.
  'uplink_inbox',
  'uplink_inbox_place',
  'uplink_wants',
  // Headquarters is asked for the policies in force with each start.
  'libraries',
  'library_files',
  'library_clauses',
  // Every file that may go up by itself is offered once more; headquarters knows those that it has.
  'uplink_offers',
  // A picture whose preview was not sent is shown once it is asked for.
  'uplink_previews',
  // Every judgement, task, group, answer to an order and message to a camera goes up once more.
  'changes',
  'group_additions',
  'event_groups',
  'event_places',
  'event_facts',
  'event_hours',
  'event_days',
  'history',
  'node_activity',
  'camera_activity',
];
/**
 * Batches after which what was saved goes from the WAL into the file: the disk holds the damaged store as
 * well.
 */
const CHECKPOINT_EVERY = 500;

/**
 * @param target a new store, migrated and empty @throws never for what the damaged file holds; a full disk
 * ends it early, and the next start begins again
 */
export function salvage(source: string, target: Database.Database, reason: string, logger: Logger): Salvage {
  const file = openDamaged(source);
  try {
    const tables = new DamagedTables(file, target);
    const rows = new Saver(target);
    let batches = 0;
    for (const found of tables.all()) {
      rows.save(found);
      if ((batches += 1) % CHECKPOINT_EVERY === 0) target.pragma('wal_checkpoint(PASSIVE)');
    }
    // Credentials are left out then: an older page may hold a key as it was before it was removed.
    const old: readonly string[] = file.patchy ? MISSED.keys : [];
    const missed = (name: string): boolean => tables.incomplete.has(name) || rows.unfit.has(name);
    const incomplete = SAVED.filter((name) => missed(name) || old.includes(name));
    const log = tables.incomplete.has('changes')
      ? { waiting: ['meta', 'uplink_channels'].some(missed) ? null : waitingIn(target, rows.unnumbered) }
      : null;
    const { lost, parentless } = settle(target, rows.sequences);
    if (incomplete.includes('evidence_files'))
      restoreEvidence(target, path.join(path.dirname(source), 'evidence'));
    dropGoneThatIsKept(target);
    const result: Salvage = {
      aside: path.basename(source),
      reason,
      saved: Object.fromEntries(SAVED.map((name) => [name, countOf(target, name)])),
      incomplete,
      lost,
      log,
      parentless,
      closed: tablesWithoutRoom(target),
    };
    logger.error(
      { ...result, unreadPages: file.unread() },
      'the store was damaged; it was set aside and what could be read was saved into a new one',
    );
    return result;
  } finally {
    file.close();
  }
}

const countOf = (target: Database.Database, table: string): number =>
  target.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;

/** Numbers that the log had given and headquarters had not confirmed, and entries without one. */
function waitingIn(target: Database.Database, unnumbered: number): number | null {
  const numbered = target
    .prepare<[], number | null>(
      `SELECT CAST((SELECT value FROM meta WHERE key = 'last_sent_no') AS INTEGER)
         - coalesce((SELECT cursor FROM uplink_channels WHERE name = 'verdicts'), 0)`,
    )
    .pluck()
    .get();
  const waiting = Math.max(0, numbered ?? 0) + unnumbered;
  return waiting === 0 ? null : waiting;
}

class Saver {
  /** Tables in which rows made no sense. */
  readonly unfit = new Set<string>();
  /** Entries of the log of what goes up whose event had not gone up. */
  unnumbered = 0;
  /** Ids that were given out, by table. */
  readonly sequences = new Map<string, number>();
  #target: Database.Database;
  #columns = new Map<string, Set<string>>();
  #inserts = new Map<string, Database.Statement<Value[]>>();

  constructor(target: Database.Database) {
    this.#target = target;
    const columns = target.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
    for (const name of SAVED) this.#columns.set(name, new Set(columns.all(name)));
  }

  save(found: Found): void {
    this.#target.transaction(() => {
      for (const row of found.rows) this.#take(found.shape.name, new Map(named(found.shape, row)));
    })();
  }

  #take(table: string, row: Map<string, Value>): void {
    if (table === SEQUENCES.name)
      return void this.sequences.set(String(row.get('name')), Number(row.get('seq')));
    if (table === 'changes' && row.get('no') === null) this.unnumbered += 1;
    if (this.#columns.has(table)) this.#insert(table, row);
  }

  #insert(table: string, read: Map<string, Value>): void {
    const row = mended(table, read);
    if (row === null) return void this.unfit.add(table);
    const columns = [...row.keys()].filter((column) => this.#columns.get(table)?.has(column));
    const sql =
      `INSERT OR IGNORE INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES ` +
      `(${columns.map(() => '?').join(', ')})`;
    const insert = this.#inserts.get(sql) ?? this.#target.prepare<Value[]>(sql);
    this.#inserts.set(sql, insert);
    try {
      insert.run(...columns.map((column) => row.get(column) ?? null));
    } catch (error) {
      // What a damaged page gave back is no row of this table.
      if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT'))
        throw error;
      this.unfit.add(table);
    }
  }
}
