// What is counted and what is kept of events that go with their whole partition.
import fc from 'fast-check';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { UNDATED } from '../../../common/core/event/index/window.ts';
import { DAY_MS } from '../../../common/core/retention/decide.ts';
import { silentLogger } from '../../../common/log.ts';
import { makePartitions, readPartitions } from '../../../hq/backup/tables.ts';
import { partsOf } from '../../../hq/store/partition/parts.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { event, hubStores, stampAt, T0, testClock, uplinked, verdict } from './hub.ts';

const hub = hubStores();
const PART = 10;
const HOUR_MS = DAY_MS / 24;
const LATER = T0 + 1_000 * DAY_MS;

async function small(): Promise<HubStore> {
  const store = await openHubStore({
    url: (await hub.database()).url,
    clock: testClock(),
    log: silentLogger(),
    poolSize: 4,
    partEvents: PART,
  });
  hub.closing(store);
  return store;
}

const drop = (store: HubStore, through: number) =>
  store.retention.dropEvents({ before: LATER, through, limit: 500, holdUnsent: false, now: LATER });

/** What is counted, and what a count of the facts themselves gives. */
async function counted(pool: pg.Pool, table: 'event_hours' | 'event_days'): Promise<unknown[][]> {
  const unit = table === 'event_hours' ? HOUR_MS : DAY_MS;
  const at = table === 'event_hours' ? 'occurred_at' : `coalesce(occurred_at, ${UNDATED})`;
  const rows = async (text: string): Promise<unknown[]> => (await pool.query(text)).rows;
  return [
    await rows(`select tenant_code, start_at, group_id, count from ${table} order by 1, 2, 3`),
    await rows(
      `select tenant_code, (floor(${at}::numeric / ${unit}) * ${unit})::bigint as start_at, group_id,
         count(*) as count from event_facts where ${at} is not null group by 1, 2, 3 order by 1, 2, 3`,
    ),
  ];
}

const told = fc.record({
  tenant: fc.constantFrom('acme', 'north'),
  type: fc.constantFrom('gas.leak', 'fence.climb'),
  /** Before its receipt, ms; null: it has no time. */
  age: fc.oneof(
    { weight: 6, arbitrary: fc.nat(2 * HOUR_MS) },
    { weight: 2, arbitrary: fc.integer({ min: -2 * DAY_MS, max: 30 * DAY_MS }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  /** After the one before, ms. */
  pause: fc.oneof(fc.nat(HOUR_MS), fc.nat(2 * DAY_MS)),
});

test('hours and days have what is left, whatever times the events of a part arose at', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 25, maxLength: 60 }), async (all) => {
      const store = await small();
      let at = T0;
      for (const [index, { tenant, type, age, pause }] of all.entries()) {
        await store.partitions.round(at, null);
        at += pause;
        const occurredAt = age === null ? null : at - age;
        await store.events.ingest([event(`k${index}`, { tenantCode: tenant, type, occurredAt })], at);
      }
      while ((await store.eventIndex.round()).again);
      for (const { to } of await partsOf(store.pool, 'events')) {
        if (to === null || to > all.length) break;
        expect((await drop(store, to - 1)).events?.to).toBe(to - 1);
        for (const table of ['event_hours', 'event_days'] as const) {
          const [kept, meant] = await counted(store.pool, table);
          expect(kept).toEqual(meant);
        }
      }
    }),
    { numRuns: 6 },
  );
});

test('what went one by one and what goes with its part is known once, and stays known', async () => {
  const store = await small();
  const clock = testClock();
  for (const [first, last] of [
    [1, 4],
    [5, 14],
    [15, 24],
  ] as const) {
    await store.partitions.round(T0, null);
    await store.events.ingest(
      Array.from({ length: last - first + 1 }, (_, index) => uplinked(`k${first + index}`, first + index)),
      T0,
    );
  }
  await store.eventIndex.round();
  expect((await drop(store, 4)).events).toEqual({ from: 1, to: 4 });
  expect((await drop(store, 10)).events).toEqual({ from: 5, to: 10 });
  const { rows } = await store.pool.query(
    `select tableoid::regclass::text as part, count(*) as n from forgotten_events group by 1`,
  );
  expect(rows).toEqual([{ part: 'forgotten_events_first', n: 10 }]);
  expect((await drop(store, 20)).events).toEqual({ from: 11, to: 20 });
  expect((await drop(store, 22)).events).toEqual({ from: 21, to: 22 });
  const again = await store.events.ingest([uplinked('k2', 2), uplinked('k7', 7), uplinked('k21', 21)], T0);
  expect(again).toMatchObject([2, 7, 21].map((id) => ({ id, duplicate: true, conflicting: false })));
  expect((await store.verdicts.write(verdict(7), stampAt(T0, clock))).kind).toBe('no_event');
});

test('a copy is divided as the database is', async () => {
  const [store, copy] = [await small(), await small()];
  for (const [index, at] of [0, 1, 2].entries()) {
    await store.partitions.round(T0 + at, null);
    const many = Array.from({ length: PART }, (_, more) => event(`k${index}-${more}`));
    await store.events.ingest(many, T0);
  }
  await drop(store, 10);
  const clients = [await store.pool.connect(), await copy.pool.connect()] as const;
  const partitions = await readPartitions(clients[0]);
  await makePartitions(clients[1], partitions);
  const copied = await readPartitions(clients[1]);
  for (const client of clients) client.release();
  expect(copied).toEqual(partitions);
  const forgotten = partitions.filter(({ table }) => table === 'forgotten_events');
  expect(forgotten.map(({ from, to, rest }) => [from, to, rest])).toEqual([
    [null, null, true],
    [null, 11, undefined],
  ]);
});
