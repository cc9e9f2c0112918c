// What every screen of the console stands on: how it is served, login, language, and what it may ask of whom.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { firstOf } from '../support/campaign.ts';
import { startSystemChromium } from '../support/chromium.ts';
import { longTest } from '../support/long.ts';
import { type ConsoleRig, openConsoleRig, openOwnHub } from './rig.ts';
import { PASSWORD } from './shared.ts';

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief');
  await rig.addUser('zhang');
});
afterAll(() => rig.close());

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ask = (path: string, headers: Record<string, string> = HTML, method = 'GET'): Promise<Response> =>
  fetch(new URL(path, rig.hub.url), { headers, method, redirect: 'manual' });

test('from login to the place where one wanted to be, and out again', async () => {
  const visit = await rig.visit();
  const { page } = visit;
  await visit.open('/sites?q=site');
  await page.getByText('Log in to headquarters').waitFor();
  await page.locator('input[autocomplete="username"]').fill('chief');
  await page.locator('input[autocomplete="current-password"]').fill('not the password');
  await page.keyboard.press('Enter');
  await page.getByText('The name or the password is wrong').waitFor();
  await visit.logIn('chief');
  await page.getByRole('link', { name: 'site-1', exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=site');
  await page.getByRole('button', { name: 'chief' }).click();
  await page.getByText('Log out').click();
  await page.getByText('Log in to headquarters').waitFor();
  await visit.open('/sites');
  await page.getByText('Log in to headquarters').waitFor();
  visit.check();
});

test('a session that ends is gone on with over the page, and what was typed stays', async () => {
  const visit = await rig.visit({ quick: true });
  const { page, context } = visit;
  await visit.open('/sites?state=current');
  await visit.logIn('chief');
  await page.getByRole('link', { name: 'site-1', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Register a site' }).click();
  await page.getByLabel('Name of the site').fill('tunnel-12, typed at length');
  await context.clearCookies();
  await page.getByText('Your session has ended').waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sites?state=current');
  const password = page.locator('input[autocomplete="current-password"]');
  expect(await page.locator('input[autocomplete="username"]').inputValue()).toBe('chief');
  await password.fill('not the password');
  await page.keyboard.press('Enter');
  await page.getByText('The name or the password is wrong').waitFor();
  await visit.logIn('chief');
  await password.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name of the site').inputValue()).toBe('tunnel-12, typed at length');
  // To another user nothing is left of it.
  await context.clearCookies();
  await page.getByText('Your session has ended').waitFor();
  await visit.logIn('zhang');
  await password.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'zhang' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  // Loaded anew, it is the login, and leads back.
  await context.clearCookies();
  await page.reload();
  await page.getByText('Your session has ended').waitFor();
  await visit.logIn('chief');
  await page.getByRole('link', { name: 'site-1', exact: true }).waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sites?state=current');
  visit.check();
});

/** Chromium up to this version never asks again for a module that once did not come. */
const LAST_THAT_REMEMBERS = 153;
const remembersFailed = (browser: Browser): boolean =>
  Number.parseInt(browser.version(), 10) <= LAST_THAT_REMEMBERS;

longTest('a tap on what was never opened leaves the page not, while there is no link', async () => {
  const browser = await startSystemChromium();
  onTestFinished(() => browser.close());
  const visit = await rig.visit({ quick: true, browser });
  const { page, context } = visit;
  let away = true;
  await page.route('**/assets/admin-*.js', (route) => (away ? route.abort() : route.continue()));
  await visit.open('/sites');
  await visit.logIn('chief');
  await page.getByRole('link', { name: 'site-1', exact: true }).waitFor();
  await page.evaluate('window.sameDocument = true');
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByText('This part is not loaded yet').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('This part is not loaded yet').waitFor();
  away = false;
  await context.setOffline(false);
  if (remembersFailed(browser)) await page.getByRole('button', { name: 'Load anew' }).click();
  await page.getByRole('tab', { name: 'Users' }).waitFor();
  if (!remembersFailed(browser)) expect(await page.evaluate('window.sameDocument')).toBe(true);
  visit.check();
});

longTest(
  'every screen is loaded ahead: a hub that stops takes none away, and comes back without a tap',
  async () => {
    const own = await openOwnHub();
    onTestFinished(() => own.close());
    await own.addUser('chief');
    await own.addUser('zhang');
    const visit = await own.visit({ quick: true, ahead: true });
    const { page } = visit;
    await visit.open('/sites');
    // The last that is loaded ahead draws charts.
    const drawing = page.waitForResponse(/\/assets\/drawing-/);
    await visit.logIn('chief');
    await (await drawing).finished();
    await page.evaluate('window.sameDocument = true');
    await own.hub.stop();
    try {
      for (const name of ['Rules', 'Library', 'Reports', 'Admin']) {
        await page.getByRole('link', { name }).click();
        await page.locator('#content h1').waitFor();
        expect(await page.getByText('This part is not loaded yet').count()).toBe(0);
      }
    } finally {
      await own.hub.start();
      await own.hub.ready();
    }
    await page.getByRole('row', { name: 'zhang' }).waitFor();
    expect(await page.evaluate('window.sameDocument')).toBe(true);
  },
);

test('whoever is logged in changes the own password, and is told what is wrong with it', async () => {
  await rig.addUser('wang');
  const visit = await rig.enter('wang', '/sites');
  const { page } = visit;
  await page.getByRole('button', { name: 'wang' }).click();
  await page.getByText('My account').click();
  await page.getByRole('button', { name: 'Change my password' }).click();
  const fill = async (current: string, again: string): Promise<void> => {
    await page.getByLabel('Present password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill('seven green lanterns');
    await page.getByLabel('New password again').fill(again);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await fill('not the password', 'seven green lantern');
  await page.getByText('The two are not the same').waitFor();
  await fill('not the password', 'seven green lanterns');
  await page.getByText('The present password is wrong').waitFor();
  await fill(PASSWORD, 'seven green lanterns');
  await page.getByText('Your password was changed').waitFor();
  const login = { name: 'wang', password: 'seven green lanterns' };
  expect((await rig.hub.api('POST', '/api/core/session/login', login)).status).toBe(200);
  visit.check();
});

test('relative times go by the clock of headquarters, whatever that of the browser says', async () => {
  const visit = await rig.visit();
  const { page, context } = visit;
  await context.addInitScript(`Date = class extends Date {
    static now() { return super.now() + 3 * 3600_000; }
    constructor(...given) { if (given.length > 0) super(...given); else super(Date.now()); }
  };`);
  await visit.open('/admin?tab=sessions');
  await visit.logIn('chief');
  const row = page.getByRole('row', { name: 'chief' }).first();
  await row.getByText(/second|minute|now/).waitFor();
  expect(await row.getByText(/hour/).count()).toBe(0);
  visit.check();
});

longTest('the language follows the browser, can be changed, and is kept', async () => {
  const visit = await rig.visit({ locale: 'zh-CN' });
  const { page } = visit;
  await visit.open('/sites');
  await page.getByText('登录总部控制台').waitFor();
  await visit.logIn('chief');
  await page.getByRole('heading', { name: '站点' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  await page.getByRole('button', { name: /语言/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  visit.check();
});

test('while the hub is away the rows stay, and the page says since when they are old', async () => {
  const visit = await rig.enter('chief', '/sites', { quick: true });
  const { page } = visit;
  await page.getByRole('link', { name: 'site-1', exact: true }).waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await page.getByText(/does not answer · What you see is as of \d\d:\d\d:\d\d/).waitFor();
  expect(await page.getByRole('link', { name: 'site-1', exact: true }).count()).toBe(1);
  await page.unroute('**/api/**');
  await page.getByText(/What you see is as of/).waitFor({ state: 'detached' });
  visit.check();
});

test.each<[path: string, asked: string, none: string | RegExp]>(
  firstOf([
    ['/admin?tab=alarms&instance=nowhere', '**/api/core/alarms?*', 'Nothing fits the filters'],
    [
      '/events?q=nothing-like-it',
      '**/api/core/events/list?*',
      /Nothing fits the filters|Looked through every/,
    ],
    ['/sites?q=nowhere', '**/api/core/uplink/sites*', 'Nothing fits the filters'],
  ]),
)('%s says of nothing that it is not there as long as no answer has come', async (path, asked, none) => {
  const { page } = await rig.enter('chief', '/now');
  await page.route(asked, (route) => route.abort());
  await page.goto(new URL(path, rig.hub.url).href);
  await page.getByText('Headquarters does not answer').first().waitFor();
  expect(await page.getByText(none).count()).toBe(0);
  await page.unroute(asked);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByText(none).first().waitFor();
});

test('a page is answered to whoever opens an address, and never for one of the API', async () => {
  for (const path of ['/', '/sites', '/sites/site-1?tab=keys', '/no/such/screen']) {
    const answer = await ask(path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  }
  for (const path of ['/api/core/nothing', '/open/v1/nothing', '/api', '/assets/nothing.js', '/healthz/x']) {
    const answer = await ask(path, path.startsWith('/assets') ? {} : HTML);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  }
  expect((await ask('/sites', { Accept: 'application/json' })).status).toBe(404);
  expect((await ask('/', { Accept: '*/*' })).headers.get('content-type')).toMatch(/^text\/html/);
  expect((await ask('/sites', HTML, 'POST')).status).toBe(404);
  expect(await (await ask('/', HTML, 'HEAD')).text()).toBe('');
});

test('its policy lets in no script of the page and nothing of another host; each answer has a nonce of its own', async () => {
  const [one, other] = [await ask('/'), await ask('/')];
  const policy = one.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(policy).toContain("frame-ancestors 'none'");
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(nonce).toMatch(/^[\w+/]{22}==$/);
  expect(await one.text()).toContain(`nonce="${nonce}"`);
  expect(other.headers.get('content-security-policy')).not.toContain(nonce);
  for (const [name, value] of [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'same-origin'],
    ['x-frame-options', 'DENY'],
  ] as const)
    expect(one.headers.get(name)).toBe(value);
});

test('files are compressed as the browser takes them, and kept for ever; the first screen is small', async () => {
  const visit = await rig.visit();
  const scripts = new Set<string>();
  visit.page.on('response', (answer) => {
    if (answer.url().endsWith('.js')) scripts.add(new URL(answer.url()).pathname);
  });
  await visit.open('/sites');
  await visit.logIn('chief');
  await visit.page.getByRole('link', { name: 'site-1', exact: true }).waitFor();
  expect(scripts.size).toBeGreaterThan(1);
  let total = 0;
  // As far as the first screen: what is loaded ahead comes later.
  for (const script of [...scripts]) {
    const [plain, gzip, brotli] = await Promise.all(
      ['identity', 'gzip', 'br, gzip;q=0.5'].map((encoding) =>
        ask(script, { 'Accept-Encoding': encoding, Accept: '*/*' }),
      ),
    );
    expect(plain?.headers.get('content-encoding')).toBeNull();
    expect(plain?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain?.headers.get('x-content-type-options')).toBe('nosniff');
    expect(plain?.headers.get('vary')).toBe('Accept-Encoding');
    const length = Number(plain?.headers.get('content-length'));
    if (length >= 1_024) {
      expect(gzip?.headers.get('content-encoding')).toBe('gzip');
      expect(brotli?.headers.get('content-encoding')).toBe('br');
      expect(await brotli?.text()).toBe(await plain?.text());
    }
    total += Number(gzip?.headers.get('content-length'));
  }
  expect(total).toBeLessThan(500_000);
  visit.check();
});
