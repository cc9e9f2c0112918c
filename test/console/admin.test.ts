// Who may do what, and who did what: users, their sessions and the audit, through a browser.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../support/long.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import { openOwnHub, type OwnHub, type Visit, type VisitOptions } from './rig.ts';

let rig: OwnHub;
beforeAll(async () => {
  rig = await openOwnHub();
  await rig.addUser('chief');
});
afterAll(() => rig.close());

interface Listed {
  name: string;
  permissions: string[];
  limited: boolean;
  disabledAt: string | null;
  tenantCode: string | null;
}
const userAt = async (name: string): Promise<Listed | undefined> =>
  jsonOf<{ items: Listed[] }>(expectStatus(await rig.hub.api('GET', '/api/core/users'), 200)).items.find(
    (one) => one.name === name,
  );

const visitAs = (name: string, target: string, options: VisitOptions = {}): Promise<Visit> =>
  rig.enter(name, target, options);

const row = (page: Page, name: string) => page.locator(`tr[data-row-key="${name}"]`);
const dialog = (page: Page) => page.getByRole('dialog');

test('a user is added, limited, given a password, disabled and enabled', async () => {
  const visit = await visitAs('chief', '/admin');
  const { page } = visit;
  await page.getByRole('button', { name: 'Add a user' }).click();
  await dialog(page).getByLabel('Name').fill('li');
  await dialog(page).getByText('Customer').click();
  await dialog(page).getByLabel('Tenant').fill('tenant-a');
  await dialog(page).getByLabel('Initial password').fill('1234567890');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('That was refused').waitFor();
  await page.locator('.ant-notification-notice-close').click();
  await dialog(page).getByLabel('Initial password').fill('seven green lanterns');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, 'li').waitFor();
  expect(await userAt('li')).toMatchObject({ tenantCode: 'tenant-a', limited: false, disabledAt: null });

  await row(page, 'li').getByRole('button', { name: 'Permissions' }).click();
  await dialog(page).getByText('Only those chosen').click();
  expect(await dialog(page).getByText('users.manage').count()).toBe(0);
  await dialog(page).getByText('See statistics').waitFor();
  const checked = dialog(page).getByRole('checkbox', { checked: true });
  while ((await checked.count()) > 0) await checked.first().uncheck();
  await dialog(page).getByText('See statistics').click();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, 'li').getByText('1 permissions').waitFor();
  expect(await userAt('li')).toMatchObject({ limited: true, permissions: ['stats.view'] });

  await row(page, 'li').getByRole('button', { name: 'Set password' }).click();
  await dialog(page).getByLabel('Password').fill('nine yellow kettles');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  const login = (password: string) =>
    rig.hub.api('POST', '/api/core/session/login', { tenant: 'tenant-a', name: 'li', password });
  expectStatus(await login('seven green lanterns'), 401);
  expectStatus(await login('nine yellow kettles'), 200);

  await row(page, 'li').getByRole('button', { name: 'Disable' }).click();
  await page.locator('.ant-popconfirm-buttons').getByRole('button', { name: 'Disable' }).click();
  await row(page, 'li').getByText('Disabled', { exact: true }).waitFor();
  expect((await userAt('li'))?.disabledAt).not.toBeNull();
  await row(page, 'li').getByRole('button', { name: 'Enable' }).click();
  await row(page, 'li').getByText('Enabled', { exact: true }).waitFor();
  expect((await userAt('li'))?.disabledAt).toBeNull();
  visit.check();
});

longTest('a session is ended, and the audit tells who did what', async () => {
  await rig.addUser('guest');
  const guest = await visitAs('guest', '/sites', { quick: true });
  const visit = await visitAs('chief', '/admin?tab=sessions');
  const { page } = visit;
  const line = page.getByRole('row').filter({ hasText: 'guest' });
  await line.getByRole('button', { name: 'End' }).click();
  await page.locator('.ant-popconfirm-buttons').getByRole('button', { name: 'End' }).click();
  await line.waitFor({ state: 'detached' });
  await guest.page.getByText('Your session has ended').waitFor();
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByLabel('Who').fill('user:chief');
  await page.keyboard.press('Enter');
  await page.waitForURL(/actor=user/);
  await page.locator('tbody tr[data-row-key]').first().waitFor();
  const actors = await page.locator('tbody tr[data-row-key] td:nth-child(3)').allInnerTexts();
  expect(actors.length).toBeGreaterThan(0);
  await page.getByLabel('Without evidence asked for and stored').check();
  await page.waitForURL(/evidence=hidden/);
  await page.locator('tbody tr[data-row-key]').first().waitFor();
  // In words; the filter takes what the audit has.
  expect(actors.every((one) => one.startsWith('user chief'))).toBe(true);
  visit.check();
});

longTest('somebody ends the own other sessions, and an administrator all of somebody', async () => {
  await rig.addUser('wu');
  const [here, there] = [
    await visitAs('wu', '/account', { quick: true }),
    await visitAs('wu', '/account', { quick: true }),
  ];
  const rows = (visit: Visit) => visit.page.locator('#content tbody tr[data-row-key]');
  await rows(there).nth(1).waitFor();
  await here.page.getByRole('button', { name: 'End all others' }).click();
  await here.page.locator('.ant-popconfirm-buttons').getByRole('button', { name: 'End' }).click();
  await rows(here).nth(1).waitFor({ state: 'detached' });
  await rows(here).getByText('Here').waitFor();
  await there.page.getByText('Your session has ended').waitFor();
  const chief = await visitAs('chief', '/admin');
  await chief.page.getByRole('button', { name: 'More for wu' }).click();
  await chief.page.getByRole('menuitem', { name: 'End all sessions' }).click();
  await dialog(chief.page).getByRole('button', { name: 'End' }).click();
  await here.page.getByText('Your session has ended').waitFor();
  chief.check();
});

test('who lacks the permission sees no control, and cannot touch who holds more', async () => {
  await rig.addUser('auditor', { role: 'operator', permissions: ['audit.view'] });
  await rig.addUser('clerk', { role: 'operator', permissions: ['users.manage', 'events.view'] });
  const auditor = await visitAs('auditor', '/admin');
  await auditor.page.getByRole('tab', { name: 'Audit' }).waitFor();
  expect(await auditor.page.getByRole('tab').count()).toBe(1);
  auditor.check();
  const clerk = await visitAs('clerk', '/admin');
  const { page } = clerk;
  await row(page, 'chief').waitFor();
  expect(await row(page, 'chief').getByRole('button').count()).toBe(0);
  await page.getByRole('button', { name: 'Add a user' }).click();
  await dialog(page).getByText('Only those chosen').click();
  await dialog(page).getByRole('checkbox').first().waitFor();
  expect(await dialog(page).getByRole('checkbox').count()).toBe(2);
  clerk.check();
});

test('the audit of a tenant has nothing of another, and text that is markup is text', async () => {
  await rig.addUser('alpha-user', {
    role: 'customer',
    tenant_code: 'alpha',
    permissions: ['audit.view', 'events.view'],
  });
  const visit = await visitAs(
    'alpha-user',
    '/admin?tab=audit&actor=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
  );
  const { page } = visit;
  await page.getByText('Nothing fits the filters').waitFor();
  expect(await page.getByLabel('Who').inputValue()).toBe('<img src=x onerror=alert(1)>');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByText('Nothing fits the filters').waitFor({ state: 'detached' });
  expect(await page.getByText('tenant-a').count()).toBe(0);
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Alarms', 'Audit']);
  visit.check();
});
