// The two tabs of the integration in the console: callbacks with their deliveries, and clients (spec 1).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../support/long.ts';
import { OddReceiver } from '../support/odd-receiver.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';
import { type ConsoleRig, openConsoleRig, type Visit } from './rig.ts';

interface Webhook {
  id: string;
  name: string;
  status: string;
  callbackUrl: string;
  events: string;
  disabled: { reason: string | null } | null;
  previousSecretUntil: string | null;
}
interface Delivery {
  id: string;
  status: string;
  messageId: string;
}

let rig: ConsoleRig;
let receiver: OddReceiver;
beforeAll(async () => {
  receiver = await new OddReceiver().open();
  rig = await openConsoleRig();
  await rig.addUser('engineer');
  await rig.addUser('viewer', { role: 'operator', permissions: ['integration.view'] });
  await rig.addUser('customer', { role: 'customer', tenant_code: rig.tenant });
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

const call = (method: string, path: string, body?: object) =>
  rig.hub.api(method, `/api/integration${path}`, body);
const items = async <T>(path: string): Promise<T[]> =>
  jsonOf<{ items: T[] }>(expectStatus(await call('GET', path), 200)).items;
const webhookOf = async (name: string): Promise<Webhook | undefined> =>
  (await items<Webhook>('/webhooks')).find((one) => one.name === name);
const deliveriesOf = async (name: string): Promise<Delivery[]> =>
  items<Delivery>(`/webhooks/${(await webhookOf(name))?.id ?? ''}/deliveries`);
async function made(name: string, path: string, more: object = {}): Promise<Webhook> {
  const body = { tenant_code: rig.tenant, name, callback_url: `${receiver.url}${path}`, ...more };
  return jsonOf<Webhook>(expectStatus(await call('POST', '/webhooks', body), 201));
}

/** In the screen, logged in. */
const at = (path: string, user = 'engineer'): Promise<Visit> => rig.enter(user, path);

async function choose({ page }: Visit, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More: ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

longTest('a callback is created, its secret shown once, a test sent and its attempt seen', async () => {
  const visit = await at('/integration');
  const { page } = visit;
  await page.getByRole('button', { name: 'New callback' }).click();
  const dialog = page.getByRole('dialog');
  // A slip of the pen would make a tenant that nobody is.
  await dialog.getByLabel('Tenant').fill(`${rig.tenant}x`);
  await dialog.getByRole('alert').getByText(`No site has the tenant “${rig.tenant}x”`).waitFor();
  await dialog.getByLabel('Tenant').fill(rig.tenant);
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  await dialog.getByLabel('Name').fill('ERP of the builder');
  await dialog.getByLabel('Callback URL').fill('ftp://nowhere');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Must begin with http:// or https://').waitFor();
  await dialog.getByLabel('Callback URL').fill(`${receiver.url}/201`);
  await dialog.getByLabel('Subscribed events').click();
  await page.getByTitle('All events · all').click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/whsec_/).waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByText(/whsec_/).waitFor({ state: 'detached' });
  expect(await webhookOf('ERP of the builder')).toMatchObject({ status: 'enabled', events: 'all' });
  const row = page.getByRole('row', { name: /ERP of the builder/ });
  await row.getByText('All events').waitFor();
  await row.getByText('Not encrypted').waitFor();
  await row.getByRole('button', { name: 'Send a test' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('The receiver took it').waitFor();
  await drawer.getByText('HTTP 201').waitFor();
  await drawer.getByText(/"event": ?"webhook.test"/).waitFor();
  expect(new URL(page.url()).searchParams.get('delivery')).toBe(
    (await deliveriesOf('ERP of the builder'))[0]?.id,
  );
  visit.check();
});

longTest('deliveries are narrowed by state, code and time in the address, and sent again', async () => {
  const { id } = await made('refuses', '/500', { events: 'ncr.created' });
  expectStatus(await call('POST', `/webhooks/${id}/test`), 202);
  await until('it was refused', async () => {
    const [one] = await items<{ response_code: number }>(`/webhooks/${id}/deliveries`);
    return one?.response_code === 500;
  });
  const visit = await at(`/integration/webhooks/${id}?status=success`);
  const { page } = visit;
  await page.getByText('Nothing fits the filters').waitFor();
  await visit.open(`/integration/webhooks/${id}?code=500&since=2020-01-01T00:00:00Z`);
  await page.getByRole('cell', { name: 'HTTP 500' }).waitFor();
  await page.getByLabel('Status code').fill('404');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing fits the filters').waitFor();
  expect(new URL(page.url()).searchParams.get('code')).toBe('404');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('cell', { name: 'HTTP 500' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Attempt 1').waitFor();
  await drawer.getByText('The receiver answered 500.').first().waitFor();
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('tooltip').getByRole('button', { name: 'Send again' }).click();
  await page.getByText('It is on its way again').waitFor();
  const [again, first] = await deliveriesOf('refuses');
  expect(again?.messageId).toBe(first?.messageId);
  visit.check();
});

longTest(
  'a callback is edited, disabled with its reason, enabled, given a new secret, caught up and deleted',
  async () => {
    await made('changes', '/200', { events: 'hazard.major' });
    const visit = await at('/integration');
    const { page } = visit;
    const dialog = page.getByRole('dialog');
    await choose(visit, 'changes', 'Edit');
    await dialog.getByLabel('Name').fill('changed');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'changed', exact: true }).waitFor();
    await choose(visit, 'changed', 'Disable');
    await dialog.getByLabel('Why').fill('moves to another host');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('By engineer: moves to another host').waitFor();
    expect((await webhookOf('changed'))?.disabled?.reason).toBe('moves to another host');
    await choose(visit, 'changed', 'Enable');
    await page.getByText('moves to another host').waitFor({ state: 'detached' });
    await choose(visit, 'changed', 'New secret');
    await dialog.getByLabel('Signing secret').fill('a-secret-of-ours');
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect((await webhookOf('changed'))?.previousSecretUntil).not.toBeNull();
    await choose(visit, 'changed', 'Send what was missed');
    await dialog.getByRole('button', { name: 'Send what was missed' }).click();
    await page.getByText('0 are on their way').waitFor();
    await page.getByRole('heading', { name: 'changed' }).waitFor();
    await choose(visit, 'changed', 'Delete');
    await dialog.getByText('This cannot be undone.').waitFor();
    expect(await webhookOf('changed')).toBeDefined();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('tab', { name: 'Webhook callbacks' }).waitFor();
    expect(await webhookOf('changed')).toBeUndefined();
    visit.check();
  },
);

test('a client is created with a secret that works, renamed, given another, disabled, enabled and deleted', async () => {
  const visit = await at('/integration?tab=clients');
  const { page } = visit;
  const dialog = page.getByRole('dialog');
  const clientOf = async () =>
    (await items<{ client_id: string; name: string; status: string }>('/clients'))[0];
  const token = async (secret: string | null): Promise<number> => {
    const answer = await fetch(new URL('/open/v1/oauth/token', rig.hub.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Tenant-Code': rig.tenant },
      body: JSON.stringify({ client_id: (await clientOf())?.client_id, client_secret: secret }),
    });
    return answer.status;
  };
  const kept = async (): Promise<string | null> => {
    const secret = await dialog.locator('code').nth(1).textContent();
    const close = page.getByRole('button', { name: 'I have kept it' });
    await close.click();
    // Not the dialog: the one before it may be on its way out too.
    await close.waitFor({ state: 'detached' });
    return secret;
  };
  await page.getByRole('button', { name: 'New client' }).click();
  await dialog.getByLabel('Tenant').fill(rig.tenant);
  await dialog.getByLabel('Name').fill('reporting');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const first = await kept();
  expect(await token(first)).toBe(200);
  await choose(visit, 'reporting', 'Edit');
  await dialog.getByLabel('Name').fill('reports');
  await dialog.getByLabel('What it opens').fill('policy');
  await page.getByTitle('Search the policy library').click();
  // The list of choices lies over the buttons until another place is pressed.
  await dialog.getByText('Edit the client').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('reports', { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'Search the policy library' }).waitFor();
  await choose(visit, 'reports', 'New secret');
  await dialog.getByRole('button', { name: 'New secret' }).click();
  const second = await kept();
  expect([first === second, await token(second)]).toEqual([false, 200]);
  await page.getByRole('cell', { name: 'Never' }).waitFor({ state: 'detached' });
  for (let tries = 0; tries < 10; tries += 1) await token('wrong');
  expect(await token(second)).toBe(429);
  await page.getByText('Too many wrong secrets from 127.0.0.1').waitFor();
  await choose(visit, 'reports', 'Lift the refusal');
  await page.getByText('Lifted').waitFor();
  expect(await token(second)).toBe(200);
  await choose(visit, 'reports', 'Disable');
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('cell', { name: 'Disabled' }).waitFor();
  expect([(await clientOf())?.status, await token(second)]).toEqual(['disabled', 403]);
  await choose(visit, 'reports', 'Enable');
  await page.getByRole('cell', { name: 'Enabled' }).waitFor();
  await choose(visit, 'reports', 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No client yet').waitFor();
  expect(await clientOf()).toBeUndefined();
  visit.check();
});

longTest('who may only look sees both tabs and no control; a customer sees neither', async () => {
  await made('looked at', '/200');
  const visit = await at('/integration', 'viewer');
  const { page } = visit;
  await page.getByRole('link', { name: 'looked at' }).waitFor();
  const controls = page.locator('#content').getByRole('button', { name: /New|Send a test|More/ });
  expect(await controls.count()).toBe(0);
  await page.getByRole('link', { name: 'looked at' }).click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  expect(await controls.count()).toBe(0);
  await visit.open('/integration?tab=clients');
  await page.getByRole('tab', { name: 'Open-interface clients', selected: true }).waitFor();
  expect(await controls.count()).toBe(0);
  visit.check();
  const other = await at('/integration', 'customer');
  await other.page.getByText('You may not see this page').waitFor();
  expect(await other.page.getByRole('menuitem', { name: 'Integration' }).count()).toBe(0);
  other.check();
});

test('names that are markup, long or right to left are text, and break no layout', async () => {
  const names = ['<img src=x onerror=alert(1)>', `${'长'.repeat(60)}😀`, 'شركة البناء \u202e evil'];
  for (const name of names) await made(name, `/200?${'q'.repeat(300)}`);
  const visit = await rig.enter('engineer', '/integration', { width: 390 });
  for (const name of names)
    expect(await visit.page.getByRole('link', { name }).first().textContent()).toBe(name);
  expect(
    await visit.page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
  ).toBe(false);
  visit.check();
});
