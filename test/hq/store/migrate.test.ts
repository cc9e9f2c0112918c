import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import {
  checkSchema,
  migrate,
  MigrationError,
  MIGRATIONS_DIR,
  readMigrations,
  type Migration,
} from '../../../hq/store/migrate.ts';
import * as schema from '../../../hq/store/schema/core.ts';
import { hubStores, testClock } from './hub.ts';
import { clientOf } from '../../support/postgres.ts';

const hub = hubStores();
const log = silentLogger();

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = clientOf(url);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const versions = async (client: pg.Client) =>
  (await client.query<{ version: number }>('select version from schema_versions order by version')).rows.map(
    (row) => row.version,
  );

test('a new database gets the schema, and an epoch that stays', async () => {
  const { url } = await hub.database();
  const first = await hub.open(url);
  const again = await hub.open(url);
  expect(first.epoch()).toMatch(/^[0-9a-f-]{36}$/);
  expect(again.epoch()).toBe(first.epoch());
  await first.probe();
});

test('processes that start at once on a new database agree', async () => {
  const { url } = await hub.database();
  const clock = testClock();
  const stores = await Promise.all(Array.from({ length: 6 }, () => hub.open(url, clock)));
  expect(new Set(stores.map((store) => store.epoch())).size).toBe(1);
  const migrations = await readMigrations(MIGRATIONS_DIR);
  expect(await withClient(url, versions)).toEqual(migrations.map((migration) => migration.number));
});

test('a database that newer code has changed beyond this one is refused, with what to do', async () => {
  const { url } = await hub.database();
  await hub.open(url);
  const newest = (await readMigrations(MIGRATIONS_DIR)).at(-1)?.number ?? 0;
  const add = (number: number, oldestCode: number) =>
    withClient(url, (client) =>
      client.query('insert into schema_versions values ($1, $2, $3, 0)', [
        number,
        `${number}-x.sql`,
        oldestCode,
      ]),
    );
  await add(newest + 1, 1);
  await hub.open(url);
  await add(newest + 2, newest + 2);
  await expect(hub.open(url)).rejects.toThrow(
    new RegExp(
      `schema ${newest + 2} and needs a program that knows at least ${newest + 2}.*Install the newer ` +
        'fieldline-hq',
    ),
  );
});

test('a migration that fails leaves nothing behind, not even its version', async () => {
  const { url } = await hub.database();
  const made = (number: number, sql: string): Migration => ({
    number,
    name: `000${number}-x.sql`,
    oldestCode: 1,
    sql,
  });
  const good = made(1, 'create table one (id int)');
  await withClient(url, async (client) => {
    const broken = made(2, 'create table two (id int); create table one (id int)');
    await expect(migrate(client, [good, broken], log, () => 0)).rejects.toThrow(/already exists/);
    await client.query('rollback');
    expect(await versions(client)).toEqual([1]);
    await migrate(client, [good, made(2, 'create table two (id int)')], log, () => 0);
    expect(await versions(client)).toEqual([1, 2]);
  });
});

test('without migrating, a database that is behind is refused', async () => {
  const { url } = await hub.database();
  await withClient(url, async (client) => {
    await expect(checkSchema(client, 1, log)).rejects.toThrow(MigrationError);
    await expect(checkSchema(client, 1, log)).rejects.toThrow(/fieldline-hq migrate/);
  });
});

/** Tables of which every statement is written out. */
const WRITTEN_OUT = new Set([
  'dataset_rows',
  'hazards',
  'kb_embedding',
  'milestones',
  'ncrs',
  'projects',
  'purchase_orders',
  'served_calls',
  'served_deletions',
  'served_event_counts',
  'served_event_verdicts',
  'served_progress',
  'wbs_nodes',
]);

describe('schema.ts', () => {
  test('says of every table what the migrations make', async () => {
    const { url } = await hub.database();
    await hub.open(url);
    const { rows } = await withClient(url, (client) =>
      client.query<{ table: string; column: string; type: string; nullable: boolean }>(
        `select table_name as "table", column_name as "column", data_type as type, is_nullable = 'YES' as
          nullable
       from information_schema.columns where table_schema = 'public' and table_name <> 'schema_versions'`,
      ),
    );
    const real = rows.map(
      (row) =>
        `${row.table}.${row.column} ` +
        `${row.type === 'ARRAY' ? 'text[]' : row.type}${row.nullable ? '' : ' not null'}`,
    );
    const said = Object.values(schema)
      .filter((value) => value instanceof PgTable)
      .flatMap((table) => {
        const { name, columns } = getTableConfig(table);
        return columns.map(
          (column) => `${name}.${column.name} ${column.getSQLType()}${column.notNull ? ' not null' : ''}`,
        );
      });
    expect(said.sort()).toEqual(real.filter((column) => !WRITTEN_OUT.has(column.split('.')[0] ?? '')).sort());
  });
});
