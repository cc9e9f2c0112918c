// The rules in a browser: what is in force, a version that is checked as it is written, and why it decides.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { longTest } from '../support/long.ts';
import { expectStatus, jsonOf, signedCall } from '../support/request.ts';
import { type ConsoleRig, openConsoleRig } from './rig.ts';

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief');
  await rig.addUser('viewer', { role: 'customer', tenant_code: rig.tenant, permissions: ['rules.view'] });
  await rig.addUser('guard', {
    role: 'customer',
    tenant_code: rig.tenant,
    permissions: ['events.view', 'stats.view'],
  });
  for (const [tenant, name] of [
    [rig.tenant, 'gate <b>at night</b>'],
    [rig.other, 'of somebody else'],
  ])
    expectStatus(
      await rig.hub.api('POST', '/api/core/objects/rules', {
        tenant_code: tenant,
        kind: 'response',
        name,
        body: { priority: 10, match: { event_types: ['vehicle.*'] }, action: { kind: 'notify' } },
      }),
      201,
    );
});
afterAll(() => rig.close());

let posted = 0;
/** Events of the tenant, just now. */
async function post(events: readonly object[]): Promise<number[]> {
  const made = await rig.hub.api('POST', '/api/core/nodes', {
    tenant_code: rig.tenant,
    name: `c-${(posted += 1)}`,
  });
  const answer = await signedCall({
    url: rig.hub.url,
    key: jsonOf<SigningKey>(expectStatus(made, 201)),
    method: 'POST',
    path: '/api/core/events',
    body: JSON.stringify({
      events: events.map((event, index) => ({
        idempotency_key: `${posted}-${index}`,
        type: 'vehicle.intrusion',
        camera_ref: 'gate-1',
        occurred_at: new Date().toISOString(),
        ...event,
      })),
    }),
  });
  return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items.map(({ id }) => id);
}

longTest(
  'a new version is checked as it is written, registered, and compared with the one before',
  async () => {
    const visit = await rig.enter('chief', `/rules?tenant=${rig.tenant}`);
    const { page } = visit;
    await page.getByRole('button', { name: 'gate <b>at night</b>' }).click();
    await page.getByText('The first version').waitFor();
    await page.getByRole('button', { name: 'Register a new version' }).click();
    await page.getByRole('tab', { name: 'JSON' }).click();
    const body = page.getByLabel('Content (JSON)');
    const take = page.getByRole('button', { name: 'Register a rule' }).last();
    await body.fill('{"priority": "high"}');
    await page.getByRole('button', { name: 'Line 1' }).waitFor();
    await page
      .getByText(/body\.priority must be a whole number/)
      .first()
      .waitFor();
    expect(await take.isDisabled()).toBe(true);
    await body.fill(
      '{"priority": 20, "match": {"event_types": ["vehicle.*"]}, "action": {"kind": "notify"}}',
    );
    await page.getByText('It would be taken').waitFor();
    // Another came first: theirs is not replaced unseen.
    const theirs = { priority: 30, match: { event_types: ['vehicle.*'] }, action: { kind: 'review' } };
    const meanwhile = {
      tenant_code: rig.tenant,
      kind: 'response',
      name: 'gate <b>at night</b>',
      body: theirs,
    };
    expectStatus(await rig.hub.api('POST', '/api/core/objects/rules', meanwhile), 200, 201);
    await take.click();
    await page.getByText('has version 2 now').waitFor();
    await page.getByRole('button', { name: 'Put mine in its place' }).click();
    await take.click();
    await page.getByText('Registered as version 3').waitFor();
    await page.getByRole('cell', { name: 'priority', exact: true }).waitFor();
    const { items } = jsonOf<{ items: { version: number; body: { priority: number } }[] }>(
      await rig.hub.api('GET', `/api/core/objects/rules?tenant_code=${rig.tenant}`),
    );
    expect(items).toMatchObject([{ version: 3, body: { priority: 20 } }]);
    visit.check();
  },
);

test('a rule is written in the form, each fault at its field, and rehearsed before it is registered', async () => {
  const [low, high] = await post([{ severity: 'low' }, { severity: 'critical' }]);
  const visit = await rig.enter('chief', '/rules', { locale: 'zh-CN' });
  const { page } = visit;
  await page.getByRole('button', { name: '登记规则' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('名称').fill('严重车辆事件');
  await dialog.getByLabel('租户').fill(rig.tenant);
  await dialog.getByLabel('优先级').fill('1.5');
  await dialog.getByLabel('接管时限').fill('0');
  await dialog.locator('.ant-form-item', { hasText: '优先级' }).getByText('必须是整数').waitFor();
  await dialog.locator('.ant-form-item', { hasText: '接管时限' }).getByText('不能小于 1').waitFor();
  await dialog.getByLabel('优先级').fill('1');
  await dialog.getByLabel('接管时限').fill('15');
  await dialog.getByText('可以登记').waitFor();
  await dialog.getByRole('tab', { name: '演练' }).click();
  await dialog.getByRole('button', { name: /^演\s*练$/ }).click();
  await dialog.getByText('2 个事件中，1 个的处置会不同').waitFor();
  await dialog.getByRole('link', { name: String(high) }).waitFor();
  expect(await dialog.getByRole('link', { name: String(low) }).count()).toBe(0);
  await dialog.getByRole('button', { name: '登记规则' }).click();
  await page.getByText('已登记第 1 版').waitFor();
  const { items } = jsonOf<{ items: { name: string; body: object }[] }>(
    await rig.hub.api('GET', `/api/core/objects/rules?tenant_code=${rig.tenant}`),
  );
  expect(items.find(({ name }) => name === '严重车辆事件')?.body).toMatchObject({
    priority: 1,
    match: { event_types: ['vehicle.*'], min_severity: 'high' },
    action: { kind: 'notify', channels: ['inbox'], due_minutes: 15 },
  });
  visit.check();
});

longTest(
  'thresholds are shown with their ranges and changed; rules are loaded anew; an event is explained',
  async () => {
    const [event] = await post([{ type: 'fire.smoke' }]);
    const visit = await rig.enter('chief', `/rules?tenant=${rig.tenant}`);
    const { page } = visit;
    await page.getByRole('button', { name: 'Thresholds in force' }).click();
    await page.getByRole('cell', { name: '0.6' }).first().waitFor();
    await page.getByRole('button', { name: 'Change them' }).click();
    const least = page.getByLabel('Least confidence of a judgement');
    await least.fill('1.5');
    await page.getByText('must be at most 1').first().waitFor();
    await least.fill('0.8');
    await page.getByText('It would be taken').waitFor();
    await page.getByRole('button', { name: 'Register a rule' }).last().click();
    await page.getByRole('cell', { name: '0.8' }).waitFor();
    const told = await rig.hub.api('GET', `/api/agent/rules/thresholds?tenant_code=${rig.tenant}`);
    expect(jsonOf<{ items: object[] }>(told).items[0]).toMatchObject({ name: 'judge_min_conf', value: 0.8 });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Load anew' }).click();
    await page.getByText(/^Loaded anew; /).waitFor();
    await page.getByRole('button', { name: 'Explain an event' }).click();
    await page.getByLabel('Number of the event').fill(String(event));
    await page.keyboard.press('Enter');
    await page
      .getByText(/no rule matches/i)
      .first()
      .waitFor();
    visit.check();
  },
);

test('thresholds are shown also to who asks for them before the rules have come', async () => {
  const visit = await rig.visit();
  const { page } = visit;
  let letThrough = (): void => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/\/api\/core\/objects\/rules(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  await visit.open('/login?back=%2Frules');
  await visit.logIn('chief');
  await page.getByRole('button', { name: 'Thresholds in force' }).click();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  letThrough();
  await page.getByRole('cell', { name: '0.6' }).first().waitFor();
  visit.check();
});

test('a customer who may only look sees its own rules and no control', async () => {
  const visit = await rig.enter('viewer', '/rules');
  const { page } = visit;
  await page.getByRole('button', { name: 'gate <b>at night</b>' }).waitFor();
  expect(await page.getByText('of somebody else').count()).toBe(0);
  expect(await page.getByRole('button', { name: /Register/ }).count()).toBe(0);
  visit.check();
});

interface Types {
  version: number | null;
  items: { type: string; severity: string | null; registered: boolean; registeredAs: string | null }[];
}
async function typeAt(type: string): Promise<Types['items'][number] | undefined> {
  const answer = await rig.hub.api('GET', `/api/agent/rules/event-types?tenant_code=${rig.tenant}`);
  return jsonOf<Types>(expectStatus(answer, 200)).items.find((one) => one.type === type);
}

longTest('the severity of a type is set and put back on a page, for all that begin alike too', async () => {
  const visit = await rig.enter('chief', `/rules?tenant=${rig.tenant}`, { locale: 'zh-CN' });
  const { page } = visit;
  await page.getByRole('link', { name: '事件类型' }).click();
  // Those of the first tenant that is known stand there by themselves.
  await page.getByRole('row', { name: /person\.fall/ }).waitFor();
  await page.getByRole('combobox', { name: '租户' }).fill(rig.tenant);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('tenant') === rig.tenant);
  await page.getByRole('textbox', { name: '按名称或代码查找' }).fill('安全帽');
  await page.keyboard.press('Enter');
  const helmet = page.getByRole('row', { name: /person\.no_helmet/ });
  const choose = async (severity: string) => {
    await helmet.getByRole('combobox', { name: '未戴安全帽 的级别' }).click();
    await page.locator('.ant-select-dropdown:visible').getByText(severity, { exact: true }).click();
  };
  await choose('高');
  await page.getByText('未戴安全帽 的级别现为“高”').waitFor();
  expect(await typeAt('person.no_helmet')).toMatchObject({
    severity: 'high',
    registeredAs: 'person.no_helmet',
  });
  // Another sets it meanwhile: what they set is not replaced unseen.
  const body = { types: { 'person.no_helmet': 'critical' } };
  const theirs = { tenant_code: rig.tenant, kind: 'prompt', name: 'severities.agent', body };
  expectStatus(await rig.hub.api('POST', '/api/core/objects/rules', theirs), 201);
  await choose('低');
  await page.getByText(/刚被 .+ 改为“严重”/).waitFor();
  expect((await typeAt('person.no_helmet'))?.severity).toBe('critical');
  await page.locator('.ant-notification-notice-close').click();
  await choose('按标准');
  await page.getByText('未戴安全帽 恢复为标准级别').waitFor();
  expect(await typeAt('person.no_helmet')).toMatchObject({ severity: 'medium', registered: false });
  await page.getByRole('button', { name: '添加类型' }).click();
  await page.getByRole('dialog').getByLabel('类型代码').fill('crane.*');
  await page.getByRole('dialog').getByRole('combobox', { name: '级别' }).click();
  await page.locator('.ant-select-dropdown:visible').getByText('严重', { exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /登\s*记/ })
    .click();
  await page.getByText('crane.* 的级别现为“严重”').waitFor();
  expect(await typeAt('crane.under_load')).toMatchObject({ severity: 'critical', registeredAs: 'crane.*' });
  visit.check();
});

test('who may only look sees what each type is, and cannot change it', async () => {
  const visit = await rig.enter('viewer', '/rules/types?q=person.fall');
  const { page } = visit;
  const fall = page.getByRole('row', { name: /Person fell/ });
  await fall.getByText('Critical').first().waitFor();
  expect(await page.getByRole('combobox').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Add a type' }).count()).toBe(0);
  visit.check();
});

longTest('types are words wherever they are read, the own ones of a tenant first', async () => {
  const body = { types: { 'vehicle.intrusion': '渣土车闯入' }, severities: {} };
  const names = { tenant_code: rig.tenant, kind: 'prompt', name: 'names.agent', body };
  expectStatus(await rig.hub.api('POST', '/api/core/objects/rules', names), 201);
  const [fall = 0, truck = 0] = await post([
    { type: 'person.fall', severity: 'critical' },
    { severity: 'critical' },
  ]);
  const group = await rig.hub.api('POST', '/api/core/incidents/upsert', {
    tenant_code: rig.tenant,
    source_key: 'in-words',
    layer: 'L2',
    site_ref: 'portal',
    event_ids: [fall, truck],
  });
  const { id } = jsonOf<{ id: number }>(expectStatus(group, 200, 201));
  const visit = await rig.enter('guard', '/now', { locale: 'zh-CN' });
  const { page } = visit;
  for (const path of ['/now', '/events', '/incidents', `/incidents/${id}`, '/reports?tab=statistics']) {
    await visit.open(path);
    for (const name of ['人员摔倒', '渣土车闯入']) await page.getByText(name).first().waitFor();
    await page.getByRole('main').waitFor();
    expect(await page.getByRole('main').innerText(), path).not.toMatch(/person\.fall|vehicle\.intrusion/);
  }
  await visit.open(`/events/${fall}`);
  await page.getByText('视频发现人员摔倒。').waitFor();
  visit.check();
});

test('the form of a rule names the types of events, and takes one by its name or its code', async () => {
  const visit = await rig.enter('chief', `/rules?tenant=${rig.other}`);
  const { page } = visit;
  await page.getByRole('button', { name: 'of somebody else' }).click();
  await page.getByRole('button', { name: 'Register a new version' }).click();
  await page.locator('#rule-match\\.event_types').click();
  await page.keyboard.type('smoke');
  await page.locator('.ant-select-item-option', { hasText: '· fire.smoke' }).click();
  await page.keyboard.type('own.kind,');
  const taken = (code: string) => page.locator(`bdi[title="${code}"]`);
  await taken('own.kind').waitFor();
  expect(await taken('own.kind').textContent()).toBe('own.kind');
  expect(await taken('fire.smoke').textContent()).toMatch(/smoke/i);
  expect(await taken('fire.smoke').textContent()).not.toBe('fire.smoke');
  visit.check();
});

longTest('a filter keeps what is typed while the tenants that it offers are still coming', async () => {
  const visit = await rig.enter('chief', '/events');
  const { page } = visit;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  for (const path of ['states', 'sites'])
    await page.route(`**/api/core/uplink/${path}*`, async (route) => {
      await held;
      await route.continue();
    });
  await page.goto(page.url().replace(/\/events.*$/, '/rules/types'));
  const field = page.getByLabel('Tenant', { exact: true });
  await field.click();
  await page.keyboard.type('somebo');
  release();
  // The types of the first tenant that is known are asked for once it is.
  await page.getByRole('cell', { name: 'fire.smoke' }).first().waitFor();
  expect(await field.inputValue()).toBe('somebo');
  visit.check();
});
