// The contract of LoginAttemptPort.
import { describe, expect, test } from 'vitest';
import { FORGET_ATTEMPTS_MS } from '../../common/core/session/decide.ts';
import { SECOND, TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { range } from './samples.ts';

const pair = { scope: 'name:a', free: 2, longestMs: 8 * SECOND };
const address = { scope: 'address:10.0.0.7', free: 4, longestMs: 4 * SECOND };

export function loginAttemptContract(make: MakeHarness): void {
  describe('login attempts', () => {
    const bench = useStores(make);
    const begin = (now: number, scopes = [pair]) =>
      bench.stores.loginAttempts.begin(scopes, TEST_START + now);

    test('past the free ones the delay doubles up to the longest, and a held up one does not count', async () => {
      const holds: number[] = [];
      let now = 0;
      for (let tries = 0; tries < 8; tries += 1) {
        expect(await begin(now)).toBeNull();
        const until = await begin(now);
        if (until === null) continue;
        expect(await begin(until - TEST_START - 1)).toBe(until);
        holds.push((until - TEST_START - now) / SECOND);
        now = until - TEST_START;
      }
      expect(holds).toEqual([1, 2, 4, 8, 8, 8, 8]);
    });

    test('the strictest scope holds up, and then none counts', async () => {
      const other = { ...pair, scope: 'name:b' };
      for (const scopes of [
        [pair, address],
        [pair, address],
        [pair, address],
      ])
        expect(await begin(0, scopes)).toBeNull();
      expect(await begin(0, [pair, address])).toBe(TEST_START + SECOND);
      // Three of the address's four free ones are used.
      expect(await begin(0, [other, address])).toBeNull();
      expect(await begin(0, [other, address])).toBeNull();
      expect(await begin(0, [{ ...pair, scope: 'name:c' }, address])).toBe(TEST_START + SECOND);
    });

    test('a right one forgets its own scope and takes itself back from the shared one', async () => {
      for (let i = 0; i < 4; i += 1) await begin(i * 10 * SECOND, [pair, address]);
      await bench.stores.loginAttempts.succeeded([pair.scope], [address.scope]);
      for (let i = 0; i < 3; i += 1) expect(await begin(60 * SECOND)).toBeNull();
      expect(await begin(60 * SECOND)).toBe(TEST_START + 61 * SECOND);
      expect(await begin(60 * SECOND, [address])).toBeNull();
      expect(await begin(60 * SECOND, [address])).toBeNull();
      expect(await begin(60 * SECOND, [address])).not.toBeNull();
      await bench.stores.loginAttempts.succeeded(['name:unknown'], ['address:unknown']);
      await bench.stores.loginAttempts.succeeded([], []);
    });

    test('of twenty at once no more than the free ones and the first past them get through', async () => {
      const outcomes = await Promise.all(range(20, () => begin(0)));
      expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(3);
    });

    test('is forgotten an hour after the last, and swept', async () => {
      for (let i = 0; i < 3; i += 1) await begin(0);
      expect(await bench.stores.loginAttempts.sweep(TEST_START + FORGET_ATTEMPTS_MS - 1)).toBe(0);
      for (let i = 0; i < 3; i += 1) expect(await begin(FORGET_ATTEMPTS_MS)).toBeNull();
      expect(await bench.stores.loginAttempts.sweep(TEST_START + 2 * FORGET_ATTEMPTS_MS)).toBe(1);
      expect(await bench.stores.loginAttempts.sweep(TEST_START + 2 * FORGET_ATTEMPTS_MS)).toBe(0);
    });

    test('a clock that is set back holds nobody up for longer', async () => {
      for (let i = 0; i < 3; i += 1) await begin(0);
      expect(await begin(-FORGET_ATTEMPTS_MS)).toBeNull();
    });

    test('outlives a restart', async () => {
      for (let i = 0; i < 3; i += 1) await begin(0);
      await bench.restart();
      expect(await begin(0)).toBe(TEST_START + SECOND);
    });
  });
}
