// Random intake, verdicts, index work, retention, restarts: at any moment lists and statistics of both stores
// equal a plain look at every event.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import type { EventFilter } from '../../common/core/event/port.ts';
import type { NewEvent } from '../../common/core/event/record.ts';
import { byCount } from '../../common/core/stats/decide.ts';
import { runs } from '../support/campaign.ts';
import { HOUR, TEST_START, TestClock } from '../support/clock.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { siteHarness } from '../support/site-harness.ts';
import { indexEvents } from './event-index.ts';
import { allEvents, plainCount, plainList } from './event-model.ts';
import type { StoreHarness } from './harness.ts';
import { correctionOn, docOf, newEvent, verdictOn } from './samples.ts';

type Step =
  | { op: 'ingest'; events: (Partial<NewEvent> & { instance: string | null })[] }
  | { op: 'verdict'; place: number; verdict: 'confirmed' | 'false_alarm'; judged: { type: string } | null }
  | { op: 'correction'; place: number; verdict: 'confirmed' | 'false_alarm' }
  | { op: 'index' }
  | { op: 'restart' }
  | { op: 'retain'; limit: number }
  | {
      op: 'look';
      since: number;
      until: number;
      filter: Partial<EventFilter>;
      before: number | null;
      limit: number;
    };

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const time = fc.oneof(
  fc.integer({ min: -40, max: 40 }).map((n) => TEST_START + n * HOUR),
  fc.integer({ min: -30 * 24 * HOUR, max: 30 * 24 * HOUR }).map((n) => TEST_START + n),
);
const doc = fc.record(
  {
    siteRef: fc.constantFrom('s1', 's2'),
    cameraRef: fc.constantFrom('c1', 'c2'),
    judged: fc.constantFrom({}, { type: 'person' }, { type: 'vehicle' }),
  },
  { requiredKeys: [] },
);
const event = fc.record({
  tenantCode: fc.constantFrom('acme', 'other'),
  type: fc.constantFrom('a.b', 'a.c'),
  kind: fc.constantFrom('alert' as const, 'observation' as const),
  source: fc.constantFrom('video' as const, 'quick_photo' as const),
  isTest: fc.boolean(),
  severity: fc.constantFrom(null, 'medium' as const, 'high' as const),
  occurredAt: fc.option(time, { nil: null, freq: 6 }),
  instance: fc.constantFrom(null, null, 'site-1', 'site-2'),
  doc: doc.map(docOf),
});
const asked = fc.constantFrom('none' as const, 'confirmed' as const, 'false_alarm' as const);
const filter = fc
  .record({
    tenantCode: fc.constantFrom(null, 'acme', 'other'),
    includeTest: fc.boolean(),
    type: maybe(fc.constantFrom('a.b', 'a.x')),
    kind: maybe(fc.constant('alert' as const)),
    source: maybe(fc.constant('video' as const)),
    verdict: maybe(asked),
    correctedTo: maybe(asked),
    standing: maybe(asked),
    siteRef: maybe(fc.constantFrom('s1', 's3')),
    cameraRef: maybe(fc.constantFrom('c1', 'c2')),
    instance: maybe(fc.constantFrom(null, 'site-1', 'site-3')),
    instances: maybe(fc.constantFrom(new Set(['site-1', 'site-3']), new Set(['site-1', 'site-2']))),
    severities: maybe(fc.constantFrom(['high' as const], ['low' as const, 'medium' as const])),
    since: maybe(time),
    until: maybe(time),
  })
  .map(
    (given) =>
      Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as Partial<EventFilter>,
  );

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        op: fc.constant('ingest' as const),
        events: fc.array(event, { minLength: 1, maxLength: 12 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        op: fc.constant('verdict' as const),
        place: fc.nat(30),
        verdict: fc.constantFrom('confirmed' as const, 'false_alarm' as const),
        judged: fc.option(fc.constant({ type: 'fire' })),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('correction' as const),
        place: fc.nat(30),
        verdict: fc.constantFrom('confirmed' as const, 'false_alarm' as const),
      }),
    },
    { weight: 3, arbitrary: fc.constant({ op: 'index' as const }) },
    { weight: 1, arbitrary: fc.constant({ op: 'restart' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('retain' as const), limit: fc.integer({ min: 1, max: 8 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        op: fc.constant('look' as const),
        since: time,
        until: time,
        filter,
        before: fc.option(fc.nat(70)),
        limit: fc.integer({ min: 1, max: 20 }),
      }),
    },
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
);

/** Filters that match something, beside the random ones, which often do not. */
const BROAD: Partial<EventFilter>[] = [
  { verdict: 'none' },
  { verdict: 'confirmed' },
  { verdict: 'false_alarm', tenantCode: 'acme' },
  { siteRef: 's1', verdict: 'confirmed' },
  { severities: ['high', 'critical'] },
  { severities: ['medium'], verdict: 'none' },
  { instance: 'site-1' },
  { instances: new Set(['site-2', 'site-3']) },
  { instances: new Set(['site-1', 'site-2']), verdict: 'none' },
  { instance: null, severities: ['high'], verdict: 'confirmed' },
  { correctedTo: 'none', verdict: 'confirmed' },
  { correctedTo: 'false_alarm' },
  { standing: 'false_alarm', tenantCode: 'acme' },
  { standing: 'confirmed', siteRef: 's1' },
  { standing: 'none' },
];

async function play(harness: StoreHarness, given: readonly Step[]): Promise<void> {
  const clock = new TestClock();
  let stores = await harness.open(clock);
  let keys = 0;
  for (const step of given) {
    if (step.op === 'ingest')
      await stores.events.ingest(
        step.events.map(({ instance, ...over }) => {
          const origin =
            instance === null ? {} : { origin: { instance, originId: (keys += 1), receivedAt: 1 } };
          return newEvent(`k${(keys += 1)}`, { ...over, ...origin });
        }),
        clock.now(),
      );
    else if (step.op === 'verdict')
      await stores.verdicts.write(
        verdictOn(step.place + 1, { verdict: step.verdict, note: 'n', judged: step.judged }),
        stampOf(clock),
      );
    else if (step.op === 'correction')
      await stores.verdicts.correct(
        correctionOn(step.place + 1, `c${(keys += 1)}`, { verdict: step.verdict }),
        stampOf(clock),
      );
    else if (step.op === 'index') await indexEvents(stores);
    else if (step.op === 'restart') stores = await harness.reopen();
    else if (step.op === 'retain')
      await stores.retention.dropEvents({
        before: clock.now(),
        through: 1_000,
        limit: step.limit,
        holdUnsent: false,
        now: clock.now(),
      });
    else {
      const everything = await allEvents(stores);
      for (const over of [step.filter, ...BROAD]) {
        const all = { tenantCode: null, includeTest: true, ...over };
        expect(
          (await stores.events.list(all, step.before, step.limit)).map(({ id }) => id),
          JSON.stringify(over),
        ).toEqual(plainList(everything, all, step.before, step.limit));
      }
      const [since, until] =
        step.since < step.until ? [step.since, step.until] : [step.until, step.since + 1];
      const query = { tenantCode: 'acme', since, until, asOf: clock.now() };
      const { events, undated } = await stores.stats.window(query, 15_000);
      expect({ events: byCount(events), undated: byCount(undated) }, JSON.stringify(step)).toEqual(
        await plainCount(stores, everything, query),
      );
    }
    clock.advance(1_000);
  }
}

// Small blocks and no look at rows where there are blocks, so that a short sequence comes to every case.
const SMALL = { eventIndex: { events: 5, changes: 2, probe: 0 } };

describe.each([
  ['site', () => siteHarness(SMALL)],
  ['headquarters', () => hubHarness({ listProbe: 0 })],
] as const)('%s store', (_name, make) => {
  test('lists and counts what is there, at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const harness = make();
        try {
          await play(harness, given);
        } finally {
          await harness.close();
        }
      }),
      { numRuns: runs(6, 30), interruptAfterTimeLimit: 90_000, endOnFailure: true },
    );
  }, 180_000);
});
