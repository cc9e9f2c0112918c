/**
 * Reads the store to see whether it is whole, a slice at a time: whoever reads may stop, or do something
 * else, between any two.
 */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../engine/folder.ts';
import type { ReadLayer } from '../engine/sync.ts';
import type { Fault } from './decide.ts';
import { faultKind } from './fault.ts';

/** Of one slice of blocks. */
export const SLICE_BYTES = 1024 ** 2;
/** Of one slice of rows. */
const SLICE_ROWS = 100;

/** Every block of the files, beside SQLite. @throws what the disk says of one that it does not give back */
export async function* readBlocks(fds: readonly number[], reads: ReadLayer): AsyncGenerator<void, void> {
  const buffer = Buffer.allocUnsafe(SLICE_BYTES);
  for (const fd of fds) {
    for (let at = 0, bytes = 0; (bytes = await reads.read(fd, buffer, at)) > 0; at += bytes) yield;
  }
}

/**
 * Every row of every table, on the store's own connection. A check by SQLite itself would hold one snapshot
 * for as long as it takes, which keeps the WAL from being restarted; and a worker costs 15 MB of memory.
 * @throws what a reader or writer would come upon later
 */
export function* readRows(sqlite: Database.Database): Generator<void, void> {
  const tables = sqlite.prepare<[], { name: string; wr: number }>(
    `SELECT name, wr FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  for (const { name, wr } of tables.all()) {
    const after = wr === 0 ? 'WHERE rowid > @at ORDER BY rowid LIMIT @limit' : 'LIMIT @limit OFFSET @at';
    const step = sqlite
      .prepare<[{ at: number; limit: number }], unknown[]>(
        `SELECT ${wr === 0 ? 'rowid, ' : ''}* FROM "${name}" ${after}`,
      )
      .raw();
    for (let at = wr === 0 ? -1 : 0; ;) {
      const rows = step.all({ at, limit: SLICE_ROWS });
      if (rows.length < SLICE_ROWS) break;
      at = wr === 0 ? Number(rows.at(-1)?.[0]) : at + SLICE_ROWS;
      yield;
    }
  }
}

/**
 * A store that nobody has open: every block of it and of its log, and then SQLite's own check, which keeps
 * nobody waiting yet.
 * @returns what is wrong, null when everything is given back and SQLite finds no fault
 * @throws what says nothing of what is in the file, as a disk without room
 */
export async function readClosedStore(dir: string, reads: ReadLayer): Promise<Fault | null> {
  const file = path.join(dir, DATABASE_FILE);
  const fds: number[] = [];
  try {
    for (const name of [file, `${file}-wal`]) if (fs.existsSync(name)) fds.push(fs.openSync(name, 'r'));
    const blocks = readBlocks(fds, reads);
    while (!(await blocks.next()).done);
  } catch (error) {
    return { fault: 'disk', message: (error as Error).message };
  } finally {
    for (const fd of fds) fs.closeSync(fd);
  }
  return checkStructure(file);
}

function checkStructure(file: string): Fault | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(file, { readonly: true });
    const found = db.pragma('quick_check(1)', { simple: true }) as string;
    return found === 'ok' ? null : { fault: 'structure', message: found };
  } catch (error) {
    const fault = faultKind(error);
    if (fault === null) throw error;
    return { fault, message: (error as Error).message };
  } finally {
    db?.close();
  }
}
