// Hours, cameras and times of headquarters: at any moment what a plain look at every row says.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import type { NewEvent } from '../../common/core/event/record.ts';
import type { StatisticsQuery } from '../../hq/statistics/port.ts';
import type { CameraCount, HourCount, Standing, Standings } from '../../hq/statistics/record.ts';
import type { HubStore } from '../../hq/stores.ts';
import { indexEvents } from '../contract/event-index.ts';
import { allEvents } from '../contract/event-model.ts';
import { useStores } from '../contract/harness.ts';
import { correctionOn, docOf, newEvent, taskOn, verdictOn } from '../contract/samples.ts';
import { runs } from '../support/campaign.ts';
import { HOUR, TEST_START, TestClock } from '../support/clock.ts';
import { hubHarness } from '../support/hub-harness.ts';

const MINUTE = 60_000;
const WITHIN = 15_000;
const NONE: Standings = { confirmed: 0, false_alarm: 0, merged: 0, none: 0 };
const bench = useStores(hubHarness);
const hub = (): HubStore => bench.stores as HubStore;
const WINDOW: StatisticsQuery = {
  tenantCode: 'acme',
  since: TEST_START - 24 * HOUR,
  until: TEST_START + 24 * HOUR,
  filter: {},
  includeTest: false,
};

/** The same by a look at every event. */
async function plain(store: HubStore, query: StatisticsQuery): Promise<[HourCount[], CameraCount[]]> {
  const [hours, cameras] = [new Map<string, Standings>(), new Map<string, Standings>()];
  for (const event of await allEvents(store)) {
    const { occurredAt: at, severity, verdict, correctedTo } = event;
    if (event.tenantCode !== query.tenantCode || (event.isTest && !query.includeTest)) continue;
    if (at === null || at < query.since || at >= query.until) continue;
    if (!(query.filter.severities?.includes(severity ?? 'medium') ?? true)) continue;
    const { instances } = query.filter;
    if (instances && !instances.has(event.instance ?? '')) continue;
    const doc = JSON.parse(event.doc) as { siteRef?: string; cameraRef?: string };
    const place = [doc.cameraRef ?? null, doc.siteRef ?? null, event.instance];
    const standing: Standing = correctedTo ?? verdict ?? 'none';
    for (const [sums, key] of [
      [hours, String(Math.floor(at / HOUR) * HOUR)],
      [cameras, JSON.stringify(place)],
    ] as const)
      sums.set(key, { ...(sums.get(key) ?? NONE), [standing]: (sums.get(key) ?? NONE)[standing] + 1 });
  }
  return [
    [...hours].map(([at, sums]) => ({ at: Number(at), ...sums })).sort((a, b) => a.at - b.at),
    [...cameras].map(([key, sums]) => {
      const [cameraRef, siteRef, instance] = JSON.parse(key) as [string | null, string | null, string | null];
      return { cameraRef, siteRef, instance, ...sums };
    }),
  ];
}

const sorted = (cameras: readonly CameraCount[]): string[] =>
  cameras
    .map(({ cameraRef, siteRef, instance, confirmed, false_alarm: wrong, merged, none }) =>
      JSON.stringify([cameraRef, siteRef, instance, confirmed, wrong, merged, none]),
    )
    .sort();

const event = fc.record({
  tenantCode: fc.constantFrom('acme', 'acme', 'other'),
  severity: fc.constantFrom(null, 'low' as const, 'high' as const),
  isTest: fc.boolean(),
  occurredAt: fc.option(
    fc.integer({ min: -40 * HOUR, max: 40 * HOUR }).map((by) => TEST_START + by),
    { nil: null, freq: 8 },
  ),
  instance: fc.constantFrom(null, 'site-1', 'site-2'),
  doc: fc
    .record(
      { siteRef: fc.constantFrom('s1', 's2'), cameraRef: fc.constantFrom('c1', 'c2') },
      { requiredKeys: [] },
    )
    .map(docOf),
});
interface Judging<O> {
  op: O;
  place: number;
  verdict: 'confirmed' | 'false_alarm';
}
type Step =
  | { op: 'ingest'; events: (Partial<NewEvent> & { instance: string | null })[] }
  | Judging<'judge'>
  | Judging<'correct'>
  | { op: 'index' }
  | { op: 'look'; since: number; until: number };
const judging = <O extends string>(op: O) =>
  fc.record({
    op: fc.constant(op),
    place: fc.nat(30),
    verdict: fc.constantFrom('confirmed' as const, 'false_alarm' as const),
  });
const moment = fc.integer({ min: -50 * HOUR, max: 50 * HOUR }).map((by) => TEST_START + by);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('ingest' as const),
        events: fc.array(event, { minLength: 1, maxLength: 12 }),
      }),
    },
    { weight: 4, arbitrary: judging('judge') },
    { weight: 2, arbitrary: judging('correct') },
    { weight: 2, arbitrary: fc.constant({ op: 'index' as const }) },
    { weight: 4, arbitrary: fc.record({ op: fc.constant('look' as const), since: moment, until: moment }) },
  ),
  { minLength: 8, maxLength: 40, size: 'max' },
);

describe('statistics of headquarters', () => {
  test('hours and cameras equal a plain look at every event, also what the index has not taken', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const harness = hubHarness();
        const clock = new TestClock();
        const store = (await harness.open(clock)) as HubStore;
        try {
          await play(store, clock, given);
        } finally {
          await harness.close();
        }
      }),
      { numRuns: runs(6, 25) },
    );
  });

  test('waits are from receipt to a verdict of a person, and from a task to its takeover and end', async () => {
    const store = hub();
    const ids = (
      await store.events.ingest(
        Array.from({ length: 10 }, (_, index) => newEvent(`k${index}`, { severity: 'high' })),
        TEST_START,
      )
    ).map(({ id }) => id);
    for (const [index, id] of ids.entries())
      await store.verdicts.write(verdictOn(id, { byKind: index === 9 ? 'machine' : 'human' }), {
        ...bench.stamp(),
        now: TEST_START + (index + 1) * MINUTE,
      });
    const created = await store.tasks.create(taskOn(ids[0] ?? 0), { ...bench.stamp(), now: TEST_START });
    expect(created.kind).toBe('created');
    await indexEvents(store);
    const { all, sites } = await store.statistics.times(WINDOW, WITHIN);
    expect(all.verdict).toEqual({ count: 9, median: 5 * MINUTE, ninetieth: 9 * MINUTE });
    expect(all.takeover).toEqual({ count: 0, median: null, ninetieth: null });
    expect(sites.map(({ instance, verdict: { count } }) => [instance, count])).toEqual([[null, 9]]);
    const low = await store.statistics.times({ ...WINDOW, filter: { severities: ['low'] } }, WITHIN);
    expect(low.all.verdict.count).toBe(0);
    const stranger = await store.statistics.times({ ...WINDOW, tenantCode: 'other' }, WITHIN);
    expect(stranger.all.verdict.count).toBe(0);
  });
});

async function play(store: HubStore, clock: TestClock, given: readonly Step[]): Promise<void> {
  let keys = 0;
  for (const step of given) {
    if (step.op === 'ingest')
      await store.events.ingest(
        step.events.map(({ instance, ...over }) => {
          const origin =
            instance === null ? {} : { origin: { instance, originId: (keys += 1), receivedAt: 1 } };
          return newEvent(`k${(keys += 1)}`, { ...over, ...origin });
        }),
        clock.now(),
      );
    else if (step.op === 'judge')
      await store.verdicts.write(
        verdictOn(step.place + 1, { verdict: step.verdict, note: 'n' }),
        stampOf(clock),
      );
    else if (step.op === 'correct')
      await store.verdicts.correct(
        correctionOn(step.place + 1, `c${(keys += 1)}`, { verdict: step.verdict }),
        stampOf(clock),
      );
    else if (step.op === 'index') await indexEvents(store);
    else await compare(store, step);
    clock.advance(1_000);
  }
}

async function compare(store: HubStore, { since, until }: { since: number; until: number }): Promise<void> {
  const [from, to] = since < until ? [since, until] : [until, since + 1];
  for (const over of [
    {},
    { includeTest: true },
    { filter: { severities: ['medium' as const, 'high' as const] } },
    { filter: { instances: new Set(['site-1', 'site-9']) } },
    { tenantCode: 'other' },
  ]) {
    const query = { ...WINDOW, since: from, until: to, ...over };
    const [hours, cameras] = await plain(store, query);
    expect(await store.statistics.hours(query, WITHIN)).toEqual(hours);
    expect(sorted(await store.statistics.cameras(query, WITHIN))).toEqual(sorted(cameras));
  }
}
