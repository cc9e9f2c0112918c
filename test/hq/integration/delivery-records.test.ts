// What headquarters keeps of deliveries, and shows of it (spec 1, "Delivery record").
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OddReceiver } from '../../support/odd-receiver.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import { type Delivery, type IntegrationRig, ncr, openIntegrationRig } from './rig.ts';

interface Listed {
  id: string;
  status: string;
  lastDay: { success: number; failed: number; pending: number };
  disabled: { at: string; by: string; reason: string | null } | null;
}
interface InFull extends Delivery {
  body: string | null;
  webhookName: string | null;
  made: {
    attempt: number;
    response_code: number | null;
    error: string | null;
    responseBody: string | null;
  }[];
}

let rig: IntegrationRig;
let receiver: OddReceiver;
beforeAll(async () => {
  receiver = await new OddReceiver().open();
  rig = await openIntegrationRig();
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

const call = (method: string, path: string, body?: object) =>
  rig.admin(method, `/api/integration${path}`, body);
const inFull = async (id: string): Promise<InFull> =>
  jsonOf<InFull>(expectStatus(await call('GET', `/deliveries/${id}`), 200));
const listed = async (tenant: string): Promise<Listed | undefined> =>
  jsonOf<{ items: Listed[] }>(expectStatus(await call('GET', `/webhooks?tenant_code=${tenant}`), 200))
    .items[0];
const tried =
  (times: number) =>
  ({ attempts, nextAttemptAt, lastAttemptAt, status }: Delivery): boolean =>
    attempts === times &&
    (status !== 'pending' || Date.parse(nextAttemptAt ?? '') > Date.parse(lastAttemptAt ?? ''));

test('each attempt is kept with what the receiver answered, beside the bytes that were sent', async () => {
  const { id } = await rig.webhook(`${receiver.url}/500`, { tenant_code: 'kept' });
  await rig.emit(ncr(1), 'kept');
  const first = await rig.delivery(id, tried(1));
  expectStatus(await call('PATCH', `/webhooks/${id}`, { callback_url: `${receiver.url}/201` }), 200);
  await rig.later(60_000);
  await rig.delivery(id, ({ status }) => status === 'success');
  const delivery = await inFull(first.id);
  expect(delivery).toMatchObject({ attempts: 2, status: 'success', webhookName: 'receiver' });
  expect(delivery.made).toMatchObject([
    { attempt: 1, response_code: 500, error: 'The receiver answered 500.' },
    { attempt: 2, response_code: 201, error: null },
  ]);
  expect(delivery.body).toBe(receiver.to('/201')[0]?.body);
});

test('deliveries are found by answer and by time, and read page by page without a gap', async () => {
  const { id } = await rig.webhook(`${receiver.url}/200`, { tenant_code: 'pages' });
  const before = new Date(rig.clock.now()).toISOString();
  for (let one = 0; one < 60; one += 1) await rig.emit(ncr(100 + one), 'pages');
  await rig.later(1_000);
  await rig.delivery(id, ({ status }) => status === 'success');
  const page = async (query: string) =>
    jsonOf<{ items: Delivery[]; nextCursor: string | null; hasMore: boolean }>(
      expectStatus(await call('GET', `/webhooks/${id}/deliveries?${query}`), 200),
    );
  const one = await page(`since=${before}`);
  expect([one.items.length, one.hasMore]).toEqual([50, true]);
  const two = await page(`since=${before}&cursor=${encodeURIComponent(String(one.nextCursor))}`);
  expect([two.items.length, two.hasMore, two.nextCursor]).toEqual([10, false, null]);
  expect(new Set([...one.items, ...two.items].map((row) => row.id)).size).toBe(60);
  expect((await page(`until=${before}`)).items).toEqual([]);
  expect((await page('response_code=500')).items).toEqual([]);
  expect((await page('response_code=200')).items.length).toBeGreaterThan(0);
  expectStatus(await call('GET', `/webhooks/${id}/deliveries?response_code=2`), 400);
});

test('the list counts the deliveries of the last day, and says why a webhook is disabled', async () => {
  const { id } = await rig.webhook(`${receiver.url}/202`, { tenant_code: 'told' });
  await rig.emit(ncr(2), 'told');
  await rig.delivery(id, ({ status }) => status === 'success');
  expect(await listed('told')).toMatchObject({
    lastDay: { success: 1, failed: 0, pending: 0 },
    disabled: null,
  });
  const asked = await call('PATCH', `/webhooks/${id}`, { reason: 'moves to another host' });
  expect(expectStatus(asked, 400).text).toContain('reason');
  const change = { status: 'disabled', reason: 'moves to another host' };
  expectStatus(await call('PATCH', `/webhooks/${id}`, change), 200);
  // Disabled again, it stays disabled since and because of the first time.
  expectStatus(await call('PATCH', `/webhooks/${id}`, { status: 'disabled', reason: 'again' }), 200);
  expect((await listed('told'))?.disabled).toMatchObject({
    reason: 'moves to another host',
    by: 'admin',
  });
  expectStatus(await call('PATCH', `/webhooks/${id}`, { status: 'enabled' }), 200);
  await rig.later(25 * 3_600_000);
  expect(await listed('told')).toMatchObject({ lastDay: { success: 0 }, disabled: null });
});
