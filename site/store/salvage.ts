/**
 * Saves what can be read of a damaged store into a new one. Rows are read from the newest down to the first fault, so that
 * what headquarters does not hold yet comes first, then from the oldest up, then one by one between. Derived tables are left
 * out; they are made again. The new store has an epoch of its own, so that everybody counts anew (design §3).
 */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Logger } from '../../common/log.ts';
import { isDamage, isStorageFault } from './fault.ts';
import { tablesOf } from './integrity.ts';

export const DAMAGED_MARKER = 'site.damaged';

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
const DERIVED = new Set(['schema_version', 'key_runs', 'key_chunks', 'event_blocks', 'event_block_times', 'event_block_places', 'block_groups', 'history', 'disk']);
/** Whatever the rest needs to make sense goes first. */
const FIRST = ['meta', 'words', 'keys', 'uplink_channels', 'uplink_parked', 'events', 'verdicts', 'corrections', 'verdict_changes'];
const BATCH = 500;
/** Rows between two faults that are tried one by one. */
const MAX_SINGLE = 200_000;
/** After so many in a row that are not there, no more are expected. */
const MAX_MISSES = 2_000;
/** New ids leave this much room for those whose last use could not be read. */
const ID_MARGIN = 10_000;

/** Renames the files of the store. @returns the name of the database file now */
export function setAside(dir: string, file: string, kind: 'damaged' | 'before-restore', now: number): string {
  const name = `site-${kind}-${new Date(now).toISOString().replace(/[:.]/g, '-')}.db`;
  for (const suffix of ['-wal', '']) {
    const from = path.join(dir, `${file}${suffix}`);
    if (fs.existsSync(from)) fs.renameSync(from, path.join(dir, `${name}${suffix}`));
  }
  fs.rmSync(path.join(dir, `${file}-shm`), { force: true });
  return name;
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
    settle(target);
  } catch (error) {
    if (!isDamage(error) && !isStorageFault(error)) throw error;
    log.error({ err: error }, 'salvage ended early');
    result.incomplete.push('*');
    settle(target);
  } finally {
    damaged?.close();
  }
  log.error({ ...result }, 'the store was damaged; it was set aside and what could be read was saved into a new one');
  return result;
}

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
  const save = target.transaction((rows: unknown[][]) => {
    for (const row of rows) saved += insert.run(...row).changes;
  });
  const whole = table.rowid ? saveByRowid({ damaged, name: table.name, list, save }) : saveInOrder({ damaged, name: table.name, list, save });
  result.saved[table.name] = saved;
  if (!whole) result.incomplete.push(table.name);
}

interface Reading {
  damaged: Database.Database;
  name: string;
  list: string;
  save: (rows: unknown[][]) => void;
}

/** @returns whether all could be read */
function saveByRowid({ damaged, name, list, save }: Reading): boolean {
  const walk = (direction: 'ASC' | 'DESC'): { whole: boolean; last: number } => {
    const up = direction === 'ASC';
    const step = damaged.prepare<[number, number], unknown[]>(`SELECT rowid, ${list} FROM "${name}" WHERE rowid ${up ? '>' : '<'} ? ORDER BY rowid ${direction} LIMIT ?`).raw();
    let last = up ? -1 : Number.MAX_SAFE_INTEGER;
    for (let size = BATCH; ; ) {
      const rows = attempt(() => step.all(last, size));
      if (rows === null) {
        if (size === 1) return { whole: false, last };
        size = 1;
        continue;
      }
      if (rows.length === 0) return { whole: true, last };
      save(rows.map((row) => row.slice(1)));
      last = Number(rows.at(-1)?.[0]);
    }
  };
  const down = walk('DESC');
  if (down.whole) return true;
  const up = walk('ASC');
  const one = damaged.prepare<[number], unknown[]>(`SELECT ${list} FROM "${name}" WHERE rowid = ?`).raw();
  const end = Math.min(down.last, up.last + MAX_SINGLE);
  for (let id = up.last + 1, misses = 0; id < end && misses < MAX_MISSES; id += 1) {
    const row = attempt(() => one.get(id));
    if (row) save([row]);
    misses = row ? 0 : misses + 1;
  }
  return false;
}

function saveInOrder({ damaged, name, list, save }: Reading): boolean {
  const all = damaged.prepare<[], unknown[]>(`SELECT ${list} FROM "${name}"`).raw();
  const read = attempt(() => {
    let rows: unknown[][] = [];
    for (const row of all.iterate()) {
      rows.push(row);
      if (rows.length === BATCH) save(rows.splice(0));
    }
    save(rows);
    rows = [];
    return true;
  });
  return read === true;
}

function sharedColumns(damaged: Database.Database, target: Database.Database, table: string): string[] {
  const columns = (db: Database.Database): string[] => db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const there = attempt(() => columns(damaged)) ?? [];
  return columns(target).filter((column) => there.includes(column));
}

/** null: the file does not give it back. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isDamage(error) || (error instanceof Database.SqliteError && /^SQLITE_(?:IOERR|ERROR)/.test(error.code))) return null;
    throw error;
  }
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
