// The contract of PushPort, and what a registration does to it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NewEvidenceJob } from '../../common/core/evidence/port.ts';
import type { PushDelivered, PushLease } from '../../common/core/push/port.ts';
import type { SubscriptionRecord } from '../../common/core/subscription/port.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { filters, newEvent, range } from './samples.ts';

const PUSHED = filters({ pushUrl: 'https://c.example/push' });
const lease = (token: string, consumer = 'c', until = TEST_START + 15 * SECOND): PushLease => ({
  consumer,
  token,
  until,
});
const to = (cursor: number, over: Partial<PushDelivered> = {}): PushDelivered => ({
  pushed: true,
  cursor,
  jobs: [],
  receiptFaults: 0,
  lastReceiptFault: null,
  ...over,
});

export function pushJob(id: string, over: Partial<NewEvidenceJob> = {}): NewEvidenceJob {
  return {
    id,
    tenantCode: 'acme',
    eventId: 1,
    name: 'a.jpg',
    consumer: 'c',
    putUrl: `https://store.example/bucket/${id}`,
    access: `sealed:secret-${id}`,
    state: 'pending',
    lastError: null,
    ...over,
  };
}

export async function registered(bench: Bench, consumer = 'c'): Promise<SubscriptionRecord> {
  return (await bench.stores.subscriptions.register(consumer, PUSHED, 0, TEST_START, 'admin')).subscription;
}

export function pushContract(make: MakeHarness): void {
  describe('push: claims', () => claims(make));
  describe('push: outcomes', () => outcomes(make));
  describe('push: registrations', () => registrations(make));
}

function claims(make: MakeHarness): void {
  const bench = useStores(make);

  test('of twenty claims one holds, until its lease is over', async () => {
    const seen = await registered(bench);
    const claimed = await Promise.all(
      range(20, (i) => bench.stores.push.claim(seen, lease(`t${i}`), TEST_START)),
    );
    expect(claimed.filter(Boolean)).toHaveLength(1);
    expect(await bench.stores.push.claim(seen, lease('late'), TEST_START + 15 * SECOND - 1)).toBe(false);
    expect(
      await bench.stores.push.claim(seen, lease('late', 'c', TEST_START + HOUR), TEST_START + 15 * SECOND),
    ).toBe(true);
  });

  test('a renewed lease holds on, one that was lost cannot be renewed', async () => {
    const seen = await registered(bench);
    await bench.stores.push.claim(seen, lease('a'), TEST_START);
    expect(await bench.stores.push.renew(lease('a', 'c', TEST_START + 30 * SECOND))).toBe(true);
    expect(await bench.stores.push.renew(lease('b', 'c', TEST_START + 30 * SECOND))).toBe(false);
    expect(await bench.stores.push.claim(seen, lease('b'), TEST_START + 29 * SECOND)).toBe(false);
    expect(
      await bench.stores.push.claim(seen, lease('b', 'c', TEST_START + HOUR), TEST_START + 30 * SECOND),
    ).toBe(true);
    expect(await bench.stores.push.renew(lease('a', 'c', TEST_START + HOUR))).toBe(false);
  });

  test.each<[string, (seen: SubscriptionRecord) => SubscriptionRecord]>([
    ['at another position', (seen) => ({ ...seen, pushCursor: 1 })],
    ['with another filter', (seen) => ({ ...seen, eventTypes: ['a'] })],
    ['of another name', (seen) => ({ ...seen, consumer: 'd' })],
  ])('what was seen %s is not claimed', async (_, other) => {
    const seen = other(await registered(bench));
    expect(await bench.stores.push.claim(seen, lease('a', seen.consumer), TEST_START)).toBe(false);
  });

  test.each([filters(), { ...PUSHED, enabled: false }])(
    'one that is not to be pushed to is not claimed',
    async (quiet) => {
      const { subscription } = await bench.stores.subscriptions.register('c', quiet, 0, TEST_START, 'admin');
      expect(await bench.stores.push.claim(subscription, lease('a'), TEST_START)).toBe(false);
    },
  );

  test('after a failure it waits; a wall clock that fell back a day does not make it wait a day', async () => {
    const seen = await registered(bench);
    await bench.stores.push.claim(seen, lease('a'), TEST_START);
    await bench.stores.push.failed(lease('a'), 'no route', TEST_START + 600 * SECOND);
    expect(await bench.stores.push.claim(seen, lease('b'), TEST_START + 599 * SECOND)).toBe(false);
    expect(await bench.stores.push.claim(seen, lease('b'), TEST_START - 24 * HOUR)).toBe(true);
  });
}

function outcomes(make: MakeHarness): void {
  const bench = useStores(make);
  const fill = (count: number) =>
    bench.stores.events.ingest(
      range(count, (i) => newEvent(`k${i}`)),
      TEST_START,
    );
  const state = async () => (await bench.stores.push.states())[0];

  test('a delivery moves the push position, not the confirmed cursor, and clears the failures', async () => {
    await fill(5);
    const seen = await registered(bench);
    await bench.stores.push.claim(seen, lease('a'), TEST_START);
    expect(await bench.stores.push.failed(lease('a'), 'no route', TEST_START + 1)).toBe(true);
    expect(await state()).toEqual({
      consumer: 'c',
      failures: 1,
      nextAt: TEST_START + 1,
      lastError: 'no route',
      lastSuccessAt: null,
      receiptFaults: 0,
      lastReceiptFault: null,
    });
    await bench.stores.push.claim(seen, lease('b'), TEST_START + 1);
    bench.clock.advance(5);
    expect(
      await bench.stores.push.delivered(
        lease('b'),
        to(3, { receiptFaults: 2, lastReceiptFault: 'bad' }),
        bench.stamp(),
      ),
    ).toBe(true);
    expect(await bench.stores.subscriptions.get('c')).toEqual({ ...seen, pushCursor: 3 });
    const after = {
      consumer: 'c',
      failures: 0,
      lastError: null,
      lastSuccessAt: TEST_START + 5,
      receiptFaults: 2,
      lastReceiptFault: 'bad',
    };
    expect(await state()).toMatchObject(after);
    await bench.restart();
    expect(await state()).toMatchObject(after);
  });

  test('the position never falls, and passing over is no success', async () => {
    await fill(5);
    await bench.stores.push.claim(await registered(bench), lease('a'), TEST_START);
    await bench.stores.push.delivered(lease('a'), to(4, { pushed: false }), bench.stamp());
    const seen = await bench.stores.subscriptions.get('c');
    expect(seen?.pushCursor).toBe(4);
    expect(await state()).toMatchObject({ lastSuccessAt: null });
    if (!seen) return;
    await bench.stores.push.claim(seen, lease('b'), TEST_START);
    await bench.stores.push.delivered(lease('b'), to(2), bench.stamp());
    expect((await bench.stores.subscriptions.get('c'))?.pushCursor).toBe(4);
  });

  test('who does not hold the lease settles nothing', async () => {
    await fill(5);
    const seen = await registered(bench);
    await bench.stores.push.claim(seen, lease('a'), TEST_START);
    expect(
      await bench.stores.push.delivered(lease('b'), to(3, { jobs: [pushJob('j')] }), bench.stamp()),
    ).toBe(false);
    expect(await bench.stores.push.failed(lease('b'), 'x', TEST_START)).toBe(false);
    expect(await bench.stores.subscriptions.get('c')).toEqual(seen);
    expect(await bench.stores.evidenceJobs.list({ tenantCode: null }, null, 10)).toEqual([]);
    expect(await bench.stores.push.delivered(lease('a'), to(3), bench.stamp())).toBe(true);
    expect(await bench.stores.push.delivered(lease('a'), to(4), bench.stamp())).toBe(false);
  });

  test('jobs come with the position, and an audit entry without what opens the address', async () => {
    await fill(2);
    await bench.stores.push.claim(await registered(bench), lease('a'), TEST_START);
    const jobs = range(1_200, (i) => pushJob(`j${String(i).padStart(4, '0')}`));
    await bench.stores.push.delivered(lease('a'), to(2, { jobs }), bench.stamp());
    const listed = await bench.stores.evidenceJobs.list({ tenantCode: 'acme' }, null, 2_000);
    expect(listed.toReversed()).toEqual(
      jobs.map((job) => ({
        ...job,
        attempts: 0,
        nextAt: TEST_START,
        createdAt: TEST_START,
        settledAt: null,
      })),
    );
    const [entry] = await bench.stores.audit.list(
      { tenantCode: null, action: 'evidence.requested' },
      null,
      10,
    );
    expect(entry).toMatchObject({ actor: 'consumer:c', subject: 'subscription:c' });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });

  test('any order of claims, failures and deliveries: each position is left once, upwards', async () => {
    await fill(30);
    let round = 0;
    const step = fc.record({
      move: fc.integer({ min: 0, max: 9 }),
      fails: fc.boolean(),
      stale: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const consumer = `c${(round += 1)}`;
        let expected = (await registered(bench, consumer)).pushCursor;
        for (const [index, { move, fails, stale }] of steps.entries()) {
          const seen = await bench.stores.subscriptions.get(consumer);
          if (!seen) throw new Error('the subscription is gone');
          const mine = lease(`${index}`, consumer);
          expect(await bench.stores.push.claim(seen, mine, TEST_START)).toBe(true);
          const used = stale ? { ...mine, token: 'other' } : mine;
          const settled = fails
            ? await bench.stores.push.failed(used, 'x', TEST_START)
            : await bench.stores.push.delivered(used, to(seen.pushCursor + move), bench.stamp());
          expect(settled).toBe(!stale);
          if (!fails && !stale) expected += move;
          if (stale) await bench.stores.push.failed(mine, 'gave up', TEST_START);
          expect((await bench.stores.subscriptions.get(consumer))?.pushCursor).toBe(expected);
        }
      }),
      { numRuns: 15 },
    );
  });
}

function registrations(make: MakeHarness): void {
  const bench = useStores(make);

  test('another address ends the backoff and voids a push under way, and leaves the position', async () => {
    await bench.stores.events.ingest(
      range(5, (i) => newEvent(`k${i}`)),
      TEST_START,
    );
    const seen = await registered(bench);
    await bench.stores.push.claim(seen, lease('a'), TEST_START);
    await bench.stores.push.delivered(lease('a'), to(2), bench.stamp());
    const at2 = { ...seen, pushCursor: 2 };
    await bench.stores.push.claim(at2, lease('b'), TEST_START);
    await bench.stores.push.failed(lease('b'), 'no route', TEST_START + 600 * SECOND);
    await bench.stores.subscriptions.register('c', PUSHED, 0, TEST_START + 1, 'admin');
    expect((await bench.stores.push.states())[0]).toMatchObject({ failures: 1 });
    const { subscription } = await bench.stores.subscriptions.register(
      'c',
      { ...PUSHED, pushUrl: 'https://d.example/' },
      0,
      TEST_START + 2,
      'admin',
    );
    expect(subscription.pushCursor).toBe(2);
    expect((await bench.stores.push.states())[0]).toMatchObject({
      failures: 0,
      lastError: null,
      lastSuccessAt: TEST_START,
    });
    expect(await bench.stores.push.claim(subscription, lease('d'), TEST_START + 2)).toBe(true);
    await bench.stores.subscriptions.register('c', PUSHED, 0, TEST_START + 3, 'admin');
    expect(await bench.stores.push.delivered(lease('d'), to(5), bench.stamp())).toBe(false);
    expect((await bench.stores.subscriptions.get('c'))?.pushCursor).toBe(2);
  });
}
