// The tables have one source: the drizzle schema with what stands by hand beside it. The migrations make just
// that.
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../common/log.ts';
import {
  migrate as migrateHub,
  MIGRATIONS_DIR,
  readMigrations as hubMigrations,
} from '../../hq/store/migrate.ts';
import { lastSnapshot, migrationFrom, snapshotOf } from '../../packaging/schema/migration.ts';
import { PROGRAMS, type Snapshot } from '../../packaging/schema/program.ts';
import { migrate as migrateSite, readMigrations as siteMigrations } from '../../site/store/migrate.ts';
import { postgresCatalog, sqliteCatalog } from '../support/catalog.ts';
import { clientOf, createDatabase } from '../support/postgres.ts';

const root = path.resolve(import.meta.dirname, '../..');
const atOnce = async (which: 'site' | 'hq') =>
  (await migrationFrom(PROGRAMS[which], null)).statements.join('\n');

test('whoever looks at the tables leaves arrays as they are for others', () => {
  const seen: string[] = [];
  for (const member in []) seen.push(member);
  expect(seen).toEqual([]);
});

describe.each(['site', 'hq'] as const)('the schema of %s', (which) => {
  const program = PROGRAMS[which];

  test('is that of its newest migration; if it is not, npm run schema writes the next one', async () => {
    const { tables, byHand } = await snapshotOf(program);
    // As JSON: what is undefined in the one is missing in the other.
    expect(JSON.parse(JSON.stringify({ tables, byHand }))).toEqual(lastSnapshot(root, program));
  });

  test('differs from itself in nothing', async () => {
    const { statements, byAuthor } = await migrationFrom(program, lastSnapshot(root, program));
    expect([statements, byAuthor]).toEqual([[], []]);
  });
});

describe('the migrations make what the schema makes at once', () => {
  test('at a site', async () => {
    const [migrated, made] = [new Database(':memory:'), new Database(':memory:')];
    migrateSite(migrated, { migrations: siteMigrations(), now: 0, copyPath: () => '' });
    made.exec(await atOnce('site'));
    expect(sqliteCatalog(migrated)).toEqual(sqliteCatalog(made));
    expect(sqliteCatalog(made).length).toBeGreaterThan(100);
    for (const db of [migrated, made]) db.close();
  });

  test('at headquarters', async () => {
    const catalogs: string[][] = [];
    for (const make of [
      async (client: ReturnType<typeof clientOf>) =>
        migrateHub(client, await hubMigrations(MIGRATIONS_DIR), silentLogger(), () => 0),
      async (client: ReturnType<typeof clientOf>) => void (await client.query(await atOnce('hq'))),
    ]) {
      const database = await createDatabase();
      const client = clientOf(database.url);
      await client.connect();
      await make(client);
      catalogs.push(await postgresCatalog(client));
      await client.end();
      await database.drop();
    }
    expect(catalogs[0]).toEqual(catalogs[1]);
    expect(catalogs[0]?.length).toBeGreaterThan(300);
  });
});

describe('the next migration', () => {
  const without = (snapshot: Snapshot, table: string): Snapshot => {
    const copy = structuredClone(snapshot) as Snapshot & { tables: { tables: Record<string, unknown> } };
    delete copy.tables.tables[table];
    return copy;
  };

  test('makes a new table with what drizzle cannot say of it', async () => {
    const before = without(await snapshotOf(PROGRAMS.site), 'audit');
    const { statements, byAuthor } = await migrationFrom(PROGRAMS.site, before);
    expect(byAuthor).toEqual([]);
    expect(statements[0]).toMatch(/^CREATE TABLE `audit` \([\s\S]*\) STRICT, WITHOUT ROWID;$/);
    expect(statements.slice(1)).toEqual(['CREATE INDEX `audit_subject` ON `audit` (`subject`,`at`);']);
  });

  test('makes a table anew with them where SQLite cannot change a column, and keeps its rows', async () => {
    const now = await snapshotOf(PROGRAMS.site);
    const before = structuredClone(now) as Snapshot & {
      tables: { tables: Record<string, { columns: Record<string, { notNull: boolean }> }> };
    };
    const column = before.tables.tables.audit?.columns.tenant_code;
    if (!column) throw new Error('the snapshot has no such column');
    column.notNull = true;
    const db = new Database(':memory:');
    db.exec((await atOnce('site')).replace(/(CREATE TABLE `audit`[^;]*`tenant_code` text)/, '$1 NOT NULL'));
    const asNow = new Database(':memory:');
    asNow.exec(await atOnce('site'));
    const row = `INSERT INTO audit VALUES (1, 'a', 'admin', 'x', 'y', 'north', NULL, NULL)`;
    for (const one of [db, asNow]) one.exec(row);
    expect(sqliteCatalog(db)).not.toEqual(sqliteCatalog(asNow));
    const { statements } = await migrationFrom(PROGRAMS.site, before);
    db.transaction(() => db.exec(statements.join('\n')))();
    expect(sqliteCatalog(db)).toEqual(sqliteCatalog(asNow));
    expect(
      statements
        .join('\n')
        .split('\n')
        .filter((line) => line.length > 110),
    ).toEqual([]);
    for (const one of [db, asNow]) one.close();
  });

  test('adds a statement by hand that is new, and names those that its author brings over', async () => {
    const { tables, byHand } = await snapshotOf(PROGRAMS.hq);
    const { counters, ...rest } = byHand.statements;
    const before = {
      tables,
      byHand: { ...byHand, statements: { ...rest, retention: 'as it was', gone: 'drop me' } },
    };
    expect(await migrationFrom(PROGRAMS.hq, before)).toMatchObject({
      statements: [`${counters};`],
      byAuthor: ['statement retention was changed', 'statement gone was removed'],
    });
  });
});
