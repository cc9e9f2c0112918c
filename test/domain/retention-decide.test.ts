import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutSlice,
  decideAudit,
  decideEvents,
  type EventToDrop,
  expiredThrough,
  withLease,
} from '../../common/core/retention/decide.ts';
import {
  type DropEvents,
  emptyState,
  type EventSurvey,
  type Hold,
} from '../../common/core/retention/record.ts';

/** Events 1 to `total`, received at their ids. */
const survey = (total: number, through: number, holds: Hold[] = []): EventSurvey => ({
  oldest: { id: 1, receivedAt: 1 },
  newest: { id: total, receivedAt: total },
  expiredThrough: through,
  holds,
});

describe('decideEvents', () => {
  test('deletes up to the half and no more at once', () => {
    expect(decideEvents(survey(10, 5), 6, 0)).toEqual({ kind: 'delete', through: 5 });
    expect(decideEvents(survey(10, 6), 7, 0)).toEqual({
      kind: 'refused',
      refusal: { reason: 'more_than_half', position: 6, expired: 6, total: 10 },
    });
    expect(decideEvents(survey(10, 10), 11, 0)).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'everything', expired: 10 },
    });
  });

  test('refuses everything also where holds would leave most of it', () => {
    expect(decideEvents(survey(10, 10, [{ reason: 'not_sent', through: 2 }]), 11, 0)).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'everything', position: 2 },
    });
  });

  test('stops at the nearest hold', () => {
    expect(
      decideEvents(
        survey(10, 5, [
          { reason: 'parked', through: 3 },
          { reason: 'not_sent', through: 4 },
        ]),
        6,
        0,
      ),
    ).toEqual({ kind: 'delete', through: 3 });
    expect(decideEvents(survey(10, 5, [{ reason: 'not_sent', through: 0 }]), 6, 0)).toEqual({
      kind: 'nothing',
    });
  });

  test('has nothing to do where nothing is old or nothing is there', () => {
    expect(decideEvents(survey(10, 0), 1, 0)).toEqual({ kind: 'nothing' });
    expect(decideEvents({ oldest: null, newest: null, expiredThrough: 0, holds: [] }, 1, 0)).toEqual({
      kind: 'nothing',
    });
  });

  test('a confirmation reaches as far as what was refused, and is used up with it', () => {
    expect(decideEvents(survey(10, 9), 10, 7)).toEqual({ kind: 'delete', through: 7 });
    const rest = { ...survey(10, 9), oldest: { id: 8, receivedAt: 8 } };
    expect(decideEvents(rest, 10, 7)).toMatchObject({ kind: 'refused', refusal: { expired: 2, total: 3 } });
  });
});

test('decideAudit refuses more than half, and lets a confirmed time go', () => {
  expect(decideAudit({ expired: 0, kept: 0 }, 9, 0)).toBeNull();
  expect(decideAudit({ expired: 4, kept: 4 }, 9, 0)).toEqual({ before: 9 });
  expect(decideAudit({ expired: 5, kept: 4 }, 9, 0)).toEqual({
    reason: 'more_than_half',
    position: 9,
    expired: 5,
    total: 9,
  });
  expect(decideAudit({ expired: 5, kept: 0 }, 9, 0)).toMatchObject({ reason: 'everything' });
  expect(decideAudit({ expired: 5, kept: 0 }, 9, 9)).toEqual({ before: 9 });
});

test('cutSlice takes a leading part that no hold, no time and no id forbids', () => {
  const rows = [1, 2, 3, 4].map((id): EventToDrop => ({
    id,
    receivedAt: id * 10,
    tenantCode: 'a',
    type: 't',
    severity: null,
    isTest: false,
    bytes: 1,
  }));
  const cut = (over: Partial<DropEvents>, holds: Hold[] = []) =>
    cutSlice(rows, { before: 1000, through: 1000, limit: 10, holdUnsent: true, now: 0, ...over }, holds).map(
      ({ id }) => id,
    );
  expect(cut({})).toEqual([1, 2, 3, 4]);
  expect(cut({ before: 30 })).toEqual([1, 2]);
  expect(cut({ through: 3 })).toEqual([1, 2, 3]);
  expect(
    cut({}, [
      { reason: 'parked', through: 1 },
      { reason: 'not_sent', through: 3 },
    ]),
  ).toEqual([1]);
});

describe('withLease', () => {
  const lease = (holder: string, until: number) => ({ holder, until });
  const held = (until: number) => ({ ...emptyState, lease: lease('a', until) });

  test('is given when it is free, over, or the own', () => {
    expect(withLease(emptyState, lease('b', 100), 40)?.lease).toEqual(lease('b', 100));
    expect(withLease(held(40), lease('b', 100), 40)?.lease).toEqual(lease('b', 100));
    expect(withLease(held(80), lease('a', 100), 40)?.lease).toEqual(lease('a', 100));
  });

  test('is not given while another has it', () =>
    expect(withLease(held(80), lease('b', 100), 40)).toBeNull());

  test('one that a clock ahead of its time took does not stand for ever', () =>
    expect(withLease(held(5_000_000), lease('b', 100), 40)?.lease?.holder).toBe('b'));
});

test('expiredThrough is what a plain search finds, with any gaps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 40, maxLength: 40 }),
      fc.integer({ min: -5, max: 200 }),
      async (ids, steps, before) => {
        let at = 0;
        const rows = ids
          .sort((a, b) => a - b)
          .map((id, index) => ({ id, receivedAt: (at += steps[index] ?? 0) }));
        const oldest = rows[0]?.id ?? 0;
        const expected = rows.filter(({ receivedAt }) => receivedAt < before).at(-1)?.id ?? oldest - 1;
        const next = (id: number) => Promise.resolve(rows.find((row) => row.id >= id) ?? null);
        expect(await expiredThrough({ oldest, newest: rows.at(-1)?.id ?? 0 }, before, next)).toBe(expected);
      },
    ),
  );
});
