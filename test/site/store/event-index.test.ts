// The index behind lists and statistics: when it is filled, what it holds, what is taken out of it.
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Stores } from '../../../common/core/stores.ts';
import type { OpenOptions } from '../../../site/store/open.ts';
import { anEvent, aVerdict, newDir, openStore, testClock } from './support.ts';

const DAY = 86_400_000;
const SMALL: Partial<OpenOptions> = { eventIndex: { events: 10, changes: 1_000, probe: 0 } };
const LARGE = { events: 10_000, changes: 1_000 };
const events = (from: number, count: number, over = {}) =>
  Array.from({ length: count }, (_, i) => anEvent(`k${from + i}`, { occurredAt: 1_000 + from + i, ...over }));

const listed = async (stores: Stores, over = {}) =>
  (await stores.events.list({ tenantCode: null, includeTest: true, ...over }, null, 1_000)).map(
    ({ id }) => id,
  );
const counted = async (stores: Stores, since = -DAY * 400, until = DAY * 400) =>
  (
    await stores.stats.window({ tenantCode: anEvent('x').tenantCode, since, until, asOf: 0 }, 15_000)
  ).events.reduce((sum, { count }) => sum + count, 0);
const downFrom = (highWaterMark: number, count: number) =>
  Array.from({ length: count }, (_, i) => highWaterMark - i);

test('what is worth a write is taken in the background, the rest is read from the rows', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  await store.events.ingest(events(0, 37), 1);
  await expect.poll(() => store.facts().eventsBeyondIndex).toBe(7);
  expect(await listed(store)).toEqual(downFrom(37, 37));
  expect(await counted(store)).toBe(37);
  await store.close();
});

test('a store that was not indexed is taken from its rows after the start', async () => {
  const dir = newDir();
  const before = await openStore({ dir, eventIndex: { ...LARGE, probe: 0 } });
  await before.events.ingest(events(0, 25), 1);
  await before.verdicts.write(aVerdict(3), { now: 1, newId: testClock().newId });
  await before.close();
  const store = await openStore({ dir, ...SMALL });
  expect([store.facts().eventsBeyondIndex, await counted(store)]).toEqual([25, 25]);
  await expect.poll(() => store.facts().eventsBeyondIndex).toBe(5);
  expect([await listed(store), await counted(store), await listed(store, { verdict: 'confirmed' })]).toEqual([
    downFrom(25, 25),
    25,
    [3],
  ]);
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

test('times may lie far apart, and be missing', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  const times = [-300 * DAY, 0, 49 * DAY, 49 * DAY + 71_367_296, null, 300 * DAY, 1, 2, 3, null];
  await store.events.ingest(
    times.map((occurredAt, i) => anEvent(`k${i}`, { occurredAt })),
    1,
  );
  await store.eventIndex.fill();
  expect(store.facts().eventsBeyondIndex).toBe(0);
  expect(await counted(store)).toBe(8);
  expect(await counted(store, 1, 300 * DAY)).toBe(5);
  expect(await listed(store, { since: 49 * DAY })).toEqual([6, 4, 3]);
  expect(await listed(store, { until: 0 })).toEqual([1]);
  await store.close();
});

test('what retention deletes is taken out, also of what is just being taken', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  await store.events.ingest(events(0, 30), 1);
  const drop = (limit: number) =>
    store.retention.dropEvents({ before: 10, through: 30, limit, holdUnsent: false, now: 20 });
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

test('what a short disk takes from among the newest is not in the index', async () => {
  const store = await openStore({ dir: newDir(), ...SMALL });
  await store.events.ingest(events(0, 16), 1);
  await store.uplink.advance(
    {
      channel: 'events',
      hubEpoch: 'hub',
      cursor: 16,
      cursorAt: null,
      accepted: 16,
      duplicates: 0,
      parked: [],
    },
    0,
  );
  expect(
    (await store.eviction.dropApart({ observationsOnly: false, after: 12, limit: 2, now: 2 })).ids,
  ).toEqual([13, 14]);
  await store.events.ingest(events(16, 14), 1);
  await store.eventIndex.fill();
  const kept = downFrom(30, 30).filter((id) => id !== 13 && id !== 14);
  expect([store.eventIndex.count(), await listed(store), await counted(store)]).toEqual([28, kept, 28]);
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
  expect([again.facts().eventsBeyondIndex, await counted(again)]).toEqual([0, 500]);
  await again.close();
});

test('statistics count every event once, and as it was judged, while the index takes the verdicts', async () => {
  const store = await openStore({ dir: newDir(), eventIndex: { events: 4, changes: 1, probe: 0 } });
  const { newId } = testClock();
  await store.events.ingest(events(0, 30), 1);
  const counts: [number, number][] = [];
  for (let id = 1; id <= 30; id += 1) {
    await store.verdicts.write(aVerdict(id), { now: 1, newId });
    const { events: groups } = await store.stats.window(
      { tenantCode: anEvent('x').tenantCode, since: 0, until: DAY, asOf: 0 },
      15_000,
    );
    const sum = (of: typeof groups) => of.reduce((total, { count }) => total + count, 0);
    counts.push([sum(groups.filter(({ verdict }) => verdict !== null)), sum(groups)]);
  }
  expect(counts).toEqual(Array.from({ length: 30 }, (_, i) => [i + 1, 30]));
  await store.close();
});

type Op =
  | { op: 'ingest'; marks: number[] }
  | { op: 'judge'; pick: number; machine: boolean }
  | { op: 'drop'; limit: number }
  | { op: 'epoch'; by: number }
  | { op: 'fill' };

const ops = fc.array(
  fc.oneof<fc.WeightedArbitrary<Op>[]>(
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('ingest' as const),
        marks: fc.array(fc.nat(5), { minLength: 1, maxLength: 9 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ op: fc.constant('judge' as const), pick: fc.nat(12), machine: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('drop' as const), limit: fc.integer({ min: 1, max: 60 }) }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('epoch' as const), by: fc.nat(12) }) },
    { weight: 1, arbitrary: fc.constant({ op: 'fill' as const }) },
  ),
  { minLength: 40, maxLength: 60 },
);

/**
 * What the index says of each event, and how it counts them, with the groups and places by what they stand
 * for.
 */
function toldBy(dir: string): { facts: Map<number, unknown>; hours: unknown[]; days: unknown[] } {
  const db = new Database(path.join(dir, 'site.db'), { readonly: true });
  const group =
    'json_array(g.tenant_code, g.type, g.kind, g.source, g.verdict, g.is_test, g.judged, g.judged_type, ' +
    'g.severity, g.instance)';
  const facts = db
    .prepare<[], [number, ...unknown[]]>(
      `SELECT f.event_id, f.occurred_at, ${group}, p.site_ref, p.camera_ref FROM event_facts f
    JOIN event_groups g ON g.id = f.group_id JOIN event_places p ON p.id = f.place_id ORDER BY f.event_id`,
    )
    .raw()
    .all();
  const counts = (table: string) =>
    db
      .prepare(
        `SELECT start_at, ${group}, count FROM ${table} c JOIN event_groups g ON g.id = c.group_id ` +
          'ORDER BY 1, 2',
      )
      .raw()
      .all();
  const told = {
    facts: new Map(facts.map(([id, ...rest]) => [id, rest])),
    hours: counts('event_hours'),
    days: counts('event_days'),
  };
  // Counts are those of the facts, and every event lies between the ids of its day.
  const plain = (unit: number, undated: string) =>
    db
      .prepare(
        `SELECT CASE WHEN occurred_at IS NULL THEN -8640000000000000 ELSE (occurred_at - ((occurred_at % ${unit}) + ${unit}) % ${unit}) END AS start, ${group}, count(*)
     FROM event_facts f JOIN event_groups g ON g.id = f.group_id WHERE ${undated} GROUP BY 1, 2
       ORDER BY 1, 2`,
      )
      .raw()
      .all();
  expect(told.hours).toEqual(plain(3_600_000, 'occurred_at IS NOT NULL'));
  expect(told.days).toEqual(plain(DAY, 'true'));
  expect(
    db
      .prepare(
        `SELECT count(*) FROM event_facts f JOIN event_days d ON d.group_id = f.group_id
    AND d.start_at = coalesce(f.occurred_at - ((f.occurred_at % ${DAY}) + ${DAY}) % ${DAY}, -8640000000000000)
      WHERE f.event_id BETWEEN d.first_id AND d.last_id`,
      )
      .pluck()
      .get(),
  ).toBe(facts.length);
  db.close();
  return told;
}

test('the index says the same of what has just come in as of what it reads from the rows', async () => {
  let both = 0;
  await fc.assert(
    fc.asyncProperty(ops, async (given) => {
      const settings = { eventIndex: { events: 5, changes: 1_000, probe: 0 } };
      const dirs = [newDir(), newDir()] as const;
      const fresh = await openStore({ dir: dirs[0], ...settings });
      // Taken after a start, when nothing of the events is in memory.
      let rows = await openStore({ dir: dirs[1], eventIndex: { ...LARGE, probe: 0 } });
      const { newId } = testClock();
      let key = 0;
      for (const step of given) {
        const from = key;
        if (step.op === 'ingest') key += step.marks.length;
        if (step.op === 'fill') {
          await rows.close();
          rows = await openStore({ dir: dirs[1], ...settings });
          await Promise.all([fresh, rows].map((store) => store.eventIndex.fill()));
          // Where a write ended depends on when it was made; what it says of an event does not.
          const [a, b] = [toldBy(dirs[0]).facts, toldBy(dirs[1]).facts];
          expect([...a].filter(([id]) => b.has(id))).toEqual([...b].filter(([id]) => a.has(id)));
          both += [...a.keys()].filter((id) => b.has(id)).length;
          const kept = (await fresh.events.page(0, 1_000)).map(({ id }) => id);
          expect(await listed(rows)).toEqual([...kept].reverse());
          expect(kept).toEqual(expect.arrayContaining([...a.keys()]));
          expect(fresh.eventIndex.count()).toBe(kept.length);
          await rows.close();
          rows = await openStore({ dir: dirs[1], eventIndex: { ...LARGE, probe: 0 } });
          continue;
        }
        for (const store of [fresh, rows]) {
          const { highWaterMark } = await store.events.bounds();
          if (step.op === 'ingest') {
            const batch = step.marks.map((mark, i) =>
              anEvent(`k${from + i}`, {
                type: `type.${mark % 3}`,
                isTest: mark === 4,
                occurredAt: mark === 5 ? null : 1_000 + from + i,
                doc: JSON.stringify({
                  cameraRef: `cam-${mark}`,
                  ...(mark % 2 ? { judged: { type: `seen ${mark}` } } : {}),
                }),
              }),
            );
            // A key that is known is not stored again, and one event alone goes by a group of its own.
            await Promise.all([store.events.ingest(batch, 1), store.events.ingest(batch.slice(0, 1), 1)]);
          } else if (step.op === 'judge' && (await store.events.get(highWaterMark - step.pick))) {
            await store.verdicts.write(
              aVerdict(highWaterMark - step.pick, step.machine ? { judged: { type: 'by machine' } } : {}),
              { now: 1, newId },
            );
          } else if (step.op === 'drop') {
            await store.retention.dropEvents({
              before: 10,
              through: highWaterMark,
              limit: step.limit,
              holdUnsent: false,
              now: 20,
            });
          } else if (step.op === 'epoch') await store.renewEpoch(highWaterMark + step.by);
        }
      }
      await fresh.close();
      await rows.close();
    }),
    { numRuns: 12, interruptAfterTimeLimit: 90_000, endOnFailure: true },
  );
  expect(both).toBeGreaterThan(0);
});
