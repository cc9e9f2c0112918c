// Login at a site: with the admin key, as its operator.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../common/log.ts';
import { type Site, startSite } from '../../site/app.ts';
import { readSiteConfig } from '../../site/config.ts';
import { Browser } from '../support/browser.ts';
import { TestClock } from '../support/clock.ts';
import { adminCall, expectStatus, jsonOf } from '../support/request.ts';

let dir: string;
let site: Site;
let adminKey: string;
const clock = new TestClock();

const start = () =>
  startSite(
    readSiteConfig({
      CORE_DATA_DIR: dir,
      CORE_LISTEN: '127.0.0.1:0',
      CORE_INSTANCE: 'site-1',
      AGENT_ENABLED: 'false',
    }),
    { clock, log: silentLogger() },
  );
const login = (browser: Browser, key = adminKey) =>
  browser.call('POST', '/api/core/session/login', { body: { admin_key: key } });

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-site-session-'));
  site = await start();
  adminKey = (await readFile(path.join(dir, 'secrets', 'admin-key'), 'utf8')).trim();
});
afterAll(async () => {
  await site.stop();
  await rm(dir, { recursive: true, force: true });
});

test('the admin key opens a session of an operator, which outlives a restart and can be ended', async () => {
  const browser = new Browser(site.url);
  expect(jsonOf(expectStatus(await login(browser), 200))).toMatchObject({
    name: 'admin',
    role: 'operator',
    tenantCode: null,
  });
  await site.stop();
  site = await start();
  const again = new Browser(site.url);
  for (const [name, value] of browser.cookies) again.cookies.set(name, value);
  for (const target of [
    '/api/core/session',
    '/api/core/uplink/status',
    '/api/core/uplink/parked',
    '/api/core/events/list',
    '/api/core/audit',
    '/api/core/alarms',
  ]) {
    expect([target, (await again.call('GET', target)).status]).toEqual([target, 200]);
  }
  const [session] = jsonOf<{ items: { id: string }[] }>(await again.call('GET', '/api/core/sessions')).items;
  expect((await again.call('DELETE', `/api/core/sessions/${session?.id}`, { headers: {} })).status).toBe(403);
  const { host } = new URL(site.url);
  const asked = (headers: Record<string, string>) =>
    again.call('DELETE', `/api/core/sessions/${session?.id}`, {
      headers: { 'x-requested-with': 'fieldline', ...headers },
    });
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
    // Nobody is a proxy here who is not named.
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  ];
  for (const headers of foreign)
    expect([headers, jsonOf(expectStatus(await asked(headers), 403))]).toMatchObject([{}, { error: 'csrf' }]);
  expectStatus(await asked({ origin: `http://${host}` }), 200);
  expect((await again.call('GET', '/api/core/session')).status).toBe(401);
});

test('a wrong key is refused, and guessing is held up, but no right key or code beside it', async () => {
  const stranger = new Browser(site.url, '127.0.0.7');
  for (let tries = 0; tries < 6; tries += 1) expect((await login(stranger, 'wrong')).status).toBe(401);
  expect((await login(stranger, 'wrong')).status).toBe(429);
  expect((await login(new Browser(site.url, '127.0.0.7'))).status).toBe(200);
  const made = await adminCall(site.url, adminKey, 'POST', '/api/core/session/codes');
  const { code } = jsonOf<{ code: string }>(expectStatus(made, 201));
  const neighbour = new Browser(site.url, '127.0.0.7');
  expect((await neighbour.call('POST', '/api/core/session/login', { body: { code } })).status).toBe(200);
  expect((await login(stranger, 'wrong')).status).toBe(429);
  clock.advance(1_000);
  expect((await login(stranger, 'wrong')).status).toBe(401);
});

test('a code opens a session of whoever had it made, once, for ten minutes, until a newer one', async () => {
  const made = async (): Promise<string> =>
    jsonOf<{ code: string }>(
      expectStatus(await adminCall(site.url, adminKey, 'POST', '/api/core/session/codes'), 201),
    ).code;
  const byCode = async (code: string) =>
    new Browser(site.url).call('POST', '/api/core/session/login', { body: { code } });
  const first = await made();
  const code = await made();
  expect((await byCode(first)).status).toBe(401);
  expect(jsonOf(expectStatus(await byCode(code), 200))).toMatchObject({ name: 'admin', role: 'operator' });
  expect(jsonOf(expectStatus(await byCode(code), 401))).toMatchObject({ error: 'invalid_credentials' });
  const late = await made();
  clock.advance(10 * 60_000);
  expect((await byCode(late)).status).toBe(401);
  const both = { admin_key: adminKey, code: late };
  const browser = new Browser(site.url);
  for (const body of [{}, both])
    expect((await browser.call('POST', '/api/core/session/login', { body })).status).toBe(400);
  expect((await browser.call('POST', '/api/core/session/codes')).status).toBe(401);
});
