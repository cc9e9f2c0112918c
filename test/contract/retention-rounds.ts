// Rounds of retention over a store: the guard, the alarms, the lease, and what is left when a round is broken
// off.
import { describe, expect, test } from 'vitest';
import { incidentRetentionHook } from '../../common/core/incident/retention-hook.ts';
import { DAY_MS } from '../../common/core/retention/decide.ts';
import type { RetentionHook } from '../../common/core/retention/port.ts';
import { RetentionService, type RetentionServiceOptions } from '../../common/core/retention/service.ts';
import { silentLogger } from '../../common/log.ts';
import { SECOND, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { groupOf, upserted } from './incident-check.ts';
import { alarm, auditEntry, filters, newEvent, range } from './samples.ts';

const going = new AbortController().signal;
const ALL = { tenantCode: null, includeCleared: true };

export function serviceOn(bench: Bench, over: Partial<RetentionServiceOptions> = {}): RetentionService {
  const { retention, alarms, incidents } = bench.stores;
  return new RetentionService({
    retention,
    alarms,
    retentionHooks: [incidentRetentionHook(incidents)],
    limits: { eventsDays: 30, auditDays: null, alarmsDays: null },
    holdUnsent: false,
    instance: 'site-1',
    clock: bench.clock,
    log: silentLogger(),
    pauseMs: 0,
    ...over,
  });
}

/** Events of one day, `count` of them. */
async function day(bench: Bench, number: number, count: number): Promise<void> {
  const highWaterMark = (await bench.stores.events.bounds()).highWaterMark;
  await bench.stores.events.ingest(
    range(count, (i) => newEvent(`k${highWaterMark + i + 1}`)),
    TEST_START + number * DAY_MS,
  );
}

const setDay = (bench: Bench, number: number): void =>
  void (bench.clock.wall = TEST_START + number * DAY_MS + SECOND);
const alarmKeys = async (bench: Bench) =>
  (await bench.stores.alarms.list({ tenantCode: null, includeCleared: false }, 10)).map(({ key }) => key);

export function retentionRoundContract(make: MakeHarness): void {
  describe('retention rounds', () => rounds(make));
  describe('retention rounds: the guard', () => guard(make));
  describe('retention rounds: consumers', () => consumers(make));
}

function rounds(make: MakeHarness): void {
  const bench = useStores(make);

  test('without limits nothing is deleted, and nothing is written', async () => {
    await day(bench, 0, 3);
    setDay(bench, 9_999);
    await serviceOn(bench, { limits: { eventsDays: null, auditDays: null, alarmsDays: null } }).round(going);
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 1, highWaterMark: 3 });
    expect((await bench.stores.retention.state()).lastRoundAt).toBeNull();
  });

  test('deletes what is too old in many slices, with their groups, and tells the audit once', async () => {
    await day(bench, 0, 1_200);
    await day(bench, 20, 1_300);
    const group = await upserted(bench, groupOf('g', [1, 700, 1_250]));
    setDay(bench, 31);
    await serviceOn(bench).round(going);
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 1_201, highWaterMark: 2_500 });
    expect((await bench.stores.incidents.get(group.id))?.memberCount).toBe(1);
    const counts = { events: 1_200, incident_members: 2 };
    expect(
      await bench.stores.audit.list({ tenantCode: null, action: 'retention.deleted' }, null, 10),
    ).toMatchObject([{ after: { events: { from: 1, to: 1_200 }, counts } }]);
    expect(await serviceOn(bench).status()).toMatchObject({
      expired: 0,
      held: [],
      state: { counts, deletedUpto: 1_200, followedUpto: 1_200 },
    });
  });

  test('what a broken off round has left is done by the next one', async () => {
    await day(bench, 0, 600);
    await day(bench, 20, 700);
    const group = await upserted(bench, groupOf('g', [1, 700]));
    const broken: RetentionHook = {
      name: 'broken',
      forget: () => Promise.reject(new Error('the disk is gone')),
    };
    setDay(bench, 31);
    await expect(serviceOn(bench, { retentionHooks: [broken] }).round(going)).rejects.toThrow(
      'the disk is gone',
    );
    await bench.restart();
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 501, highWaterMark: 1_300 });
    expect((await bench.stores.incidents.get(group.id))?.memberCount).toBe(2);
    await serviceOn(bench).round(going);
    expect((await bench.stores.incidents.get(group.id))?.memberCount).toBe(1);
    expect(
      await bench.stores.audit.list({ tenantCode: null, action: 'retention.deleted' }, null, 10),
    ).toMatchObject([{ after: { events: { from: 1, to: 600 } } }]);
  });

  test('ends after its slice when the program stops', async () => {
    await day(bench, 0, 900);
    await day(bench, 20, 1_000);
    setDay(bench, 31);
    await serviceOn(bench).round(AbortSignal.abort());
    expect((await bench.stores.events.bounds()).oldest).toBe(501);
  });

  test('the audit and cleared alarms go by limits of their own', async () => {
    await bench.stores.audit.add(auditEntry('old'));
    await bench.stores.audit.add(auditEntry('young', { at: TEST_START + 9 * DAY_MS }));
    await bench.stores.alarms.raise(alarm('old'), TEST_START);
    await bench.stores.alarms.clear('old', 'site-1', TEST_START);
    setDay(bench, 10);
    await serviceOn(bench, { limits: { eventsDays: null, auditDays: 5, alarmsDays: 5 } }).round(going);
    expect(
      (await bench.stores.audit.list({ tenantCode: null }, null, 10)).map(({ action, id }) =>
        action === 'retention.deleted' ? action : id,
      ),
    ).toEqual(['retention.deleted', 'young']);
    expect(await bench.stores.alarms.list(ALL, 10)).toEqual([]);
    expect((await bench.stores.retention.state()).counts).toEqual({ audit: 1, alarms: 1 });
  });
}

function guard(make: MakeHarness): void {
  const bench = useStores(make);

  test('a clock that jumped forward deletes nothing, and setting it right clears the alarm', async () => {
    await day(bench, 0, 20);
    await bench.stores.alarms.raise(alarm('old'), TEST_START);
    await bench.stores.alarms.clear('old', 'site-1', TEST_START);
    await bench.stores.audit.add(auditEntry('entry'));
    const service = serviceOn(bench, { limits: { eventsDays: 30, auditDays: 30, alarmsDays: 30 } });
    setDay(bench, 3_650);
    for (let i = 0; i < 2; i += 1) await service.round(going);
    expect((await service.status()).state.guards).toMatchObject({
      events: { reason: 'everything', expired: 20, total: 20, since: bench.clock.wall },
      audit: { reason: 'everything' },
    });
    expect(await alarmKeys(bench)).toEqual(['retention_guard']);
    setDay(bench, 1);
    await service.round(going);
    expect(await alarmKeys(bench)).toEqual([]);
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 1, highWaterMark: 20 });
    expect((await bench.stores.alarms.list(ALL, 10)).map(({ key }) => key)).toContain('old');
    expect((await bench.stores.audit.list({ tenantCode: null }, null, 10)).map(({ id }) => id)).toEqual([
      'entry',
    ]);
  });

  test('more than half goes when a person has confirmed it, and no more than was refused', async () => {
    await day(bench, 0, 6);
    await day(bench, 1, 2);
    await day(bench, 20, 4);
    setDay(bench, 30.5);
    const service = serviceOn(bench);
    await expect(service.confirm('events', { actor: 'li', note: null })).rejects.toMatchObject({
      status: 409,
      code: 'nothing_to_confirm',
    });
    bench.clock.wall = TEST_START + 31.5 * DAY_MS;
    await service.round(going);
    expect((await bench.stores.events.bounds()).oldest).toBe(1);
    expect(await service.confirm('events', { actor: 'li', note: null })).toMatchObject({
      position: 8,
      expired: 8,
      total: 12,
    });
    bench.clock.wall = TEST_START + 60 * DAY_MS;
    await service.round(going);
    expect((await bench.stores.events.bounds()).oldest).toBe(9);
    await service.round(going);
    expect((await bench.stores.events.bounds()).oldest).toBe(9);
    expect((await service.status()).state.guards).toMatchObject({
      events: { reason: 'everything', position: 12 },
    });
  });
}

function consumers(make: MakeHarness): void {
  const bench = useStores(make);

  test('a consumer that is passed is told of by an alarm, once for each loss', async () => {
    await bench.stores.subscriptions.register('slow', filters(), 0, TEST_START, 'admin');
    await bench.stores.subscriptions.register('quick', filters(), 0, TEST_START, 'admin');
    await day(bench, 0, 4);
    await day(bench, 1, 2);
    await day(bench, 20, 20);
    await bench.stores.subscriptions.ack('slow', 1, TEST_START);
    await bench.stores.subscriptions.ack('quick', 6, TEST_START);
    const service = serviceOn(bench);
    setDay(bench, 30);
    for (let i = 0; i < 2; i += 1) await service.round(going);
    expect(await bench.stores.alarms.list(ALL, 10)).toMatchObject([
      { key: 'retention_passed_consumer:slow', count: 1, details: { consumer: 'slow', events: 3 } },
    ]);
    setDay(bench, 31);
    await service.round(going);
    expect(await bench.stores.alarms.list(ALL, 10)).toMatchObject([
      { key: 'retention_passed_consumer:slow', count: 2, details: { events: 5 } },
    ]);
    expect((await service.status()).state.lost).toMatchObject({ slow: { events: 5, told: 5 } });
  });
}
