// What a technician settles from the status page in a browser: what headquarters refused, alarms, the guard
// of the disk. And what they see of an event, and of a gateway that no longer answers.
import { createHash } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedHeaders } from '../../common/http/signing/signature.ts';
import { chromiumOfRun } from '../support/chromium.ts';
import {
  INSTANCE,
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../support/deployment.ts';
import { longTest } from '../support/long.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { type Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

let browser: Browser;
let scene: Scene;
let hub: Program;
let site: Program;
beforeAll(async () => {
  browser = await chromiumOfRun();
  scene = new Scene();
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  hub = await startHubProgram(scene, database.url);
  const keyFile = `${scene.dir}/uplink-key`;
  await registerSite(hub, keyFile);
  site = await startSiteProgram(scene, uplinkEnv(hub.url, keyFile));
});
afterAll(() => scene.close());

/** The smallest picture there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function post(tenant: string, name: string): Promise<number> {
  const key = await registerNode(site, name, tenant);
  const body = JSON.stringify({
    idempotency_key: name,
    type: 'fire.smoke',
    title: `Smoke ${name}`,
    severity: 'high',
    description: 'Thick smoke on the left.',
    // Outside the networks that the site may call.
    feedback_url: 'http://127.0.0.1:9/heard',
    evidence: [
      {
        name: 'a.png',
        content_type: 'image/png',
        size: PICTURE.length,
        sha256: createHash('sha256').update(PICTURE).digest('hex'),
      },
    ],
  });
  const sent = { url: site.url, key, method: 'POST', path: '/api/core/events', body };
  const { id } = jsonOf<{ items: { id: number }[] }>(expectStatus(await signedCall(sent), 201)).items[0] ?? {
    id: 0,
  };
  const path = `/api/core/events/${id}/evidence/a.png`;
  const headers = { ...signedHeaders(key, Date.now(), 'PUT', path, PICTURE), 'content-type': 'image/png' };
  expectStatus(await request({ url: site.url, method: 'PUT', path, headers, body: PICTURE }), 201);
  return id;
}

async function open(
  locale: string,
  colorScheme: 'light' | 'dark',
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ locale, colorScheme });
  scene.onClose(() => context.close());
  const faults: string[] = [];
  context.on('weberror', (error) => void faults.push(error.error().message));
  const page = await context.newPage();
  await page.goto(site.url);
  await page.locator('#key').fill(site.adminKey);
  await page.locator('#enter').click();
  await page.locator('#board').waitFor();
  return { page, faults };
}

const says = (page: Page, where: string, text: string): Promise<void> =>
  page.locator(where, { hasText: text }).first().waitFor();
const button = (page: Page, where: string, name: string) =>
  page.locator(where).getByRole('button', { name, exact: true });
const parkedAtSite = async (): Promise<number> =>
  jsonOf<{ items: unknown[] }>(expectStatus(await site.api('GET', '/api/core/uplink/parked'), 200)).items
    .length;

test('what headquarters refused is given up or sent again, and an alarm is cleared, under a name', async () => {
  await post('other', 'wall');
  await post('other', 'roof');
  await until('both are parked', async () => (await parkedAtSite()) === 2);
  const { page, faults } = await open('zh-CN', 'light');
  await says(page, '#parked', '总部不允许本站点使用该租户');
  expect(await page.locator('#parked').textContent()).not.toContain('is not allowed');

  await button(page, '#alarms', '清除').first().click();
  await page.locator('#by').fill('李工');
  await button(page, 'dialog', '清除').click();
  await says(page, 'dialog', '已清除');
  await button(page, 'dialog', '关闭').click();

  await button(page, '#parked', '放弃').first().click();
  expect(await page.locator('#by').inputValue()).toBe('李工');
  await button(page, 'dialog', '放弃').click();
  await says(page, 'dialog', '已放弃');
  await button(page, 'dialog', '关闭').click();
  expect(await parkedAtSite()).toBe(1);
  await until(
    'the page shows what is left',
    async () => (await button(page, '#parked', '重发').count()) === 1,
  );

  await button(page, '#parked', '重发').click();
  await button(page, 'dialog', '重发').click();
  await says(page, 'dialog', '再次拒收 1 条');
  await button(page, 'dialog', '关闭').click();
  expectStatus(await hub.api('PATCH', `/api/core/sites/${INSTANCE}`, { tenants: [TENANT, 'other'] }), 200);
  await button(page, '#parked', '重发').click();
  await button(page, 'dialog', '重发').click();
  await says(page, 'dialog', '总部接收 1 条');
  await button(page, 'dialog', '关闭').click();
  await page.locator('#parkedpart').waitFor({ state: 'hidden' });
  expect(await parkedAtSite()).toBe(0);
  const { items } = jsonOf<{ items: { actor: string; action: string }[] }>(
    expectStatus(await site.api('GET', '/api/core/audit?limit=50'), 200),
  );
  const named = items.filter(({ actor }) => actor.startsWith('李工 as ')).map(({ action }) => action);
  expect(named).toContain('alarm.cleared');
  expect(named).toHaveLength(2);
  expect(faults).toEqual([]);
});

longTest(
  'the guard of the disk asks for a word, and a refusal is told in the language of the page',
  async () => {
    const { page } = await open('zh-CN', 'dark');
    await page.route('**/api/core/site/status', async (route) => {
      const answer = await route.fetch();
      const facts = (await answer.json()) as { disk: object; now: string };
      await route.fulfill({
        response: answer,
        json: { ...facts, disk: { ...facts.disk, guardSince: facts.now } },
      });
    });
    await button(page, '#tiles', '确认继续删除').click();
    await button(page, 'dialog', '确认继续删除').click();
    expect(await page.locator('dialog').getByText('已确认').count()).toBe(0);
    await page.locator('#by').fill('李工');
    await button(page, 'dialog', '确认继续删除').click();
    await says(page, 'dialog', '没有被拦下的删除需要确认。');
  },
);

test('an event is shown with its picture and whether its camera heard, and closes again', async () => {
  const id = await post(TENANT, 'gate');
  const judged = await site.api('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' });
  expectStatus(judged, 200);
  const { page, faults } = await open('en-GB', 'light');
  await button(page, '#events', 'Smoke gate').click();
  await says(page, 'dialog', 'Thick smoke on the left.');
  await says(page, 'dialog', 'The camera is told of the verdict: not delivered yet');
  expect(await page.locator('#eventid').textContent()).toBe(String(id));
  const picture = page.locator('dialog img');
  await picture.waitFor();
  await page.waitForFunction('document.querySelector("dialog img").naturalWidth === 1');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
});

/** Contrast of each control's text with what is painted behind it (WCAG 2.2, 1.4.3). */
const CONTRASTS = `(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('button, input, a, .badge, .quiet, .tile p, .tile h3, #trouble')]
    .filter((one) => one.offsetParent !== null)
    .map((one) => {
      const [a, b] = [light(rgb(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x);
      return [one.textContent || one.id, (a + 0.05) / (b + 0.05)];
    });
})()`;

test.each(['light', 'dark'] as const)('every control can be read, %s', async (scheme) => {
  const { page } = await open('en-GB', scheme);
  await page.locator('#logout').click();
  await page.locator('#login').waitFor();
  const seen = (await page.evaluate(CONTRASTS)) as [string, number][];
  await page.locator('#key').fill(site.adminKey);
  await page.locator('#enter').click();
  await page.locator('#events .plain').first().waitFor();
  seen.push(...((await page.evaluate(CONTRASTS)) as [string, number][]));
  expect(seen.length).toBeGreaterThan(20);
  expect(seen.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
});

longTest('what was said last by a gateway that no longer answers is seen to be old', async () => {
  const { page } = await open('en-GB', 'light');
  // Set with the title; the page lets in no script by which the title could be waited for.
  await page.locator('#instance').filter({ hasText: 'site-1' }).waitFor();
  await page.route('**/api/core/site/status', (route) => route.abort());
  await says(page, '#trouble', 'What you see is as of ');
  expect(await page.title()).toBe('site-1 · no answer');
  expect(await page.evaluate(`getComputedStyle(document.getElementById('board')).opacity`)).toBe('0.6');
  await page.unroute('**/api/core/site/status');
  await page.locator('#trouble').waitFor({ state: 'hidden' });
  expect(await page.evaluate(`getComputedStyle(document.getElementById('board')).opacity`)).toBe('1');
  expect(await page.title()).not.toContain('no answer');
});
