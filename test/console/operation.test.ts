// Admin of what runs, in a browser: permissions, clearance, channels, alarms, and how long things are kept.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteBackup } from '../../common/terminal/backup-note.ts';
import { alarms } from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { longTest } from '../support/long.ts';
import { clientOf } from '../support/postgres.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import { openOwnHub, type OwnHub, type Visit, type VisitOptions } from './rig.ts';

const HOSTILE = '<img src=x onerror=alert(1)> شركة \u202e evil 😀';
const GUARD = { reason: 'more_than_half', position: 5, expired: 9, total: 10, since: 1 };

let rig: OwnHub;
let robot: HttpPeer;
beforeAll(async () => {
  robot = await new HttpPeer().open();
  robot.respond = () => ({ body: '{"errcode":0}' });
  rig = await openOwnHub({
    AGENT_CHANNEL_NETWORKS: '127.0.0.1/32',
    CORE_OPERATOR_TENANT: 'hq',
    CORE_RETENTION_AUDIT_DAYS: '365',
  });
  await rig.addUser('chief');
  await rig.addUser('viewer', {
    role: 'operator',
    permissions: ['events.view', 'operation.view', 'audit.view'],
  });
  await rig.addUser('customer', { role: 'customer', tenant_code: 'acme' });
  await query(
    `insert into alarms (key, instance, tenant_code, severity, message, raised_at, last_at, count)
     values ('disk_low', 'hq', null, 'warning', 'The disk fills up', 1, 1, 1),
            ('store_hurt', 'hq', null, 'critical', 'The store is hurt', 2, 2, 1),
            ('camera_silent:gate-1', 'site-9', 'acme', 'warning', $1, 3, 3, 4)`,
    [HOSTILE],
  );
});
afterAll(async () => {
  await rig.close();
  await robot.close();
});

async function query(text: string, values: unknown[] = []): Promise<void> {
  const client = clientOf(rig.hub.env.DATABASE_URL ?? '');
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

const got = async <T>(path: string): Promise<T> =>
  jsonOf<T>(expectStatus(await rig.hub.api('GET', path), 200));

const at = (user: string, target: string, options: VisitOptions = {}): Promise<Visit> =>
  rig.enter(user, target, options);

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.locator('tbody tr').filter({ hasText: text });

test('the count of alarms leads to them, worst first, and one is cleared there', async () => {
  const visit = await at('chief', '/sites');
  const { page } = visit;
  await page.getByRole('link', { name: '3 alarms' }).click();
  await page.waitForURL(/tab=alarms/);
  await row(page, 'The store is hurt').waitFor();
  const lines = await page.locator('tbody tr[data-row-key]').allInnerTexts();
  expect(lines.map((line) => line.includes('Critical'))).toEqual([true, false, false]);
  await page.getByLabel('Name of a site').fill('hq');
  await page.keyboard.press('Enter');
  await row(page, 'camera_silent').waitFor({ state: 'detached' });
  await row(page, 'The store is hurt').getByRole('button', { name: 'Dealt with' }).click();
  await dialog(page).getByRole('textbox').fill('restored from the copy');
  await dialog(page).getByRole('button', { name: 'Dealt with' }).click();
  await row(page, 'The store is hurt').waitFor({ state: 'detached' });
  expect((await alarms(rig.hub)).find(({ key }) => key === 'store_hurt')?.clearedAt).not.toBeNull();
  await page.getByRole('link', { name: '2 alarms' }).waitFor();
  await page.getByRole('checkbox', { name: 'Cleared ones too' }).check();
  await row(page, 'The store is hurt').getByText('Cleared', { exact: true }).waitFor();
  visit.check();
});

test('an alarm is taken over there, and everybody sees by whom', async () => {
  const visit = await at('chief', '/admin?tab=alarms');
  const { page } = visit;
  await row(page, 'The disk fills up').getByRole('button', { name: 'Take over' }).click();
  await dialog(page).getByRole('textbox').fill('on my way');
  await dialog(page).getByRole('button', { name: 'Take over' }).click();
  await row(page, 'The disk fills up').getByText('Taken over by chief').waitFor();
  const { takenBy, takenAt } = (await alarms(rig.hub)).find(({ key }) => key === 'disk_low') ?? {};
  expect([takenBy, Date.parse(takenAt ?? '') > 0]).toEqual(['chief', true]);
  visit.check();
  const viewer = await at('viewer', '/admin?tab=alarms', { locale: 'zh-CN', width: 390 });
  await viewer.page.getByText('接手人 chief').waitFor();
  expect(await viewer.page.getByRole('button', { name: '接手处理' }).count()).toBe(0);
  viewer.check();
});

longTest(
  'an e-mail channel of the operators is added, which takes critical alarms, and is changed',
  async () => {
    const visit = await at('chief', '/admin?tab=channels');
    const { page } = visit;
    const choose = async (label: string, word: string): Promise<void> => {
      await dialog(page).getByLabel(label).click();
      await page.locator('.ant-select-dropdown:visible').getByTitle(word, { exact: true }).click();
    };
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await dialog(page).getByLabel("The operators' own channel").check();
    await choose('Kind', 'E-mail');
    await dialog(page).getByLabel('Name', { exact: true }).fill('night');
    await dialog(page).getByLabel('Address').fill('https://mail.example');
    await dialog(page).getByText('Begins with smtp:// or smtps://').waitFor();
    await dialog(page).getByLabel('Address').fill('smtps://mail.example');
    await dialog(page).getByLabel('Sender').fill('fieldline@mail.example');
    await dialog(page).getByLabel('User').fill('fieldline');
    await dialog(page).getByLabel('Password').fill('s3cret');
    await dialog(page).getByLabel('Recipients').fill('duty@mail.example');
    await page.keyboard.press('Enter');
    await choose('Operational alarms', 'Critical ones');
    await dialog(page).getByLabel('Again, until taken over, every').fill('15');
    await dialog(page).getByLabel('Quiet hours').check();
    await dialog(page).getByLabel('From').fill('21:30');
    await dialog(page).getByLabel('Time zone').fill('Asia/Shanghai');
    await dialog(page).getByLabel('Critical alarms are told all the same').uncheck();
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await row(page, 'night').getByText('1 recipients').waitFor();
    await row(page, 'night').getByText('quiet 21:30–07:00 (Asia/Shanghai)').waitFor();
    const stored = async () => (await got<{ items: object[] }>('/api/agent/channels')).items;
    const mail = { from: 'fieldline@mail.example', user: 'fieldline' };
    const night = { tenantCode: null, format: 'email', urlHost: 'mail.example:465', signed: true, mail };
    const quiet = { begin: '21:30', end: '07:00', zone: 'Asia/Shanghai', criticalThrough: false };
    expect(await stored()).toMatchObject([
      { ...night, recipientCount: 1, alarms: { from: 'critical', repeatMinutes: 15, quiet } },
    ]);
    await row(page, 'night').getByRole('button', { name: 'More: night' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog(page).getByLabel('Sender').fill('duty@mail.example');
    // What is hidden once there are no alarms is not asked for.
    expect(await dialog(page).getByLabel('From').inputValue()).toBe('21:30');
    await choose('Operational alarms', 'None');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'night').getByText('None', { exact: true }).waitFor();
    expect(await stored()).toMatchObject([
      { ...night, mail: { ...mail, from: 'duty@mail.example' }, recipientCount: 1, alarms: null },
    ]);
    await row(page, 'night').getByRole('button', { name: 'More: night' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row(page, 'night').waitFor({ state: 'detached' });
    visit.check();
  },
);

test('a channel is added, tested, changed, disabled, enabled and deleted', async () => {
  interface Seen {
    items: { id: string; name: string; enabled: boolean; urlHost: string }[];
  }
  const channels = async () => (await got<Seen>('/api/agent/channels')).items;
  const visit = await at('chief', '/admin?tab=channels');
  const { page } = visit;
  await page.getByRole('button', { name: 'Add a channel' }).click();
  await dialog(page).getByLabel('Tenant').fill('acme');
  await dialog(page).getByLabel('Name', { exact: true }).fill('duty');
  await dialog(page).getByLabel('Address').fill('ftp://nowhere');
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await dialog(page).getByText('Begins with https:// or http://').waitFor();
  await dialog(page).getByLabel('Address').fill(`${robot.url}/duty`);
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await row(page, 'duty').getByText('WeCom group robot').waitFor();
  expect(await channels()).toMatchObject([{ name: 'duty', enabled: true }]);
  await row(page, 'duty').getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('“duty” took the test message').waitFor();
  expect(robot.heard).toHaveLength(1);
  robot.respond = () => ({ status: 500 });
  await row(page, 'duty').getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('“duty” did not take the test message').waitFor();
  await page.locator('.ant-notification-notice-close').click();

  const more = async (word: string): Promise<void> => {
    await row(page, 'duty').getByRole('button', { name: 'More: duty' }).click();
    await page.getByRole('menuitem', { name: word }).click();
  };
  await more('Edit');
  await dialog(page).getByLabel('Name', { exact: true }).fill('duty-room');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, 'duty-room').waitFor();
  expect((await channels())[0]?.urlHost).toBe(new URL(robot.url).host);
  await row(page, 'duty-room').getByRole('button', { name: /More/ }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await dialog(page).getByRole('button', { name: 'Disable' }).click();
  await row(page, 'duty-room').getByText('Disabled').waitFor();
  expect((await channels())[0]?.enabled).toBe(false);
  await row(page, 'duty-room').getByRole('button', { name: /More/ }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await row(page, 'duty-room').getByText('Enabled').waitFor();
  expect((await channels())[0]?.enabled).toBe(true);
  await row(page, 'duty-room').getByRole('button', { name: /More/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/No channel yet/).waitFor();
  expect(await channels()).toEqual([]);
  visit.check();
});

longTest('clearance is granted and lowered, and each permission says who holds it', async () => {
  const visit = await at('chief', '/admin?tab=clearance');
  const { page } = visit;
  const grant = async (level: string): Promise<void> => {
    await dialog(page).getByLabel('Highest level').click();
    await page.locator('.ant-select-item-option').getByText(level, { exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Grant', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  await page.getByRole('button', { name: 'Grant clearance' }).click();
  await dialog(page).getByLabel('Account').fill('chief');
  await grant('Secret');
  await row(page, 'chief').getByText('Secret').waitFor();
  await row(page, 'chief').getByRole('button', { name: 'Change' }).click();
  await grant('Public');
  await row(page, 'chief').getByText('Public').waitFor();
  const { items } = await got<{ items: object[] }>('/api/core/kb/clearance?tenant_code=hq');
  expect(items).toMatchObject([{ subject: 'chief', level: 'public' }]);
  await page.getByRole('tab', { name: 'Permissions' }).click();
  const line = page.locator('tr[data-row-key="users.manage"]');
  await line.getByText('Never').waitFor();
  await line.getByText('1 of headquarters, 0 of customers').waitFor();
  visit.check();
});

longTest(
  'what is kept for how long is shown; a held deletion is let go, and a log gets its period',
  async () => {
    await query(`update retention set state = $1`, [JSON.stringify({ guards: { audit: GUARD } })]);
    const visit = await at('chief', '/admin?tab=retention');
    const { page } = visit;
    await page.getByText('No backup is known of').waitFor();
    const made = { at: new Date().toISOString(), bytes: 2_500_000, events: 12, verified: true };
    expect(noteBackup(rig.hub.options.dataDir, made)).toBeNull();
    await page.reload();
    await page.getByText('2.5 MB, 12 events').waitFor();
    await page.getByText('verified', { exact: true }).waitFor();
    await row(page, 'CORE_RETENTION_AUDIT_DAYS').getByText('365 days').waitFor();
    await row(page, 'CORE_RETENTION_EVENTS_DAYS').getByText('for ever').waitFor();
    await page.getByText(/would take 9 of 10/).waitFor();
    await page.getByRole('button', { name: 'Let it go' }).click();
    await dialog(page).getByLabel('Note (optional)').fill('the clock is right');
    await dialog(page).getByRole('button', { name: 'Let it go' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const audit = await got<{ items: { actor: string }[] }>('/api/core/audit?action=retention.confirmed');
    expect(audit.items[0]?.actor).toContain('chief');
    const scopes = async () => (await got<{ items: object[] }>('/api/core/retention/scopes')).items;
    await page.getByRole('button', { name: 'Set a period' }).click();
    await dialog(page).getByLabel('Tenant').click();
    await page.locator('.ant-select-item-option').getByText('hq', { exact: true }).click();
    await dialog(page).getByLabel('Days to keep').fill('90');
    await dialog(page).getByRole('button', { name: 'Set', exact: true }).click();
    await row(page, '90 days').waitFor();
    expect(await scopes()).toMatchObject([{ tenantCode: 'hq', days: 90 }]);
    await row(page, '90 days').getByRole('button', { name: 'Keep for ever' }).click();
    await page.locator('.ant-popconfirm-buttons').getByRole('button', { name: 'Keep for ever' }).click();
    await row(page, '90 days').waitFor({ state: 'detached' });
    expect(await scopes()).toEqual([]);
    visit.check();
  },
);

longTest(
  'who may only look has no control; a customer sees the alarms of their tenant alone, as text',
  async () => {
    const viewer = await at('viewer', '/admin?tab=alarms');
    await row(viewer.page, 'The disk fills up').waitFor();
    expect(await viewer.page.getByRole('tab').allInnerTexts()).toEqual(['Alarms', 'Audit', 'Retention']);
    expect(await viewer.page.getByRole('button', { name: 'Dealt with' }).count()).toBe(0);
    await viewer.page.getByRole('tab', { name: 'Retention' }).click();
    await row(viewer.page, 'CORE_RETENTION_EVENTS_DAYS').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Let it go|Set a period/ }).count()).toBe(0);
    viewer.check();
    const customer = await at('customer', '/events', { width: 390 });
    const { page } = customer;
    await page.getByRole('link', { name: '1 alarms' }).click();
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Alarms']);
    expect(await page.getByText('The disk fills up').count()).toBe(0);
    expect(
      await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    ).toBe(false);
    customer.check();
  },
);
