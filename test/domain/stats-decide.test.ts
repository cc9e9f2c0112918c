// The rules of the statistics window (spec 2, "Stats window groups" and "Limits").
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, partsOf } from '../../common/core/event/index/window.ts';
import { asked, byCount, EventTally, MAX_WINDOW_MS, windowFaults } from '../../common/core/stats/decide.ts';
import type { EventGroup } from '../../common/core/stats/record.ts';

const T = Date.UTC(2026, 2, 1);

describe('the window', () => {
  test.each<[string, number, number, number]>([
    ['of one millisecond', T, T + 1, 0],
    ['of 93 days', T, T + MAX_WINDOW_MS, 0],
    ['of a millisecond more', T, T + MAX_WINDOW_MS + 1, 1],
    ['without length', T, T, 1],
    ['that ends before it begins', T, T - 1, 1],
  ])('%s', (_, since, until, faults) => expect(windowFaults(since, until)).toHaveLength(faults));

  test('is cut into whole days and hours and what is left at its ends, without gap or overlap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }),
        fc.integer({ min: 1, max: 5 * DAY_MS }),
        (since, length) => {
          const until = since + length;
          const { days, hours, rows } = partsOf(since, until);
          const all = [...days, ...hours, ...rows].sort((a, b) => a[0] - b[0]);
          expect(all[0]?.[0]).toBe(since);
          expect(all.at(-1)?.[1]).toBe(until);
          all.slice(1).forEach(([from], index) => expect(from).toBe(all[index]?.[1]));
          for (const [from, to] of days)
            expect([Math.abs(from % DAY_MS), Math.abs(to % DAY_MS)]).toEqual([0, 0]);
          for (const [from, to] of hours)
            expect([Math.abs(from % HOUR_MS), Math.abs(to % HOUR_MS)]).toEqual([0, 0]);
          for (const [from, to] of rows) expect(to - from).toBeLessThan(2 * HOUR_MS);
        },
      ),
    );
  });
});

describe('groups', () => {
  const group: EventGroup = {
    source: 'video',
    kind: 'alert',
    type: 'a.b',
    verdict: null,
    correctedTo: null,
    test: false,
    judged: false,
    judgedType: null,
    severity: 'medium',
    instance: null,
  };

  test('come in descending count order, those of one count always in the same one', () => {
    const groups = [
      { name: 'b', count: 1 },
      { name: 'c', count: 5 },
      { name: 'a', count: 1 },
    ];
    expect(byCount(groups).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect(byCount(groups.toReversed())).toEqual(byCount(groups));
  });

  test('are told apart by every key, and one that is empty again is left out', () => {
    const others: EventGroup[] = [
      { ...group, source: 'quick_photo' },
      { ...group, kind: 'observation' },
      { ...group, type: 'a.c' },
      { ...group, verdict: 'merged' },
      { ...group, verdict: 'merged', correctedTo: 'confirmed' },
      { ...group, test: true },
      { ...group, judged: true },
      { ...group, judged: true, judgedType: '' },
      { ...group, judged: true, judgedType: 'x' },
      { ...group, severity: 'high' },
      { ...group, instance: '' },
      { ...group, instance: 'site-1' },
    ];
    const tally = new EventTally();
    for (const one of [group, ...others, ...others]) tally.add(one, 1);
    tally.add(group, -1);
    expect(tally.take()).toEqual(others.map((one) => ({ ...one, count: 2 })));
  });
});

describe('a filter of events', () => {
  const count = (over: Partial<EventGroup>) => ({
    source: 'video' as const,
    kind: 'alert' as const,
    type: 'a.b',
    verdict: null,
    correctedTo: null,
    test: false,
    judged: false,
    judgedType: null,
    severity: 'medium' as const,
    instance: null,
    count: 1,
    ...over,
  });
  const groups = [
    count({ type: 'open' }),
    count({ type: 'real', verdict: 'confirmed', severity: 'high' }),
    count({ type: 'corrected', verdict: 'confirmed', correctedTo: 'false_alarm' }),
    count({ type: 'false', verdict: 'false_alarm' }),
  ];

  test.each([
    [{}, ['open', 'real', 'corrected', 'false']],
    [{ severities: ['high' as const, 'critical' as const] }, ['real']],
    [{ verdict: 'confirmed' as const }, ['real', 'corrected']],
    [{ correctedTo: 'false_alarm' as const }, ['corrected']],
    [{ correctedTo: 'none' as const, verdict: 'confirmed' as const }, ['real']],
    [{ standing: 'false_alarm' as const }, ['corrected', 'false']],
    [{ standing: 'confirmed' as const }, ['real']],
    [{ standing: 'none' as const }, ['open']],
  ])('%o', (filter, types) => {
    expect(asked(groups, filter).map(({ type }) => type)).toEqual(types);
  });
});
