// The contract of SubscriptionPort.
import { describe, expect, test } from 'vitest';
import { TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { filters, newEvent, range } from './samples.ts';

export function subscriptionContract(make: MakeHarness): void {
  describe('subscriptions: register', () => register(make));
  describe('subscriptions: ack', () => ack(make));
}

function register(make: MakeHarness): void {
  const bench = useStores(make);
  const fill = (count: number, from = 0) =>
    bench.stores.events.ingest(
      range(count, (i) => newEvent(`k${from + i}`)),
      TEST_START,
    );
  const head = async () => (await bench.stores.events.bounds()).highWaterMark;

  test('keeps every filter', async () => {
    const all = filters({
      tenantCode: 'acme',
      eventTypes: ['vehicle.*', 'person.fall'],
      minSeverity: 'medium',
      pushUrl: 'https://c.example/push',
      secretRef: 'push',
      enabled: false,
    });
    const { subscription, created } = await bench.stores.subscriptions.register(
      'c',
      all,
      0,
      TEST_START,
      'admin',
    );
    expect(created).toBe(true);
    expect(subscription).toEqual({
      ...all,
      consumer: 'c',
      cursor: 0,
      pushCursor: 0,
      createdAt: TEST_START,
      updatedAt: TEST_START,
    });
    expect(await bench.stores.subscriptions.get('c')).toEqual(subscription);
  });

  test('null starts at the newest event of that moment', async () => {
    await fill(3);
    const { subscription } = await bench.stores.subscriptions.register(
      'c',
      filters(),
      null,
      TEST_START,
      'admin',
    );
    expect(subscription).toMatchObject({ cursor: await head(), pushCursor: await head() });
    await fill(2, 3);
    expect((await bench.stores.subscriptions.get('c'))?.cursor).toBe((await head()) - 2);
  });

  test('null in an empty store starts before the first event', async () => {
    const { subscription } = await bench.stores.subscriptions.register(
      'c',
      filters(),
      null,
      TEST_START,
      'admin',
    );
    expect(subscription.cursor).toBe(0);
  });

  test('zero replays everything, and any other start stands as given', async () => {
    await fill(3);
    expect(
      (await bench.stores.subscriptions.register('all', filters(), 0, TEST_START, 'admin')).subscription
        .cursor,
    ).toBe(0);
    expect(
      (await bench.stores.subscriptions.register('some', filters(), 2, TEST_START, 'admin')).subscription
        .cursor,
    ).toBe(2);
  });

  test('again it changes the filters and the time, never a cursor or the beginning', async () => {
    await fill(5);
    await bench.stores.subscriptions.register(
      'c',
      filters({ tenantCode: 'acme', eventTypes: ['a'] }),
      1,
      TEST_START,
      'admin',
    );
    await bench.stores.subscriptions.ack('c', 3, TEST_START);
    const before = await bench.stores.subscriptions.get('c');
    for (const [index, start] of [0, null, 5].entries()) {
      const now = TEST_START + index + 1;
      const changed = filters({ minSeverity: 'critical', enabled: index % 2 === 0 });
      const { subscription, created } = await bench.stores.subscriptions.register(
        'c',
        changed,
        start,
        now,
        'admin',
      );
      expect(created).toBe(false);
      expect(subscription).toEqual({ ...before, ...changed, updatedAt: now });
      expect(await bench.stores.subscriptions.get('c')).toEqual(subscription);
    }
  });

  test('again it leaves what it does not name, and takes away what is null', async () => {
    const { subscriptions } = bench.stores;
    const all = filters({ tenantCode: 'acme', minSeverity: 'high', pushUrl: 'https://c.example/push' });
    await subscriptions.register('c', all, 0, TEST_START, 'admin');
    const paused = await subscriptions.register('c', { enabled: false }, null, TEST_START + 1, 'admin');
    expect(paused.subscription).toMatchObject({ ...all, enabled: false });
    const changed = await subscriptions.change('c', { minSeverity: null }, TEST_START + 2, 'admin');
    expect(changed).toEqual({ ...paused.subscription, minSeverity: null, updatedAt: TEST_START + 2 });
    expect(await subscriptions.get('c')).toEqual(changed);
    expect(await subscriptions.change('nobody', { enabled: true }, TEST_START, 'admin')).toBeNull();
    expect(await subscriptions.register('d', {}, 0, TEST_START, 'admin')).toMatchObject({
      subscription: filters(),
      created: true,
    });
  });

  test('is undone by removing: what comes after begins anew, and the audit has it', async () => {
    const { subscriptions, push } = bench.stores;
    await fill(3);
    const pushed = filters({ tenantCode: 'acme', pushUrl: 'https://c.example/push' });
    const { subscription } = await subscriptions.register('c', pushed, 0, TEST_START, 'admin');
    const lease = { consumer: 'c', token: 'one', until: TEST_START + 60_000 };
    expect(await push.claim(subscription, lease, TEST_START)).toBe(true);
    expect([await subscriptions.remove('c', TEST_START + 1, 'admin'), await subscriptions.get('c')]).toEqual([
      true,
      null,
    ]);
    expect(await subscriptions.remove('c', TEST_START + 2, 'admin')).toBe(false);
    expect([await push.failed(lease, 'x', TEST_START), await push.states()]).toEqual([false, []]);
    const { created } = await subscriptions.register('c', {}, null, TEST_START + 3, 'admin');
    expect([created, (await subscriptions.get('c'))?.cursor]).toEqual([true, await head()]);
    const entries = await bench.stores.audit.list({ tenantCode: 'acme' }, null, 10);
    expect(entries.map(({ action }) => action)).toEqual(['subscription.removed', 'subscription.registered']);
  });

  test('twenty registrations of one name: one creates', async () => {
    await fill(3);
    const outcomes = await Promise.all(
      range(20, (i) => bench.stores.subscriptions.register('c', filters(), i % 3, TEST_START, 'admin')),
    );
    expect(outcomes.filter((outcome) => outcome.created)).toHaveLength(1);
    const winner = outcomes.find((outcome) => outcome.created);
    expect((await bench.stores.subscriptions.get('c'))?.cursor).toBe(winner?.subscription.cursor);
    expect(await bench.stores.subscriptions.list()).toHaveLength(1);
  });

  test('is audited with who did it, and with the records before and after', async () => {
    const first = await bench.stores.subscriptions.register(
      'c',
      filters({ tenantCode: 'acme' }),
      null,
      TEST_START,
      'user:wu',
    );
    const second = await bench.stores.subscriptions.register(
      'c',
      filters({ tenantCode: 'acme', enabled: false }),
      null,
      TEST_START + 1,
      'user:xi',
    );
    const entries = await bench.stores.audit.list({ tenantCode: null, subject: 'subscription:c' }, null, 10);
    expect(entries).toMatchObject([
      {
        at: TEST_START + 1,
        actor: 'user:xi',
        action: 'subscription.changed',
        tenantCode: 'acme',
        before: first.subscription,
        after: second.subscription,
      },
      {
        at: TEST_START,
        actor: 'user:wu',
        action: 'subscription.registered',
        tenantCode: 'acme',
        before: null,
        after: first.subscription,
      },
    ]);
  });

  test('a name that is not registered is null, and the list holds all', async () => {
    expect(await bench.stores.subscriptions.get('c')).toBeNull();
    expect(await bench.stores.subscriptions.list()).toEqual([]);
    for (const name of ['b', 'a', 'C'])
      await bench.stores.subscriptions.register(name, filters(), 0, TEST_START, 'admin');
    expect((await bench.stores.subscriptions.list()).map((one) => one.consumer).sort()).toEqual([
      'C',
      'a',
      'b',
    ]);
    expect(await bench.stores.subscriptions.get('c')).toBeNull();
  });

  test('outlives a restart', async () => {
    await fill(3);
    await bench.stores.subscriptions.register('c', filters({ eventTypes: ['*'] }), 1, TEST_START, 'admin');
    await bench.stores.subscriptions.ack('c', 2, TEST_START + 1);
    const before = await bench.stores.subscriptions.get('c');
    await bench.restart();
    expect(await bench.stores.subscriptions.get('c')).toEqual(before);
    expect(before?.cursor).toBe(2);
  });
}

function ack(make: MakeHarness): void {
  const bench = useStores(make);
  const start = async () => {
    await bench.stores.events.ingest(
      range(5, (i) => newEvent(`k${i}`)),
      TEST_START,
    );
    await bench.stores.subscriptions.register('c', filters(), 0, TEST_START, 'admin');
  };

  test('moves the cursor up and leaves the push position', async () => {
    await start();
    expect(await bench.stores.subscriptions.ack('c', 3, TEST_START + 1)).toEqual({
      kind: 'acked',
      cursor: 3,
      moved: true,
    });
    expect(await bench.stores.subscriptions.get('c')).toMatchObject({
      cursor: 3,
      pushCursor: 0,
      createdAt: TEST_START,
    });
  });

  test('never moves it down, and the same again does not move it', async () => {
    await start();
    await bench.stores.subscriptions.ack('c', 3, TEST_START);
    for (const cursor of [0, 2, 3]) {
      expect(await bench.stores.subscriptions.ack('c', cursor, TEST_START)).toEqual({
        kind: 'acked',
        cursor: 3,
        moved: false,
      });
    }
    expect((await bench.stores.subscriptions.get('c'))?.cursor).toBe(3);
  });

  test('goes up to the newest event and not beyond', async () => {
    await start();
    expect(await bench.stores.subscriptions.ack('c', 6, TEST_START)).toEqual({ kind: 'ahead', head: 5 });
    expect((await bench.stores.subscriptions.get('c'))?.cursor).toBe(0);
    expect(await bench.stores.subscriptions.ack('c', 5, TEST_START)).toEqual({
      kind: 'acked',
      cursor: 5,
      moved: true,
    });
  });

  test(
    'in the place of the consumer is audited with the cursors, and only when it moves; by the consumer ' +
      'it is not',
    async () => {
      await bench.stores.events.ingest(
        range(5, (i) => newEvent(`k${i}`)),
        TEST_START,
      );
      await bench.stores.subscriptions.register('c', filters({ tenantCode: 'acme' }), 0, TEST_START, 'admin');
      await bench.stores.subscriptions.ack('c', 2, TEST_START + 1);
      for (const cursor of [4, 4, 3, 9])
        await bench.stores.subscriptions.ack('c', cursor, TEST_START + 2, 'user:wu from 10.0.0.7');
      expect(
        await bench.stores.audit.list({ tenantCode: null, action: 'subscription.acknowledged' }, null, 10),
      ).toMatchObject([
        {
          at: TEST_START + 2,
          actor: 'user:wu from 10.0.0.7',
          subject: 'subscription:c',
          tenantCode: 'acme',
          before: { cursor: 2 },
          after: { cursor: 4 },
        },
      ]);
    },
  );

  test('of a name that is not registered is refused', async () => {
    expect(await bench.stores.subscriptions.ack('c', 0, TEST_START)).toEqual({ kind: 'no_subscription' });
  });

  test('twenty at once end at the highest', async () => {
    await start();
    const outcomes = await Promise.all(
      range(20, (i) => bench.stores.subscriptions.ack('c', (i * 7) % 6, TEST_START)),
    );
    for (const outcome of outcomes) expect(outcome.kind).toBe('acked');
    expect((await bench.stores.subscriptions.get('c'))?.cursor).toBe(5);
  });

  test('moves one consumer only', async () => {
    await start();
    await bench.stores.subscriptions.register('d', filters(), 0, TEST_START, 'admin');
    await bench.stores.subscriptions.ack('d', 4, TEST_START);
    expect((await bench.stores.subscriptions.get('c'))?.cursor).toBe(0);
  });
}
