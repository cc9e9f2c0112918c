// Both stores keep the shared tables with the same columns, and the migrations make what drizzle describes.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { is } from 'drizzle-orm';
import { getTableConfig as pgTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../common/log.ts';
import { openHubStore } from '../../hq/stores.ts';
import * as hubSchema from '../../hq/store/schema/core.ts';
import { DATABASE_FILE, openSiteStore } from '../../site/store/open.ts';
import * as siteSchema from '../../site/store/schema/core.ts';
import { TestClock } from '../support/clock.ts';
import { createDatabase } from '../support/postgres.ts';

/** Tables that the ports of the core rest on. */
const SHARED = [
  'evidence_files',
  'evidence_jobs',
  'push_states',
  'alarms',
  'audit',
  'corrections',
  'events',
  'feedback',
  'incident_members',
  'incidents',
  'keys',
  'rules',
  'secrets',
  'subscriptions',
  'task_entries',
  'tasks',
  'verdict_changes',
  'verdicts',
];

/** Column names, those that may be null with a question mark, in one order. */
type Columns = string[];
const columnsOf = (columns: readonly { name: string; notNull: boolean }[]): Columns =>
  columns.map(({ name, notNull }) => (notNull ? name : `${name}?`)).sort();

const describedSite = new Map<string, Columns>();
for (const table of Object.values<unknown>(siteSchema)) {
  if (is(table, SQLiteTable))
    describedSite.set(sqliteTableConfig(table).name, columnsOf(sqliteTableConfig(table).columns));
}
const describedHub = new Map<string, Columns>();
for (const table of Object.values<unknown>(hubSchema)) {
  if (is(table, PgTable))
    describedHub.set(pgTableConfig(table).name, columnsOf(pgTableConfig(table).columns));
}

describe('the drizzle schemas', () => {
  const both = [...describedSite.keys()].filter((name) => describedHub.has(name)).sort();

  test('share the tables that the core needs', () => {
    expect(both).toEqual(expect.arrayContaining(SHARED));
  });

  test.each(both)('%s has the same columns at a site and at headquarters', (name) => {
    expect(describedHub.get(name)).toEqual(describedSite.get(name));
  });
});

describe('the databases', () => {
  test('a site has the columns that its schema describes', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-site-'));
    try {
      await (await openSiteStore({ dir, clock: new TestClock(), log: silentLogger() })).close();
      expect(readSqlite(path.join(dir, DATABASE_FILE), [...describedSite.keys()])).toEqual(describedSite);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  test('headquarters has the columns that its schema describes', async () => {
    const database = await createDatabase();
    const store = await openHubStore({ url: database.url, clock: new TestClock(), log: silentLogger() });
    try {
      const { rows } = await store.pool.query<{ table: string; name: string; notNull: boolean }>(
        `select table_name as "table", column_name as name, is_nullable = 'NO' as "notNull" from ` +
          `information_schema.columns where table_schema = 'public'`,
      );
      const found = Map.groupBy(rows, (row) => row.table);
      expect(
        new Map([...describedHub.keys()].map((name) => [name, columnsOf(found.get(name) ?? [])])),
      ).toEqual(describedHub);
    } finally {
      await store.close();
      await database.drop();
    }
  });
});

function readSqlite(file: string, tables: readonly string[]): Map<string, Columns> {
  const sqlite = new Database(file, { readonly: true });
  try {
    const read = sqlite.prepare<[string], { name: string; notnull: number; pk: number }>(
      'SELECT name, "notnull", pk FROM pragma_table_info(?)',
    );
    // An INTEGER PRIMARY KEY is never null, although SQLite does not say so.
    return new Map(
      tables.map((table) => [
        table,
        columnsOf(
          read.all(table).map(({ name, notnull, pk }) => ({ name, notNull: notnull === 1 || pk > 0 })),
        ),
      ]),
    );
  } finally {
    sqlite.close();
  }
}
