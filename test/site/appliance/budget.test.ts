import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withSettings } from '../../../site/cli/env-file.ts';
import { allowance, budgetOf, emptyDisk, withEvicted } from '../../../site/retention/budget.ts';

const MIB = 1024 ** 2;
const sizes = {
  totalBytes: 1_000 * MIB,
  freeBytes: 500 * MIB,
  dbBytes: 400 * MIB,
  dbFreeBytes: 0,
  walBytes: 10 * MIB,
  walInUse: 0,
  evidenceBytes: 0,
  limit: null,
};

test('the budget is own use plus free space, so that a full store opens again', () => {
  const full = budgetOf({ ...sizes, freeBytes: 0, dbBytes: 990 * MIB, dbFreeBytes: 200 * MIB }, false);
  expect(full.room).toBe(150 * MIB);
  expect(full.level).toBe('ok');
  expect(budgetOf({ ...sizes, freeBytes: 40 * MIB }, false).level).toBe('full');
  expect(budgetOf({ ...sizes, limit: 420 * MIB }, false)).toMatchObject({ room: 10 * MIB, level: 'short' });
  expect(budgetOf({ ...sizes, limit: 420 * MIB }, true).level).toBe('full');
});

test('an episode never deletes more than the halves that were allowed', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(10_000), fc.array(fc.nat(3_000)), (evidence, events, wants) => {
      let state = {
        ...emptyDisk,
        episode: { startedAt: 1, total: { evidence, events }, gone: { evidence: 0, events: 0 }, allowed: 1 },
      } as typeof emptyDisk;
      for (const want of wants)
        if (state.episode)
          state = withEvicted(state, { events: Math.min(want, allowance(state.episode, 'events')) });
      expect(state.counts.events * 2).toBeLessThanOrEqual(events);
    }),
  );
});

test('settings change in place and nothing else does', () => {
  const text = '# mine\nCORE_INSTANCE=a\nOTHER="x y"\n#CORE_UPLINK_URL=old\n';
  expect(withSettings(text, { CORE_INSTANCE: 'b', CORE_UPLINK_URL: 'https://hq' })).toBe(
    '# mine\nCORE_INSTANCE=b\nOTHER="x y"\n#CORE_UPLINK_URL=old\nCORE_UPLINK_URL=https://hq\n',
  );
  expect(withSettings(text, { CORE_INSTANCE: null })).toContain('#CORE_INSTANCE=a\n');
});
