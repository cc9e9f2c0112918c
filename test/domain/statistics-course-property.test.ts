// How the console lays hours of UTC into days, shifts, weeks and months of a zone.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dayOf,
  lastShift,
  localOf,
  shiftPlans,
  shiftsOf,
  stepsOf,
  sumOf,
  totalOf,
  weekOf,
} from '../../hq/console/screen/statistics/course/fold.ts';
import { draftKinds, lastSpan } from '../../hq/console/screen/statistics/draft/spans.ts';
import { write } from '../../hq/console/time/zone.ts';
import { runs } from '../support/campaign.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');
const moment = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2028-01-01') });
const count = fc.nat(20);
const hoursFrom = (since: number) =>
  fc.array(
    fc
      .record({
        hour: fc.nat(24 * 90),
        confirmed: count,
        falseAlarm: count,
        merged: count,
        unjudged: count,
      })
      .map(({ hour, ...sums }) => ({ at: new Date(since + hour * HOUR).toISOString(), ...sums })),
    { maxLength: 60 },
  );

describe('hours of a period', () => {
  test('lose nothing, whatever they are laid into', () => {
    fc.assert(
      fc.property(
        moment.chain((at) => {
          const since = Math.floor(at / HOUR) * HOUR;
          return fc.record({ since: fc.constant(since), zone, hours: hoursFrom(since) });
        }),
        ({ since, zone: where, hours }) => {
          const all = sumOf(hours);
          const day = dayOf(hours, where);
          expect(sumOf(stepsOf(hours, { since, until: since + 91 * DAY }, where))).toEqual(all);
          expect(sumOf(day)).toEqual(all);
          for (const plan of shiftPlans) expect(sumOf(shiftsOf(day, plan))).toEqual(all);
          expect(
            weekOf(hours, where)
              .flat()
              .reduce((sum, one) => sum + one, 0),
          ).toBe(totalOf(all));
        },
      ),
      { numRuns: runs(30, 200) },
    );
  });

  test('of a short one are its steps, and days of a longer one', () => {
    const since = Date.parse('2026-03-29T00:00:00Z');
    const short = stepsOf([], { since, until: since + DAY }, 'Asia/Shanghai');
    expect([short.length, short[0]?.label]).toEqual([24, '03-29 08:00']);
    const long = stepsOf([], { since, until: since + 7 * DAY }, 'UTC');
    expect(long.map(({ label }) => label)).toEqual([
      ...['2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03'],
      '2026-04-04',
    ]);
  });
});

describe('the last period that is over', () => {
  test('ends before now, at an edge of the zone, and the next one would not be over', () => {
    fc.assert(
      fc.property(moment, zone, (now, where) => {
        for (const kind of draftKinds) {
          const { since, until } = lastSpan(kind, now, 'three', where);
          expect(since).toBeLessThan(until);
          expect(until).toBeLessThanOrEqual(now);
          for (const edge of [since, until]) expect(write(edge, where).clock).toMatch(/^\d\d:00:00$/);
          const most = { shift_handover: 9 * HOUR, weekly_report: 8 * DAY, monthly_report: 32 * DAY }[kind];
          expect(now - until).toBeLessThan(most);
          expect(until - since).toBeLessThan(most);
        }
        const month = lastSpan('monthly_report', now, 'two', where);
        expect(localOf(month.since, where).date.slice(8)).toBe('01');
        expect(localOf(month.until, where).date.slice(8)).toBe('01');
        const week = lastSpan('weekly_report', now, 'two', where);
        expect([localOf(week.since, where).weekday, localOf(week.until, where).weekday]).toEqual([0, 0]);
      }),
    );
  });

  test('is a shift of 12 or of 8 hours', () => {
    const now = Date.parse('2026-11-28T07:20:00Z');
    expect(lastShift(now, 'two', 'Asia/Shanghai')).toEqual({
      since: Date.parse('2026-11-27T12:00:00Z'),
      until: Date.parse('2026-11-28T00:00:00Z'),
    });
    expect(lastShift(now, 'three', 'UTC')).toEqual({
      since: Date.parse('2026-11-27T16:00:00Z'),
      until: Date.parse('2026-11-28T00:00:00Z'),
    });
  });
});
