// What one process notes of the health of the storage for the next one.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  type HealthMarker,
  markSuspect,
  readMarker,
  removeMarker,
  writeMarker,
} from '../../../site/store/health/marker.ts';
import { anEvent, newDir, openStore, testClock } from './support.ts';

const DAY = 86_400_000;
const SOUND = { state: 'sound', reason: null, aside: null, cleared: { count: 0, at: 0 } };
const notes = (dir: string): string[] => fs.readdirSync(dir).filter((name) => name.startsWith('site.health'));

test('what is noted is read back; nothing noted is sound', () => {
  const dir = newDir();
  expect(readMarker(dir)).toEqual(SOUND);
  const marker: HealthMarker = {
    state: 'damaged',
    reason: 'two\nlines',
    aside: 'site-damaged-x.db',
    cleared: { count: 1, at: 5 },
  };
  writeMarker(dir, marker);
  expect(readMarker(dir)).toEqual(marker);
  removeMarker(dir);
  expect([readMarker(dir), notes(dir)]).toEqual([SOUND, []]);
});

test('a salvage that has begun is kept over a suspicion, and a note that cannot be read is one', () => {
  const dir = newDir();
  writeMarker(dir, { state: 'damaged', reason: 'a page', aside: 'site-damaged-x.db' });
  markSuspect(dir, 'a page of the new store');
  expect(readMarker(dir)).toMatchObject({ state: 'damaged', aside: 'site-damaged-x.db' });
  fs.writeFileSync(path.join(dir, 'site.health'), '{"state":"sou');
  expect(readMarker(dir)).toMatchObject({ state: 'suspect', aside: null });
});

test('suspicions are counted together for a week from the last; starts between do not stretch it', async () => {
  const dir = newDir();
  const clock = testClock();
  const first = await openStore({ dir, clock });
  await first.events.ingest([anEvent('a')], 1);
  await first.close();
  const starts = [
    [0, true, 1],
    [6, false, 1],
    [2, true, 1],
    [1, true, 2],
    [8, false, 0],
  ] as const;
  for (const [days, suspect, cleared] of starts) {
    clock.wall += days * DAY;
    if (suspect) markSuspect(dir, 'an index does not lead to its row');
    const store = await openStore({ dir, clock });
    expect([store.opened.salvaged, store.opened.passed !== null]).toEqual([null, suspect]);
    expect(readMarker(dir)).toMatchObject({ state: 'sound', reason: null, cleared: { count: cleared } });
    await store.close();
  }
  expect(notes(dir)).toEqual([]);
});

test('a start that is cut short between the look and the opening leaves the store suspect', async () => {
  const dir = newDir();
  const clock = testClock();
  await (await openStore({ dir, clock })).close();
  markSuspect(dir, 'a page');
  await expect(openStore({ dir, clock, migrations: [] })).rejects.toThrow(/newer version/);
  expect(readMarker(dir)).toMatchObject({ state: 'suspect', reason: 'a page', cleared: { count: 1 } });
  const store = await openStore({ dir, clock });
  expect(store.opened).toMatchObject({ salvaged: null, passed: 'a page' });
  expect(readMarker(dir).state).toBe('sound');
});

test('a file that SQLite may not open is not damaged, whatever was noted of it', async () => {
  const dir = newDir();
  await (await openStore({ dir })).close();
  markSuspect(dir, 'a page');
  const shm = path.join(dir, 'site.db-shm');
  fs.rmSync(shm, { force: true });
  fs.symlinkSync(path.join(dir, 'nowhere', 'shm'), shm);
  await expect(openStore({ dir })).rejects.toMatchObject({ cause: { code: 'SQLITE_CANTOPEN' } });
  expect(readMarker(dir)).toMatchObject({ state: 'suspect', reason: 'a page' });
  fs.rmSync(shm);
  expect((await openStore({ dir })).opened).toMatchObject({ salvaged: null, passed: 'a page' });
});
