// How often models are called, by tenant and day.
import { describe, expect, test } from 'vitest';
import { ModelBudget } from '../../common/core/model-call/budget.ts';
import { HOUR } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';

export function modelCallContract(make: MakeHarness): void {
  describe('calls to models', () => {
    const bench = useStores(make);
    const of = { tenantCode: 't-1', day: '2026-03-01', kind: 'summary' } as const;
    const budget = (most: number): ModelBudget =>
      new ModelBudget({
        ...{ kind: 'summary', most, calls: bench.stores.modelCalls, alarms: bench.stores.alarms },
        ...{ instance: 'i', clock: bench.clock },
      });
    const alarms = async (): Promise<[string, string][]> =>
      (await bench.stores.alarms.list({ tenantCode: null, includeCleared: false }, 10)).map(
        ({ key, message }) => [key, message],
      );

    test('of twenty at once as many are taken as there may be', async () => {
      const { modelCalls } = bench.stores;
      const taken = await Promise.all(Array.from({ length: 20 }, () => modelCalls.take(of, 7)));
      expect(taken.filter((calls) => calls !== null).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await modelCalls.take({ ...of, tenantCode: 't-2' }, 7)).toBe(1);
      expect(await modelCalls.take({ ...of, kind: 'embedding' }, 7)).toBe(1);
      expect(await modelCalls.take({ ...of, day: '2026-03-02' }, 7)).toBe(1);
      // A bound that was raised holds at once.
      expect(await modelCalls.take(of, 9)).toBe(8);
    });

    test('are listed with their tokens, and forgotten by day', async () => {
      const { modelCalls } = bench.stores;
      await modelCalls.take(of, 7);
      await modelCalls.addTokens(of, 120);
      await modelCalls.addTokens(of, 30);
      await modelCalls.take({ ...of, day: '2026-03-02' }, 7);
      expect(await modelCalls.list('t-1', '2026-03-01', 'summary')).toEqual([
        { ...of, day: '2026-03-02', calls: 1, tokens: 0, most: 7 },
        { ...of, calls: 1, tokens: 150, most: 7 },
      ]);
      expect(await modelCalls.list('t-2', '2026-03-01')).toEqual([]);
      await modelCalls.forgetBefore('2026-03-02');
      expect(await modelCalls.list(null, '2026-03-01')).toHaveLength(1);
    });

    test('from 80 % on somebody is told, also by a process that has started since, until the day is over', async () => {
      const [one, other] = [budget(5), budget(5)];
      await one.round();
      for (let call = 0; call < 3; call += 1) expect(await one.take('acme')).toBe(true);
      expect(await alarms()).toEqual([]);
      expect(await other.take('acme')).toBe(true);
      expect(await alarms()).toEqual([
        ['model_calls:summary:acme', expect.stringMatching(/^4 of 5 calls .*AGENT_LLM_CALLS_PER_DAY/)],
      ]);
      expect([await one.take('acme'), await other.take('acme')]).toEqual([true, false]);
      expect(await alarms()).toEqual([['model_calls:summary:acme', expect.stringMatching(/^All 5 calls/)]]);
      expect([other.isSpent('acme'), other.isSpent('else')]).toEqual([true, false]);
      // A start on the same day changes nothing.
      await budget(5).round();
      expect(await alarms()).toHaveLength(1);
      bench.clock.advance(24 * HOUR);
      await one.round();
      expect([await alarms(), other.isSpent('acme'), await other.take('acme')]).toEqual([[], false, true]);
    });
  });
}
