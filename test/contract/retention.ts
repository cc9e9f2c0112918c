// The contract of RetentionPort, and of what the other ports answer about deleted events.
import { describe, expect, test } from 'vitest';
import {
  type DropEvents,
  type DropRecords,
  emptyState,
  type Refusal,
} from '../../common/core/retention/record.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { groupOf, upserted } from './incident-check.ts';
import { alarm, auditEntry, correctionOn, filters, newEvent, range, stored, verdictOn } from './samples.ts';

const FAR = TEST_START + 1_000 * HOUR;

export const dropping = (over: Partial<DropEvents> = {}): DropEvents => ({
  before: FAR,
  through: Number.MAX_SAFE_INTEGER,
  limit: 500,
  holdUnsent: false,
  now: TEST_START,
  ...over,
});
const records = (kind: DropRecords['kind'], over: Partial<DropRecords> = {}): DropRecords => ({
  kind,
  before: FAR,
  limit: 500,
  holdUnsent: false,
  now: TEST_START,
  ...over,
});

/** Events 1 to `count`, received one second after another. */
async function fill(bench: Bench, count: number): Promise<void> {
  for (const index of range(count, (i) => i))
    await stored(bench.stores, newEvent(`k${index + 1}`), TEST_START + index * SECOND);
}

const ids = async (bench: Bench) => (await bench.stores.events.page(0, 100)).map(({ id }) => id);

export function retentionContract(make: MakeHarness): void {
  describe('retention: events', () => dropsEvents(make));
  describe('retention: keys and positions', () => keepsPositions(make));
  describe('retention: what goes with events', () => dropsCompanions(make));
  describe('retention: audit and alarms', () => dropsRecords(make));
  describe('retention: state', () => keepsState(make));
}

function dropsEvents(make: MakeHarness): void {
  const bench = useStores(make);

  test('an empty store has nothing to survey and nothing to delete', async () => {
    expect(await bench.stores.retention.survey(FAR, true)).toEqual({
      oldest: null,
      newest: null,
      expiredThrough: 0,
      holds: [],
    });
    expect(await bench.stores.retention.dropEvents(dropping())).toEqual({
      events: null,
      counts: {},
      lost: {},
    });
    expect(await bench.stores.retention.state()).toEqual(emptyState);
  });

  test.each([
    [0, 0],
    [1, 1],
    [3, 3],
    [9, 9],
    [10, 10],
    [99, 10],
  ])('finds what is older than %i seconds after the start', async (seconds, through) => {
    await fill(bench, 10);
    expect(await bench.stores.retention.survey(TEST_START + seconds * SECOND, false)).toEqual({
      oldest: { id: 1, receivedAt: TEST_START },
      newest: { id: 10, receivedAt: TEST_START + 9 * SECOND },
      expiredThrough: through,
      holds: [],
    });
  });

  test('deletes the oldest first, up to the limit, the time and the id', async () => {
    await fill(bench, 10);
    const drop = (over: Partial<DropEvents>) => bench.stores.retention.dropEvents(dropping(over));
    expect(await drop({ limit: 2 })).toMatchObject({ events: { from: 1, to: 2 }, counts: { events: 2 } });
    expect(await drop({ before: TEST_START + 4 * SECOND })).toMatchObject({ events: { from: 3, to: 4 } });
    expect(await drop({ before: TEST_START + 4 * SECOND })).toMatchObject({ events: null });
    expect(await drop({ through: 7 })).toMatchObject({ events: { from: 5, to: 7 } });
    expect(await drop({ through: 7 })).toMatchObject({ events: null });
    expect(await ids(bench)).toEqual([8, 9, 10]);
    expect(await bench.stores.retention.state()).toMatchObject({
      deletedUpto: 7,
      counts: { events: 7 },
      run: { events: { from: 1, to: 7 }, counts: { events: 7 } },
    });
  });

  test('a slice of large events ends early', async () => {
    const doc = JSON.stringify({ payload: { text: 'x'.repeat(60_000) } });
    await bench.stores.events.ingest(
      range(60, (i) => newEvent(`k${i}`, { doc })),
      TEST_START,
    );
    const {
      counts: { events = 0 },
    } = await bench.stores.retention.dropEvents(dropping());
    expect(events).toBeGreaterThan(10);
    expect(events).toBeLessThan(60);
  });

  test('counts what each enabled consumer loses, by its filters', async () => {
    const { subscriptions } = bench.stores;
    await subscriptions.register('behind', filters(), 0, TEST_START, 'admin');
    await subscriptions.register('narrow', filters({ eventTypes: ['smoke.*'] }), 0, TEST_START, 'admin');
    await subscriptions.register('other', filters({ tenantCode: 'other' }), 0, TEST_START, 'admin');
    await subscriptions.register('off', filters({ enabled: false }), 0, TEST_START, 'admin');
    await fill(bench, 5);
    await stored(bench.stores, newEvent('s', { type: 'smoke.seen' }), TEST_START + 9 * SECOND);
    await subscriptions.register('done', filters(), 6, TEST_START, 'admin');
    await subscriptions.ack('behind', 2, TEST_START);
    expect((await bench.stores.retention.dropEvents(dropping({ limit: 3 }))).lost).toEqual({
      behind: { events: 1, from: 3, to: 3 },
    });
    expect((await bench.stores.retention.dropEvents(dropping())).lost).toEqual({
      behind: { events: 3, from: 4, to: 6 },
      narrow: { events: 1, from: 6, to: 6 },
    });
    expect((await bench.stores.retention.state()).lost).toEqual({
      behind: { events: 4, told: 0, from: 3, to: 6 },
      narrow: { events: 1, told: 0, from: 6, to: 6 },
    });
    await bench.stores.retention.lossReported('behind', 4);
    expect((await bench.stores.retention.finishRound(bench.stamp())).untold).toEqual([
      { consumer: 'narrow', events: 1, more: 1, from: 6, to: 6 },
    ]);
  });

  test('lists and statistics follow', async () => {
    await fill(bench, 6);
    await bench.stores.retention.dropEvents(dropping({ limit: 4 }));
    expect(
      (await bench.stores.events.list({ tenantCode: null, includeTest: true }, null, 10)).map(({ id }) => id),
    ).toEqual([6, 5]);
    const { events } = await bench.stores.stats.window(
      { tenantCode: 'acme', since: TEST_START - HOUR, until: TEST_START + HOUR, asOf: TEST_START },
      15_000,
    );
    expect(events).toMatchObject([{ count: 2 }]);
  });
}

function keepsPositions(make: MakeHarness): void {
  const bench = useStores(make);

  test('the head stays and ids are never given again, also after a restart', async () => {
    await fill(bench, 3);
    await bench.stores.retention.dropEvents(dropping());
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 4, highWaterMark: 3 });
    await bench.restart();
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 4, highWaterMark: 3 });
    expect(await stored(bench.stores, newEvent('new'))).toBe(4);
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 4, highWaterMark: 4 });
  });

  test('receipt times do not fall after all events were deleted', async () => {
    await stored(bench.stores, newEvent('a'), TEST_START + HOUR);
    await bench.stores.retention.dropEvents(dropping());
    await bench.restart();
    const id = await stored(bench.stores, newEvent('b'), TEST_START);
    expect((await bench.stores.events.get(id))?.receivedAt).toBe(TEST_START + HOUR);
  });

  test('the key of a deleted event stays one event, also after restarts', async () => {
    await fill(bench, 3);
    await bench.stores.retention.dropEvents(dropping({ limit: 2 }));
    for (const restarts of [0, 1, 2]) {
      if (restarts > 0) await bench.restart();
      expect(
        await bench.stores.events.ingest(
          [newEvent('k2'), newEvent('k3'), newEvent('k2', { tenantCode: 'other' }), newEvent('k1')],
          FAR,
        ),
      ).toMatchObject([
        { id: 2, duplicate: true, conflicting: false },
        { id: 3, duplicate: true },
        { id: 4, duplicate: restarts > 0 },
        { id: 1, duplicate: true },
      ]);
    }
    expect(await ids(bench)).toEqual([3, 4]);
    expect(await bench.stores.events.get(2)).toBeNull();
    expect([
      ...(await bench.stores.events.byKeys([{ tenantCode: 'acme', idempotencyKey: 'k2' }])).keys(),
    ]).toEqual([]);
  });

  test('change numbers and their times go on where they were', async () => {
    const first = await stored(bench.stores, newEvent('a'));
    bench.clock.step(HOUR);
    await bench.stores.verdicts.write(verdictOn(first), bench.stamp());
    await bench.stores.retention.dropEvents(dropping());
    expect(await bench.stores.retention.dropRecords(records('changes'))).toBe(1);
    bench.clock.step(-HOUR);
    await bench.restart();
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(1);
    const second = await stored(bench.stores, newEvent('b'));
    await bench.stores.verdicts.write(verdictOn(second), bench.stamp());
    expect(await bench.stores.verdicts.changes(0, 10)).toMatchObject([
      { changeNo: 2, at: TEST_START + HOUR },
    ]);
  });
}

function dropsCompanions(make: MakeHarness): void {
  const bench = useStores(make);

  test('verdicts and corrections go with their event, tasks stay', async () => {
    await fill(bench, 2);
    for (const id of [1, 2]) {
      await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
      await bench.stores.verdicts.correct(correctionOn(id, `c${id}`), bench.stamp());
    }
    const created = await bench.stores.tasks.create(
      {
        tenantCode: 'acme',
        type: 'disposal',
        eventId: 1,
        title: 'look',
        severity: 'high',
        assigneeOrg: null,
        dueAt: null,
        suppressed: false,
        body: {},
        by: 'li',
        actor: 'admin',
      },
      bench.stamp(),
    );
    expect((await bench.stores.retention.dropEvents(dropping({ limit: 1 }))).counts).toMatchObject({
      events: 1,
      verdicts: 1,
      corrections: 1,
    });
    expect(await bench.stores.verdicts.get(1)).toBeNull();
    expect(await bench.stores.verdicts.corrections(1)).toEqual([]);
    expect(await bench.stores.verdicts.get(2)).not.toBeNull();
    expect((await bench.stores.verdicts.write(verdictOn(1), bench.stamp())).kind).toBe('no_event');
    if (created.kind !== 'created') throw new Error('no task');
    expect((await bench.stores.tasks.get(created.detail.task.id))?.task.eventId).toBe(1);
  });

  test('change entries go after their events, without a gap, and when they are old enough', async () => {
    await fill(bench, 4);
    for (const id of [1, 3, 2, 4]) {
      bench.clock.step(SECOND);
      await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    }
    const numbers = async () => (await bench.stores.verdicts.changes(0, 10)).map(({ changeNo }) => changeNo);
    expect(await bench.stores.retention.dropRecords(records('changes'))).toBe(0);
    await bench.stores.retention.dropEvents(dropping({ limit: 2 }));
    expect(await bench.stores.retention.dropRecords(records('changes'))).toBe(1);
    expect(await numbers()).toEqual([2, 3, 4]);
    await bench.stores.retention.dropEvents(dropping());
    expect(
      await bench.stores.retention.dropRecords(records('changes', { before: TEST_START + 3 * SECOND })),
    ).toBe(1);
    expect(await bench.stores.retention.dropRecords(records('changes', { limit: 1 }))).toBe(1);
    expect(await numbers()).toEqual([4]);
    expect((await bench.stores.retention.state()).counts.changes).toBe(3);
  });

  test('messages to cameras stay while they are pending', async () => {
    await bench.stores.events.ingest(
      range(3, (i) => newEvent(`k${i}`, { doc: JSON.stringify({ feedbackUrl: 'http://10.0.0.9/f' }) })),
      TEST_START,
    );
    const sent: string[] = [];
    for (const id of [1, 2, 3]) {
      const outcome = await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
      if (outcome.kind === 'written' && outcome.feedbackId !== null) sent.push(outcome.feedbackId);
    }
    await bench.stores.feedback.delivered(sent[0] ?? '', TEST_START);
    await bench.stores.feedback.delivered(sent[2] ?? '', TEST_START);
    await bench.stores.retention.dropEvents(dropping({ limit: 2 }));
    expect(await bench.stores.retention.dropRecords(records('feedback'))).toBe(1);
    expect(
      await Promise.all(sent.map(async (id) => (await bench.stores.feedback.get(id))?.state ?? null)),
    ).toEqual([null, 'pending', 'delivered']);
  });

  test('what others keep of deleted events is asked for until it is gone', async () => {
    await fill(bench, 5);
    const group = await upserted(bench, groupOf('g', [2, 3]));
    await bench.stores.retention.dropEvents(dropping({ limit: 3 }));
    expect(await bench.stores.retention.awaitingHooks(2)).toEqual([1, 2]);
    await bench.stores.retention.hooksDone(2, { incident_members: 1 }, TEST_START);
    await bench.restart();
    expect(await bench.stores.retention.awaitingHooks(10)).toEqual([3]);
    await bench.stores.incidents.forgetEvents([1, 2, 3], bench.stamp());
    expect(await bench.stores.incidents.get(group.id)).toBeNull();
    await bench.stores.retention.hooksDone(3, {}, TEST_START);
    expect(await bench.stores.retention.awaitingHooks(10)).toEqual([]);
    expect((await bench.stores.retention.state()).counts).toEqual({ events: 3, incident_members: 1 });
  });
}

function dropsRecords(make: MakeHarness): void {
  const bench = useStores(make);

  test('audit entries go by age, oldest first', async () => {
    for (const index of [3, 1, 2])
      await bench.stores.audit.add(auditEntry(`a${index}`, { at: TEST_START + index * HOUR }));
    expect(await bench.stores.retention.surveyAudit(TEST_START + 3 * HOUR, 10)).toEqual({
      expired: 2,
      kept: 1,
    });
    expect(await bench.stores.retention.surveyAudit(FAR, 2)).toEqual({ expired: 2, kept: 0 });
    expect(
      await bench.stores.retention.dropRecords(records('audit', { before: TEST_START + 3 * HOUR, limit: 1 })),
    ).toBe(1);
    expect((await bench.stores.audit.list({ tenantCode: null }, null, 10)).map(({ id }) => id)).toEqual([
      'a3',
      'a2',
    ]);
    expect(
      await bench.stores.retention.dropRecords(records('audit', { before: TEST_START + 3 * HOUR })),
    ).toBe(1);
    expect((await bench.stores.audit.list({ tenantCode: null }, null, 10)).map(({ id }) => id)).toEqual([
      'a3',
    ]);
  });

  test('alarms go when they were cleared long ago; one that stands never', async () => {
    for (const key of ['standing', 'old', 'young']) await bench.stores.alarms.raise(alarm(key), TEST_START);
    await bench.stores.alarms.clear('old', 'site-1', TEST_START + HOUR);
    await bench.stores.alarms.clear('young', 'site-1', TEST_START + 2 * HOUR);
    expect(
      await bench.stores.retention.dropRecords(records('alarms', { before: TEST_START + 2 * HOUR })),
    ).toBe(1);
    expect(
      (await bench.stores.alarms.list({ tenantCode: null, includeCleared: true }, 10))
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['standing', 'young']);
  });
}

function keepsState(make: MakeHarness): void {
  const bench = useStores(make);
  const refusal: Refusal = { reason: 'everything', position: 7, expired: 7, total: 7 };

  test('a run ends with one audit entry, and one that deleted nothing with none', async () => {
    const { retention } = bench.stores;
    await fill(bench, 3);
    expect((await retention.finishRound(bench.stamp())).run).toBeNull();
    await retention.dropEvents(dropping({ limit: 1 }));
    await bench.restart();
    await bench.stores.retention.dropEvents(dropping({ limit: 1, now: TEST_START + HOUR }));
    const { run } = await bench.stores.retention.finishRound(bench.stamp());
    expect(run).toEqual({ startedAt: TEST_START, events: { from: 1, to: 2 }, counts: { events: 2 } });
    expect(
      await bench.stores.audit.list({ tenantCode: null, action: 'retention.deleted' }, null, 10),
    ).toMatchObject([{ actor: 'system', subject: 'retention', at: TEST_START, after: run }]);
    expect(await bench.stores.retention.state()).toMatchObject({
      run: null,
      lastRun: { ...run, finishedAt: TEST_START },
      lastRoundAt: TEST_START,
    });
  });

  test('a refusal stands until there is none, and keeps its beginning', async () => {
    const { retention } = bench.stores;
    expect(await retention.guard('events', null, TEST_START)).toBe(false);
    expect(await retention.guard('events', refusal, TEST_START)).toBe(true);
    expect(await retention.guard('events', { ...refusal, position: 8 }, TEST_START + 5)).toBe(false);
    expect((await retention.state()).guards).toEqual({
      events: { ...refusal, position: 8, since: TEST_START },
    });
    expect(await retention.guard('events', null, TEST_START)).toBe(true);
    expect((await retention.state()).guards).toEqual({});
  });

  test('a person confirms what was refused, audited, and only that', async () => {
    const { retention, audit } = bench.stores;
    const by = { actor: 'li as admin', note: 'the clock is right' };
    expect(await retention.confirm('events', by, bench.stamp())).toEqual({ kind: 'no_guard' });
    await retention.guard('events', refusal, TEST_START);
    expect(await retention.confirm('audit', by, bench.stamp())).toEqual({ kind: 'no_guard' });
    expect(await retention.confirm('events', by, bench.stamp())).toEqual({
      kind: 'confirmed',
      guard: { ...refusal, since: TEST_START },
    });
    expect(await retention.confirm('events', by, bench.stamp())).toEqual({ kind: 'no_guard' });
    expect(await retention.state()).toMatchObject({ guards: {}, confirmed: { events: 7 } });
    expect(await audit.list({ tenantCode: null, action: 'retention.confirmed' }, null, 10)).toMatchObject([
      {
        actor: 'li as admin',
        subject: 'retention:events',
        after: { ...refusal, note: 'the clock is right' },
      },
    ]);
  });
}
