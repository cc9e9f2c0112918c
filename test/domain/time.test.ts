import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zonedTime } from '../../common/core/event/schema.ts';
import { BEIJING_OFFSET_MINUTES, formatTime, formatTimeOrNull, parseTime } from '../../common/time.ts';

/** Years 0000 to 9999, the ones that RFC 3339 can write. */
const instants = fc.integer({
  min: Date.parse('0000-01-01T00:00:00.000Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
});
const twoDigits = (value: number) => String(Math.abs(value)).padStart(2, '0');

describe('parseTime', () => {
  test.each([
    ['2026-03-01T08:00:00Z', Date.UTC(2026, 2, 1, 8)],
    ['2026-03-01t08:00:00z', Date.UTC(2026, 2, 1, 8)],
    ['2026-03-01 08:00:00Z', Date.UTC(2026, 2, 1, 8)],
    ['2026-03-01T08:00:00+08:00', Date.UTC(2026, 2, 1)],
    ['2026-03-01T00:00:00-05:30', Date.UTC(2026, 2, 1, 5, 30)],
    ['2026-03-01T00:00:00-00:00', Date.UTC(2026, 2, 1)],
    ['2026-03-01T00:00:00.1Z', Date.UTC(2026, 2, 1, 0, 0, 0, 100)],
    ['2026-03-01T00:00:00.001Z', Date.UTC(2026, 2, 1, 0, 0, 0, 1)],
    ['2026-03-01T00:00:00.123456789Z', Date.UTC(2026, 2, 1, 0, 0, 0, 123)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1969-12-31T23:59:59.999Z', -1],
    ['1970-01-01T07:59:59+08:00', -1_000],
    ['0000-02-29T00:00:00Z', Date.parse('0000-02-29T00:00:00Z')],
    ['0050-06-15T12:00:00Z', Date.parse('0050-06-15T12:00:00Z')],
    ['0099-12-31T23:59:59Z', Date.parse('0099-12-31T23:59:59Z')],
  ])('%s', (text, expected) => expect(parseTime(text)).toBe(expected));

  test.each([
    '',
    '2026-03-01',
    '2026-03-01T08:00Z',
    '2026-3-1T08:00:00Z',
    '2026-03-01T08:00:00',
    '2026-03-01T08:00:00+0800',
    '2026-03-01T08:00:00+8:00',
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '+02026-01-01T00:00:00Z',
    '２０２６-01-01T00:00:00Z',
    '1900-02-29T00:00:00Z',
    'now',
  ])('refuses %j', (text) => expect(parseTime(text)).toBeNull());

  test('a value without zone needs one assumed, and a zone of its own goes first', () => {
    expect(parseTime('2026-03-01T08:00:00')).toBeNull();
    expect(parseTime('2026-03-01T08:00:00', BEIJING_OFFSET_MINUTES)).toBe(Date.UTC(2026, 2, 1));
    expect(parseTime('2026-03-01T08:00:00', 0)).toBe(Date.UTC(2026, 2, 1, 8));
    expect(parseTime('2026-03-01T08:00:00Z', BEIJING_OFFSET_MINUTES)).toBe(Date.UTC(2026, 2, 1, 8));
  });

  test('reads back what formatTime wrote', () => {
    fc.assert(fc.property(instants, (at) => void expect(parseTime(formatTime(at))).toBe(at)));
  });

  test('the same instant in any zone is the same time', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (at, offset) => {
        const local = at + offset * 60_000;
        fc.pre(formatTime(local).length === 24);
        const zone = `${offset < 0 ? '-' : '+'}${twoDigits(Math.trunc(offset / 60))}:${twoDigits(offset % 60)}`;
        expect(parseTime(formatTime(local).replace('Z', zone))).toBe(at);
      }),
    );
  });

  test('what it accepts can be written again as RFC 3339', () => {
    for (const text of ['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00']) {
      const at = parseTime(text);
      if (at !== null) expect(formatTime(at)).toMatch(/^\d{4}-/);
    }
  });

  test('refuses text of any shape without failing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const at = parseTime(text);
        expect(at === null || Number.isSafeInteger(at)).toBe(true);
      }),
    );
  });
});

describe('formatTime', () => {
  test('is UTC with milliseconds and Z', () => {
    expect(formatTime(0)).toBe('1970-01-01T00:00:00.000Z');
    expect(formatTime(Date.UTC(2026, 2, 1, 8, 5, 9, 7))).toBe('2026-03-01T08:05:09.007Z');
    expect(formatTimeOrNull(null)).toBeNull();
    expect(formatTimeOrNull(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});

test('a time whose + came as a blank is refused with the way to write it', () => {
  const said = (text: string): string => zonedTime.safeParse(text).error?.issues[0]?.message ?? 'taken';
  expect(said('2026-03-01T08:00:00+08:00')).toBe('taken');
  expect(said('2026-03-01T08:00:00 08:00')).toMatch(/; in a query \+ is written %2B$/);
  expect(said('2026-03-01')).not.toMatch(/%2B/);
});
