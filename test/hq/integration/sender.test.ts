// Deliveries whose sender died, was overtaken or could not send, and what the hub says of those that nobody
// sends: on its database, with senders that the test runs by hand.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { createHttpClient } from '../../../hq/http-client.ts';
import { LastUse } from '../../../hq/integration/client/last-use.ts';
import { createDeliveryPost } from '../../../hq/integration/post.ts';
import type { AttemptResult, DeliveryRecord, SettleDelivery } from '../../../hq/integration/record.ts';
import { DeliverySender, LEASE_MS } from '../../../hq/integration/sender.ts';
import { emitBusinessEvent } from '../../../hq/integration/store/business-event.ts';
import { IntegrationUpkeep } from '../../../hq/integration/upkeep.ts';
import { Database } from '../../../hq/store/engine/database.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { TestClock } from '../../support/clock.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import { OddReceiver } from '../../support/odd-receiver.ts';
import { createHubDatabase, type TestDatabase } from '../../support/postgres.ts';
import { replaced } from '../../support/replaced.ts';
import { ncr } from './rig.ts';

const MINUTE = 60_000;
const TAKEN: AttemptResult = {
  responseCode: 200,
  responseBody: '',
  error: null,
  told: null,
  retryAfterMs: null,
};

let store: HubStore;
let clock: TestClock;
let upkeep: IntegrationUpkeep;
let sender: DeliverySender;
let postgres: TestDatabase;
const by = () => ({ actor: 'test', now: clock.now(), newId: () => clock.newId() });

beforeAll(async () => {
  clock = new TestClock();
  postgres = await createHubDatabase();
  store = await openHubStore({ url: postgres.url, clock, log: silentLogger() });
});
beforeEach(async () => {
  await store.pool.query('truncate webhooks, webhook_deliveries, webhook_attempts, business_events, alarms');
  const { queue, tokens, clients, signal } = store.integration;
  const common = { queue, alarms: store.alarms, clock, log: silentLogger(), instance: 'hq' };
  upkeep = new IntegrationUpkeep({ ...common, tokens, use: new LastUse(clients), keepDays: 30 });
  sender = new DeliverySender({ ...common, signal, post: () => Promise.resolve(TAKEN) });
});
afterAll(async () => {
  await store.close();
  await postgres.drop();
});

async function webhook(more: { url?: string; secretRef?: string } = {}): Promise<string> {
  const id = clock.newId();
  await store.integration.webhooks.create(
    {
      tenantCode: 'acme',
      id,
      name: 'erp',
      url: 'http://127.0.0.1:1/',
      events: 'all',
      status: 'enabled',
      secretRef: 'x',
      previousRef: null,
      previousUntil: null,
      failures: 0,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      disabledAt: null,
      disabledBy: null,
      disabledReason: null,
      ...more,
    },
    by(),
  );
  return id;
}

async function emit(id: number): Promise<void> {
  const database = new Database({
    url: String(store.pool.options.connectionString),
    log: silentLogger(),
    poolSize: 1,
  });
  await database.transaction((tx) =>
    emitBusinessEvent(tx, {
      tenantCode: 'acme',
      event: ncr(id),
      at: clock.now(),
      newId: () => clock.newId(),
    }),
  );
  await database.close();
}

async function send(): Promise<void> {
  await sender.round();
  await sender.settled();
}

const alarms = async () =>
  (await store.alarms.list({ tenantCode: null, includeCleared: false }, 10)).map(
    ({ key, severity, tenantCode, message }) => ({ key, severity, tenantCode, message }),
  );
const latest = async (id: string): Promise<DeliveryRecord | undefined> =>
  (
    await store.integration.deliveries.ofWebhook({ tenantCode: 'acme', id }, {}, { after: null, limit: 1 })
  )[0];
/** A process takes what is due and dies of it, as often as is said. */
async function die(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expect(
      (await store.integration.queue.claim(clock.now(), clock.newId(), LEASE_MS, 10)).claimed,
    ).toHaveLength(1);
    clock.advance(LEASE_MS);
  }
}

test('deliveries that are due for more than a minute and that nobody sends are an alarm, until they are sent', async () => {
  const id = await webhook();
  await emit(1);
  clock.advance(MINUTE);
  await upkeep.round();
  expect(await alarms()).toEqual([]);
  clock.advance(1);
  await upkeep.round();
  expect(await alarms()).toEqual([
    {
      key: 'webhook.deliveries_overdue',
      severity: 'critical',
      tenantCode: null,
      message: expect.stringMatching(/^1 webhook deliveries have been due/) as string,
    },
  ]);
  await send();
  await upkeep.round();
  expect([await latest(id), await alarms()]).toEqual([
    expect.objectContaining({ status: 'success', attempts: 1 }),
    [],
  ]);
});

test('one that is under way, or waits for its next attempt, is not overdue', async () => {
  await webhook();
  await emit(1);
  await store.integration.queue.claim(clock.now(), clock.newId(), 10 * MINUTE, 10);
  clock.advance(5 * MINUTE);
  await upkeep.round();
  expect(await alarms()).toEqual([]);
});

describe('a delivery whose sender dies', () => {
  test('is taken up again and says so', async () => {
    const id = await webhook();
    await emit(1);
    await die(4);
    await upkeep.round();
    expect([await alarms(), (await latest(id))?.status]).toEqual([[], 'pending']);
    await send();
    expect(await latest(id)).toMatchObject({ status: 'success', attempts: 5, responseCode: 200 });
  });

  test('at the fifth attempt has failed, with an alarm that asks for a person; nobody sends it a sixth time', async () => {
    const id = await webhook();
    await emit(1);
    await die(5);
    await send();
    expect((await latest(id))?.attempts).toBe(5);
    await upkeep.round();
    expect(await latest(id)).toMatchObject({
      status: 'failed',
      attempts: 5,
      responseCode: null,
      lastError: 'The process that sent it for the last time ended before it knew the answer.',
    });
    expect(await alarms()).toEqual([
      {
        key: `webhook.failing:${id}`,
        severity: 'warning',
        tenantCode: 'acme',
        message: expect.stringMatching(/for the fifth time ended before it knew the answer/) as string,
      },
    ]);
  });
});

test('a delivery that is given up is an alarm, even if its process ends before the record', async () => {
  const id = await webhook();
  await emit(1);
  await die(4);
  const { queue, signal } = store.integration;
  const refused: AttemptResult = {
    responseCode: 500,
    responseBody: '',
    error: 'The receiver answered 500.',
    told: { code: 'delivery_answered', params: { status: 500 } },
    retryAfterMs: null,
  };
  sender = new DeliverySender({
    queue: replaced(queue, { settle: () => Promise.reject(new Error('the process ends')) }),
    signal,
    alarms: store.alarms,
    clock,
    log: silentLogger(),
    instance: 'hq',
    post: () => Promise.resolve(refused),
  });
  await send();
  expect(await alarms()).toEqual([
    {
      key: `webhook.failing:${id}`,
      severity: 'warning',
      tenantCode: 'acme',
      message: expect.stringMatching(/did not accept a delivery in five attempts/) as string,
    },
  ]);
});

describe('an answer that comes too late', () => {
  const answered = (
    taken: Pick<SettleDelivery, 'tenantCode' | 'id' | 'webhookId' | 'claim'>,
    code: number,
  ): SettleDelivery => ({
    tenantCode: taken.tenantCode,
    id: taken.id,
    webhookId: taken.webhookId,
    claim: taken.claim,
    status: code === 200 ? 'success' : 'pending',
    responseCode: code,
    responseBody: '',
    lastError: null,
    told: null,
    nextAt: clock.now(),
    at: clock.now(),
    unsent: false,
  });
  const take = async () =>
    (await store.integration.queue.claim(clock.now(), clock.newId(), LEASE_MS, 10)).claimed[0] as Parameters<
      typeof answered
    >[0];

  test('after another process took the delivery up, is not recorded', async () => {
    const id = await webhook();
    await emit(1);
    const late = await take();
    clock.advance(LEASE_MS);
    const second = await take();
    expect(await store.integration.queue.settle(answered(late, 500))).toBe(false);
    expect(await latest(id)).toMatchObject({ status: 'pending', attempts: 2, responseCode: null });
    expect(await store.integration.queue.settle(answered(second, 200))).toBe(true);
    expect(await latest(id)).toMatchObject({ status: 'success', attempts: 2, responseCode: 200 });
  });

  test('after the webhook was disabled, is noted, and the delivery stays failed', async () => {
    const id = await webhook();
    await emit(1);
    const taken = await take();
    await store.integration.webhooks.change(id, { status: 'disabled' }, by());
    expect(await store.integration.queue.settle(answered(taken, 200))).toBe(false);
    expect(await latest(id)).toMatchObject({
      status: 'failed',
      responseCode: 200,
      lastError:
        'The webhook was disabled while this delivery waited. The attempt that was under way then was ' +
        'taken by the receiver.',
      lastErrorTold: ['delivery_webhook_disabled', 'delivery_then_taken'].map((code) => ({
        code,
        params: {},
      })),
    });
  });
});

test('a hub that cannot read the signing secret uses up no attempt, says so, and sends when it can', async () => {
  const peer = await new HttpPeer().open();
  const env: Record<string, string> = {};
  const client = createHttpClient(null, { keepAlive: false });
  const { queue, signal } = store.integration;
  sender = new DeliverySender({
    queue,
    signal,
    alarms: store.alarms,
    clock,
    log: silentLogger(),
    instance: 'hq',
    post: createDeliveryPost({ client, secrets: { env }, clock, version: '1.0.0' }),
  });
  const id = await webhook({ url: peer.url, secretRef: 'env:HOOK_SECRET' });
  await emit(1);
  for (let round = 0; round < 7; round += 1) {
    await send();
    clock.advance(MINUTE);
  }
  expect(await latest(id)).toMatchObject({
    status: 'pending',
    attempts: 0,
    responseCode: null,
    lastError: expect.stringMatching(/^Nothing was sent: .*HOOK_SECRET/) as string,
  });
  expect(await alarms()).toEqual([
    {
      key: `webhook.failing:${id}`,
      severity: 'critical',
      tenantCode: 'acme',
      message: expect.stringMatching(/cannot read its signing secret/) as string,
    },
  ]);
  env.HOOK_SECRET = 'a-secret-of-ours';
  await send();
  await upkeep.round();
  expect([await latest(id), peer.heard.length, await alarms()]).toEqual([
    expect.objectContaining({ status: 'success', attempts: 1 }),
    1,
    [],
  ]);
  client.close();
  await peer.close();
});

test.each<[string, object]>([
  [
    'hang',
    {
      status: 'pending',
      responseCode: null,
      lastError: 'no answer within 200 ms; check the network and the firewall',
    },
  ],
  // Its head has said that the event is taken.
  ['drip', { status: 'success', responseCode: 200, lastError: null }],
])(
  'a receiver with the manner "%s" is waited for no longer when its time is over',
  async (manner, outcome) => {
    const receiver = await new OddReceiver().open();
    const client = createHttpClient(null, { keepAlive: false });
    const { queue, signal } = store.integration;
    sender = new DeliverySender({
      queue,
      signal,
      alarms: store.alarms,
      clock,
      log: silentLogger(),
      instance: 'hq',
      post: createDeliveryPost({
        client,
        secrets: { env: { HOOK_SECRET: 'a-secret-of-ours' } },
        clock,
        version: '1.0.0',
        attemptMs: 200,
      }),
    });
    const id = await webhook({ url: `${receiver.url}/${manner}`, secretRef: 'env:HOOK_SECRET' });
    await emit(1);
    await send();
    expect(await latest(id)).toMatchObject({ attempts: 1, ...outcome });
    client.close();
    await receiver.close();
  },
);

describe('the alarm of a webhook that failed is cleared', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'when it takes a delivery again',
      async () => {
        clock.advance(1);
        await emit(2);
        await send();
      },
    ],
    ['when it is disabled', (id) => store.integration.webhooks.change(id, { status: 'disabled' }, by())],
    ['when it is deleted', (id) => store.integration.webhooks.remove(id, by())],
  ])('%s', async (_when, deal) => {
    const id = await webhook();
    await emit(1);
    await die(5);
    await upkeep.round();
    await upkeep.round();
    expect(await alarms()).toHaveLength(1);
    // Another process of headquarters, of another name, has told it too.
    await store.alarms.raise(
      {
        key: `webhook.failing:${id}`,
        instance: 'hq-b',
        tenantCode: 'acme',
        severity: 'warning',
        message: 'told elsewhere',
      },
      clock.now(),
    );
    await deal(id);
    await upkeep.round();
    expect(await alarms()).toEqual([]);
  });
});
