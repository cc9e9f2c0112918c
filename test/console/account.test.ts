// One's own account through a browser: a second factor is set up, asked for, and reset by an administrator.
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { longTest } from '../support/long.ts';
import { freePort } from '../support/process.ts';
import { expectStatus, until } from '../support/request.ts';
import { openOwnHub, type OwnHub } from './rig.ts';
import { PASSWORD } from './shared.ts';

let rig: OwnHub;
beforeAll(async () => {
  rig = await openOwnHub({ CORE_SECOND_FACTOR: 'operators' });
  await rig.addUser('chief');
});
afterAll(() => rig.close());

const dialog = (page: Page) => page.getByRole('dialog');

/** Of now, or of the next step where that one was shown already: a code is taken once. */
async function nextCode(secret: string, taken: string[]): Promise<string> {
  const totp = new TOTP({ secret });
  const code = [0, 30_000]
    .map((later) => totp.generate({ timestamp: Date.now() + later }))
    .find((one) => !taken.includes(one));
  if (code === undefined) throw new Error('no code is left');
  taken.push(code);
  return Promise.resolve(code);
}

async function fillLogin(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('who must have a second factor sets it up before anything else, and logs in with it from then on', async () => {
  const visit = await rig.visit();
  const { page } = visit;
  await visit.open('/login');
  await fillLogin(page, 'chief');
  await page.getByText('A second factor is demanded of you').waitFor();
  expect(await page.locator('nav a').count()).toBe(0);
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await dialog(page).getByLabel('Present password').fill('not this one');
  await dialog(page).getByRole('button', { name: 'Go on' }).click();
  await dialog(page).getByText('The present password is wrong').waitFor();
  await dialog(page).getByLabel('Present password').fill(PASSWORD);
  await dialog(page).getByRole('button', { name: 'Go on' }).click();
  const qr = dialog(page).getByAltText('Picture for the authenticator app');
  await until('the picture is shown', () =>
    qr.evaluate((picture) => (picture as unknown as { naturalWidth: number }).naturalWidth > 0),
  );
  const secret = await dialog(page).locator('.command').innerText();
  const taken: string[] = [];
  await dialog(page).getByLabel('Code').fill('000000');
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await dialog(page).getByText('That code is wrong').waitFor();
  await dialog(page)
    .getByLabel('Code')
    .fill(await nextCode(secret, taken));
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  const codes = (await dialog(page).locator('.recovery-codes').innerText()).match(/\w{4}-\w{4}/g) ?? [];
  expect(codes).toHaveLength(10);
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click();
  // What the account may do is there again.
  await page.locator('nav a').first().waitFor();

  const later = await rig.visit();
  await later.open('/login');
  await fillLogin(later.page, 'chief');
  await later.page.getByText('Enter the six digits').waitFor();
  await later.page.getByLabel('Code').fill('000000');
  await later.page.getByRole('button', { name: 'Log in' }).click();
  await later.page.getByText('That code is wrong').waitFor();
  await later.page.getByLabel('Code').fill(codes[0] ?? '');
  await later.page.getByRole('button', { name: 'Log in' }).click();
  await later.page.locator('#content').waitFor();
  await later.open('/account');
  await later.page.getByText('Recovery codes left').waitFor();

  await rig.addUser('helper');
  await later.open('/admin');
  await later.page.getByRole('button', { name: 'More for chief' }).click();
  await later.page.getByRole('menuitem', { name: 'Reset the second factor' }).click();
  await dialog(later.page).getByRole('button', { name: 'Reset' }).click();
  await later.page.getByText('Your session has ended').waitFor();
});

describe('passkeys', () => {
  let desk: OwnHub;
  let origin: string;
  beforeAll(async () => {
    // A browser has passkeys for the names of hosts alone.
    const port = await freePort();
    origin = `http://localhost:${port}`;
    desk = await openOwnHub({ CORE_LISTEN: `127.0.0.1:${port}`, AGENT_LINK_URL: origin });
    await desk.addUser('chief');
    await desk.addUser('clerk');
  });
  afterAll(() => desk.close());

  /** A key that Chromium plays, which verifies its owner. */
  async function withKey(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
  }
  const logOut = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL(/\/login/);
  };
  async function add(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog(page).getByLabel('Name').fill(name);
    await dialog(page).getByLabel('Present password').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Go on' }).click();
  }

  test('one is added, confirms after the password, signs in alone, is renamed and removed', async () => {
    const { page } = await desk.visit();
    await withKey(page);
    await page.goto(`${origin}/login?back=%2Faccount`);
    await fillLogin(page, 'chief');
    await add(page, 'My telephone');
    const codes = dialog(page).locator('.recovery-codes');
    expect((await codes.innerText()).match(/\w{4}-\w{4}/g)).toHaveLength(10);
    await dialog(page).getByRole('button', { name: 'I have kept them' }).click();
    const row = page.getByRole('row', { name: /My telephone/ });
    await row.getByText('Never').waitFor();
    // The device has one already.
    await add(page, 'Again');
    await dialog(page).getByText('The browser gave no passkey').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();

    await logOut(page, 'chief');
    await page.goto(`${origin}/login?back=%2Faccount`);
    await fillLogin(page, 'chief');
    await page.getByText('Confirm with your passkey, or enter a recovery code.').waitFor();
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await row.waitFor();

    await logOut(page, 'chief');
    await page.goto(`${origin}/login?back=%2Faccount`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await row.getByRole('button', { name: 'Rename' }).click();
    await dialog(page).getByLabel('Name').fill('Old telephone');
    await dialog(page).getByLabel('Present password').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Go on' }).click();
    const renamed = page.getByRole('row', { name: /Old telephone/ });
    await renamed.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByLabel('Present password').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Go on' }).click();
    await renamed.waitFor({ state: 'detached' });

    await logOut(page, 'chief');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey opens nothing here').waitFor();
  });

  test('elsewhere the page says where they can be, and the login offers none', async () => {
    const visit = await desk.enter('clerk', '/account');
    await visit.page.getByText(`Open the console at ${origin}`).waitFor();
    await visit.page.context().clearCookies();
    await visit.open('/login');
    await visit.page.getByLabel('Password', { exact: true }).waitFor();
    expect(await visit.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  });
});

describe('at a hub with a provider of identities', () => {
  let provider: IdentityProvider;
  let company: OwnHub;
  beforeAll(async () => {
    // The provider must know the address of the console before it is there.
    const port = await freePort();
    provider = await startIdentityProvider(`http://127.0.0.1:${port}`);
    company = await openOwnHub({
      ...provider.env,
      CORE_LISTEN: `127.0.0.1:${port}`,
      CORE_PASSWORD_LOGIN: 'emergency',
    });
    await company.addUser('glass');
    await company.addUser('rock');
  });
  afterAll(async () => {
    await company.close();
    await provider.close();
  });

  test('one signs in there, is back where one wanted to go, and logs out of both', async () => {
    provider.person = 's-1';
    provider.claims['s-1'] = { preferred_username: 'li.na', groups: ['desk'] };
    const visit = await company.visit();
    const { page } = visit;
    await visit.open('/sites');
    await page.getByRole('button', { name: 'Sign in with Company ID' }).click();
    await page.waitForURL(/\/sites$/);
    await page.getByRole('button', { name: 'li.na' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await visit.open('/login');
    await page.getByRole('button', { name: 'Sign in with Company ID' }).waitFor();
  });

  test('what goes wrong there is a sentence, and leads back to the login', async () => {
    provider.person = null;
    const visit = await company.visit({ locale: 'zh-CN' });
    const { page } = visit;
    await visit.open('/login');
    await page.getByRole('button', { name: '使用 Company ID 登录' }).click();
    await page.getByText('统一身份认证服务没有允许登录').waitFor();
    // What was answered once is worth nothing again.
    await page.reload();
    await page.getByText('本次登录已使用过').waitFor();
    await page.getByRole('link', { name: '返回登录页' }).click();
    await page.waitForURL(/\/login$/);
  });

  longTest('an emergency account is made in the list of users, and gets in by its password', async () => {
    const marked = await company.hub.api('PATCH', '/api/core/users/glass', { emergency: true });
    expectStatus(marked, 200);
    const visit = await company.visit();
    const { page } = visit;
    await visit.open('/login');
    await page.getByRole('button', { name: 'Use an emergency account' }).click();
    await fillLogin(page, 'glass');
    await page.locator('#content').waitFor();
    await visit.open('/admin');
    const row = page.locator('tr[data-row-key="rock"]');
    await page.getByRole('button', { name: 'More for rock' }).click();
    await page.getByRole('menuitem', { name: 'Make it an emergency account' }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row.getByText('Emergency').waitFor();
    await visit.open('/admin?tab=alarms');
    await page.getByText('Somebody has logged in with the emergency account glass').first().waitFor();
  });
});
