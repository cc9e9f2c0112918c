// The contract of AlarmPort.
import { describe, expect, test } from 'vitest';
import type { AlarmNotice } from '../../common/agent/alarm/record.ts';
import type { NewNotification } from '../../common/core/notification/record.ts';
import { TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { alarm, range } from './samples.ts';

const STANDING = { tenantCode: null, includeCleared: false };
const ALL = { tenantCode: null, includeCleared: true };

export function alarmContract(make: MakeHarness): void {
  describe('alarms', () => alarms(make));
  describe('alarms: list', () => lists(make));
}

const notice = (key: string): AlarmNotice => ({
  channelId: 'robot',
  instance: 'site-1',
  key,
  severity: 'critical',
  message: 'it is full',
  messageZh: null,
  raisedAt: TEST_START,
  toldAt: TEST_START + 1,
});

const message = (id: string): NewNotification => ({
  id,
  tenantCode: 'acme',
  kind: 'alarm',
  channel: 'chat',
  channelId: 'robot',
  severity: 'critical',
  message: 'it is full',
  ...{ eventId: null, taskId: null, ruleName: null, isTest: false },
  ...{ handover: null, deliveredBy: null, instance: null, originId: null },
  ...{ state: 'pending', attempts: 0, nextAt: TEST_START, lastError: null },
  ...{ createdAt: TEST_START, settledAt: null },
});

function alarms(make: MakeHarness): void {
  const bench = useStores(make);

  test('keeps every member', async () => {
    const details = { free: 12, paths: ['/a'], none: null };
    expect(
      await bench.stores.alarms.raise(
        alarm('disk', { tenantCode: 'acme', severity: 'critical', details }),
        TEST_START,
      ),
    ).toBe(true);
    expect(await bench.stores.alarms.list(STANDING, 10)).toEqual([
      {
        key: 'disk',
        instance: 'site-1',
        tenantCode: 'acme',
        severity: 'critical',
        message: 'disk needs a person',
        details,
        raisedAt: TEST_START,
        count: 1,
        lastAt: TEST_START,
        clearedAt: null,
        takenBy: null,
        takenAt: null,
      },
    ]);
  });

  test('without details it has none', async () => {
    await bench.stores.alarms.raise(alarm('disk'), TEST_START);
    expect((await bench.stores.alarms.list(STANDING, 10))[0]?.details ?? null).toBeNull();
  });

  test('raised again while it stands it is counted, and keeps its beginning', async () => {
    await bench.stores.alarms.raise(alarm('disk'), TEST_START);
    expect(await bench.stores.alarms.raise(alarm('disk'), TEST_START + 5)).toBe(false);
    expect(await bench.stores.alarms.raise(alarm('disk'), TEST_START + 9)).toBe(false);
    expect(await bench.stores.alarms.list(ALL, 10)).toMatchObject([
      { key: 'disk', raisedAt: TEST_START, lastAt: TEST_START + 9, count: 3, clearedAt: null },
    ]);
  });

  test('is taken over while it stands, and by nobody when it begins again', async () => {
    const { alarms } = bench.stores;
    expect(await alarms.take('disk', 'site-1', 'li', TEST_START)).toBe(false);
    await alarms.raise(alarm('disk'), TEST_START);
    expect(await alarms.take('disk', 'site-2', 'li', TEST_START + 1)).toBe(false);
    expect(await alarms.take('disk', 'site-1', 'li', TEST_START + 1)).toBe(true);
    await alarms.raise(alarm('disk'), TEST_START + 2);
    expect(await alarms.list(STANDING, 10)).toMatchObject([{ takenBy: 'li', takenAt: TEST_START + 1 }]);
    await alarms.clear('disk', 'site-1', TEST_START + 3);
    await alarms.raise(alarm('disk'), TEST_START + 4);
    expect(await alarms.list(STANDING, 10)).toMatchObject([{ takenBy: null, takenAt: null }]);
  });

  test('what a channel is told is kept with the message, once', async () => {
    const { alarmNotices, notifications } = bench.stores;
    const after = notice('disk');
    const change = { alarm: after, before: null, after };
    expect(await alarmNotices.tell(message('m1'), [change])).toBe(true);
    expect(await alarmNotices.list()).toEqual([after]);
    const again = { ...after, toldAt: after.toldAt + 9 };
    expect(await alarmNotices.tell(message('m2'), [{ ...change, before: after.toldAt, after: again }])).toBe(
      true,
    );
    expect(await alarmNotices.tell(message('m3'), [{ ...change, before: again.toldAt, after: null }])).toBe(
      true,
    );
    expect(await alarmNotices.list()).toEqual([]);
    expect(await notifications.counts()).toMatchObject({ pending: 3 });
    await alarmNotices.tell(message('m4'), [change]);
    await alarmNotices.forget(['other']);
    expect(await alarmNotices.list()).toEqual([]);
  });

  test('begins when another instance says that it began, and keeps to what that says', async () => {
    const { alarms } = bench.stores;
    await alarms.raise(alarm('disk', { since: TEST_START - 45 }), TEST_START);
    expect(await alarms.list(STANDING, 10)).toMatchObject([{ raisedAt: TEST_START - 45, count: 1 }]);
    await alarms.raise(alarm('disk', { since: TEST_START - 9 }), TEST_START + 1);
    expect(await alarms.list(STANDING, 10)).toMatchObject([{ raisedAt: TEST_START - 9, count: 2 }]);
  });

  test('tells of each beginning and end, once', async () => {
    const { alarms } = bench.stores;
    const told: string[] = [];
    alarms.onChange((one) => told.push(`${one.key} ${one.instance} ${one.severity} ${one.standing}`));
    await alarms.raise(alarm('disk', { severity: 'critical' }), TEST_START);
    await alarms.raise(alarm('disk', { severity: 'critical' }), TEST_START + 1);
    await alarms.clear('disk', 'site-1', TEST_START + 2);
    await alarms.clear('disk', 'site-1', TEST_START + 3);
    expect(told).toEqual(['disk site-1 critical true', 'disk site-1 critical false']);
  });

  test('clears what any instance raised of a key that they share', async () => {
    for (const instance of ['hq-a', 'hq-b'])
      await bench.stores.alarms.raise(alarm('shared', { instance }), TEST_START);
    await bench.stores.alarms.raise(alarm('other', { instance: 'hq-a' }), TEST_START);
    expect(await bench.stores.alarms.clear('shared', null, TEST_START + 1)).toBe(true);
    expect(await bench.stores.alarms.clear('shared', null, TEST_START + 2)).toBe(false);
    expect((await bench.stores.alarms.list(STANDING, 10)).map(({ key }) => key)).toEqual(['other']);
  });

  test('clears once, and only what stands', async () => {
    expect(await bench.stores.alarms.clear('disk', 'site-1', TEST_START)).toBe(false);
    await bench.stores.alarms.raise(alarm('disk'), TEST_START);
    expect(await bench.stores.alarms.clear('disk', 'site-2', TEST_START + 1)).toBe(false);
    expect(await bench.stores.alarms.clear('other', 'site-1', TEST_START + 1)).toBe(false);
    expect(await bench.stores.alarms.clear('disk', 'site-1', TEST_START + 1)).toBe(true);
    expect(await bench.stores.alarms.clear('disk', 'site-1', TEST_START + 2)).toBe(false);
    expect(await bench.stores.alarms.list(STANDING, 10)).toEqual([]);
    expect(await bench.stores.alarms.list(ALL, 10)).toMatchObject([
      { key: 'disk', clearedAt: TEST_START + 1 },
    ]);
  });

  test('after it was cleared it is raised anew', async () => {
    await bench.stores.alarms.raise(alarm('disk'), TEST_START);
    await bench.stores.alarms.raise(alarm('disk'), TEST_START + 1);
    await bench.stores.alarms.clear('disk', 'site-1', TEST_START + 2);
    expect(
      await bench.stores.alarms.raise(
        alarm('disk', { severity: 'critical', message: 'worse' }),
        TEST_START + 3,
      ),
    ).toBe(true);
    expect(await bench.stores.alarms.list(STANDING, 10)).toMatchObject([
      {
        key: 'disk',
        raisedAt: TEST_START + 3,
        lastAt: TEST_START + 3,
        count: 1,
        clearedAt: null,
        severity: 'critical',
        message: 'worse',
      },
    ]);
  });

  test('the same key of two instances is two alarms', async () => {
    expect(await bench.stores.alarms.raise(alarm('disk'), TEST_START)).toBe(true);
    expect(await bench.stores.alarms.raise(alarm('disk', { instance: 'site-2' }), TEST_START)).toBe(true);
    await bench.stores.alarms.clear('disk', 'site-2', TEST_START);
    expect(await bench.stores.alarms.list(STANDING, 10)).toMatchObject([{ key: 'disk', instance: 'site-1' }]);
  });

  test('of twenty that raise one alarm, one finds it not standing', async () => {
    const raised = await Promise.all(range(20, () => bench.stores.alarms.raise(alarm('disk'), TEST_START)));
    expect(raised.filter(Boolean)).toHaveLength(1);
    expect(await bench.stores.alarms.list(STANDING, 10)).toMatchObject([{ count: 20 }]);
    const cleared = await Promise.all(
      range(20, () => bench.stores.alarms.clear('disk', 'site-1', TEST_START)),
    );
    expect(cleared.filter(Boolean)).toHaveLength(1);
  });

  test('outlives a restart', async () => {
    await bench.stores.alarms.raise(alarm('disk', { details: { free: 1 } }), TEST_START);
    const before = await bench.stores.alarms.list(ALL, 10);
    await bench.restart();
    expect(await bench.stores.alarms.list(ALL, 10)).toEqual(before);
    expect(await bench.stores.alarms.raise(alarm('disk'), TEST_START)).toBe(false);
  });
}

function lists(make: MakeHarness): void {
  const bench = useStores(make);
  const keys = async (filter: { tenantCode: string | null; includeCleared: boolean }, limit = 10) =>
    (await bench.stores.alarms.list(filter, limit)).map((one) => one.key);

  test('is newest first and keeps to its limit', async () => {
    for (const [index, key] of ['b', 'a', 'c'].entries())
      await bench.stores.alarms.raise(alarm(key), TEST_START + index);
    expect(await keys(STANDING)).toEqual(['c', 'a', 'b']);
    expect(await keys(STANDING, 2)).toEqual(['c', 'a']);
  });

  test('is worst first on request: critical ones, and of these those that stand longest', async () => {
    const of = (key: string, severity: 'warning' | 'critical') => alarm(key, { severity });
    await bench.stores.alarms.raise(of('old warning', 'warning'), TEST_START);
    await bench.stores.alarms.raise(of('old', 'critical'), TEST_START + 1);
    await bench.stores.alarms.raise(of('young', 'critical'), TEST_START + 2);
    await bench.stores.alarms.raise(of('old', 'critical'), TEST_START + 3);
    const worst = await bench.stores.alarms.list(STANDING, 10, 'worst');
    expect(worst.map(({ key }) => key)).toEqual(['old', 'young', 'old warning']);
    const warnings = await bench.stores.alarms.list({ ...STANDING, severity: 'warning' }, 10);
    expect(warnings.map(({ key }) => key)).toEqual(['old warning']);
  });

  test('counts what stands by severity, of every tenant or of one', async () => {
    expect(await bench.stores.alarms.standing(null)).toEqual({ warning: 0, critical: 0 });
    await bench.stores.alarms.raise(alarm('a', { tenantCode: 'acme' }), TEST_START);
    await bench.stores.alarms.raise(alarm('b', { tenantCode: 'acme', severity: 'critical' }), TEST_START);
    await bench.stores.alarms.raise(alarm('c'), TEST_START);
    await bench.stores.alarms.raise(alarm('d'), TEST_START);
    await bench.stores.alarms.clear('d', 'site-1', TEST_START + 1);
    expect(await bench.stores.alarms.standing(null)).toEqual({ warning: 2, critical: 1 });
    expect(await bench.stores.alarms.standing('acme')).toEqual({ warning: 1, critical: 1 });
  });

  test('filters by tenant; null is every tenant', async () => {
    await bench.stores.alarms.raise(alarm('a', { tenantCode: 'acme' }), TEST_START);
    await bench.stores.alarms.raise(alarm('b', { tenantCode: 'other' }), TEST_START);
    await bench.stores.alarms.raise(alarm('c'), TEST_START);
    expect(await keys({ tenantCode: 'acme', includeCleared: false })).toEqual(['a']);
    expect((await keys(STANDING)).sort()).toEqual(['a', 'b', 'c']);
  });

  test('leaves cleared ones out unless asked', async () => {
    await bench.stores.alarms.raise(alarm('a'), TEST_START);
    await bench.stores.alarms.raise(alarm('b'), TEST_START + 1);
    await bench.stores.alarms.clear('b', 'site-1', TEST_START + 2);
    expect(await keys(STANDING)).toEqual(['a']);
    expect((await keys(ALL)).sort()).toEqual(['a', 'b']);
  });
}
