// The events divided by ranges of their ids: parts are made ahead, and those that have expired go whole.
import type pg from 'pg';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../common/core/retention/decide.ts';
import type { DropEvents } from '../../../common/core/retention/record.ts';
import { silentLogger } from '../../../common/log.ts';
import { partsOf } from '../../../hq/store/partition/parts.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { clientOf } from '../../support/postgres.ts';
import { event, hubStores, stampAt, T0, testClock, uplinked, verdict } from './hub.ts';

const hub = hubStores();
const PART = 10;

interface Small {
  store: HubStore;
  clock: ReturnType<typeof testClock>;
  bounds: (table?: string) => Promise<(number | null)[][]>;
}

/** A hub whose parts have ten events. */
async function small(url?: string): Promise<Small> {
  const clock = testClock();
  const store = await openHubStore({
    url: url ?? (await hub.database()).url,
    clock,
    log: silentLogger(),
    poolSize: 4,
    partEvents: PART,
  });
  hub.closing(store);
  return {
    store,
    clock,
    bounds: async (table = 'events') => (await partsOf(store.pool, table)).map(({ from, to }) => [from, to]),
  };
}

const many = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => event(`k${first + index}`));
const twins = async ({ bounds }: Small) => expect(await bounds('event_facts')).toEqual(await bounds());
const count = async (pool: pg.Pool, table: string): Promise<number> =>
  (await pool.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]?.n ?? -1;

test('parts are made ahead, and a round that comes late divides what is there', async () => {
  const hubOf = await small();
  const { store, clock, bounds } = hubOf;
  await store.partitions.round(clock.now(), null);
  expect(await bounds()).toEqual([
    [null, 11],
    [11, null],
  ]);
  await store.events.ingest(many(1, 4), T0);
  await store.partitions.round(clock.now(), null);
  expect(await bounds()).toHaveLength(2);
  // Far beyond the last part's beginning: every event finds its place.
  await store.events.ingest(many(5, 60), T0);
  await store.eventIndex.round();
  await store.partitions.round(clock.now(), null);
  expect(await bounds()).toEqual([
    [null, 11],
    [11, 161],
    [161, null],
  ]);
  await twins(hubOf);
  expect((await store.events.page(0, 100)).map(({ id }) => id)).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  const constraints = await store.pool.query("select from pg_constraint where conname = 'part_bounds'");
  expect(constraints.rowCount).toBe(0);
});

test('while a reader holds the events nothing is divided, nothing is refused, and the next round does it', async () => {
  const { store, clock, bounds } = await small();
  await store.events.ingest(many(1, 30), T0);
  const reader = await store.pool.connect();
  await reader.query('begin; select from events limit 1');
  await expect(store.partitions.round(clock.now(), null)).rejects.toThrow();
  expect(await bounds()).toEqual([[null, null]]);
  await store.events.ingest(many(31, 90), T0);
  await reader.query('rollback');
  reader.release();
  await store.partitions.round(clock.now(), null);
  expect((await bounds()).at(0)).toEqual([null, 191]);
  expect(await store.events.ingest(many(91, 91), T0)).toMatchObject([{ id: 91 }]);
});

const dropped = (more: Partial<DropEvents> = {}): DropEvents => ({
  before: T0 + 1,
  through: 20,
  limit: 500,
  holdUnsent: false,
  now: T0 + 100 * DAY_MS,
  ...more,
});

/** Three parts of ten and more, the first of them a hundred days old. */
async function old(url?: string): Promise<Small> {
  const hubOf = await small(url);
  const { store, clock } = hubOf;
  for (const [first, last] of [
    [1, 4],
    [5, 9],
    [10, 15],
    [16, 20],
  ] as const) {
    await store.partitions.round(T0 + 50 * DAY_MS, null);
    await store.events.ingest(
      many(first, last).map((one, index) =>
        index % 2 === 0 ? one : uplinked(one.idempotencyKey, first + index),
      ),
      T0,
    );
  }
  clock.set(T0 + 100 * DAY_MS);
  await store.partitions.round(clock.now(), null);
  await store.events.ingest(many(21, 30), clock.now());
  await store.eventIndex.round();
  expect(await hubOf.bounds()).toEqual([
    [null, 11],
    [11, 21],
    [21, 31],
    [31, null],
  ]);
  return hubOf;
}

test('a part that has expired goes whole, with all that was of its events and nothing else', async () => {
  const hubOf = await old();
  const { store, clock } = hubOf;
  for (const id of [3, 12, 25]) await store.verdicts.write(verdict(id), stampAt(clock.now(), clock));
  await store.eventIndex.round();
  await store.servedCounts.round(clock.now());
  await store.subscriptions.register('slow', { tenantCode: 'acme' }, 0, clock.now(), 'admin');
  const served = await count(store.pool, 'served_event_verdicts');
  expect(served).toBe(3);
  const first = await store.retention.dropEvents(dropped());
  expect(first).toMatchObject({
    events: { from: 1, to: 10 },
    counts: { events: 10, verdicts: 1 },
    lost: { slow: { events: 10, from: 1, to: 10 } },
  });
  const second = await store.retention.dropEvents(dropped());
  expect(second).toMatchObject({ events: { from: 11, to: 20 }, counts: { events: 10, verdicts: 1 } });
  expect(await hubOf.bounds()).toEqual([
    [21, 31],
    [31, null],
  ]);
  await twins(hubOf);
  expect(await store.retention.awaitingHooks(100)).toHaveLength(20);
  expect((await store.retention.state()).counts).toMatchObject({ events: 20, verdicts: 2 });
  for (const [table, left] of [
    ['verdicts', 1],
    ['served_event_verdicts', 1],
    ['event_facts', 10],
    ['forgotten_events', 20],
    ['event_keys', 30],
  ] as const)
    expect([table, await count(store.pool, table)]).toEqual([table, left]);
  const window = { tenantCode: 'acme', since: 0, until: T0 * 2, asOf: T0 };
  const { events } = await store.stats.window(window, 15_000);
  expect(events.reduce((sum, one) => sum + one.count, 0)).toBe(10);
  const { rows } = await store.pool.query<{ n: number }>('select sum(count)::bigint as n from event_days');
  expect(rows).toEqual([{ n: 10 }]);
});

test('what comes again of a part that has gone is a duplicate, and a late verdict finds no event', async () => {
  const { store, clock } = await old();
  await store.retention.dropEvents(dropped());
  const again = await store.events.ingest([event('k1'), uplinked('k2', 2), event('k2')], clock.now());
  expect(again).toMatchObject([
    { id: 1, duplicate: true, conflicting: false },
    { id: 2, duplicate: true, conflicting: false },
    { id: 2, duplicate: true, elsewhere: { instance: 'site-1' } },
  ]);
  const late = await store.verdicts.write(verdict(3), stampAt(clock.now(), clock));
  expect(late.kind).toBe('no_event');
});

test('the part at the edge waits where it spans little of what is kept, and goes row by row otherwise', async () => {
  const { store } = await old();
  // All of the second part came at once: of 100 days kept it spans nothing.
  await store.pool.query('update events set received_at = received_at + 1 where id > 15');
  expect((await store.retention.survey(T0 + 1, false)).expiredThrough).toBe(10);
  await store.pool.query(
    `update events set received_at = received_at + 20 * ${DAY_MS}::bigint where id between 16 and 20`,
  );
  expect((await store.retention.survey(T0 + 1, false)).expiredThrough).toBe(15);
  await store.retention.dropEvents(dropped({ through: 15 }));
  const rows = await store.retention.dropEvents(dropped({ through: 15 }));
  expect(rows).toMatchObject({ events: { from: 11, to: 15 }, counts: { events: 5 } });
});

test('a part that is being read stays whole until it is read no more', async () => {
  const { url } = await hub.database();
  const { store } = await old(url);
  const reader = clientOf(url);
  await reader.connect();
  await reader.query('begin; select from events limit 1');
  expect(await store.retention.dropEvents(dropped())).toEqual({ events: null, counts: {}, lost: {} });
  expect(await store.events.get(1)).toMatchObject({ id: 1 });
  await reader.end();
  // It was written down already. Where another limit lets less of it go, its rows go one by one.
  const [some, rest] = [await store.retention.dropEvents(dropped({ through: 3 })), dropped()];
  expect(some).toMatchObject({ events: { from: 1, to: 3 } });
  expect(await store.retention.dropEvents(rest)).toMatchObject({ events: { from: 4, to: 10 } });
  expect(await count(store.pool, 'forgotten_events')).toBe(10);
});
