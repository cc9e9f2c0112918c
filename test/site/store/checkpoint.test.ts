import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { anEvent, HeldDisk, newDir, openStore, turns } from './support.ts';

const limits = {
  passBytes: 100_000,
  triggerBytes: 400_000,
  capBytes: 2_000_000,
  restBytes: 40_000,
  lookEvery: 4,
};
const body = JSON.stringify({ payload: { text: 'x'.repeat(2_000) } });

test('the WAL stays bounded under load, and every page reaches the database file', async () => {
  const dir = newDir();
  const store = await openStore({ dir, checkpoint: limits });
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 400; i += 1)
        await store.events.ingest([anEvent(`${writer}-${i}`, { doc: body })], 1);
    }),
  );
  // How often it is backfilled, and when, is a matter of the disk.
  const sizeOf = (name: string): number => fs.statSync(path.join(dir, name)).size;
  expect(sizeOf('site.db-wal')).toBeLessThan(limits.capBytes);
  expect(sizeOf('site.db')).toBeGreaterThan(3 * limits.capBytes);
  await store.close();
  expect(fs.existsSync(path.join(dir, 'site.db-wal'))).toBe(false);
  const reopened = new Database(path.join(dir, 'site.db'), { readonly: true });
  expect(reopened.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(reopened.prepare('SELECT count(*) FROM events').pluck().get()).toBe(3200);
  reopened.close();
});

test('writers wait at the cap while the database file is being synced', async () => {
  const disk = new HeldDisk();
  const store = await openStore({ sync: disk, checkpoint: limits });
  disk.held = true;
  let stored = 0;
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; i < 500; i += 1) {
        await store.events.ingest([anEvent(`${writer}-${i}`, { doc: body })], 1);
        stored += 1;
      }
    }),
  );
  // Only syncs of the WAL are let through, until nothing moves any more.
  const ofWal = () => disk.pending.filter(({ fd }) => disk.paths.get(fd)?.endsWith('-wal'));
  for (let quiet = 0; quiet < 5;) {
    await turns();
    const waiting = ofWal();
    quiet = waiting.length === 0 ? quiet + 1 : 0;
    for (const one of waiting) one.finish();
  }
  const { walBytes } = store.facts();
  expect(walBytes).toBeGreaterThanOrEqual(limits.capBytes);
  expect(walBytes).toBeLessThan(limits.capBytes + limits.triggerBytes);
  expect(stored).toBeLessThan(2000);
  disk.release();
  await load;
  expect(stored).toBe(2000);
});

test('a foreign reader holds the WAL up, not the writers', async () => {
  const dir = newDir();
  const store = await openStore({ dir, checkpoint: { ...limits, capBytes: 800_000 } });
  const reader = new Database(path.join(dir, 'site.db'), { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM events').get();
  for (let i = 0; i < 100; i += 1)
    await store.events.ingest(
      Array.from({ length: 5 }, (_, k) => anEvent(`${i}-${k}`, { doc: body })),
      1,
    );
  expect(reader.prepare('SELECT count(*) FROM events').pluck().get()).toBe(0);
  reader.exec('COMMIT');
  expect(reader.prepare('SELECT count(*) FROM events').pluck().get()).toBe(500);
  reader.close();
});
