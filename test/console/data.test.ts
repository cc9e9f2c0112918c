// Data in the console: sources of datasets with what they lag behind, and consumers of events (spec 1).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatasetSource } from '../support/dataset-source.ts';
import { longTest } from '../support/long.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';
import { type ConsoleRig, openConsoleRig, type Visit } from './rig.ts';

interface Source {
  enabled: boolean;
  running: boolean;
  datasets: { dataset: string; mode: string; rowsTotal: number; completedAt: string | null }[];
}

const HOSTILE = '<img src=x onerror=alert(1)> شركة \u202e evil 😀';

let rig: ConsoleRig;
let peer: DatasetSource;
let id: string;
beforeAll(async () => {
  peer = await new DatasetSource({
    projects: { code: 'string', name: 'string' },
    ncrs: { title: 'string' },
  }).open();
  peer.put('projects', 1, { code: 'P1', name: 'Metro line 8' });
  peer.put('ncrs', 1, { title: 'crack' });
  rig = await openConsoleRig();
  await rig.addUser('engineer');
  await rig.addUser('viewer', {
    role: 'operator',
    permissions: ['integration.view', 'subscriptions.view'],
  });
  await rig.addUser('customer', { role: 'customer', tenant_code: rig.tenant });
  await rig.addUser('stranger', { role: 'customer', tenant_code: rig.other });
  id = await registered('ERP of the builder', peer.url);
  await until('the first pull is over', async () =>
    (await shown()).datasets.every(({ completedAt }) => completedAt !== null),
  );
});
afterAll(async () => {
  await rig.close();
  await peer.close();
});

/** @returns the id of the source */
async function registered(name: string, url: string): Promise<string> {
  const secret = { tenant_code: rig.tenant, use: 'dataset', host: new URL(url).host, secret: 'x' };
  expectStatus(await rig.hub.api('PUT', '/api/core/secrets/erp', secret), 200, 201);
  const body = {
    tenant_code: rig.tenant,
    name,
    base_url: url,
    key_id: 'k',
    secret_ref: 'erp',
    schedule: '0 3 * * *',
    datasets: [{ dataset: 'projects' }, { dataset: 'ncrs' }],
  };
  const made = expectStatus(await rig.hub.api('POST', '/api/dataset/sources', body), 201);
  return jsonOf<{ id: string }>(made).id;
}

const shown = async (): Promise<Source> =>
  jsonOf<Source>(expectStatus(await rig.hub.api('GET', `/api/dataset/sources/${id}`), 200));
const rowsOf = async (dataset: string): Promise<number | undefined> =>
  (await shown()).datasets.find((one) => one.dataset === dataset)?.rowsTotal;
async function subscribe(consumer: string, tenant_code: string): Promise<void> {
  const body = { consumer, tenant_code, start_cursor: 0 };
  expectStatus(await rig.hub.api('POST', '/api/core/events/subscribe', body), 200, 201);
}

const at = (user: string, width: 1366 | 390 = 1366): Promise<Visit> => rig.enter(user, '/data', { width });

const controls = ({ page }: Visit) =>
  page.locator('#content').getByRole('button', { name: /Sync now|Recompute|Pause|Resume|Accept/ });

longTest('a source is shown with its datasets, pulled at once, read again, paused and resumed', async () => {
  const visit = await at('engineer');
  const { page } = visit;
  await page.getByText('ERP of the builder', { exact: true }).waitFor();
  const row = page.getByRole('row', { name: /ncrs/ });
  await row.getByText('Up to the cursor').waitFor();
  await row.getByText('Only kept').waitFor();
  const before = (await rowsOf('ncrs')) ?? 0;
  peer.put('ncrs', 2, { title: 'leak' });
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('It is pulled now').waitFor();
  await until('the new row has landed', async () => ((await rowsOf('ncrs')) ?? 0) > before);
  await until('the pull is over', async () => !(await shown()).running);
  const [heard, targets] = [peer.calls, peer.targets.length];
  await page.getByRole('button', { name: 'Recompute' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Reads again from the start/).waitFor();
  await dialog.getByRole('checkbox', { name: 'ncrs' }).check();
  expect(peer.calls).toBe(heard);
  await dialog.getByRole('button', { name: 'Recompute' }).click();
  await dialog.waitFor({ state: 'detached' });
  const fromTheStart = () => peer.targets.slice(targets).filter((target) => !target.includes('cursor='));
  await until('the dataset is read from the start', () => Promise.resolve(fromTheStart().length > 0));
  await until('that is over', async () => !(await shown()).running);
  expect(fromTheStart().every((target) => target.includes('/ncrs'))).toBe(true);
  await page.locator('.ant-card').getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused').waitFor();
  expect([(await shown()).enabled, await page.getByRole('button', { name: 'Sync now' }).count()]).toEqual([
    false,
    0,
  ]);
  await page.locator('.ant-card').getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Enabled').waitFor();
  expect((await shown()).enabled).toBe(true);
  visit.check();
});

longTest('a consumer is paused after what that means is shown, and resumed', async () => {
  await subscribe('pausing', rig.tenant);
  const enabled = async (): Promise<unknown> => {
    const answer = expectStatus(await rig.hub.api('GET', '/api/core/events/subscriptions'), 200);
    const { items } = jsonOf<{ items: { consumer: string; enabled: boolean }[] }>(answer);
    return items.find(({ consumer }) => consumer === 'pausing')?.enabled;
  };
  const visit = await at('engineer');
  const { page } = visit;
  const row = page.getByRole('row', { name: /pausing/ });
  const dialog = page.getByRole('dialog');
  await row.getByRole('button', { name: 'Pause' }).click();
  await dialog.getByText(/It can pull no events until it is resumed/).waitFor();
  expect(await enabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await row.getByText('Paused').waitFor();
  expect(await enabled()).toBe(false);
  await row.getByRole('button', { name: 'Resume' }).click();
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await row.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await enabled()).toBe(true);
  visit.check();
});

test('a consumer is registered, given a key that works, and withdrawn again, without an admin key', async () => {
  const visit = await at('engineer');
  const { page } = visit;
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Register a consumer' }).click();
  await dialog.getByLabel('Name of the consumer').fill('erp-feed');
  await dialog.getByRole('combobox', { name: 'Tenant' }).fill(rig.tenant);
  await page.keyboard.press('Tab');
  await dialog.getByRole('radio', { name: 'everything that is kept' }).check();
  await dialog.getByRole('button', { name: 'Register a consumer' }).click();
  await page.getByRole('row', { name: /erp-feed/ }).waitFor();

  await page.getByRole('button', { name: 'Give out a key' }).click();
  await dialog.getByLabel('Consumer', { exact: true }).click();
  await page.locator('.ant-select-item-option[title="erp-feed"]').click();
  await dialog.getByRole('button', { name: 'Give out a key' }).click();
  const shown = dialog.filter({ hasText: 'I have kept it' });
  await shown.locator('code').nth(1).waitFor();
  const [keyId = '', secret = ''] = await shown.locator('code').allTextContents();
  const key = { keyId: keyId.trim(), secret: secret.trim() };
  const pull = () =>
    signedCall({ url: rig.hub.url, key, method: 'GET', path: '/api/core/events/since?consumer=erp-feed' });
  expectStatus(await pull(), 200);
  await shown.getByRole('button', { name: 'I have kept it' }).click();

  await page.getByTitle(key.keyId, { exact: true }).filter({ hasText: 'Withdraw' }).click();
  await dialog.getByText('Whatever uses this key is refused from now on.').waitFor();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('It is withdrawn').waitFor();
  expectStatus(await pull(), 401);
  await page.getByRole('button', { name: 'Remove the consumer erp-feed' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('It is removed').waitFor();
  visit.check();
});

longTest(
  'a business system is registered with its secret, which stands in the list and is never shown',
  async () => {
    const visit = await at('engineer');
    const { page } = visit;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Register a business system' }).click();
    await dialog.getByLabel('Name').fill('Second ERP');
    await dialog.getByLabel('Tenant').fill(rig.tenant);
    await dialog.getByLabel('Address').fill(`${peer.url}/`);
    await dialog.getByLabel('Key id').fill('k2');
    await dialog.getByLabel('Secret').fill('very-secret-value');
    await dialog.getByLabel('Dataset', { exact: true }).fill('projects');
    await dialog.getByRole('button', { name: 'Register a business system' }).click();
    await page.getByText('Second ERP', { exact: true }).waitFor();
    await visit.open('/admin?tab=secrets');
    const row = page.getByRole('row', { name: /source-k2/ });
    await row.getByText('Signing pulls of datasets').waitFor();
    expect(await page.getByText('very-secret-value').count()).toBe(0);
    await row.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByLabel('Secret').fill('another');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await page.getByText('It is kept').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText(/are refused from then on, visibly/).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    visit.check();
  },
);

test('a schema that the source changed is accepted after what it changes is shown', async () => {
  peer.fields = { ...peer.fields, ncrs: { title: 'string', level: 'integer' } };
  peer.version = '2';
  expectStatus(await rig.hub.api('POST', `/api/dataset/sources/${id}/sync`), 200);
  const visit = await at('engineer');
  const { page } = visit;
  const row = page.getByRole('row', { name: /ncrs/ });
  await row.getByRole('button', { name: 'Accept' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').filter({ hasText: 'New field level integer' }).waitFor();
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await row.getByRole('button', { name: 'Accept' }).waitFor({ state: 'detached' });
  visit.check();
});

test('who may only look sees sources and consumers and no control', async () => {
  await subscribe('dashboard', rig.tenant);
  const visit = await at('viewer');
  const { page } = visit;
  await page.getByText('ERP of the builder', { exact: true }).waitFor();
  await page
    .getByRole('row', { name: /dashboard/ })
    .getByText('Pulls')
    .waitFor();
  expect(await controls(visit).count()).toBe(0);
  visit.check();
});

longTest('a customer sees no source, and the consumers of their tenant alone', async () => {
  await subscribe('of-acme', rig.tenant);
  await subscribe('of-another', rig.other);
  for (const [user, own, foreign] of [
    ['customer', 'of-acme', 'of-another'],
    ['stranger', 'of-another', 'of-acme'],
  ] as const) {
    const visit = await at(user);
    await visit.page.getByRole('row', { name: own }).waitFor();
    expect(await visit.page.getByText(foreign).count()).toBe(0);
    expect(await visit.page.getByText('ERP of the builder').count()).toBe(0);
    expect(await controls(visit).count()).toBe(0);
    visit.check();
  }
});

test('names that are markup, long or right to left are text, and break no layout', async () => {
  const long = `${HOSTILE}${'长'.repeat(40)}`;
  await registered(long, peer.url);
  const visit = await at('engineer', 390);
  await visit.page.getByText(long, { exact: true }).waitFor();
  expect(
    await visit.page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
  ).toBe(false);
  visit.check();
});
