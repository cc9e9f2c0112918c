// How far consumers are behind: each by its own tenant and filters, and never by reading the whole store.
import { expect, test } from 'vitest';
import type { EventPort, EventTally } from '../../common/core/event/port.ts';
import { UNFILTERED } from '../../common/core/subscription/decide.ts';
import { LAG_SCAN, withLags } from '../../common/core/subscription/lag.ts';
import type { SubscriptionRecord } from '../../common/core/subscription/port.ts';

const subscription = (more: Partial<SubscriptionRecord>): SubscriptionRecord => ({
  ...UNFILTERED,
  consumer: 'c',
  cursor: 0,
  pushCursor: 0,
  createdAt: 0,
  updatedAt: 0,
  ...more,
});

/** A store whose first events after any position are these, and what was asked of it. */
function storeOf(highWaterMark: number, tallies: EventTally[]) {
  const asked: [number, number][] = [];
  const events = {
    bounds: async () => ({ oldest: 1, highWaterMark }),
    tally: async (after: number, most: number) => {
      asked.push([after, most]);
      return tallies;
    },
  } as Pick<EventPort, 'bounds' | 'tally'> as EventPort;
  return { events, asked };
}

const of = (tenantCode: string, count: number, more: Partial<EventTally> = {}): EventTally => ({
  tenantCode,
  type: 'vehicle.intrusion',
  severity: 'high',
  isTest: false,
  count,
  ...more,
});

test.each<[string, Partial<SubscriptionRecord>, number]>([
  ['its tenant', { tenantCode: 'beta' }, 10],
  ['its types', { eventTypes: ['person.*'] }, 4],
  ['its least severity', { minSeverity: 'critical' }, 3],
  ['all of them', { tenantCode: 'acme', eventTypes: ['vehicle.intrusion'], minSeverity: 'medium' }, 83],
  ['nothing: every event', {}, 97],
])('a lag is counted by %s', async (_what, filter, lag) => {
  const { events } = storeOf(97, [
    of('acme', 80),
    of('acme', 3, { severity: 'critical' }),
    of('acme', 4, { type: 'person.fall' }),
    of('beta', 9, { severity: null }),
    of('beta', 1, { isTest: true }),
  ]);
  expect(await withLags(events, [subscription(filter)], null)).toMatchObject([{ lag, lagCapped: false }]);
});

test('of a long backlog the first events alone are looked at, which is said', async () => {
  const { events, asked } = storeOf(100_000, [of('acme', LAG_SCAN - 5), of('beta', 5)]);
  const all = [subscription({ tenantCode: 'beta' }), subscription({ tenantCode: 'beta', cursor: 100_000 })];
  expect(await withLags(events, all, null)).toMatchObject([
    { lag: 5, lagCapped: true },
    { lag: 0, lagCapped: false },
  ]);
  expect(asked).toEqual([[0, LAG_SCAN]]);
});

test('a tenant is shown its own subscriptions alone', async () => {
  const { events } = storeOf(5, [of('beta', 5)]);
  const all = [subscription({ consumer: 'every' }), subscription({ consumer: 'own', tenantCode: 'beta' })];
  expect(await withLags(events, all, 'beta')).toMatchObject([{ consumer: 'own', lag: 5 }]);
});
