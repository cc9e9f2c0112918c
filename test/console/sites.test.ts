// The sites of headquarters in a browser: the list, a site with what it told, and its keys.
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PlayedDevice } from '../site/intake/played-device.ts';
import { drained, registerNode, registerSite, startSiteProgram, uplinkEnv } from '../support/deployment.ts';
import { longTest } from '../support/long.ts';
import type { Program } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';
import { type ConsoleRig, openConsoleRig, openOwnHub } from './rig.ts';

let rig: ConsoleRig;
const INSTANCE = 'tunnel-7';
const HOSTILE = `<img src=x onerror=alert(1)>-\u202Eنهاية-😀-${'w'.repeat(60)}`;

beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief');
  await rig.addUser('watcher', { role: 'operator', permissions: ['uplink.view'] });
  await rig.addUser('customer', { role: 'customer', tenant_code: rig.tenant });
  // Of its own: its first call tells what it is; without data to send the next one comes after a while.
  const keyFile = path.join(rig.scene.dir, 'uplink-key');
  await registerSite(rig.hub, keyFile, [rig.tenant], INSTANCE);
  const env = { ...uplinkEnv(rig.hub.url, keyFile), CORE_INSTANCE: INSTANCE };
  const site = await startSiteProgram(rig.scene, env);
  const key = await registerNode(site, HOSTILE, rig.tenant);
  const event = { idempotency_key: 'k1', type: 'helmet', occurred_at: new Date().toISOString() };
  const post = {
    url: site.url,
    key,
    method: 'POST',
    path: '/api/core/events',
    body: JSON.stringify({ events: [event] }),
  };
  expectStatus(await signedCall({ ...post, now: Date.now() }), 201);
  await behindOneBox(site);
  await changedPassword(site);
  await drained(site);
  await site.stop();
  await site.start();
});
afterAll(() => rig.close());

/** Two cameras that post by one key. */
async function behindOneBox(site: Program): Promise<void> {
  const key = await registerNode(site, 'ai-box', rig.tenant);
  const events = ['gate-1', 'gate-2', 'gate-2'].map((camera_ref, index) => ({
    idempotency_key: `box-${index}`,
    type: 'person.no_helmet',
    camera_ref,
    occurred_at: new Date().toISOString(),
  }));
  const call = { url: site.url, key, method: 'POST', path: '/api/core/events' };
  expectStatus(await signedCall({ ...call, body: JSON.stringify({ events }) }), 201);
}

/** A camera that the site connects to, and that takes another password than it has been told. */
async function changedPassword(site: Program): Promise<void> {
  const camera = await PlayedDevice.start(rig.scene);
  const body = {
    kind: 'hikvision',
    tenant_code: rig.tenant,
    name: 'tower-crane',
    address: camera.address,
    user: camera.user,
    password: 'as it was before',
  };
  const { keyId } = jsonOf<{ keyId: string }>(
    expectStatus(await site.api('POST', '/api/core/devices', body), 201),
  );
  await until('the camera has refused it', async () => {
    const { cameras } = jsonOf<{ cameras: { keyId: string; connection: { code: string } | null }[] }>(
      await site.api('GET', '/api/core/site/status'),
    );
    return cameras.find((one) => one.keyId === keyId)?.connection?.code === 'device_password_refused';
  });
}

const keysOf = async (instance: string): Promise<string[]> => {
  const { items } = jsonOf<{ items: { instance: string; keys: { keyId: string }[] }[] }>(
    expectStatus(await rig.hub.api('GET', '/api/core/sites'), 200),
  );
  return items.find((one) => one.instance === instance)?.keys.map(({ keyId }) => keyId) ?? [];
};

test('from the list to a site: what travels, its cameras by name, and its time zone', async () => {
  await until('the site has told of its camera', async () => {
    const answer = expectStatus(await rig.hub.api('GET', `/api/core/uplink/status/${INSTANCE}`), 200);
    return (jsonOf<{ cameras: object[] | null }>(answer).cameras?.length ?? 0) > 0;
  });
  const visit = await rig.enter('chief', '/sites');
  const { page } = visit;
  await page.getByRole('link', { name: INSTANCE }).click();
  await page.getByRole('heading', { name: INSTANCE }).waitFor();
  await page.getByText('at the site, to come up').first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/sites/${INSTANCE}`);
  await page.getByText(Intl.DateTimeFormat().resolvedOptions().timeZone, { exact: true }).waitFor();
  await page.getByRole('tab', { name: /Cameras/ }).click();
  await page.getByText(HOSTILE).waitFor();
  await page.getByRole('tab', { name: /Parked/ }).click();
  await page.getByText('Nothing is parked').waitFor();
  await page.getByText('There is no conflict').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  visit.check();
});

test('a site is registered, its key rotated, a second made, one withdrawn, and the site removed', async () => {
  const visit = await rig.enter('chief', '/sites');
  const { page } = visit;
  await page.getByRole('button', { name: 'Register a site' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the site').fill('tunnel-8');
  await dialog.getByLabel('Tenants').fill(`${rig.tenant},`);
  await dialog.getByRole('button', { name: 'Register a site' }).click();
  await page.getByText(/fieldline-site setup --instance tunnel-8 --url http/).waitFor();
  const [first = ''] = await keysOf('tunnel-8');
  expect(first).not.toBe('');
  await page.getByText(`${first}:fls_`).waitFor();
  await page.getByRole('button', { name: 'I have it; close' }).click();
  await page.getByRole('link', { name: 'tunnel-8' }).click();
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await page.getByText(`${first}:fls_`).waitFor();
  await page.getByRole('button', { name: 'I have it; close' }).click();
  await page.getByRole('button', { name: 'Make a joining code' }).click();
  const typed = page.getByText(/fieldline-site setup --url http\S+ --code /);
  const code = (await typed.textContent())?.split(' ').at(-1) ?? '';
  await dialog.getByText(/It holds until/).waitFor();
  const joined = await fetch(`${rig.hub.url}/api/core/sites/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect([joined.status, await joined.json()]).toMatchObject([200, { instance: 'tunnel-8' }]);
  await page.getByRole('button', { name: 'I passed it on; close' }).click();
  expect(await page.getByText(code).count()).toBe(0);
  expect(await keysOf('tunnel-8')).toHaveLength(2);
  await page.getByRole('button', { name: 'Make another key' }).click();
  await page.getByRole('button', { name: 'I have it; close' }).click();
  expect(await keysOf('tunnel-8')).toHaveLength(3);
  await page.getByRole('row', { name: first }).getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('row', { name: first }).waitFor({ state: 'detached' });
  expect(await keysOf('tunnel-8')).not.toContain(first);
  await page.getByRole('button', { name: 'Remove the site' }).click();
  await dialog.getByRole('button', { name: 'Remove the site' }).click();
  await page.getByRole('link', { name: INSTANCE }).waitFor();
  await until('the site is gone', async () => (await keysOf('tunnel-8')).length === 0);
  visit.check();
});

test('a name that is taken is told where it is typed', async () => {
  const visit = await rig.enter('chief', '/sites', { locale: 'zh-CN' });
  const { page } = visit;
  await page.getByRole('button', { name: '登记站点' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '登记站点' }).click();
  await dialog.getByText('必填').first().waitFor();
  await dialog.getByLabel('站点名称').fill(INSTANCE);
  await dialog.getByLabel('租户').fill(`${rig.tenant},`);
  await dialog.getByRole('button', { name: '登记站点' }).click();
  await page
    .getByText(/site_exists/)
    .first()
    .waitFor();
  visit.check();
});

longTest('who may only look has no control; a customer has no page of a site', async () => {
  const watcher = await rig.enter('watcher', `/sites/${INSTANCE}?tab=keys`);
  await watcher.page.getByRole('row', { name: /site-/ }).waitFor();
  for (const name of ['Rotate', 'Withdraw', 'Make another key', 'Make a joining code', 'Remove the site'])
    expect([name, await watcher.page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  await watcher.open('/sites');
  await watcher.page.getByRole('link', { name: INSTANCE }).waitFor();
  expect(await watcher.page.getByRole('button', { name: 'Register a site' }).count()).toBe(0);
  watcher.check();
  const customer = await rig.enter('customer', `/sites/${INSTANCE}`);
  await customer.page.getByText('You may not see this page').waitFor();
  expect(await customer.page.getByText(INSTANCE).count()).toBe(0);
  customer.check();
});

test('a customer sees whether its sites are heard, in the time of each, and nothing of their inside', async () => {
  expectStatus(
    await rig.hub.api('POST', '/api/core/sites', { instance: 'elsewhere', tenants: [rig.other] }),
    201,
  );
  const visit = await rig.enter('customer', '/sites', { zone: 'America/Lima' });
  const { page } = visit;
  const row = page.getByRole('row').filter({ hasText: INSTANCE });
  await row.getByText('Live').waitFor();
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset' }).format().split('GMT').at(-1);
  await row.getByText(offset === '' ? '+00:00' : (offset ?? '')).waitFor();
  expect(await page.getByText('elsewhere').count()).toBe(0);
  expect(await page.getByRole('columnheader').allTextContents()).toEqual(['State', 'Site', 'Last heard']);
  await row.getByRole('link', { name: INSTANCE }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  expect(new URL(page.url()).searchParams.get('site')).toBe(INSTANCE);
  visit.check();
});

test('a camera whose password was changed is not green, and each camera behind one key is named', async () => {
  await until('the site has told of its cameras', async () => {
    const { cameras } = jsonOf<{ cameras: { connection: object | null }[] | null }>(
      expectStatus(await rig.hub.api('GET', `/api/core/uplink/status/${INSTANCE}`), 200),
    );
    return cameras?.some(({ connection }) => connection !== null) === true;
  });
  const name = { tenant_code: rig.tenant, instance: INSTANCE, camera_ref: 'gate-2', name: '西门' };
  expectStatus(await rig.hub.api('PUT', '/api/core/camera-names', name), 200);
  const visit = await rig.enter('chief', `/sites/${INSTANCE}?tab=cameras`, { locale: 'zh-CN' });
  const { page } = visit;
  const crane = page.getByRole('row', { name: /tower-crane/ });
  await crane.getByText('被摄像机拒绝').waitFor();
  await crane.getByText(/密码/).waitFor();
  expect(await crane.locator('.ant-tag-success').count()).toBe(0);
  const box = page.getByRole('row', { name: /ai-box/ });
  await box.getByText('有数据').waitFor();
  for (const text of ['gate-1', '1 条事件', '西门', 'gate-2', '2 条事件'])
    await box.getByText(text, { exact: text.startsWith('gate') }).waitFor();
  visit.check();
});

longTest('a site has a name that people give it, in its place wherever sites are read', async () => {
  const visit = await rig.enter('chief', `/sites/${INSTANCE}`, { locale: 'zh-CN' });
  const { page } = visit;
  await page.getByRole('button', { name: '名称与分组' }).click();
  await page.getByRole('dialog').getByLabel('显示名称').fill('三号隧道出口');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /保\s*存/ })
    .click();
  await page.getByRole('heading', { name: '三号隧道出口' }).waitFor();
  for (const path of ['/sites', `/events?site=${INSTANCE}`]) {
    await visit.open(path);
    await page.getByText('三号隧道出口').first().waitFor();
  }
  const { items } = jsonOf<{ items: { action: string; subject: string }[] }>(
    expectStatus(await rig.hub.api('GET', '/api/core/audit?action=site.renamed'), 200),
  );
  expect(items).toContainEqual(
    expect.objectContaining({ action: 'site.renamed', subject: `site:${INSTANCE}` }),
  );
  const bad = await rig.hub.api('PATCH', `/api/core/sites/${INSTANCE}`, { display_name: 'two\nlines' });
  expect(bad.status).toBe(400);
  const watcher = await rig.enter('watcher', `/sites/${INSTANCE}`);
  await watcher.page.getByRole('heading', { name: '三号隧道出口' }).waitFor();
  expect(await watcher.page.getByRole('button', { name: 'Name and groups' }).count()).toBe(0);
  // Taken away again, the site has its id.
  expectStatus(await rig.hub.api('PATCH', `/api/core/sites/${INSTANCE}`, { display_name: null }), 200);
  visit.check();
});

test('events, the queue and the figures are those of a group of sites that is chosen', async () => {
  const name = `North of ${rig.tenant}`;
  const change = async (body: object): Promise<void> =>
    void expectStatus(await rig.hub.api('POST', '/api/core/site-groups', { name, ...body }), 200);
  await change({ add: [INSTANCE] });
  onTestFinished(() => change({ remove: [INSTANCE] }));
  const visit = await rig.enter('customer', '/events');
  const { page } = visit;
  const choose = async (): Promise<void> => {
    await page.getByRole('combobox', { name: 'Group' }).click();
    await page.getByTitle(`${name} (1)`).click();
  };
  for (const [path, shown] of [
    ['/events', page.locator('[data-row-key]').first()],
    ['/review', page.getByText('Row 1 of 3')],
    ['/reports?tab=statistics', page.getByText(`sites of the group “${name}” alone`)],
  ] as const) {
    await visit.open(path);
    await choose();
    await shown.waitFor();
    expect(new URL(page.url()).searchParams.get('group')).toBe(name);
  }
  // Of a group that there is no more nothing is shown.
  await visit.open('/events?group=Nowhere');
  await page.getByText('It does not exist, or no longer does').waitFor();
});

test('sixty sites are shown by pages in the order that is asked for, and two are put into a group', async () => {
  // Of its own: the list of all others would have its sites on another page.
  const own = await openOwnHub();
  onTestFinished(() => own.close());
  await own.addUser('chief');
  const names = Array.from({ length: 60 }, (_, at) => `works-${at}`);
  for (const instance of names)
    expectStatus(await own.hub.api('POST', '/api/core/sites', { instance, tenants: [own.tenant] }), 201);
  const visit = await own.enter('chief', '/sites?q=works&order=name');
  const { page } = visit;
  await page.getByText('60 sites').waitFor();
  await page.getByRole('link', { name: 'works-49', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'works-50', exact: true }).count()).toBe(0);
  await page.getByTitle('2', { exact: true }).click();
  await page.getByRole('link', { name: 'works-59', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  // A page that is not there leads to the first, and never says that no site is registered.
  await visit.open('/sites?q=works&order=name&page=9');
  await page.getByRole('link', { name: 'works-0', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.has('page')).toBe(false);
  // Another order begins on its first page.
  await page.getByTitle('2', { exact: true }).click();
  await page.getByRole('link', { name: 'works-59', exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Site', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('direction') === 'descending');
  expect(new URL(page.url()).searchParams.has('page')).toBe(false);
  await page.getByRole('row').nth(1).getByRole('link', { name: 'works-59', exact: true }).waitFor();

  for (const name of ['works-59', 'works-58'])
    await page.getByRole('checkbox', { name, exact: true }).check();
  await page.getByText('2 sites chosen').waitFor();
  await page.getByRole('button', { name: 'Change groups' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Put into').fill('North');
  await dialog.getByLabel('Put into').press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await visit.open('/sites?group=North');
  await page.getByText('2 sites', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'works-58', exact: true }).waitFor();
  visit.check();
});

test('a site is looked into: asked, answered, and read', async () => {
  const visit = await rig.enter('chief', `/sites/${INSTANCE}?tab=care`, { locale: 'en-GB', quick: true });
  const { page } = visit;
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const row = page.locator('tr.ant-table-row', { hasText: 'Check' });
  await row.getByRole('button', { name: 'View' }).click();
  await page.getByRole('dialog').locator('pre').getByText('headquarters').first().waitFor();
  visit.check();
});
