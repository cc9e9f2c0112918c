import type pg from 'pg';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import {
  checkSchema,
  migrate,
  type Migration,
  MigrationError,
  MIGRATIONS_DIR,
  readMigrations,
} from '../../../hq/store/migrate.ts';
import { clientOf, createDatabase } from '../../support/postgres.ts';
import { hubStores, testClock } from './hub.ts';

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
  const { url } = await hub.database(createDatabase);
  const first = await hub.open(url);
  const again = await hub.open(url);
  expect(first.epoch()).toMatch(/^[0-9a-f-]{36}$/);
  expect(again.epoch()).toBe(first.epoch());
  await first.probe();
});

test('processes that start at once on a new database agree', async () => {
  const { url } = await hub.database(createDatabase);
  const clock = testClock();
  const stores = await Promise.all(Array.from({ length: 6 }, () => hub.open(url, clock)));
  expect(new Set(stores.map((store) => store.epoch())).size).toBe(1);
  const migrations = await readMigrations(MIGRATIONS_DIR);
  expect(await withClient(url, versions)).toEqual(migrations.map((migration) => migration.number));
});

test('a database that newer code has changed beyond this one is refused, with what to do', async () => {
  const { url } = await hub.database(createDatabase);
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

test('a database of a trial version is refused, with what to do, and left as it is', async () => {
  const { url } = await hub.database(createDatabase);
  await withClient(url, async (client) => {
    await client.query(`create table schema_versions (version integer primary key, name text not null,
      oldest_code integer not null, applied_at bigint not null)`);
    await client.query(
      `insert into schema_versions values (1, '0001-core.sql', 1, 0), (135, 'x.sql', 129, 0)`,
    );
    const refusal = /trial version.*0001-core\.sql.*Nothing was changed.*empty database/;
    await expect(hub.open(url)).rejects.toThrow(refusal);
    await expect(checkSchema(client, await readMigrations(MIGRATIONS_DIR), log)).rejects.toThrow(refusal);
    expect((await client.query(`select from pg_tables where schemaname = 'public'`)).rowCount).toBe(1);
  });
});

test('a migration that fails leaves nothing behind, not even its version', async () => {
  const { url } = await hub.database(createDatabase);
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
  const { url } = await hub.database(createDatabase);
  const migrations = await readMigrations(MIGRATIONS_DIR);
  await withClient(url, async (client) => {
    await expect(checkSchema(client, migrations, log)).rejects.toThrow(MigrationError);
    await expect(checkSchema(client, migrations, log)).rejects.toThrow(/fieldline-hq migrate/);
  });
});
