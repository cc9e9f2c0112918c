import fc from 'fast-check';
import nodeCron from 'node-cron';
import { describe, expect, test } from 'vitest';
import { canonicalTime, cursorOf, earlier, parsePosition } from '../../common/dataset/position.ts';
import type { DatasetDescriptor } from '../../common/dataset/schema.ts';
import { say, translate } from '../../common/message.ts';
import { ContractBroken, contractChanged, differences, requireFields } from '../../hq/dataset/contract.ts';
import { checkPage } from '../../hq/dataset/page-check.ts';
import { nextRun, scheduleFault } from '../../hq/dataset/schedule.ts';
import { sourceMessages } from '../../hq/dataset/source-messages.ts';
import { hubMessages } from '../../hq/hub-messages.ts';

const contract: DatasetDescriptor = {
  key: 'rows',
  schemaVersion: '1',
  granularity: 'a row',
  updateFrequency: 'daily',
  earliest: null,
  fields: [
    { name: 'size', type: 'integer', measure: 'sum' },
    { name: 'day', type: 'date', measure: null },
  ],
};
const row = (pk: string, micros: string, more: object = {}) => ({
  pk,
  updated_at: `2026-03-01T00:00:00.${micros}Z`,
  deleted: false,
  size: 1,
  ...more,
});
const page = (items: object[], more: object = {}) => {
  const last = items.at(-1) as { pk: string; updated_at: string } | undefined;
  return {
    items,
    nextCursor: last ? `${last.updated_at}|${last.pk}` : null,
    hasMore: false,
    schemaVersion: '1',
    asOf: '2026-03-01T01:00:00Z',
    ...more,
  };
};
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ContractBroken) return error.code;
    throw error;
  }
  return 'kept';
};

describe('a position', () => {
  test('keeps microseconds, whatever the zone, and refuses more', () => {
    expect(canonicalTime('2026-03-01T08:00:00.000001+08:00')).toBe('2026-03-01T00:00:00.000001Z');
    expect(canonicalTime('2026-03-01T00:00:00Z')).toBe('2026-03-01T00:00:00.000000Z');
    expect(canonicalTime('2026-03-01T00:00:00.0000001Z')).toBeNull();
    expect(canonicalTime('2026-03-01T00:00:00')).toBeNull();
    expect(parsePosition('2026-03-01T00:00:00.5Z|a|b')).toEqual({
      updatedAt: '2026-03-01T00:00:00.500000Z',
      pk: 'a|b',
    });
    expect(parsePosition('17')).toBeNull();
  });

  test('orders as exact numbers of microseconds do', () => {
    const micros = fc.bigInt({ min: 0n, max: 4_102_444_800_000_000n });
    const textOf = (value: bigint) =>
      `${new Date(Number(value / 1_000_000n) * 1000).toISOString().slice(0, 19)}.${String(value % 1_000_000n).padStart(6, '0')}Z`;
    fc.assert(
      fc.property(micros, micros, (a, b) => {
        const [x, y] = [canonicalTime(textOf(a)) ?? '', canonicalTime(textOf(b)) ?? ''];
        expect(x < y).toBe(a < b);
        expect(
          cursorOf(parsePosition(cursorOf({ updatedAt: x, pk: 'p' })) ?? { updatedAt: '', pk: '' }),
        ).toBe(`${x}|p`);
        const second = 1_000_000n;
        if (a >= second) expect(earlier(x, 1_000)).toBe(textOf(a - second));
      }),
    );
  });
});

describe('a page', () => {
  const check = (items: object[], more: object = {}, cursor: string | null = null) =>
    codeOf(() => checkPage(page(items, more), contract, 'none', cursor));
  test('that keeps the contract is taken', () => {
    expect(
      checkPage(
        page([row('1', '000001'), row('2', '000002', { size: null, day: '2026-02-28' })]),
        contract,
        'none',
        null,
      ).rows,
    ).toHaveLength(2);
    expect(check([row('1', '1', { deleted: true })])).toBe('kept');
    expect(check([])).toBe('kept');
  });
  test('with a field that is not declared is refused whole, and the field is named', () => {
    expect(() =>
      checkPage(page([row('1', '1'), row('2', '2', { extra: 1 })]), contract, 'none', null),
    ).toThrow(/extra.*row 2/);
  });
  test.each([
    ['a value of another type', [row('1', '1', { size: 'big' })], {}, 'wrong_type'],
    ['a day that does not exist', [row('1', '1', { day: '2026-02-30' })], {}, 'wrong_type'],
    ['another schema version', [row('1', '1')], { schemaVersion: '2' }, 'schema_version'],
    ['rows out of order', [row('1', '2'), row('2', '1')], {}, 'went_back'],
    [
      'a cursor that is not of its last row',
      [row('1', '1')],
      { nextCursor: '2026-03-01T00:00:00.2Z|1' },
      'malformed_page',
    ],
    ['nothing, and more to come', [], { hasMore: true }, 'no_progress'],
    ['no time', [{ pk: '1', updated_at: 1 }], {}, 'malformed_page'],
    ['nanoseconds', [row('1', '0000001')], {}, 'malformed_page'],
  ])('with %s is refused', (_what, items, more, code) => expect(check(items, more)).toBe(code));
  test('of a source that went back in time is refused', () => {
    const cursor = '2026-03-01T00:00:00.5Z|7';
    expect(check([row('1', '4')], {}, cursor)).toBe('went_back');
    expect(check([], { asOf: '2026-02-01T00:00:00Z' }, cursor)).toBe('went_back');
    expect(check([row('8', '5')], {}, cursor)).toBe('kept');
  });
  test.each([
    ['projects', 'status', 2 ** 31],
    ['milestones', 'status', -(2 ** 31)],
    ['wbs_nodes', 'plan_progress', 1e308],
  ] as const)(
    'for %s with a %s of %d, with which nothing can be computed, is refused, and the row is named',
    (processor, field, value) => {
      const declared: DatasetDescriptor = {
        ...contract,
        fields: [{ name: field, type: 'decimal', measure: null }],
      };
      const given = (number: number) =>
        page([{ pk: '7', updated_at: '2026-03-01T00:00:00.1Z', [field]: number }]);
      expect(() => checkPage(given(value), declared, processor, null)).toThrow(
        new RegExp(`field ${field} of row 1 \\(pk 7\\) is`),
      );
      expect(codeOf(() => checkPage(given(value), declared, processor, null))).toBe('out_of_range');
      expect([
        codeOf(() => checkPage(given(value), declared, 'none', null)),
        codeOf(() => checkPage(given(5), declared, processor, null)),
      ]).toEqual(['kept', 'kept']);
    },
  );
  test('for a processor needs whole numbers as keys', () => {
    expect(codeOf(() => checkPage(page([row('x', '1')]), contract, 'ncrs', null))).toBe('wrong_type');
  });
});

test('a changed contract is told in Chinese without a word of English, however much has changed', () => {
  const fields = Array.from(
    { length: 60 },
    (_, at) => ({ name: `f${at}`, type: 'string', measure: null }) as const,
  );
  const { told } = contractChanged(
    'ncrs',
    differences(contract, { ...contract, schemaVersion: '2', fields }),
  );
  const said = translate(
    hubMessages,
    { code: 'dataset_failed', params: { source: 'erp', dataset: 'ncrs', reason: told } },
    'zh',
  );
  expect(said).toMatch(
    /^数据源 erp，数据集 ncrs：数据源对 ncrs 的声明已变更：格式版本 1 → 2、新增字段 f0（string）、/,
  );
  expect(said).toMatch(
    /、另有 \d+ 处。请用 POST \/api\/dataset\/sources\/\{id\}\/accept 接受新约定，或让数据源更正。$/,
  );
});

test('contracts differ in version, names and types, not in words', () => {
  expect(differences(contract, { ...contract, granularity: 'other', updateFrequency: 'never' })).toEqual([]);
  expect(
    differences(contract, {
      ...contract,
      schemaVersion: '2',
      fields: [
        { name: 'size', type: 'decimal', measure: null },
        { name: 'more', type: 'string', measure: null },
      ],
    }).map((one) => say(sourceMessages, one, 'en')),
  ).toEqual([
    'schema version 1 → 2',
    'field size integer → decimal',
    'new field more (string)',
    'field day is gone',
  ]);
  expect(codeOf(() => requireFields(contract, 'ncrs'))).toBe('fields_missing');
});

describe('a schedule', () => {
  test('runs when node-cron says that it does, in Beijing time, and never misses a moment between', () => {
    const field = (max: number, min = 0) => {
      const one = fc.integer({ min, max });
      return fc.oneof(
        fc.constant('*'),
        one.map(String),
        fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
        fc.tuple(one, one, fc.constantFrom(',', '-')).map(([a, b, mark]) => `${a}${mark}${b}`),
      );
    };
    fc.assert(
      fc.property(
        field(59),
        field(23),
        field(28, 1),
        field(12, 1),
        field(6),
        fc.integer({ min: 0, max: 4_000_000_000 }),
        (minute, hour, dom, month, dow, second) => {
          const expression = `${minute} ${hour} ${dom} ${month} ${dow}`;
          if (scheduleFault(expression) !== null) return;
          const after = second * 1000;
          const at = nextRun(expression, after) ?? 0;
          const task = nodeCron.createTask(expression, () => undefined, { timezone: 'Asia/Shanghai' });
          expect(at).toBeGreaterThan(after);
          // Asia/Shanghai kept summer time until 1991.
          if (after > Date.UTC(1992, 0, 1)) {
            expect(task.match(new Date(at))).toBe(true);
            for (let minutes = 1; minutes <= 30 && at - minutes * 60_000 > after; minutes += 1)
              expect(task.match(new Date(at - minutes * 60_000))).toBe(false);
          }
          void task.destroy();
        },
      ),
      { numRuns: 40 },
    );
  });
  test('that cannot be is refused with the reason', () => {
    for (const wrong of ['', '99 * * * *', '* * * * * * *', '0 0 31 2 *', '0 0 L * *'])
      expect(scheduleFault(wrong)).not.toBeNull();
    expect(nextRun('0 3 * * *', Date.UTC(2026, 2, 1, 18, 59))).toBe(Date.UTC(2026, 2, 1, 19));
  });
  test.each([
    ['0 22-1 * * *', [1, 22, 23, 24, 25, 46]],
    ['0 5,1 * * *', [1, 5, 25]],
    ['0 0 * * sunday', [168]],
    ['30 15 23 * * *', [23.2583333, 47.2583333]],
    ['0 2 1 * monday', [2210]],
  ])('%s keeps its order in time, whatever the order in the text', (expression, hours) => {
    // A Sunday, 0:00 in Beijing.
    const began = Date.UTC(2026, 1, 28, 16);
    const runs = hours.reduce<number[]>(
      (found) => [...found, nextRun(expression, found.at(-1) ?? began) ?? 0],
      [],
    );
    expect(runs.map((at) => (at - began) / 3_600_000)).toEqual(
      hours.map((hour) => expect.closeTo(hour, 4) as number),
    );
  });
});
