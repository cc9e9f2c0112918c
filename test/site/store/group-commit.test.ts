import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { GroupCommit } from '../../../site/store/engine/group-commit.ts';
import { anEvent, aVerdict, HeldDisk, newDir, openStore, testClock, turns } from './support.ts';

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  return Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    turns().then(() => open),
  ]).then((first) => first !== open);
}

test('operations that come together share one sync, and are answered only after it', async () => {
  const disk = new HeldDisk();
  const store = await openStore({ sync: disk });
  disk.held = true;
  const first = Promise.all(Array.from({ length: 20 }, (_, i) => store.events.ingest([anEvent(`k${i}`)], 1)));
  expect(await isSettled(first)).toBe(false);
  expect(disk.pending).toHaveLength(1);

  // What comes during the sync waits for the next one.
  const second = Promise.all([store.events.ingest([anEvent('late')], 1), store.probe()]);
  expect(await isSettled(second)).toBe(false);
  expect(disk.pending).toHaveLength(1);

  disk.pending[0]?.finish();
  expect((await first).flat().map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(await isSettled(second)).toBe(false);
  disk.release();
  expect((await second)[0]).toEqual([{ id: 21, duplicate: false, conflicting: false }]);
  expect(store.facts()).toMatchObject({ commits: 2, syncs: 2, operations: 22 });
});

test('readers by cursor see only what is durable', async () => {
  const disk = new HeldDisk();
  const store = await openStore({ sync: disk });
  await store.events.ingest([anEvent('a')], 1);
  disk.held = true;
  const clock = testClock();
  const writing = Promise.all([
    store.events.ingest([anEvent('b')], 1),
    store.verdicts.write(aVerdict(1), { now: 1, newId: clock.newId }),
  ]);
  await turns();
  expect(await store.events.page(0, 10)).toHaveLength(1);
  expect(await store.events.bounds()).toEqual({ oldest: 1, highWaterMark: 1 });
  expect(await store.verdicts.changes(0, 10)).toEqual([]);
  expect(await store.verdicts.newestChangeNo()).toBe(0);
  expect(store.uplink.oldestUnsentAt('events', 1)).toBeNull();
  expect((await store.events.get(2))?.idempotencyKey).toBe('b');
  disk.release();
  await writing;
  expect(await store.events.page(1, 10)).toMatchObject([{ id: 2, idempotencyKey: 'b' }]);
  expect(await store.events.bounds()).toEqual({ oldest: 1, highWaterMark: 2 });
  expect(await store.verdicts.changes(0, 10)).toMatchObject([{ changeNo: 1, eventId: 1 }]);
});

test('a large group is committed while the disk is busy, and is answered after a sync of its own', async () => {
  const disk = new HeldDisk();
  const store = await openStore({ sync: disk });
  disk.held = true;
  const crowd = (name: string) =>
    Promise.all(Array.from({ length: 16 }, (_, i) => store.events.ingest([anEvent(`${name}${i}`)], 1)));
  const first = crowd('a');
  await turns();
  const second = crowd('b');
  await turns();
  const third = crowd('c');
  expect(await isSettled(third)).toBe(false);
  // Two groups at most are on their way to the disk, by one sync at a time.
  expect(store.facts()).toMatchObject({ commits: 2, syncs: 1 });
  expect((await store.events.get(32))?.idempotencyKey).toBe('b15');
  expect(await store.events.page(0, 100)).toEqual([]);

  disk.pending[0]?.finish();
  await first;
  expect(await isSettled(second)).toBe(false);
  expect(await store.events.page(0, 100)).toHaveLength(16);
  expect((await store.events.bounds()).highWaterMark).toBe(16);
  disk.pending[0]?.finish();
  await second;
  expect(await isSettled(third)).toBe(false);
  disk.release();
  await third;
  expect((await store.events.bounds()).highWaterMark).toBe(48);
});

test('when a sync fails, what was committed after it began is not acknowledged either', async () => {
  const disk = new HeldDisk();
  const store = await openStore({ sync: disk });
  disk.held = true;
  const crowd = (name: string) =>
    Promise.allSettled(
      Array.from({ length: 16 }, (_, i) => store.events.ingest([anEvent(`${name}${i}`)], 1)),
    );
  const first = crowd('a');
  await turns();
  const second = crowd('b');
  await turns();
  expect(store.facts().commits).toBe(2);
  disk.pending[0]?.fail(new Error('EIO'));
  for (const outcome of [...(await first), ...(await second)])
    expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  expect(await store.events.page(0, 100)).toEqual([]);
});

test('after a failed sync nothing is acknowledged any more', async () => {
  const disk = new HeldDisk();
  const store = await openStore({ sync: disk });
  disk.held = true;
  const lost = store.events.ingest([anEvent('a')], 1);
  await turns();
  const waiting = store.events.ingest([anEvent('b')], 1);
  disk.pending[0]?.fail(new Error('EIO'));
  await expect(lost).rejects.toMatchObject({ status: 503, code: 'store_failed' });
  await expect(waiting).rejects.toMatchObject({ status: 503 });
  await expect(store.probe()).rejects.toMatchObject({ status: 503 });
  expect((await store.failed).message).toBe('EIO');
  expect(await store.events.page(0, 10)).toEqual([]);
});

test('an operation that throws takes back only itself', async () => {
  const store = await openStore();
  const key = {
    keyId: 'cam-1',
    purpose: 'node' as const,
    tenantCode: 'north',
    subject: 'cam-1',
    scopes: null,
    secretRef: 'file:/a',
    previousRef: null,
    previousUntil: null,
    createdAt: 1,
    removedAt: null,
  };
  const results = await Promise.allSettled([
    store.keys.add(key, 'admin'),
    store.events.ingest([anEvent('a')], 1),
    store.keys.add({ ...key, secretRef: 'file:/b' }, 'admin'),
    store.events.ingest([anEvent('b')], 1),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(results[2]).toMatchObject({ reason: { status: 409, code: 'key_exists' } });
  expect((await store.keys.get('cam-1'))?.secretRef).toBe('file:/a');
  expect(await store.audit.list({ tenantCode: null }, null, 10)).toHaveLength(1);
});

test('an intake that throws after all spoils neither its group nor the counters', async () => {
  const store = await openStore();
  const broken = { ...anEvent('broken', { type: 'only.here' }), doc: null as unknown as string };
  const results = await Promise.allSettled([
    store.events.ingest([anEvent('a')], 1),
    store.events.ingest([anEvent('half', { type: 'also.here' }), broken], 1),
    store.events.ingest([anEvent('b')], 1),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await store.events.page(0, 10)).map(({ id, idempotencyKey }) => [id, idempotencyKey])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
  expect(await store.events.ingest([anEvent('half', { type: 'only.here' })], 1)).toEqual([
    { id: 3, duplicate: false, conflicting: false },
  ]);
  expect((await store.events.get(3))?.type).toBe('only.here');
});

test('a full disk is told as 507, and the store works on when there is room again', async () => {
  const sqlite = new Database(`${newDir()}/full.db`);
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec('CREATE TABLE filler (bytes BLOB)');
  const disk = new HeldDisk();
  const group = new GroupCommit(sqlite, { sync: disk, walFd: 0, log: silentLogger(), monotonic: () => 0 });
  const put = (bytes: number) =>
    group.write(() => sqlite.prepare('INSERT INTO filler VALUES (zeroblob(?))').run(bytes).changes);
  sqlite.pragma('max_page_count = 20');
  const results = await Promise.allSettled([put(10), put(1_000_000), put(10)]);
  expect(results.map((result) => (result.status === 'rejected' ? result.reason.status : 'stored'))).toEqual([
    507, 507, 507,
  ]);
  expect(await put(10)).toBe(1);
  sqlite.pragma('max_page_count = 1000000');
  expect(await put(1_000_000)).toBe(1);
  expect(sqlite.prepare('SELECT count(*) FROM filler').pluck().get()).toBe(2);
  sqlite.close();
});

test('close answers what was accepted and refuses what comes after', async () => {
  const store = await openStore();
  const accepted = store.events.ingest([anEvent('a')], 1);
  const closing = store.close();
  expect(await accepted).toHaveLength(1);
  await closing;
  await expect(store.events.ingest([anEvent('b')], 1)).rejects.toMatchObject({
    status: 503,
    code: 'store_closed',
  });
});

test('who asks whether it can be written costs a write only where none of the last half minute shows it', async () => {
  const clock = {
    ...testClock(),
    at: 1,
    monotonic() {
      return this.at;
    },
  };
  const store = await openStore({ clock });
  const asked = async (times: number): Promise<number> => {
    const before = store.facts().commits;
    for (let i = 0; i < times; i += 1) await store.seemsWritable();
    return store.facts().commits - before;
  };
  expect(await asked(5)).toBe(1);
  clock.at += 29_000;
  expect(await asked(5)).toBe(0);
  clock.at += 2_000;
  expect(await asked(5)).toBe(1);
  await store.events.ingest([anEvent('a')], 1);
  clock.at += 29_000;
  expect(await asked(5)).toBe(0);
});

test('after a write that the disk did not take an earlier one shows nothing', async () => {
  const sqlite = new Database(`${newDir()}/full.db`);
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec('CREATE TABLE filler (bytes BLOB)');
  const group = new GroupCommit(sqlite, {
    sync: new HeldDisk(),
    walFd: 0,
    log: silentLogger(),
    monotonic: () => 0,
  });
  const put = (bytes: number) =>
    group.write(() => sqlite.prepare('INSERT INTO filler VALUES (zeroblob(?))').run(bytes).changes);
  await group.write(() => sqlite.prepare('SELECT 1').get());
  expect(group.tookWithin(1_000)).toBe(false);
  await put(10);
  await group.write(() => undefined);
  expect(group.tookWithin(1_000)).toBe(true);
  sqlite.pragma('max_page_count = 20');
  await expect(put(1_000_000)).rejects.toMatchObject({ status: 507 });
  expect(group.tookWithin(1_000)).toBe(false);
  sqlite.close();
});
