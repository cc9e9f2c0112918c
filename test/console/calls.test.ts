// Being called on a telephone: a device is registered, a call comes by push and is taken by its button, the
// link of a mail has one page with one button, and the shell is there when the hub is not. The browser's own
// push service is played: headless Chromium has none and allows no notifications, so its subscription is put
// in, what came for it is handed to the service worker, and what that shows is kept.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { longTest } from '../support/long.ts';
import { PushService } from '../support/push-service.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';
import { openOwnHub, type OwnHub, type Visit } from './rig.ts';

const AUTHORITY = path.resolve(import.meta.dirname, '../support/tls/authority.pem');

let rig: OwnHub;
let push: PushService;
let key: SigningKey;
beforeAll(async () => {
  push = await new PushService().open();
  rig = await openOwnHub({ CORE_WEBHOOK_NETWORKS: '127.0.0.1/32', NODE_EXTRA_CA_CERTS: AUTHORITY });
  await rig.addUser('li');
  await rig.addUser('wang');
  const node = { tenant_code: 'acme', name: 'gate' };
  key = jsonOf(expectStatus(await rig.hub.api('POST', '/api/core/nodes', node), 201));
  const shifts = [
    { days: [1, 2, 3, 4, 5, 6, 7], begin: '00:00', end: '00:00', people: ['li', 'wang'], weekly: false },
  ];
  const rota = {
    tenant_code: 'acme',
    name: 'tunnel',
    zone: 'Asia/Shanghai',
    first_week: '2026-11-23',
    shifts,
  };
  expectStatus(await rig.hub.api('POST', '/api/core/duty/rotas', rota), 201);
});
afterAll(async () => {
  await rig.close();
  await push.close();
  expect(push.faults).toEqual([]);
});

async function fall(name: string): Promise<number> {
  const event = { idempotency_key: name, type: 'person.fall', severity: 'critical', camera_ref: name };
  const body = JSON.stringify({ events: [event] });
  const call = { url: rig.hub.url, key, method: 'POST', path: '/api/core/events', body, now: Date.now() };
  const { items } = jsonOf<{ items: { id: number }[] }>(expectStatus(await signedCall(call), 201));
  return items[0]?.id ?? 0;
}

/**
 * As if the person had allowed notifications and the browser's push service had answered: headless Chromium
 * has neither.
 */
async function subscribable(page: Page, device: string): Promise<void> {
  await page.addInitScript(`{
    const subscription = ${JSON.stringify(push.subscribe(device))};
    const bytes = (text) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer;
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = () => Promise.resolve('granted');
    const isOn = () => localStorage.getItem('test-push') !== null;
    const made = {
      endpoint: subscription.endpoint,
      options: { applicationServerKey: null },
      getKey: (name) => bytes(subscription.keys[name]),
      unsubscribe: () => Promise.resolve(localStorage.removeItem('test-push')).then(() => true),
    };
    PushManager.prototype.getSubscription = () => Promise.resolve(isOn() ? made : null);
    PushManager.prototype.subscribe = () => {
      localStorage.setItem('test-push', 'on');
      return Promise.resolve(made);
    };
  }`);
}

/** The service worker, with what it shows kept instead of shown. */
async function workerOf({ context, page }: Visit): Promise<Worker> {
  await until('the worker is there', async () =>
    page.evaluate<boolean>(
      'navigator.serviceWorker.ready.then(({ active }) => active.state === "activated")',
    ),
  );
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('there is no service worker');
  await worker.evaluate(`{
    self.shown = [];
    self.registration.showNotification = (title, options) => {
      self.shown.push({ title, ...options });
      return Promise.resolve();
    };
  }`);
  return worker;
}

interface Shown {
  title: string;
  tag: string;
  actions?: { action: string; title: string }[];
}
const shown = (worker: Worker): Promise<Shown[]> => worker.evaluate<Shown[]>('self.shown');

test('a device is registered and tried; a call comes, is taken by its button, and the page says so', async () => {
  const visit = await rig.visit({ worker: true, quick: true });
  const { page } = visit;
  await subscribable(page, 'phone');
  await visit.logInUnseen('li');
  await visit.open('/calls');
  await page.getByText('You are on duty').waitFor();
  await page.getByRole('button', { name: 'Take calls on this device' }).click();
  await page.getByText('This device takes your calls').waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('The push service took it (HTTP 201)').waitFor();
  expect(push.received.map(({ payload }) => payload.kind)).toEqual(['test']);

  const id = await fall('first');
  const [, call] = await push.receives(2);
  expect(call?.payload).toMatchObject({ kind: 'call', url: `/events/${id}` });
  const worker = await workerOf(visit);
  const data = JSON.stringify(JSON.stringify(call?.payload));
  await worker.evaluate(`void self.dispatchEvent(new PushEvent('push', { data: ${data} }))`);
  await until('the device shows it', async () => (await shown(worker)).length === 1);
  const [notice] = await shown(worker);
  expect(notice).toMatchObject({
    title: '【严重】人员摔倒',
    actions: [{ action: 'take', title: '我接手' }, {}],
  });
  await worker.evaluate(`{
    const event = new ExtendableEvent('notificationclick');
    const notification = { ...self.shown[0], close: () => undefined };
    self.dispatchEvent(Object.assign(event, { notification, action: 'take' }));
  }`);
  await until('the device says who has it', async () => (await shown(worker)).length === 2);
  expect((await shown(worker))[1]).toMatchObject({ title: 'li 已接手', tag: notice?.tag });
  await visit.open(`/events/${id}`);
  await page.getByText('li has taken it over', { exact: false }).first().waitFor();
  await page.getByText('The device of li showed the call').waitFor();
  visit.check();
});

test('the link of a message leads to one button, without a log-in', async () => {
  const before = push.received.length;
  const id = await fall('second');
  const call = (await push.receives(before + 1)).at(-1);
  const visit = await rig.visit({ locale: 'zh-CN', width: 390 });
  const { page } = visit;
  await visit.open(`/take#${String(call?.payload.token)}`);
  await page.getByText('【严重】人员摔倒').waitFor();
  await page.getByRole('button', { name: '我接手' }).click();
  await page.getByText('您已接手').waitFor();
  const other = await rig.enter('wang', `/events/${id}`);
  await other.page.getByText('li has taken it over', { exact: false }).first().waitFor();
  await visit.open('/take#not.valid');
  await page.reload();
  await page.getByText('链接无效或已过期').waitFor();
  visit.check();
});

test('an event of which nobody was called can be taken on its page', async () => {
  const { page } = await rig.enter('wang', `/events/${await fall('third')}`);
  await page.getByRole('button', { name: 'I take it' }).click();
  await page.getByText('wang has taken it over', { exact: false }).first().waitFor();
});

longTest('the choices are kept, and who logs out is called there no more', async () => {
  const visit = await rig.visit({ worker: true });
  const { page } = visit;
  await subscribable(page, 'tablet');
  await visit.logInUnseen('wang');
  await visit.open('/calls');
  await page.getByRole('button', { name: 'Take calls on this device' }).click();
  await page.getByText('This device takes your calls').waitFor();
  await page.getByLabel('Only when a rota calls me').check();
  await page.getByLabel('E-mail address').fill('wang@example.com');
  await page.getByText('No channel of the operators sends e-mail yet').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await page.reload();
  await page.getByLabel('E-mail address').waitFor();
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('wang@example.com');
  expect(await page.getByLabel('Only when a rota calls me').isChecked()).toBe(true);
  const devices = async (): Promise<number> => {
    const { items } = jsonOf<{ items: { name: string; reachable: boolean }[] }>(
      await rig.hub.api('GET', '/api/core/duty/people?tenant_code=acme'),
    );
    return items.filter(({ name, reachable }) => name === 'wang' && reachable).length;
  };
  expect(await devices()).toBe(1);
  await page.getByLabel('E-mail address').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  await page.getByRole('button', { name: 'wang' }).click();
  await page.getByText('Log out').click();
  await page.locator('input[autocomplete="username"]').waitFor();
  await until('nothing is sent there any more', async () => (await devices()) === 0);
});

longTest('a rota is made and changed in the console, and its gaps are shown', async () => {
  const { page } = await rig.enter('li', '/duty');
  await page.getByText('No gap within two weeks').waitFor();
  await page.getByRole('button', { name: 'New rota' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('bridge');
  await dialog.getByLabel('Of the operators').check();
  await dialog.getByLabel('People, in the order of calling').click();
  await page.getByTitle(/^li/).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const card = page.locator('.ant-card', { hasText: 'bridge' });
  await card.getByText('14 gaps within two weeks').or(card.getByText('15 gaps within two weeks')).waitFor();
  await card.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('To (not after “from”: next day)').fill('08:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('No gap within two weeks').waitFor();
});

longTest('while the hub is away the console opens all the same, and says so', async () => {
  const visit = await rig.visit({ worker: true, quick: true });
  const { page } = visit;
  await visit.logInUnseen('li');
  await visit.open('/calls');
  await page.getByText('You are on duty').waitFor();
  await workerOf(visit);
  await until('the shell is kept', () => page.evaluate<boolean>('caches.match("/").then(Boolean)'));
  await rig.hub.stop();
  await visit.open('/now');
  await page.getByText('Headquarters does not answer', { exact: false }).first().waitFor();
  await rig.hub.start();
  await page.getByRole('heading', { name: 'Now' }).waitFor();
});

test('a browser that its push service moves tells the hub, and is called at the new address alone', async () => {
  const visit = await rig.visit({ worker: true });
  const { page } = visit;
  await subscribable(page, 'moving');
  await visit.logInUnseen('wang');
  await visit.open('/calls');
  await page.getByRole('button', { name: 'Take calls on this device' }).click();
  await page.getByText('This device takes your calls').waitFor();
  const worker = await workerOf(visit);
  const own = async (): Promise<{ label: string; endpointHash: string }[]> =>
    page.evaluate(
      'fetch("/api/core/duty/me").then((answer) => answer.json()).then(({ devices }) => devices)',
    );
  const [before] = await own();
  await worker.evaluate(`{
    const subscription = ${JSON.stringify(push.subscribe('moved'))};
    self.dispatchEvent(Object.assign(new ExtendableEvent('pushsubscriptionchange'), {
      oldSubscription: { endpoint: ${JSON.stringify(`${push.url}/moving`)}, options: {} },
      newSubscription: { toJSON: () => subscription },
    }));
  }`);
  const hash = createHash('sha256').update(`${push.url}/moved`).digest('hex');
  await until('the hub knows the new address alone', async () => {
    const devices = await own();
    return devices.length === 1 && devices[0]?.endpointHash === hash;
  });
  expect((await own())[0]?.label).toBe(before?.label);
  visit.check();
});
