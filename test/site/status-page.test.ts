// The status page in a browser, against a site that runs.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { chromiumOfRun } from '../support/chromium.ts';
import { registerNode, startSiteProgram } from '../support/deployment.ts';
import { type Program, Scene } from '../support/process.ts';
import { adminCall, expectStatus, jsonOf, signedCall } from '../support/request.ts';

let browser: Browser;
let scene: Scene;
let site: Program;
beforeAll(async () => {
  browser = await chromiumOfRun();
});
beforeEach(async () => {
  scene = new Scene();
  site = await startSiteProgram(scene);
});
afterEach(() => scene.close());

interface Visit {
  page: Page;
  /** What went wrong in the page; a request that fails is told by the browser itself, and is none of it. */
  faults: string[];
  /** Origins that anything was asked of. */
  origins: Set<string>;
}

async function visit(locale: string): Promise<Visit> {
  const context = await browser.newContext({ locale });
  scene.onClose(() => context.close());
  const [faults, origins] = [[] as string[], new Set<string>()];
  context.on('request', (request) => void origins.add(new URL(request.url()).origin));
  context.on('weberror', (error) => void faults.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  const page = await context.newPage();
  await page.goto(site.url);
  return { page, faults, origins };
}

async function logIn(page: Page, key: string): Promise<void> {
  await page.locator('#key').fill(key);
  await page.locator('#enter').click();
}

const tile = (page: Page, head: string): Locator =>
  page.locator('.tile', { has: page.getByRole('heading', { name: head, exact: true }) });
const shows = (page: Page, id: string, text: string): Promise<void> =>
  page.locator(`#${id}`, { hasText: text }).waitFor();
const told = async (page: Page, id: string): Promise<string> =>
  (await page.locator(`#${id}`).textContent()) ?? '';

test('from login to logout, in both languages, through an event, a stop of the site and its return', async () => {
  const { page, faults, origins } = await visit('en-GB');
  await shows(page, 'readytext', 'The gateway is storing');
  expect(await page.locator('#board').isVisible()).toBe(false);
  await logIn(page, 'not the key');
  await shows(page, 'hint', 'The code or key is wrong');
  await logIn(page, site.adminKey);
  await page.locator('#board').waitFor();
  expect(await page.locator('#login').isVisible()).toBe(false);
  await tile(page, 'Storing').filter({ hasText: '0 events kept' }).waitFor();
  expect(await told(page, 'events')).toBe('No event yet');
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  expect(await page.title()).toMatch(/ · (?:All is well|Take a look)$/);

  const key = await registerNode(site, 'gate');
  const body = JSON.stringify({
    idempotency_key: 'k-1',
    type: 'fire.smoke',
    title: 'Smoke <b>at the gate</b>',
    camera_name: 'gate-camera',
  });
  expectStatus(await signedCall({ url: site.url, key, method: 'POST', path: '/api/core/events', body }), 201);
  await tile(page, 'Storing').filter({ hasText: '1 event kept' }).waitFor();
  await shows(page, 'events', 'Smoke <b>at the gate</b>');
  expect(await page.locator('#events tbody tr').count()).toBe(1);
  await page
    .locator('#events tbody .quiet')
    .filter({ hasText: /^Smoke$/ })
    .waitFor();
  expect(await told(page, 'events')).toMatch(/at the gate.*Smoke.*gate-camera.*open/);
  expect(await told(page, 'events')).not.toContain('fire.smoke');
  expect(await told(page, 'cameras')).toContain('gate');
  expect(await page.locator('#day svg .axis').count()).toBe(1);

  await page.locator('#lang').click();
  await tile(page, '存储').filter({ hasText: '1 个事件' }).waitFor();
  expect(await told(page, 'eventshead')).toBe('最近事件');
  expect(await page.locator('html').getAttribute('lang')).toBe('zh');

  await site.stop();
  await shows(page, 'trouble', '网关没有应答');
  expect(await tile(page, '存储').textContent()).toContain('1 个事件');
  expect(await told(page, 'events')).toContain('Smoke <b>at the gate</b>');
  await site.start();
  await page.locator('#trouble').waitFor({ state: 'hidden' });
  await tile(page, '存储').filter({ hasText: '1 个事件' }).waitFor();

  await page.reload();
  await tile(page, '存储').waitFor();
  await page.locator('#logout').click();
  await page.locator('#login').waitFor();
  expect(await page.locator('#board').isVisible()).toBe(false);
  expect(faults).toEqual([]);
  expect([...origins]).toEqual([site.url]);
});

test('a browser that speaks Chinese is answered in Chinese; what others put into the page does not run', async () => {
  const { page, faults, origins } = await visit('zh-CN');
  await shows(page, 'readytext', '网关正在存储');
  expect(await told(page, 'enter')).toBe('登录');
  expect(faults).toEqual([]);
  const ran = await page.evaluate(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    return window.ran === true;
  })()`);
  expect(ran).toBe(false);
  await expect(page.evaluate(`fetch('http://127.0.0.1:9/')`)).rejects.toThrow();
  for (const directive of ['script-src', 'connect-src'])
    expect(
      faults.filter(
        (fault) => fault.includes(`directive '${directive}`) || fault.includes(`directive: "${directive}`),
      ),
      directive,
    ).not.toEqual([]);
  expect([...origins]).toEqual([site.url]);
});

test('a code of the command line opens the page, typed once or brought by a QR code', async () => {
  const made = async (): Promise<string> => {
    const answer = await adminCall(site.url, site.adminKey, 'POST', '/api/core/session/codes');
    return jsonOf<{ code: string }>(expectStatus(answer, 201)).code;
  };
  const { page, faults } = await visit('zh-CN');
  const code = await made();
  await shows(page, 'keylabel', '登录码或管理密钥');
  await logIn(page, code.toLowerCase().replace('-', ' '));
  await page.locator('#board').waitFor();
  await page.locator('#logout').click();
  await page.locator('#login').waitFor();
  await logIn(page, code);
  await shows(page, 'hint', '登录码或密钥不正确');
  const scanned = await page.context().newPage();
  await scanned.goto(`${site.url}/#${await made()}`);
  await scanned.locator('#board').waitFor();
  expect(new URL(scanned.url()).hash).toBe('');
  expect(faults).toEqual([]);
});

test.each([
  ['en-GB', 'Storing', '1 unplanned end of the program in 30 days'],
  ['zh-CN', '存储', '30 天内程序非正常结束 1 次'],
])('in %s an end of the program that nobody asked for is shown', async (locale, head, text) => {
  await site.kill();
  await site.start();
  const { page, faults } = await visit(locale);
  await logIn(page, site.adminKey);
  await tile(page, head).filter({ hasText: text }).waitFor();
  expect(faults).toEqual([]);
});
