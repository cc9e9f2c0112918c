import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pagedList, viewPage } from '../../common/cursor.ts';

const REFUSED = { status: 400, code: 'validation_failed' };
const raw = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const EVENTS = pagedList('events', ['number']);
const cursorOf = (id: number): string => {
  const { nextCursor } = EVENTS.page([id, id + 1], 1, (row) => [row]);
  if (nextCursor === null) throw new Error('there is a next page');
  return nextCursor;
};

describe('the page of a list', () => {
  test('ends with the position of its last row, where there are more rows', () => {
    const { nextCursor, ...page } = EVENTS.page([9, 8, 7], 2, (row) => [row]);
    expect(page).toEqual({ items: [9, 8], hasMore: true });
    expect(EVENTS.positionOf(nextCursor ?? undefined)).toEqual([8]);
  });

  test('is the last one where there are no more rows', () => {
    expect(EVENTS.page([9, 8], 2, (row) => [row])).toEqual({
      items: [9, 8],
      hasMore: false,
      nextCursor: null,
    });
    expect(EVENTS.page([], 2, () => [0])).toEqual({ items: [], hasMore: false, nextCursor: null });
  });

  test('shows its items in another form', () => {
    const page = EVENTS.page([9, 8], 2, (row) => [row]);
    expect(viewPage(page, String)).toEqual({ items: ['9', '8'], hasMore: false, nextCursor: null });
  });
});

describe('a list of rows of any size', () => {
  const MOST = 4 * 1024 * 1024;
  /** Characters, as often small as about what a page has room for. */
  const size = fc.oneof(
    fc.nat(100),
    fc.integer({ min: 800_000, max: 2_000_000 }),
    fc.integer({ min: MOST - 40, max: MOST + 40 }),
  );
  const text = 'x'.repeat(MOST + 100);
  interface Row {
    text: string;
    deep: { of: string }[];
  }
  /** All that counts of a row: names of members, and what stands in them. */
  const textOf = ({ text: own, deep }: Row): number =>
    'idtextdeep'.length + own.length + deep.reduce((sum, { of }) => sum + '0of'.length + of.length, 0);

  test('is read whole, in its order, in pages that are bounded and end no earlier than they must', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(size, fc.nat(3)), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (sizes, limit) => {
          const all = sizes.map(([length, inside], at) => ({
            id: at + 1,
            text: text.slice(0, length),
            deep: Array.from({ length: inside }, () => ({ of: 'abc' })),
          }));
          const read: number[] = [];
          let cursor: string | undefined;
          for (let pages = 0; pages <= all.length; pages += 1) {
            const after = EVENTS.positionOf(cursor)?.[0] ?? 0;
            const rows = all.filter(({ id }) => id > after).slice(0, limit + 1);
            const { items, nextCursor, hasMore } = EVENTS.page(rows, limit, ({ id }) => [id]);
            read.push(...items.map(({ id }) => id));
            const sum = items.reduce((total, row) => total + textOf(row), 0);
            expect(items.length <= limit && (sum <= MOST || items.length === 1)).toBe(true);
            expect(hasMore).toBe(items.length < rows.length);
            expect(hasMore).toBe(nextCursor !== null);
            const next = rows[items.length];
            if (next && items.length < limit) expect(sum + textOf(next)).toBeGreaterThan(MOST);
            if (nextCursor === null) break;
            cursor = nextCursor;
          }
          expect(read).toEqual(all.map(({ id }) => id));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('list cursors', () => {
  test('give back the position that was put in', () => {
    const list = pagedList('notes', ['number', 'string']);
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.string({ unit: 'grapheme' }), (at, id) => {
        const { nextCursor } = list.page([0, 0], 1, () => [at, id]);
        expect(nextCursor).toMatch(/^[\w-]+$/);
        expect(list.positionOf(nextCursor ?? undefined)).toEqual([Object.is(at, -0) ? 0 : at, id]);
      }),
    );
  });

  test('that are left out stand for the beginning', () => {
    expect(EVENTS.positionOf(undefined)).toBeNull();
  });

  test('of one list are refused by another', () => {
    for (const name of ['audit', 'event'])
      expect(() => pagedList(name, ['number']).positionOf(cursorOf(12))).toThrow(
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
    ['no position', raw([1, 'events'])],
    ['more than a position', raw([1, 'events', 1, 2])],
    ['a text as position', raw([1, 'events', '1'])],
    ['a fraction', raw([1, 'events', 1.5])],
    ['an unsafe integer', raw([1, 'events', 2 ** 60])],
    ['null as position', raw([1, 'events', null])],
    ['a list as position', raw([1, 'events', [1]])],
    ['a boolean', raw([1, 'events', true])],
    ['more than was given out', `${cursorOf(12)}x`],
    ['blanks in the text', Buffer.from('[1, "events", 12]').toString('base64url')],
  ])('that hold %s are refused', (_, text) => {
    expect(() => EVENTS.positionOf(text)).toThrow(expect.objectContaining(REFUSED));
  });

  test('of any text never fail otherwise than by refusal', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => EVENTS.positionOf(text)).toThrow(expect.objectContaining(REFUSED));
      }),
    );
  });

  test('say where the fault is', () => {
    expect(() => EVENTS.positionOf('x')).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'cursor' })] }),
    );
  });
});
