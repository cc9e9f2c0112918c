// The contract of StatsPort.
import { describe, expect, test } from 'vitest';
import { byCount } from '../../common/core/stats/decide.ts';
import type { StatsQuery } from '../../common/core/stats/port.ts';
import { AppError } from '../../common/http/error.ts';
import { HOUR, TEST_START } from '../support/clock.ts';
import { indexEvents } from './event-index.ts';
import { allEvents, plainCount, plainList } from './event-model.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { correctionOn, docOf, newEvent, range, stored, verdictOn } from './samples.ts';

const DAY = 24 * HOUR;
const WINDOW: StatsQuery = {
  tenantCode: 'acme',
  since: TEST_START - DAY,
  until: TEST_START + DAY,
  asOf: TEST_START,
};
const WITHIN = 15_000;

export function statsContract(make: MakeHarness): void {
  describe('statistics: events', () => events(make));
  describe('statistics: tasks', () => tasks(make));
}

function events(make: MakeHarness): void {
  const bench = useStores(make);
  const window = async (over: Partial<StatsQuery> = {}) => {
    const { events: dated, undated } = await bench.stores.stats.window({ ...WINDOW, ...over }, WITHIN);
    return { events: byCount(dated), undated: byCount(undated) };
  };
  const count = async (over: Partial<StatsQuery> = {}) => (await window(over)).events;
  /** The same before and after the index has taken the events. */
  const both = async (over: Partial<StatsQuery> = {}) => {
    const before = await count(over);
    await indexEvents(bench.stores);
    const after = await count(over);
    expect(after).toEqual(before);
    return after;
  };

  test('an empty window has no groups', async () => {
    expect(await both()).toEqual([]);
  });

  test('groups by every key, in descending count order', async () => {
    const judged = docOf({ judged: { type: 'vehicle', confidence: 0.5 } });
    await bench.stores.events.ingest(
      [
        newEvent('a'),
        newEvent('b'),
        newEvent('c', { type: 'person.fall' }),
        newEvent('d', { source: 'quick_photo' }),
        newEvent('e', { kind: 'observation' }),
        newEvent('f', { isTest: true }),
        newEvent('g', { doc: judged }),
        newEvent('h', { doc: judged }),
        newEvent('i', { doc: judged }),
        newEvent('j', { doc: docOf({ judged: {} }) }),
        newEvent('k', { tenantCode: 'other' }),
        newEvent('m', { severity: null }),
        newEvent('l', { origin: { instance: 'site-1', originId: 1, receivedAt: TEST_START } }),
      ],
      TEST_START,
    );
    const plain = {
      source: 'video',
      kind: 'alert',
      type: 'vehicle.intrusion',
      verdict: null,
      correctedTo: null,
      test: false,
      judged: false,
      judgedType: null,
      severity: 'high',
      instance: null,
    };
    expect(await both()).toEqual([
      { ...plain, judged: true, judgedType: 'vehicle', count: 3 },
      { ...plain, count: 2 },
      ...byCount([
        { ...plain, type: 'person.fall', count: 1 },
        { ...plain, source: 'quick_photo', count: 1 },
        { ...plain, kind: 'observation', count: 1 },
        { ...plain, test: true, count: 1 },
        { ...plain, judged: true, count: 1 },
        { ...plain, severity: 'medium', count: 1 },
        { ...plain, instance: 'site-1', count: 1 },
      ]),
    ]);
  });

  test(
    'the window is of the time of occurrence, closed on the left and open on the right, to the ' +
      'millisecond',
    async () => {
      await bench.stores.events.ingest(
        range(6, (i) => newEvent(`k${i}`, { occurredAt: TEST_START + i })),
        TEST_START,
      );
      await bench.stores.events.ingest([newEvent('none', { occurredAt: null })], TEST_START);
      const total = async (since: number, until: number) =>
        (await both({ since, until })).reduce((sum, group) => sum + group.count, 0);
      expect(await total(TEST_START + 1, TEST_START + 4)).toBe(3);
      expect(await total(TEST_START, TEST_START + 6)).toBe(6);
      expect(await total(TEST_START + 5, TEST_START + 6)).toBe(1);
      expect(await total(TEST_START - 90 * DAY, TEST_START)).toBe(0);
      expect(await total(TEST_START - DAY, TEST_START + DAY)).toBe(6);
    },
  );

  test('a verdict moves its event, with the judgement that came with it, and so does a correction', async () => {
    const ids = (
      await bench.stores.events.ingest(
        range(4, (i) => newEvent(`k${i}`, { doc: docOf({ judged: { type: 'person' } }) })),
        TEST_START,
      )
    ).map(({ id }) => id);
    const [a = 0, b = 0] = ids;
    await indexEvents(bench.stores);
    await bench.stores.verdicts.write(verdictOn(a), bench.stamp());
    await bench.stores.verdicts.write(
      verdictOn(b, { verdict: 'false_alarm', note: 'rain', judged: { type: 'vehicle' } }),
      bench.stamp(),
    );
    const seen = await both();
    expect(seen.map(({ verdict, judgedType, count: n }) => [verdict, judgedType, n])).toEqual([
      [null, 'person', 2],
      ['confirmed', 'person', 1],
      ['false_alarm', 'vehicle', 1],
    ]);
    await bench.stores.verdicts.correct(correctionOn(a, 'x'), bench.stamp());
    await bench.stores.verdicts.correct(
      correctionOn(b, 'y', { verdict: 'merged', mergedInto: a }),
      bench.stamp(),
    );
    await bench.stores.verdicts.correct(correctionOn(b, 'z', { verdict: 'confirmed' }), bench.stamp());
    const corrected = await both();
    expect(corrected.map(({ verdict, correctedTo, count: n }) => [verdict, correctedTo, n])).toEqual([
      [null, null, 2],
      ['confirmed', 'false_alarm', 1],
      ['false_alarm', 'confirmed', 1],
    ]);
    await bench.stores.retention.dropEvents({
      before: TEST_START + 1,
      through: b,
      limit: 10,
      holdUnsent: false,
      now: TEST_START + 1,
    });
    expect((await both()).map(({ correctedTo, count: n }) => [correctedTo, n])).toEqual([[null, 2]]);
  });

  test('events without a time are in no window, and counted beside each, with their verdicts', async () => {
    const ids = (
      await bench.stores.events.ingest(
        range(4, (i) => newEvent(`k${i}`, i < 3 ? { occurredAt: null } : { tenantCode: 'other' })),
        TEST_START,
      )
    ).map(({ id }) => id);
    const seen = async () => {
      const before = await window({ since: 0, until: 1 });
      await indexEvents(bench.stores);
      const after = await window({ since: 0, until: 1 });
      expect(after).toEqual(before);
      expect(after.events).toEqual([]);
      return after.undated.map(({ verdict, correctedTo, count: n }) => [verdict, correctedTo, n]);
    };
    expect(await seen()).toEqual([[null, null, 3]]);
    const [a = 0] = ids;
    await bench.stores.verdicts.write(verdictOn(a), bench.stamp());
    expect(await seen()).toEqual([
      [null, null, 2],
      ['confirmed', null, 1],
    ]);
    await bench.stores.verdicts.correct(correctionOn(a, 'x'), bench.stamp());
    expect(await seen()).toEqual([
      [null, null, 2],
      ['confirmed', 'false_alarm', 1],
    ]);
    await bench.stores.retention.dropEvents({
      before: TEST_START + 1,
      through: a,
      limit: 10,
      holdUnsent: false,
      now: TEST_START + 1,
    });
    expect(await seen()).toEqual([[null, null, 2]]);
  });

  test('is told apart by tenant', async () => {
    await bench.stores.events.ingest(
      [newEvent('a'), newEvent('b', { tenantCode: 'other' }), newEvent('c', { tenantCode: 'other' })],
      TEST_START,
    );
    expect((await both({ tenantCode: 'other' })).map((group) => group.count)).toEqual([2]);
    expect(await both({ tenantCode: 'nobody' })).toEqual([]);
  });

  test('times far apart, and before 1970', async () => {
    const times = [-90 * DAY, -1, 0, 1, 30 * DAY];
    await bench.stores.events.ingest(
      times.map((occurredAt, i) => newEvent(`k${i}`, { occurredAt })),
      TEST_START,
    );
    const total = async (since: number, until: number) =>
      (await both({ since, until })).reduce((sum, group) => sum + group.count, 0);
    expect(await total(-90 * DAY, 0)).toBe(2);
    expect(await total(-1, 1)).toBe(2);
    expect(await total(0, 90 * DAY)).toBe(3);
  });

  test('holds after a restart, and with text that no store can group by', async () => {
    await stored(
      bench.stores,
      newEvent('a', { doc: '{"siteRef":"a\\u0000b","judged":{"type":"\\ud800"},"payload":{"x":"\\u0000"}}' }),
    );
    await both();
    await bench.restart();
    expect((await both()).map(({ judged, judgedType, count: n }) => [judged, judgedType, n])).toEqual([
      [true, null, 1],
    ]);
  });

  test('lists under the new filters agree with a plain look at every event, indexed or not', async () => {
    const doc = (i: number) => docOf(i % 3 === 0 ? {} : { siteRef: `s${i % 3}`, cameraRef: `c${i % 2}` });
    await bench.stores.events.ingest(
      range(40, (i) =>
        newEvent(`k${i}`, {
          doc: doc(i),
          kind: i % 4 ? 'alert' : 'observation',
          source: i % 5 ? 'video' : 'quick_photo',
          severity: ([null, 'medium', 'high', 'critical'] as const)[i % 4] ?? null,
          occurredAt: i % 7 ? TEST_START + i * HOUR : null,
        }),
      ),
      TEST_START,
    );
    const filters = [
      { siteRef: 's1' },
      { cameraRef: 'c1' },
      { siteRef: 's2', cameraRef: 'c0' },
      { siteRef: 's' },
      { kind: 'observation' as const },
      { source: 'quick_photo' as const },
      { since: TEST_START + 10 * HOUR },
      { until: TEST_START + 10 * HOUR },
      { since: TEST_START + 3 * HOUR, until: TEST_START + 9 * HOUR, siteRef: 's1' },
      { since: TEST_START + 300 * HOUR },
      { verdict: 'none' as const, siteRef: 's1' },
      { severities: ['high' as const, 'critical' as const] },
      { severities: ['medium' as const], cameraRef: 'c1' },
    ];
    const everything = await allEvents(bench.stores);
    const check = async () => {
      for (const over of filters) {
        const filter = { tenantCode: 'acme', includeTest: true, ...over };
        const found = await bench.stores.events.list(filter, null, 5);
        expect(
          found.map(({ id }) => id),
          JSON.stringify(over),
        ).toEqual(plainList(everything, filter, null, 5));
      }
    };
    await check();
    await indexEvents(bench.stores);
    await check();
    expect(await window()).toEqual(await plainCount(bench.stores, everything, WINDOW));
  });

  test('a time that is over ends the work with 503', async () => {
    await stored(bench.stores, newEvent('a'));
    // The clock of the test stands still, and no time at all is always over.
    const refused = await bench.stores.stats.window(WINDOW, -1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ status: 503, code: 'stats_timeout' });
    expect(await count()).toHaveLength(1);
  });
}

function tasks(make: MakeHarness): void {
  const bench = useStores(make);
  const task = {
    tenantCode: 'acme',
    eventId: null,
    title: 't',
    severity: 'high',
    assigneeOrg: null,
    dueAt: null,
    suppressed: false,
    body: {},
    by: 'li',
    actor: 'admin',
  } as const;
  const create = async (over: object) => {
    const made = await bench.stores.tasks.create({ ...task, type: 'disposal', ...over }, bench.stamp());
    if (made.kind !== 'created') throw new Error('the task was not created');
    return made.detail.task.id;
  };

  test('by type, state, the event, overdue and escalated, by time of creation', async () => {
    const event = await stored(bench.stores, newEvent('a', { source: 'quick_photo', isTest: true }));
    await create({ dueAt: TEST_START + 1 });
    await create({ dueAt: TEST_START + 1 });
    await create({ type: 'rectification', eventId: event });
    const moved = await create({});
    await bench.stores.tasks.move(
      {
        taskId: moved,
        tenantCode: 'acme',
        to: 'taken_over',
        by: 'li',
        note: null,
        resultCode: null,
        actor: 'admin',
      },
      bench.stamp(),
    );
    const late = await create({ type: 'review' });
    await bench.stores.tasks.escalate(
      { taskId: late, by: 'system', note: null, actor: 'system' },
      bench.stamp(),
    );
    await create({ tenantCode: 'other' });
    bench.clock.advance(2 * DAY);
    await create({});
    const { tasks: found } = await bench.stores.stats.window({ ...WINDOW, asOf: TEST_START + 10 }, WITHIN);
    const plain = {
      type: 'disposal',
      state: 'open',
      eventTest: null,
      eventSource: null,
      overdue: false,
      escalated: false,
      instance: null,
      count: 1,
    };
    expect(byCount(found)).toEqual([
      { ...plain, overdue: true, count: 2 },
      ...byCount([
        { ...plain, state: 'taken_over' },
        { ...plain, type: 'rectification', eventTest: true, eventSource: 'quick_photo' },
        { ...plain, type: 'review', escalated: true },
      ]),
    ]);
  });

  test('many tasks of one time are each counted once', async () => {
    for (let i = 0; i < 7; i += 1) await create({});
    const { tasks: found } = await bench.stores.stats.window(
      { ...WINDOW, since: TEST_START, until: TEST_START + 1 },
      WITHIN,
    );
    expect(found.map(({ count }) => count)).toEqual([7]);
  });
}
