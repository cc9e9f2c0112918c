// Batches of events that come at once go in one transaction; each has its own outcome all the same.
import { beforeEach, expect, test } from 'vitest';
import type { BatchHead, StoreOutcome } from '../../../hq/receiver/port.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { hubStores, T0, testClock, uplinked, watchStatements } from '../store/hub.ts';

const hub = hubStores();
let store: HubStore;
let url = '';
let commits = 0;
let unsynced = 0;
const SITES = ['site-1', 'site-2', 'site-3', 'site-4'];

beforeEach(async () => {
  url = (await hub.database()).url;
  store = await hub.open(url, testClock());
  for (const [index, instance] of SITES.entries())
    await store.sites.add({ instance, tenants: [index < 2 ? 'acme' : 'other'] }, T0, 'admin');
  watchStatements(store, (statement) => {
    commits += Number(statement === 'commit');
    unsynced += Number(statement.includes('synchronous_commit = off'));
  });
  [commits, unsynced] = [0, 0];
});

const headOf = (instance: string, from: number, to: number, more: Partial<BatchHead> = {}): BatchHead => ({
  ...{ instance, epoch: 'e1', version: '1.0', from, to, head: to, oldest: 1, held: null, at: null },
  ...more,
});

const tenantOf = (site: string): string => (SITES.indexOf(site) < 2 ? 'acme' : 'other');

function send(
  site: string,
  from: number,
  keys: string[],
  more: Partial<BatchHead> = {},
  at = store,
): Promise<StoreOutcome> {
  const items = keys.map((key, index) => {
    const originId = from + index + 1;
    const origin = { instance: site, originId, receivedAt: T0 - 500 };
    return uplinked(key, originId, { tenantCode: tenantOf(site), origin });
  });
  return at.receiver.storeEvents(headOf(site, from, from + keys.length, more), items, [], T0);
}

const held = async () =>
  (await store.events.page(0, 100)).map((one) => [one.id, one.instance, one.originId, one.idempotencyKey]);
const cursors = async () =>
  Object.fromEntries((await store.sites.sources()).map(({ instance, cursor }) => [instance, cursor]));

test('batches of sites of several tenants are stored in one transaction, in the order of each site', async () => {
  const outcomes = await Promise.all(SITES.map((site) => send(site, 0, [`${site}-a`, `${site}-b`])));
  expect(commits).toBe(1);
  expect(outcomes).toMatchObject(SITES.map(() => ({ kind: 'stored', accepted: 2, cursor: 2 })));
  expect(await held()).toEqual(
    SITES.flatMap((site, index) => [
      [index * 2 + 1, site, 1, `${site}-a`],
      [index * 2 + 2, site, 2, `${site}-b`],
    ]),
  );
  expect(await cursors()).toEqual({ 'site-1': 2, 'site-2': 2, 'site-3': 2, 'site-4': 2 });
  expect(await store.sites.sources()).toMatchObject(SITES.map(() => ({ receivedTotal: 2, heardAt: T0 })));
});

test('a batch that cannot be stored costs no other its place', async () => {
  await store.sites.remove('site-2', T0, 'admin');
  const bad = send('site-3', 0, ['\0']);
  const [first, removed, broken, last] = await Promise.allSettled([
    send('site-1', 0, ['a']),
    send('site-2', 0, ['b']),
    bad,
    send('site-4', 0, ['d']),
  ]);
  expect(first).toMatchObject({ value: { kind: 'stored', accepted: 1, duplicates: 0, cursor: 1 } });
  expect(removed).toMatchObject({ reason: { status: 403, code: 'site_unknown' } });
  expect(broken).toMatchObject({
    value: { kind: 'stored', accepted: 0, cursor: 1, rejected: [{ originId: 1, error: 'store_failed' }] },
  });
  expect(last).toMatchObject({ value: { kind: 'stored', accepted: 1, duplicates: 0, cursor: 1 } });
  expect((await held()).map(([, , , key]) => key)).toEqual(['a', 'd']);
  expect(await cursors()).toEqual({ 'site-1': 1, 'site-3': 1, 'site-4': 1 });
});

test('a batch that is out of step is told so, and the others are stored beside it', async () => {
  await send('site-1', 0, ['a', 'b']);
  commits = 0;
  const outcomes = await Promise.all([
    send('site-1', 0, ['a'], { head: 1 }),
    send('site-2', 0, ['c']),
    send('site-3', 4, ['d'], { held: 3 }),
    send('site-4', 7, ['e']),
  ]);
  expect(outcomes).toMatchObject([
    { kind: 'sender_rolled_back', known: 2 },
    { kind: 'stored', accepted: 1, cursor: 1 },
    { kind: 'cursor_ahead', known: 0 },
    { kind: 'cursor_ahead', known: 0 },
  ]);
  expect(commits).toBe(1);
  expect(await cursors()).toMatchObject({ 'site-1': 2, 'site-2': 1 });
});

test('ids that were given out twice are found at their site alone', async () => {
  await send('site-1', 0, ['a', 'b']);
  expect(
    await Promise.all([send('site-1', 1, ['x', 'c'], { head: 3 }), send('site-2', 0, ['d'])]),
  ).toMatchObject([
    { kind: 'sender_rolled_back', known: 2 },
    { kind: 'stored', accepted: 1, cursor: 1 },
  ]);
  expect(await cursors()).toMatchObject({ 'site-1': 2, 'site-2': 1 });
});

test('of a key that two sites bring at once the first has it, and the other is told', async () => {
  const [first, second, elsewhere] = await Promise.all([
    send('site-1', 0, ['same']),
    send('site-2', 0, ['own', 'same']),
    send('site-3', 0, ['same']),
  ]);
  expect(commits).toBe(1);
  expect(first).toMatchObject({ accepted: 1, conflicts: [], rejected: [] });
  expect(second).toMatchObject({
    accepted: 1,
    cursor: 2,
    rejected: [{ originId: 2 }],
    conflicts: [{ key: 'same', instance: 'site-2', heldBy: 'site-1', heldId: 1 }],
  });
  expect(elsewhere).toMatchObject({ accepted: 1, conflicts: [] });
  expect(await store.receiver.conflicts({ tenantCode: null }, 10)).toMatchObject([
    { instance: 'site-2', key: 'same' },
  ]);
});

test('calls that bring nothing stand in line for no disk, and those of the log go together too', async () => {
  await Promise.all(SITES.map((site) => send(site, 0, [])));
  const stamp = { now: T0, newId: () => 'id' };
  const empty = SITES.map((site) => store.receiver.storeChanges(headOf(site, 0, 0), [], [], stamp));
  expect(await Promise.all(empty)).toMatchObject(SITES.map(() => ({ kind: 'stored', cursor: 0 })));
  expect([commits, unsynced]).toEqual([2, 2]);
  await Promise.all([send('site-1', 0, ['a']), send('site-2', 0, [])]);
  // A position that moves without items, since they were deleted at the site, is kept as safely.
  await send('site-3', 5, [], { head: 5, oldest: 6 });
  expect([commits, unsynced]).toEqual([4, 2]);
  const sources = await store.sites.sources();
  expect(sources.find((one) => one.instance === 'site-3' && one.channel === 'events')?.cursor).toBe(5);
  await expect(store.receiver.storeChanges(headOf('nobody', 0, 0), [], [], stamp)).rejects.toMatchObject({
    code: 'site_unknown',
  });
});

test('two batches of one site never go together', async () => {
  const outcomes = await Promise.all([
    send('site-1', 0, ['a']),
    send('site-1', 1, ['b']),
    send('site-2', 0, ['c']),
  ]);
  expect(commits).toBe(2);
  expect(outcomes).toMatchObject([{ cursor: 1 }, { accepted: 1, cursor: 2 }, { cursor: 1 }]);
  expect((await held()).map(([id, , , key]) => [id, key])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
});

test('two hubs that get the same batches at once in another order store each once', async () => {
  const other = await hub.open(url, testClock());
  for (let round = 0; round < 10; round += 1) {
    const batches = (which: HubStore, order: readonly string[]) =>
      order.map((site) => send(site, round, [`${site}-${round}`], {}, which));
    const outcomes = await Promise.all([...batches(store, SITES), ...batches(other, [...SITES].reverse())]);
    expect(outcomes).toMatchObject([...SITES, ...SITES].map(() => ({ kind: 'stored', cursor: round + 1 })));
    const accepted = outcomes.map((one) => (one.kind === 'stored' ? one.accepted : 0));
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(SITES.length);
  }
  expect((await held()).length).toBe(10 * SITES.length);
});
