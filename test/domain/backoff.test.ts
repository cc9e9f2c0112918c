import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffDelay } from '../../common/backoff.ts';

describe('backoffDelay', () => {
  const even = { first: 250, cap: 120_000, jitter: 0 };

  test('doubles from the first delay up to the cap', () => {
    const delays = [1, 2, 3, 4, 9, 10, 11, 1_000, 1e9].map((failures) => backoffDelay(failures, even, 0.5));
    expect(delays).toEqual([250, 500, 1_000, 2_000, 64_000, 120_000, 120_000, 120_000, 120_000]);
  });

  test('none or a negative number of failures counts as one', () => {
    expect(backoffDelay(0, even, 0)).toBe(250);
    expect(backoffDelay(-3, even, 0)).toBe(250);
  });

  test('the spread reaches from minus to plus the jitter', () => {
    const options = { first: 1_000, cap: 10_000, jitter: 0.2 };
    expect(backoffDelay(1, options, 0)).toBe(800);
    expect(backoffDelay(1, options, 0.5)).toBe(1_000);
    expect(backoffDelay(1, options, 1 - 1e-12)).toBe(1_200);
  });

  test('stays within the jitter of the doubled delay and never above the cap', () => {
    const options = fc.record({
      first: fc.integer({ min: 1, max: 10_000 }),
      cap: fc.integer({ min: 10_000, max: 1e6 }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), options, random, (failures, chosen, value) => {
        const delay = backoffDelay(failures, chosen, value);
        const middle = Math.min(chosen.first * 2 ** (failures - 1), chosen.cap);
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeLessThanOrEqual(Math.min(chosen.cap, Math.ceil(middle * (1 + chosen.jitter))));
        expect(delay).toBeGreaterThanOrEqual(Math.floor(middle * (1 - chosen.jitter)));
      }),
    );
  });
});
