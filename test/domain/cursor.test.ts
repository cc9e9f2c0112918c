import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../common/cursor.ts';

const REFUSED = { status: 400, code: 'validation_failed' };
const raw = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('list cursors', () => {
  test('give back the position that was put in', () => {
    const position = fc.array(fc.oneof(fc.maxSafeInteger(), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(position, (parts) => {
        const text = encodeCursor(
          'events',
          parts.map((part) => (Object.is(part, -0) ? 0 : part)),
        );
        expect(text).toMatch(/^[\w-]+$/);
        expect(decodeCursor('events', text)).toEqual(parts.map((part) => (Object.is(part, -0) ? 0 : part)));
      }),
    );
  });

  test('of one list are refused by another', () => {
    expect(() => decodeCursor('audit', encodeCursor('events', [12]))).toThrow(
      expect.objectContaining(REFUSED),
    );
    expect(() => decodeCursor('event', encodeCursor('events', [12]))).toThrow(
      expect.objectContaining(REFUSED),
    );
  });

  test.each([
    ['nothing', ''],
    ['no base64', '???'],
    ['no JSON', Buffer.from('x').toString('base64url')],
    ['no list', raw({ 0: 1, 1: 'events' })],
    ['null', raw(null)],
    ['a later version', raw([2, 'events', 1])],
    ['no version', raw(['events', 1])],
    ['a fraction', raw([1, 'events', 1.5])],
    ['an unsafe integer', raw([1, 'events', 2 ** 60])],
    ['null as position', raw([1, 'events', null])],
    ['a list as position', raw([1, 'events', [1]])],
    ['a boolean', raw([1, 'events', true])],
    ['more than was given out', `${encodeCursor('events', [12])}x`],
    ['blanks in the text', Buffer.from('[1, "events", 12]').toString('base64url')],
  ])('that hold %s are refused', (_, text) => {
    expect(() => decodeCursor('events', text)).toThrow(expect.objectContaining(REFUSED));
  });

  test('of any text never fail otherwise than by refusal', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor('events', text)).toThrow(expect.objectContaining(REFUSED));
      }),
    );
  });

  test('say where the fault is', () => {
    expect(() => decodeCursor('events', 'x')).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'cursor' })] }),
    );
  });
});
