import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { writeArchive } from '../../../common/archive.ts';
import { restore } from '../../../site/backup/restore.ts';
import { type Migration, newestVersion, readMigrations } from '../../../site/store/migrate.ts';
import { anEvent, copyFiles, newDir, openStore } from './support.ts';

const next = (oldestCode: number): Migration => ({
  version: newestVersion(readMigrations()) + 1,
  name: '9999-test.sql',
  oldestCode,
  sql: 'ALTER TABLE alarms ADD COLUMN extra TEXT',
});

test('a second opening of the same store is refused by name', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  await expect(openStore({ dir })).rejects.toThrow('in use by another process');
  await store.close();
  await (await openStore({ dir })).close();
});

test('an existing store is copied before it is migrated', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  await store.events.ingest([anEvent('a')], 1);
  await store.close();
  const migrated = await openStore({ dir, migrations: [...readMigrations(), next(1)] });
  expect(await migrated.events.page(0, 10)).toHaveLength(1);
  const copy = new Database(
    path.join(dir, `site-before-upgrade-from-${newestVersion(readMigrations())}.db`),
    { readonly: true },
  );
  expect(copy.prepare('SELECT count(*) FROM events').pluck().get()).toBe(1);
  expect(
    copy.prepare("SELECT count(*) FROM pragma_table_info('alarms') WHERE name = 'extra'").pluck().get(),
  ).toBe(0);
  copy.close();
});

test('code that is too old for the store is refused, code that is only older is not', async () => {
  const dir = newDir();
  const version = newestVersion(readMigrations());
  await (await openStore({ dir, migrations: [...readMigrations(), next(version)] })).close();
  await (await openStore({ dir })).close();
  const newer = new Database(path.join(dir, 'site.db'));
  newer.prepare('UPDATE schema_version SET oldest_code = ?').run(version + 1);
  newer.close();
  await expect(openStore({ dir })).rejects.toThrow('newer version of this program');
});

test('a migration that fails leaves the store as it was', async () => {
  const dir = newDir();
  await (await openStore({ dir })).close();
  const broken = { ...next(1), sql: 'CREATE TABLE half (a); SELECT a FROM nowhere;' };
  await expect(openStore({ dir, migrations: [...readMigrations(), broken] })).rejects.toThrow('nowhere');
  const db = new Database(path.join(dir, 'site.db'), { readonly: true });
  expect(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").pluck().get()).toBe(0);
  db.close();
  await (await openStore({ dir })).close();
});

test('a store of a trial version is refused, with what to do, and left as it is', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  await store.events.ingest([anEvent('a')], 1);
  await store.close();
  const db = new Database(path.join(dir, 'site.db'));
  db.exec("UPDATE schema_version SET name = '0001-initial.sql' WHERE version = 1");
  db.exec("INSERT INTO schema_version VALUES (140, '0140-event-index.sql', 140, 0)");
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const before = fs.readFileSync(path.join(dir, 'site.db'));
  await expect(openStore({ dir })).rejects.toThrow(
    /trial version .*0001-initial\.sql.*Nothing was changed.*move site\.db/,
  );
  expect(fs.readFileSync(path.join(dir, 'site.db')).equals(before)).toBe(true);
  const other = newDir();
  await expect(restore({ dataDir: other, source: path.join(dir, 'site.db'), now: 0 })).rejects.toThrow(
    /trial version/,
  );
  expect(fs.existsSync(path.join(other, 'site.db'))).toBe(false);
});

test.each([
  ['says when it was made', '{"at":"2026-03-01T00:00:00.000Z"}', Date.parse('2026-03-01T00:00:00Z')],
  ['says nothing', 'null', null],
  ['is no JSON', '{"at', null],
  ['is longer than any', `{"at":"2026-03-01T00:00:00.000Z","x":"${'x'.repeat(70_000)}"}`, null],
])(
  'a backup whose manifest %s is put back, and the start is told of it once',
  async (_what, text, madeAt) => {
    const dir = newDir();
    const store = await openStore({ dir });
    await store.events.ingest([anEvent('a'), anEvent('b')], 1);
    await store.close();
    const source = path.join(newDir(), 'backup.tgz');
    const copy = { name: 'site.db', file: path.join(dir, 'site.db') };
    await writeArchive(source, [{ name: 'manifest.json', text }, copy], 0);
    await restore({ dataDir: dir, source, now: 77 });
    const again = await openStore({ dir });
    expect(again.opened.restored).toMatchObject({ restoredAt: 77, madeAt, idInCopy: 2, idBefore: 2 });
    await again.clearRestoredNote();
    await again.close();
    const third = await openStore({ dir });
    expect(third.opened.restored).toBeNull();
    await third.close();
  },
);

test('the epoch stays, and a renewed one continues after both heads', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  await store.events.ingest([anEvent('a'), anEvent('b')], 1);
  const first = store.epoch();
  const second = await store.renewEpoch(50);
  expect(second).not.toBe(first);
  expect(await store.events.bounds()).toEqual({ oldest: 1, highWaterMark: 50 });
  const crashed = await openStore({ dir: copyFiles(dir) });
  expect(crashed.epoch()).toBe(second);
  expect((await crashed.events.ingest([anEvent('c')], 1))[0]?.id).toBe(51);
  await store.renewEpoch(7);
  expect((await store.events.ingest([anEvent('c')], 1))[0]?.id).toBe(51);
});

test('receipt times never fall, not even when the clock steps back', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  await store.events.ingest([anEvent('a')], 5_000);
  await store.events.ingest([anEvent('b')], 4_000);
  await store.close();
  const again = await openStore({ dir });
  await again.events.ingest([anEvent('c')], 3_000);
  expect((await again.events.page(0, 10)).map(({ receivedAt }) => receivedAt)).toEqual([5_000, 5_000, 5_000]);
});

test('nothing but the store and the note that it was there is left in the folder after closing', async () => {
  const dir = newDir();
  await (await openStore({ dir })).close();
  expect(fs.readdirSync(dir).sort()).toEqual(['site.db', 'site.known', 'site.lock']);
});
