import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactDecimal, plainDecimal } from '../../common/dataset/decimal.ts';
import { fieldValue } from '../../common/dataset/field-value.ts';
import type { FieldType } from '../../common/dataset/schema.ts';
import { parseExactDecimals } from '../../common/http/body/exact-json.ts';

describe('a value of a driver', () => {
  test.each<[FieldType, unknown, unknown]>([
    ['integer', '1', 1],
    ['integer', '-0', undefined],
    ['integer', '007', undefined],
    ['integer', 12n, 12],
    ['integer', 2n ** 63n - 1n, '9223372036854775807'],
    ['integer', '9223372036854775808', undefined],
    ['integer', '1.0', undefined],
    ['integer', 1.5, undefined],
    ['decimal', '12.50', 12.5],
    ['decimal', '.5', 0.5],
    ['decimal', '0.1234567890123456789', '0.1234567890123456789'],
    ['decimal', '-9007199254740993', '-9007199254740993'],
    ['decimal', 'NaN', undefined],
    ['decimal', '', undefined],
    ['decimal', Infinity, undefined],
    ['boolean', 1, true],
    ['boolean', 0, false],
    ['boolean', 2, undefined],
    ['boolean', 't', undefined],
    ['time', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['time', new Date(NaN), undefined],
    ['date', new Date(0), undefined],
    ['date', '2026-02-29', undefined],
    ['string', 1, undefined],
    ['string', Buffer.from('a'), undefined],
    ['decimal', null, null],
  ])('as %s: %o is kept as %o', (type, given, kept) => {
    expect(fieldValue(type, given)).toEqual(kept);
  });
});

describe('a decimal', () => {
  test('is the same number in every way of writing it', () => {
    for (const text of ['1.5', '1.50', '01.5', '15e-1', '0.15E1', '.0150e+2'])
      expect(plainDecimal(text)).toBe('1.5');
    for (const text of ['0', '-0', '0.000', '0e9']) expect(plainDecimal(text)).toBe('0');
    for (const text of ['', '.', '-', '1e', 'x', '1e401', '1'.repeat(401)])
      expect(plainDecimal(text)).toBeNull();
  });

  test('is a double only where that is exact', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.nat(30), (digits, scale) => {
        const text = plainDecimal(`${digits}e-${scale}`) ?? '';
        expect(plainDecimal(String(exactDecimal(text)))).toBe(text);
      }),
    );
  });

  test('of JSON keeps the digits that a double would round', () => {
    const text = '[0.1,49.623400000000000001,0.1234567890123456,"1.000000000000000000001",1e300]';
    expect(JSON.stringify(parseExactDecimals(text))).toBe(text.replace('1e300', '1e+300'));
    expect(parseExactDecimals('[0.5]')).toEqual([0.5]);
  });
});
