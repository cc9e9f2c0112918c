// Who is on duty: week patterns, summer time, exceptions and gaps, tried at random against a plain reading.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everybodyIn, gapsIn, onDutyAt, type Pattern, rotaFor, spansOf } from '../../hq/duty/rota/decide.ts';
import type { Exception, Rota, Shift } from '../../hq/duty/rota/record.ts';
import { runs } from '../support/campaign.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONES = ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'];
const NAMES = ['an', 'bo', 'chen', 'du'];

const two = (n: number): string => String(n).padStart(2, '0');
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 55))
  .map(([h, m]) => `${two(h)}:${two(m)}`);
const people = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 });
const shift: fc.Arbitrary<Shift> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  begin: time,
  end: time,
  people,
  weekly: fc.boolean(),
});
const moment = fc
  .tuple(fc.integer({ min: 20, max: 31 }), time)
  .map(([day, at]) => `2026-10-${two(day)}T${at}`);
const exception: fc.Arbitrary<Exception> = fc
  .record({
    from: moment,
    to: moment,
    away: fc.option(fc.constantFrom(...NAMES)),
    instead: fc.option(fc.constantFrom(...NAMES)),
  })
  .filter(({ away, instead }) => away !== instead);
const pattern: fc.Arbitrary<Pattern> = fc.record({
  zone: fc.constantFrom(...ZONES),
  firstWeek: fc.constantFrom('2026-09-28', '2026-11-02'),
  shifts: fc.array(shift, { maxLength: 4 }),
  exceptions: fc.array(exception, { maxLength: 2 }),
});
/** Weeks with the ends of summer time in Europe, America and on Lord Howe among them. */
const at = fc
  .integer({ min: Date.UTC(2026, 9, 1) / MINUTE, max: Date.UTC(2026, 10, 10) / MINUTE })
  .map((minute) => minute * MINUTE);

/** The clock on the wall, by the words of the platform alone. */
function wall(zone: string, now: number): { date: string; time: string; weekday: number } {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(now);
  const name = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' }).format(now);
  return {
    date,
    time: clock,
    weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(name) + 1,
  };
}

const plain = (over: Partial<Pattern>): Pattern => ({
  zone: 'Europe/Berlin',
  firstWeek: '2026-10-05',
  shifts: [],
  exceptions: [],
  ...over,
});
const ALL = [1, 2, 3, 4, 5, 6, 7];
const berlin = (text: string): number => Date.parse(text);

describe('who is on duty', () => {
  test('those of the shifts that the clock on the wall is in, each once', () => {
    fc.assert(
      fc.property(pattern, at, (any, now) => {
        const own = { ...any, exceptions: [] };
        const { time: clock, weekday } = wall(own.zone, now);
        const yesterday = weekday === 1 ? 7 : weekday - 1;
        const covering = own.shifts.filter(({ days, begin, end }) =>
          begin < end
            ? days.includes(weekday) && clock >= begin && clock < end
            : (days.includes(weekday) && clock >= begin) || (days.includes(yesterday) && clock < end),
        );
        const called = onDutyAt(own, now);
        expect(new Set(called)).toEqual(new Set(covering.flatMap((one) => one.people)));
        expect(new Set(called).size).toBe(called.length);
      }),
      { numRuns: runs(200, 5000) },
    );
  });

  test('spans are what is true at each minute, without a hole and without two alike in a row', () => {
    fc.assert(
      fc.property(pattern, at, (any, from) => {
        const to = from + 2 * DAY;
        const spans = spansOf(any, from, to);
        expect(spans[0]?.from).toBe(from);
        expect(spans.at(-1)?.to).toBe(to);
        spans.slice(1).forEach((one, index) => {
          expect(one.from).toBe(spans[index]?.to);
          expect(one.people).not.toEqual(spans[index]?.people);
        });
        for (const { from: begin, to: end, people: named } of spans) {
          expect(onDutyAt(any, begin)).toEqual(named);
          expect(onDutyAt(any, end - MINUTE)).toEqual(named);
        }
      }),
      { numRuns: runs(20, 300) },
    );
  });

  test('a shift of all days that ends when it begins leaves no gap, whatever the zone does', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), time, at, (zone, begin, from) => {
        const shifts = [{ days: ALL, begin, end: begin, people: ['an'], weekly: false }];
        expect(gapsIn(spansOf(plain({ zone, shifts }), from, from + 3 * DAY))).toEqual([]);
      }),
      { numRuns: runs(20, 300) },
    );
  });

  test('an exception changes only whom it names, and only in its time', () => {
    fc.assert(
      fc.property(pattern, exception, at, (any, one, now) => {
        const before = onDutyAt({ ...any, exceptions: [] }, now);
        const after = onDutyAt({ ...any, exceptions: [one] }, now);
        const { date, time: clock } = wall(any.zone, now);
        const local = `${date}T${clock}`;
        if (local < one.from || local >= one.to) {
          expect(after).toEqual(before);
          return;
        }
        const others = (names: readonly string[]) =>
          names.filter((name) => name !== one.away && name !== one.instead);
        if (one.away === null && one.instead === null) {
          expect(after).toEqual([]);
          return;
        }
        expect(others(after)).toEqual(others(before));
        if (one.away !== null) expect(after).not.toContain(one.away);
        if (one.away === null) expect(after[0]).toBe(one.instead);
      }),
      { numRuns: runs(300, 5000) },
    );
  });
});

describe('by example', () => {
  const night: Shift = { days: [6], begin: '20:00', end: '08:00', people: ['an'], weekly: false };

  test('the night in which the clock goes back is an hour longer, that in which it goes on an hour shorter', () => {
    const hours = (from: string) => {
      const spans = spansOf(plain({ shifts: [night] }), berlin(from), berlin(from) + 2 * DAY);
      return spans.filter(({ people: named }) => named.length > 0).map((one) => (one.to - one.from) / HOUR);
    };
    expect(hours('2026-10-24T00:00:00Z')).toEqual([13]);
    expect(hours('2026-03-28T00:00:00Z')).toEqual([11]);
    expect(hours('2026-10-17T00:00:00Z')).toEqual([12]);
  });

  test('a weekly shift moves everybody up each week, also over the night of a Sunday', () => {
    const shifts = [{ days: ALL, begin: '20:00', end: '08:00', people: ['an', 'bo', 'chen'], weekly: true }];
    const called = (text: string) => onDutyAt(plain({ shifts }), berlin(text));
    expect(called('2026-10-06T20:00:00Z')).toEqual(['an', 'bo', 'chen']);
    expect(called('2026-10-13T20:00:00Z')).toEqual(['bo', 'chen', 'an']);
    expect(called('2026-09-29T20:00:00Z')).toEqual(['chen', 'an', 'bo']);
    // Monday at 3 in the morning is still the Sunday's night.
    expect(called('2026-10-12T01:00:00Z')).toEqual(['an', 'bo', 'chen']);
  });

  test('a swap puts one in the place of another, a holiday without anybody is a gap', () => {
    const shifts = [{ days: ALL, begin: '00:00', end: '00:00', people: ['an', 'bo'], weekly: false }];
    const one = (away: string | null, instead: string | null) =>
      onDutyAt(
        plain({ shifts, exceptions: [{ from: '2026-10-06T00:00', to: '2026-10-07T00:00', away, instead }] }),
        berlin('2026-10-06T10:00:00Z'),
      );
    expect(one('an', 'chen')).toEqual(['chen', 'bo']);
    expect(one('an', 'bo')).toEqual(['bo']);
    expect(one('an', null)).toEqual(['bo']);
    expect(one(null, 'chen')).toEqual(['chen', 'an', 'bo']);
    expect(one(null, null)).toEqual([]);
    expect(everybodyIn(plain({ shifts }))).toEqual(['an', 'bo']);
  });

  test('a rota that names the site goes before one of its group, that before the one of the tenant, and that before the operators', () => {
    const rota = (id: string, over: Partial<Rota>): Rota => ({
      ...plain({}),
      ...{ id, tenantCode: 'acme', name: id, sites: null, siteGroups: [], from: 'high', alarms: 'none' },
      ...{ nextAfterMinutes: 5, enabled: true, createdAt: 1, updatedAt: 1 },
      ...over,
    });
    const all = [
      rota('all', {}),
      rota('tunnel', { sites: ['tunnel-7'], createdAt: 2 }),
      rota('north', { siteGroups: ['North', 'Contract 12'], createdAt: 3 }),
      rota('ops', { tenantCode: '' }),
      rota('ops-north', { tenantCode: '', siteGroups: ['North'], createdAt: 0 }),
      rota('off', { sites: ['tunnel-7'], enabled: false, createdAt: 0 }),
    ];
    const chosen = (tenantCode: string | null, instance: string | null, groups: string[] = []) =>
      rotaFor(all, { tenantCode, instance, groups }, () => true)?.id;
    expect(chosen('acme', 'tunnel-7')).toBe('tunnel');
    expect(chosen('acme', 'tunnel-7', ['North'])).toBe('tunnel');
    expect(chosen('acme', 'bridge-2')).toBe('all');
    expect(chosen('acme', 'bridge-2', ['South', 'North'])).toBe('north');
    expect(chosen('acme', 'bridge-2', ['South'])).toBe('all');
    expect(chosen('beta', 'bridge-2', ['North'])).toBe('ops-north');
    expect(chosen('acme', null)).toBe('all');
    expect(chosen('beta', 'tunnel-7')).toBe('ops');
    expect(chosen(null, 'hq')).toBe('ops');
    expect(rotaFor(all, { tenantCode: 'acme', instance: null, groups: [] }, () => false)).toBeNull();
  });
});
