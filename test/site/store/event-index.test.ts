// The blocks behind lists and statistics: when they are made, what they hold, what is taken out of them.
import { expect, test } from 'vitest';
import type { Stores } from '../../../common/core/stores.ts';
import type { OpenOptions } from '../../../site/store/open.ts';
import { anEvent, aVerdict, newDir, openStore, testClock } from './support.ts';

const DAY = 86_400_000;
const SMALL: Partial<OpenOptions> = { eventIndex: { positions: 10, changes: 1_000, probe: 0 } };
const events = (from: number, count: number, over = {}) => Array.from({ length: count }, (_, i) => anEvent(`k${from + i}`, { occurredAt: 1_000 + from + i, ...over }));

const listed = async (stores: Stores, over = {}) =>
  (await stores.events.list({ tenantCode: null, includeTest: true, ...over }, null, 1_000)).map(({ id }) => id);
const counted = async (stores: Stores, since = -DAY * 400, until = DAY * 400) =>
  (await stores.stats.window({ tenantCode: anEvent('x').tenantCode, since, until, asOf: 0 }, 15_000)).events.reduce((sum, { count }) => sum + count, 0);
const downFrom = (head: number, count: number) => Array.from({ length: count }, (_, i) => head - i);

test('whole blocks are taken in the background, the rest is read from the rows', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  await store.events.ingest(events(0, 37), 1);
  await expect.poll(() => store.facts().eventsOutsideBlocks).toBe(7);
  expect(await listed(store)).toEqual(downFrom(37, 37));
  expect(await counted(store)).toBe(37);
  await store.close();
});

test('a store from before the index is taken over at the first write', async () => {
  const dir = newDir();
  const before = await openStore({ dir, eventIndex: { positions: 1_000, changes: 1_000, probe: 0 } });
  await before.events.ingest(events(0, 25), 1);
  await before.close();
  const store = await openStore({ dir, ...SMALL });
  expect([store.facts().eventsOutsideBlocks, await counted(store)]).toEqual([25, 25]);
  await store.probe();
  await expect.poll(() => store.facts().eventsOutsideBlocks).toBe(5);
  expect([await listed(store), await counted(store)]).toEqual([downFrom(25, 25), 25]);
  await store.close();
});

test('ids that a new epoch leaves out, however many, are stepped over', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  await store.events.ingest(events(0, 13), 1);
  await store.renewEpoch(9_000_000_000);
  await store.events.ingest(events(13, 25), 1);
  await store.eventIndex.fill();
  const ids = [...downFrom(9_000_000_025, 25), ...downFrom(13, 13)];
  expect(await listed(store)).toEqual(ids);
  await store.events.ingest(events(38, 10), 1);
  await store.eventIndex.fill();
  expect(await listed(store)).toEqual([...downFrom(9_000_000_035, 35), ...downFrom(13, 13)]);
  expect(await counted(store)).toBe(48);
  await store.close();
});

test('a block may span more than 49 days, and times that it lacks', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  const times = [-300 * DAY, 0, 49 * DAY, 49 * DAY + 71_367_296, null, 300 * DAY, 1, 2, 3, null];
  await store.events.ingest(times.map((occurredAt, i) => anEvent(`k${i}`, { occurredAt })), 1);
  await store.eventIndex.fill();
  expect(store.facts().eventsOutsideBlocks).toBe(0);
  expect(await counted(store)).toBe(8);
  expect(await counted(store, 1, 300 * DAY)).toBe(5);
  expect(await listed(store, { since: 49 * DAY })).toEqual([6, 4, 3]);
  expect(await listed(store, { until: 0 })).toEqual([1]);
  await store.close();
});

test('what retention deletes is taken out, also of a block that is just being made', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  await store.events.ingest(events(0, 30), 1);
  const drop = (limit: number) => store.retention.dropEvents({ before: 10, upto: 30, limit, holdUnsent: false, now: 20 });
  const dropped = drop(3);
  await Promise.all([store.eventIndex.fill(), dropped]);
  await store.eventIndex.fill();
  expect([await listed(store), await counted(store)]).toEqual([downFrom(30, 27), 27]);
  await drop(17);
  expect([await listed(store), await counted(store)]).toEqual([downFrom(30, 10), 10]);
  await drop(10);
  expect([await listed(store), await counted(store)]).toEqual([[], 0]);
  await store.close();
});

test('closing breaks off what is under way, and the next start goes on', async () => {
  const dir = newDir();
  const store = await openStore({ dir, ...SMALL });
  await store.events.ingest(events(0, 500), 1);
  await store.close();
  const again = await openStore({ dir, ...SMALL });
  expect(await counted(again)).toBe(500);
  await again.eventIndex.fill();
  expect([again.facts().eventsOutsideBlocks, await counted(again)]).toEqual([0, 500]);
  await again.close();
});

test('statistics count every event once, and as it was judged, while the blocks take the verdicts', async () => {
  const store = await openStore({ dir: newDir(), eventIndex: { positions: 4, changes: 1, probe: 0 } });
  const { newId } = testClock();
  await store.events.ingest(events(0, 30), 1);
  const counts: [number, number][] = [];
  for (let id = 1; id <= 30; id += 1) {
    await store.verdicts.write(aVerdict(id), { now: 1, newId });
    const { events: groups } = await store.stats.window({ tenantCode: anEvent('x').tenantCode, since: 0, until: DAY, asOf: 0 }, 15_000);
    const sum = (of: typeof groups) => of.reduce((total, { count }) => total + count, 0);
    counts.push([sum(groups.filter(({ verdict }) => verdict !== null)), sum(groups)]);
  }
  expect(counts).toEqual(Array.from({ length: 30 }, (_, i) => [i + 1, 30]));
  await store.close();
});
