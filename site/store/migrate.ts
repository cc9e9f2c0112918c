/**
 * Numbered, append-only, forward-only migrations. Each runs in one transaction
 * whose first write is its version row, which also names the oldest code
 * (by the number of the newest migration it knows) that may still open the store.
 * `npm run schema` writes them. They are not run by drizzle's migrator: it knows neither the oldest code nor
 * a store that is newer than the program, and makes no copy beforehand.
 */
import fs from 'node:fs';
import type Database from 'better-sqlite3';
import { StoreRefused } from './engine/refused.ts';
import { isDamage } from './health/fault.ts';
import type { StoreFault } from './store-messages.ts';

export interface Migration {
  version: number;
  name: string;
  oldestCode: number;
  sql: string;
}

/**
 * Reads the files `NNNN-name.sql` that stand beside this code, in the order of their numbers, which may leave
 * gaps.
 */
export function readMigrations(dir: URL = new URL('./migrations/', import.meta.url)): Migration[] {
  const names = fs
    .readdirSync(dir)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort();
  return names.map((name, index) => {
    const before = Number(names[index - 1]?.slice(0, 4) ?? 0);
    const sql = fs.readFileSync(new URL(name, dir), 'utf8');
    const oldest = /^-- oldest-code: (\d+)$/m.exec(sql)?.[1];
    const version = Number(name.slice(0, 4));
    if (version <= before || oldest === undefined)
      throw new Error(`migration ${name} is out of order or does not name its oldest code`);
    return { version, name, oldestCode: Number(oldest), sql };
  });
}

/** The number by which code is known: that of the newest migration that it has; 0 for none. */
export const newestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

/** Version of the store, and the oldest code that may open it; 0 when it is empty. */
export function readVersion(sqlite: Database.Database): { version: number; oldestCode: number } {
  const table = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get();
  if (!table) return { version: 0, oldestCode: 0 };
  return (
    sqlite
      .prepare<[], { version: number; oldestCode: number }>(
        'SELECT coalesce(max(version), 0) AS version, coalesce(max(oldest_code), 0) AS oldestCode FROM ' +
          'schema_version',
      )
      .get() ?? { version: 0, oldestCode: 0 }
  );
}

/**
 * The migration that a store has under the number of another one of this program: it was made by a program of
 * another line, as 0.1.0 and other trial versions are. Null when it has none.
 */
export function foreignMigration(
  sqlite: Database.Database,
  migrations: readonly Migration[],
): { theirs: string; ours: string } | null {
  if (readVersion(sqlite).version === 0) return null;
  const nameOf = sqlite
    .prepare<[number], string>('SELECT name FROM schema_version WHERE version = ?')
    .pluck();
  for (const { version, name: ours } of migrations) {
    const theirs = nameOf.get(version);
    if (theirs !== undefined && theirs !== ours) return { theirs, ours };
  }
  return null;
}

/** Why this code must not go on with the store, which newer code or another line wrote; null: it may. */
export function strangeSchema(
  sqlite: Database.Database,
  migrations: readonly Migration[],
): StoreFault | null {
  const foreign = foreignMigration(sqlite, migrations);
  if (foreign !== null) return { code: 'store_of_trial', params: foreign };
  const { version, oldestCode: needed } = readVersion(sqlite);
  const known = newestVersion(migrations);
  return needed > known ? { code: 'store_too_new', params: { version, needed, known } } : null;
}

export interface MigrateOptions {
  migrations: readonly Migration[];
  /** Epoch ms. */
  now: number;
  /** Where the copy of an existing store goes, before it is changed. */
  copyPath: (fromVersion: number) => string;
  /** Room on the disk for that copy, bytes. */
  freeBytes?: () => number;
}

export interface Upgrade {
  from: number;
  to: number;
  /** Where the store from before is; null when nothing was changed, or there was no room. */
  copy: string | null;
}

/** An upgrade that could not be carried out; says how to go back. */
class UpgradeFailed extends Error {
  readonly forPeople = true;
}

/** Left free beside a copy, bytes: an upgrade must not itself fill the disk. */
const COPY_MARGIN = 32 * 1024 ** 2;

/**
 * Brings the store to the newest version this code knows.
 * @throws when the store was changed by newer code, or by code of another line, that this code must not
 * follow
 */
export function migrate(sqlite: Database.Database, options: MigrateOptions): Upgrade {
  const strange = strangeSchema(sqlite, options.migrations);
  if (strange !== null) throw new StoreRefused(strange);
  const { version: from } = readVersion(sqlite);
  const newest = newestVersion(options.migrations);
  const missing = options.migrations.filter((migration) => migration.version > from);
  if (missing.length === 0) return { from, to: from, copy: null };
  const copy = from > 0 ? copyIfRoom(sqlite, options, from) : null;
  for (const migration of missing) {
    try {
      apply(sqlite, migration, options.now);
    } catch (error) {
      if (isDamage(error)) throw error;
      throw new UpgradeFailed(
        `The store could not be brought from schema ${from} to ${newest}: ${migration.name} failed ` +
          `(${(error as Error).message}). Nothing of that step was kept. To go back, install the ` +
          `version from before${restoring(copy)}.`,
        { cause: error },
      );
    }
  }
  return { from, to: newest, copy };
}

function apply(sqlite: Database.Database, migration: Migration, now: number): void {
  const run = sqlite.transaction(() => {
    sqlite.exec(
      `CREATE TABLE IF NOT EXISTS schema_version
         (version INTEGER PRIMARY KEY, name TEXT NOT NULL, oldest_code INTEGER NOT NULL, applied_at INTEGER
           NOT NULL) STRICT`,
    );
    sqlite
      .prepare('INSERT INTO schema_version (version, name, oldest_code, applied_at) VALUES (?, ?, ?, ?)')
      .run(migration.version, migration.name, migration.oldestCode, now);
    sqlite.exec(migration.sql);
  });
  run.immediate();
}

/**
 * Without room the upgrade goes on: a site that does not start stores nothing, and each migration is one
 * transaction.
 */
function copyIfRoom(
  sqlite: Database.Database,
  { copyPath, freeBytes }: MigrateOptions,
  from: number,
): string | null {
  const pages =
    (sqlite.pragma('page_count', { simple: true }) as number) -
    (sqlite.pragma('freelist_count', { simple: true }) as number);
  if (freeBytes && freeBytes() < pages * 4096 + COPY_MARGIN) return null;
  const copy = copyPath(from);
  copyStore(sqlite, copy);
  return copy;
}

function copyStore(sqlite: Database.Database, path: string): void {
  fs.rmSync(path, { force: true });
  sqlite.prepare('VACUUM INTO ?').run(path);
  const fd = fs.openSync(path, 'r+');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function restoring(copy: string | null): string {
  return copy === null ? '' : ` and, if it refuses the store, run fieldline-site restore ${copy}`;
}
