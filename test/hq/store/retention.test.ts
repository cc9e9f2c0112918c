// Retention of several processes on one database, beside what others write.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { DAY_MS } from '../../../common/core/retention/decide.ts';
import { RetentionService } from '../../../common/core/retention/service.ts';
import type { Stores } from '../../../common/core/stores.ts';
import { silentLogger } from '../../../common/log.ts';
import { newEvent, range, verdictOn } from '../../contract/samples.ts';
import { TEST_START, TestClock } from '../../support/clock.ts';
import { hubHarness } from '../../support/hub-harness.ts';

const going = new AbortController().signal;
let harness: ReturnType<typeof hubHarness>;
let first: Stores;
let second: Stores;
const clocks = [new TestClock(TEST_START, 1), new TestClock(TEST_START, 2)] as const;

beforeEach(async () => {
  harness = hubHarness();
  for (const clock of clocks) clock.wall = TEST_START;
  first = await harness.open(clocks[0]);
  second = await harness.peer(clocks[1]);
  await first.events.ingest(
    range(1_200, (i) => newEvent(`k${i + 1}`)),
    TEST_START,
  );
  await first.events.ingest(
    range(1_300, (i) => newEvent(`k${i + 1_201}`)),
    TEST_START + 20 * DAY_MS,
  );
  for (const clock of clocks) clock.wall = TEST_START + 31 * DAY_MS;
});
afterEach(() => harness.close());

const serviceOn = (stores: Stores, clock: TestClock): RetentionService =>
  new RetentionService({
    retention: stores.retention,
    alarms: stores.alarms,
    retentionHooks: [],
    limits: { eventsDays: 30, auditDays: null, alarmsDays: null },
    holdUnsent: false,
    instance: 'hq',
    clock,
    log: silentLogger(),
    pauseMs: 0,
  });

test('of two that begin at once one deletes, and there is one audit entry', async () => {
  await Promise.all([serviceOn(first, clocks[0]).round(going), serviceOn(second, clocks[1]).round(going)]);
  expect(await first.events.bounds()).toEqual({ oldest: 1_201, highWaterMark: 2_500 });
  expect(await second.retention.state()).toMatchObject({ counts: { events: 1_200 }, lease: null, run: null });
  expect(await first.audit.list({ tenantCode: null, action: 'retention.deleted' }, null, 10)).toMatchObject([
    { after: { counts: { events: 1_200 } } },
  ]);
});

test('a lease keeps others out until it is over', async () => {
  const { wall } = clocks[0];
  expect(await first.retention.claim('a', wall, 1_000)).toBe(true);
  await serviceOn(second, clocks[1]).round(going);
  expect((await first.events.bounds()).oldest).toBe(1);
  expect(await second.retention.claim('b', wall + 1_000, 1_000)).toBe(true);
  expect(await first.retention.claim('a', wall + 1_500, 1_000)).toBe(false);
});

test('slices of two processes at once, with verdicts and repeated keys between them, count each event once', async () => {
  const drop = { before: clocks[0].wall, through: 1_200, limit: 100, holdUnsent: false, now: clocks[0].wall };
  const written = range(60, (i) => first.verdicts.write(verdictOn(i * 20 + 1), stampOf(clocks[0])));
  const dropped = range(14, (i) => (i % 2 === 0 ? first : second).retention.dropEvents(drop));
  const repeated = range(12, (i) =>
    second.events.ingest(
      range(100, (k) => newEvent(`k${i * 100 + k + 1}`)),
      clocks[1].wall,
    ),
  );
  const outcomes = await Promise.all(written);
  const slices = await Promise.all(dropped);
  expect((await Promise.all(repeated)).flat()).toEqual(
    range(1_200, (i) => ({ id: i + 1, duplicate: true, conflicting: false })),
  );
  expect(slices.reduce((sum, { counts }) => sum + (counts.events ?? 0), 0)).toBe(1_200);
  const judged = outcomes.filter(({ kind }) => kind === 'written').length;
  expect(outcomes.every(({ kind }) => kind === 'written' || kind === 'no_event')).toBe(true);
  expect((await first.retention.state()).counts).toMatchObject({
    events: 1_200,
    ...(judged > 0 ? { verdicts: judged } : {}),
  });
  expect(await Promise.all(range(60, (i) => second.verdicts.get(i * 20 + 1)))).toEqual(range(60, () => null));
});
