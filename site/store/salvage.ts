/**
 * Saves what can be read of a damaged store into a new one. Rows are read from the newest down to the first fault, so that
 * what headquarters does not hold yet comes first, then from the oldest up, then what lies between. Derived tables are left
 * out; they are made again. The new store has an epoch of its own, so that everybody counts anew (design §3).
 */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Logger } from '../../common/log.ts';
import { isDamage, isDiskFault, isStorageFault } from './fault.ts';
import { tablesOf } from './integrity.ts';
import { attempt, saveByRowid, saveInOrder } from './salvage-rows.ts';

export interface Salvage {
  /** Name of the file that was set aside. */
  aside: string;
  reason: string;
  /** Rows saved, by table. */
  saved: Record<string, number>;
  /** Tables of which something could not be read. */
  incomplete: string[];
}

/** Made anew from the rest, or of the new store itself. */
const DERIVED = new Set(['schema_version', 'key_runs', 'key_chunks', 'event_blocks', 'event_block_times', 'event_block_places', 'block_groups', 'history']);
/** Whatever the rest needs to make sense goes first. */
const FIRST = ['meta', 'words', 'keys', 'uplink_channels', 'uplink_parked', 'events', 'verdicts', 'corrections', 'verdict_changes'];
/** Batches after which what was saved goes from the WAL into the file: the disk holds the damaged store as well. */
const CHECKPOINT_EVERY = 20;
/** New ids leave this much room for those whose last use could not be read. */
const ID_MARGIN = 10_000;

/** Where `restore` unpacks; what is found there while nobody restores is left of one that was stopped. */
export const RESTORE_PART = 'site-restore.part';

export const asideName = (kind: 'damaged' | 'before-restore', now: number): string => `site-${kind}-${new Date(now).toISOString().replace(/[:.]/g, '-')}.db`;

/** Renames the files of the store, the database last. Bears being done again after it was cut short. */
export function setAside(dir: string, file: string, name: string): void {
  for (const suffix of ['-wal', '']) {
    const from = path.join(dir, `${file}${suffix}`);
    if (fs.existsSync(from)) fs.renameSync(from, path.join(dir, `${name}${suffix}`));
  }
  fs.rmSync(path.join(dir, `${file}-shm`), { force: true });
}

/** @param target a new store, migrated and empty @throws never for what the damaged file holds; a full disk ends it early */
export function salvage(source: string, target: Database.Database, reason: string, log: Logger): Salvage {
  const result: Salvage = { aside: path.basename(source), reason, saved: {}, incomplete: [] };
  let damaged: Database.Database | null = null;
  try {
    makeReadable(source, target.name);
    damaged = new Database(source);
    damaged.pragma('query_only = ON');
    const names = tablesOf(target).filter(({ name }) => !DERIVED.has(name));
    names.sort((a, b) => rank(a.name) - rank(b.name));
    for (const table of names) saveTable(damaged, target, table, result);
    nameLostWords(target);
    settle(target);
  } catch (error) {
    // What the new store does not take is still in the old one: the next start begins again.
    if (!isDamage(error) && (!isStorageFault(error) || isDiskFault(error)) && !isUnreadable(error)) throw error;
    log.error({ err: error }, 'salvage ended early');
    result.incomplete.push('*');
    nameLostWords(target);
    settle(target);
  } finally {
    damaged?.close();
  }
  log.error({ ...result }, 'the store was damaged; it was set aside and what could be read was saved into a new one');
  return result;
}

/** The disk does not give back what lies before all tables. */
const isUnreadable = (error: unknown): boolean => (error as { code?: string }).code === 'EIO' && (error as { syscall?: string }).syscall === 'read';

const HEADER_BYTES = 100;
const PAGE_BYTES = 4096;
const MAGIC = 'SQLite format 3\u0000';

/**
 * SQLite refuses a file as a whole when its header is gone, or promises more pages than there are. The header is then that of the
 * new store with this file's size in it, and missing pages are empty; the rest of the file is not touched.
 */
function makeReadable(source: string, model: string): void {
  const fd = fs.openSync(source, 'r+');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    fs.readSync(fd, header, 0, HEADER_BYTES, 0);
    const pages = Math.ceil(fs.fstatSync(fd).size / PAGE_BYTES);
    if (header.toString('latin1', 0, 16) !== MAGIC || header.readUInt16BE(16) !== PAGE_BYTES) {
      const from = fs.openSync(model, 'r');
      fs.readSync(from, header, 0, HEADER_BYTES, 0);
      fs.closeSync(from);
      header.writeUInt32BE(pages, 28);
      header.fill(0, 32, 40);
      header.writeUInt32BE(header.readUInt32BE(24), 92);
      fs.writeSync(fd, header, 0, HEADER_BYTES, 0);
    }
    const promised = header.readUInt32BE(28);
    if (promised > pages && promised < pages * 1_000 + 1_000_000) fs.ftruncateSync(fd, promised * PAGE_BYTES);
  } finally {
    fs.closeSync(fd);
  }
}

const rank = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

function saveTable(damaged: Database.Database, target: Database.Database, table: { name: string; rowid: boolean }, result: Salvage): void {
  const columns = sharedColumns(damaged, target, table.name);
  if (columns.length === 0) {
    result.incomplete.push(table.name);
    return;
  }
  const list = columns.map((column) => `"${column}"`).join(', ');
  const insert = target.prepare(`INSERT OR IGNORE INTO "${table.name}" (${list}) VALUES (${columns.map(() => '?').join(', ')})`);
  let saved = 0;
  let unfit = 0;
  let batches = 0;
  const saveAll = target.transaction((rows: unknown[][]) => {
    for (const row of rows) {
      try {
        saved += insert.run(...row).changes;
      } catch (error) {
        // What a damaged page gave back is no row of this table.
        if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT')) throw error;
        unfit += 1;
      }
    }
  });
  const save = (rows: unknown[][]): void => {
    saveAll(rows);
    if ((batches += 1) % CHECKPOINT_EVERY === 0) target.pragma('wal_checkpoint(PASSIVE)');
  };
  const reading = { damaged, name: table.name, list, save, last: table.name === 'events' ? lastEventId(target) : 0 };
  const whole = table.rowid ? saveByRowid(reading) : saveInOrder(reading);
  result.saved[table.name] = saved;
  if (!whole || unfit > 0) result.incomplete.push(table.name);
}

function sharedColumns(damaged: Database.Database, target: Database.Database, table: string): string[] {
  const columns = (db: Database.Database): string[] => db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const there = attempt(() => columns(damaged)) ?? [];
  return columns(target).filter((column) => there.includes(column));
}

/** As far as the tables that are saved before the events tell. */
function lastEventId(target: Database.Database): number {
  return target.prepare<[], number>(
    "SELECT max(coalesce((SELECT max(cursor) FROM uplink_channels WHERE name = 'events'), 0), coalesce((SELECT max(CAST(value AS INTEGER)) FROM meta WHERE key IN ('last_event_id', 'keys_upto', 'blocks_upto')), 0))",
  ).pluck().get() ?? 0;
}

/** Events name their tenant, type and the like by the number of a word. One that could not be read gets a name by which a person finds them. */
function nameLostWords(target: Database.Database): void {
  const columns = ['tenant_code', 'type', 'kind', 'source', 'severity', 'node_key'];
  const used = columns.map((column) => `SELECT ${column} AS id FROM events WHERE typeof(${column}) = 'integer'`).join(' UNION ');
  target.exec(`INSERT INTO words (id, text) SELECT id, 'lost-word-' || id FROM (${used}) WHERE id NOT IN (SELECT id FROM words)`);
}

/** Counters continue beyond everything that was ever given out; derived tables begin anew; the epoch is a new one. */
function settle(target: Database.Database): void {
  target.transaction(() => {
    const number = (sql: string): number => Number(target.prepare<[], number | null>(sql).pluck().get() ?? 0);
    const meta = (key: string): number => number(`SELECT value FROM meta WHERE key = '${key}'`);
    const set = target.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value');
    const cursor = (name: string): number => number(`SELECT cursor FROM uplink_channels WHERE name = '${name}'`);
    const lastId = Math.max(meta('last_event_id'), number('SELECT max(id) FROM events'), number('SELECT max(event_id) FROM forgotten_keys'), cursor('events'));
    const lastChange = Math.max(meta('last_change_no'), number('SELECT max(change_no) FROM verdict_changes'), number('SELECT max(seq) FROM corrections'), cursor('verdicts'));
    set.run('last_event_id', String(lastId + ID_MARGIN));
    set.run('last_change_no', String(lastChange + ID_MARGIN));
    target.exec("DELETE FROM meta WHERE key IN ('epoch', 'keys_upto', 'blocks_upto', 'block_changes_upto', 'history_upto', 'probed_at')");
    target.exec('UPDATE uplink_channels SET cursor = 0, cursor_at = NULL, hub_epoch = NULL');
    target.exec('DELETE FROM node_activity');
  }).immediate();
}
