// A disk that fails to give or take a page: once, for a while, for good, or as a whole.
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadLayer } from '../../../site/store/engine/sync.ts';
import { markSuspect, readMarker } from '../../../site/store/health/marker.ts';
import type { OpenOptions } from '../../../site/store/open.ts';
import { campaign } from '../../support/campaign.ts';
import { until } from '../../support/request.ts';
import { anEvent, newDir, openStore, testClock } from '../store/support.ts';

const RUNS = campaign('DISK_FAULT_RUNS', 8, 25);
const PAUSES = [1, 1, 1];

/** A disk under SQLite and beside it, that fails when it is told to. */
class FailingDisk {
  /** Statements that fail, and with what; null: none. */
  fails: ((sql: string) => string | null) | null = null;
  /** Readings of the files that still fail. */
  unreadable = 0;
  failed = 0;

  readonly beforeStatement = (sql: string): void => {
    const code = this.fails?.(sql) ?? null;
    if (code === null) return;
    this.failed += 1;
    throw new Database.SqliteError('disk I/O error', code);
  };

  readonly reads: ReadLayer = {
    read: async () => {
      if (this.unreadable <= 0) return 0;
      this.unreadable -= 1;
      return this.refuse();
    },
  };

  refuse(): never {
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
  }

  get options(): Partial<OpenOptions> {
    return { beforeStatement: this.beforeStatement, reads: this.reads, faultPausesMs: PAUSES };
  }
}

const keysOf = async (store: {
  events: { page(after: number, limit: number): Promise<{ idempotencyKey: string }[]> };
}): Promise<string[]> => (await store.events.page(0, 5_000)).map(({ idempotencyKey }) => idempotencyKey);
/** Stores that were set aside, and the note of one that is to be looked through. */
const givenUp = (dir: string): string[] =>
  [...fs.readdirSync(dir), readMarker(dir).state].filter((one) =>
    /^(?:site-damaged-|suspect|damaged)/.test(one),
  );
/** The files as the next process finds them, without the lock of the one that failed. */
function copied(dir: string): string {
  const to = newDir();
  for (const name of ['site.db', 'site.db-wal', 'site.health']) {
    fs.cpSync(path.join(dir, name), path.join(to, name));
  }
  return to;
}

/** The page of events, whatever else is read meanwhile. */
const readsEvents = (sql: string): boolean => /^SELECT[^]* FROM events/i.test(sql) && /LIMIT/i.test(sql);

test('a reading that fails once: the caller hears of it, the files are looked at, and nothing is given up', async () => {
  const disk = new FailingDisk();
  const dir = newDir();
  const store = await openStore({ dir, ...disk.options });
  await store.events.ingest([anEvent('a'), anEvent('b')], 1);
  const passed = new Promise((resolve) => store.startHealth(async (fault) => resolve(fault)));
  disk.unreadable = 2;
  disk.fails = (sql) => (readsEvents(sql) ? 'SQLITE_IOERR_READ' : null);
  await expect(store.events.page(0, 10)).rejects.toMatchObject({ code: 'SQLITE_IOERR_READ' });
  disk.fails = null;
  expect(await passed).toEqual({ message: 'disk I/O error', count: 1 });
  expect(disk.unreadable).toBe(0);
  expect(await keysOf(store)).toEqual(['a', 'b']);
  expect(store.integrity().state).not.toBe('damaged');
  expect(givenUp(dir)).toEqual([]);
});

test(
  'a page that the disk never gives back, while it takes other files: the store is damaged, and the next ' +
    'start saves the rest',
  async () => {
    const disk = new FailingDisk();
    const dir = newDir();
    const store = await openStore({ dir, ...disk.options });
    await store.events.ingest([anEvent('a'), anEvent('b')], 1);
    store.startHealth();
    disk.unreadable = Infinity;
    disk.fails = (sql) => (readsEvents(sql) ? 'SQLITE_IOERR_READ' : null);
    await expect(store.events.page(0, 10)).rejects.toMatchObject({ code: 'SQLITE_IOERR_READ' });
    expect((await store.failed).message).toMatch(/EIO/);
    await expect(store.events.ingest([anEvent('c')], 1)).rejects.toMatchObject({ status: 503 });
    expect(givenUp(dir)).toEqual(['suspect']);
    await store.close();
    const reads: ReadLayer = { read: async () => disk.refuse() };
    const unread = await openStore({ dir: copied(dir), reads, faultPausesMs: [1, 1] });
    expect(await keysOf(unread)).toEqual(['a', 'b']);
    expect(unread.opened.salvaged).toMatchObject({
      reason: expect.stringMatching(/EIO/) as string,
      incomplete: [],
    });
    // Where the disk gives everything back by then, the store is kept as it is.
    const dirOfKept = copied(dir);
    const kept = await openStore({ dir: dirOfKept });
    expect([await keysOf(kept), kept.opened.salvaged]).toEqual([['a', 'b'], null]);
    expect([kept.epoch() === store.epoch(), givenUp(dirOfKept)]).toEqual([true, []]);
    expect(kept.opened.passed).toMatch(/EIO/);
  },
);

test('a disk that takes nothing at all is waited for: it may be gone for a moment only', async () => {
  const disk = new FailingDisk();
  const dir = newDir();
  const store = await openStore({ dir, ...disk.options });
  await store.events.ingest([anEvent('a')], 1);
  fs.mkdirSync(path.join(dir, 'site.probe'));
  const passed = new Promise((resolve) => store.startHealth(async (fault) => resolve(fault)));
  // More often than a disk that takes other files may fail.
  disk.unreadable = 2 * PAUSES.length + 2;
  disk.fails = (sql) => (readsEvents(sql) ? 'SQLITE_IOERR_READ' : null);
  await expect(store.events.page(0, 10)).rejects.toThrow();
  disk.fails = null;
  expect(await passed).toMatchObject({ count: 1 });
  expect(disk.unreadable).toBe(0);
  expect(givenUp(dir)).toEqual([]);
  expect(await keysOf(store)).toEqual(['a']);
});

test('a write that the disk refuses is answered with 503, and the next one is taken', async () => {
  const disk = new FailingDisk();
  const store = await openStore({ ...disk.options });
  const passed = new Promise((resolve) => store.startHealth(async (fault) => resolve(fault)));
  disk.fails = (sql) => (sql === 'COMMIT' ? 'SQLITE_IOERR_WRITE' : null);
  await expect(store.events.ingest([anEvent('a')], 1)).rejects.toMatchObject({
    status: 503,
    code: 'store_unavailable',
    retryAfterSeconds: 5,
  });
  disk.fails = null;
  expect((await store.events.ingest([anEvent('a')], 1))[0]).toMatchObject({ id: 1, duplicate: false });
  expect(await passed).toEqual({ message: 'disk I/O error', count: 1 });
});

test('a disk that fails while the store is opened is tried again; only what it never gives is set aside', async () => {
  const dir = newDir();
  const clock = testClock();
  const first = await openStore({ dir, clock });
  await first.events.ingest([anEvent('a'), anEvent('b')], 1);
  const before = first.epoch();
  await first.close();
  const disk = new FailingDisk();
  disk.unreadable = 3;
  disk.fails = (sql) => (disk.failed < 2 && /FROM meta/.test(sql) ? 'SQLITE_IOERR_READ' : null);
  const second = await openStore({ dir, clock, ...disk.options });
  expect([disk.failed, second.opened.salvaged, second.epoch(), givenUp(dir)]).toEqual([2, null, before, []]);
  expect(disk.unreadable).toBe(0);
  await second.close();
  const given = () => readMarker(dir).state === 'damaged';
  disk.fails = (sql) => (!given() && /FROM meta/.test(sql) ? 'SQLITE_IOERR_READ' : null);
  const third = await openStore({ dir, clock, ...disk.options });
  expect(third.opened.salvaged?.reason).toBe('disk I/O error');
  expect(await keysOf(third)).toEqual(['a', 'b']);
  expect(third.epoch()).not.toBe(before);
});

test('damage that is found again and again is believed, whatever the looks at it say', async () => {
  const clock = testClock();
  const dir = newDir();
  const first = await openStore({ dir, clock });
  await first.events.ingest([anEvent('a')], 1);
  await first.close();
  for (const salvaged of [false, false, true]) {
    markSuspect(dir, 'an index does not lead to its row');
    const store = await openStore({ dir, clock });
    expect(store.opened.salvaged !== null).toBe(salvaged);
    expect(await keysOf(store)).toEqual(['a']);
    await store.close();
  }
});

test('damage that a step through rows comes upon ends the process as well', async () => {
  const disk = new FailingDisk();
  const dir = newDir();
  const store = await openStore({ dir, ...disk.options });
  await store.events.ingest([anEvent('a')], 1);
  disk.fails = (sql) => (readsEvents(sql) ? 'SQLITE_NOTADB' : null);
  await expect(store.events.page(0, 10)).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
  expect((await store.failed).message).toMatch(/disk I\/O error/);
  expect(givenUp(dir)).toEqual(['suspect']);
});

test('a disk that fails under the slow reading of every row: the reading begins again, and ends', async () => {
  const disk = new FailingDisk();
  const dir = newDir();
  const store = await openStore({ dir, ...disk.options, integrityAfterMs: 0 });
  await store.events.ingest([anEvent('a')], 1);
  disk.unreadable = 2;
  const slow = /^SELECT rowid, \* FROM "verdicts"/;
  disk.fails = (sql) => (disk.failed < 2 && slow.test(sql) ? 'SQLITE_IOERR_READ' : null);
  const counts: number[] = [];
  store.startHealth(async ({ count }) => void counts.push(count));
  await until('every row was read', async () => store.integrity().state === 'good');
  expect([counts, disk.failed, disk.unreadable]).toEqual([[1, 2], 2, 0]);
  expect([store.integrity().fault, givenUp(dir)]).toEqual([null, []]);
});

const FAULTS = 12;
/**
 * More looks than there are faults: each failed look takes one of them at least, so that the last one finds a
 * disk that works.
 */
const MORE_LOOKS_THAN_FAULTS = Array.from({ length: FAULTS }, () => 1);
const fault = fc.record({
  at: fc.nat(400),
  code: fc.constantFrom('SQLITE_IOERR_READ', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR', 'SQLITE_IOERR_SHORT_READ'),
});

test(
  'wherever a disk fails for a moment, what was acknowledged stays, what was refused is not there, and ' +
    'no store is set aside',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: FAULTS }), async (faults) => {
        const disk = new FailingDisk();
        const dir = newDir();
        const store = await openStore({ dir, ...disk.options, faultPausesMs: MORE_LOOKS_THAN_FAULTS });
        store.startHealth();
        let statements = 0;
        disk.fails = (sql) => {
          statements += 1;
          // What takes back has nothing to read or write.
          return /^(?:ROLLBACK|RELEASE|PRAGMA)/.test(sql)
            ? null
            : (faults.find(({ at }) => at === statements)?.code ?? null);
        };
        const acknowledged: string[] = [];
        for (let n = 0; n < 30; n += 1) {
          const batch = [`k${2 * n}`, `k${2 * n + 1}`];
          await store.events
            .ingest(
              batch.map((key) => anEvent(key)),
              n + 1,
            )
            .then(
              () => acknowledged.push(...batch),
              () => undefined,
            );
          if (n % 7 === 0) await store.events.page(0, 10).catch(() => undefined);
        }
        disk.fails = null;
        expect(await keysOf(store)).toEqual(acknowledged);
        await store.close();
        expect(givenUp(dir)).toEqual([]);
        const again = await openStore({ dir });
        expect(await keysOf(again)).toEqual(acknowledged);
        await again.close();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);
