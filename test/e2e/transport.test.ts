// Cookies are Secure and browsers are told to come by TLS where they did: by the program's own, or by that of
// a proxy that is named.
import path from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../common/clock.ts';
import { Browser } from '../support/browser.ts';
import { ADMIN_KEY, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { agentOptions, type Answer, expectStatus, request } from '../support/request.ts';

const PASSWORD = 'correct horse battery';
const TLS = path.join(import.meta.dirname, '../support/tls');
const env = { CORE_TRUSTED_PROXIES: '127.0.0.5/32' };
const tls = {
  ...env,
  CORE_TLS_CERT_REF: `file:${TLS}/receiver.pem`,
  CORE_TLS_KEY_REF: `file:${TLS}/receiver-key.pem`,
};

const trusting = new Agent(agentOptions({ connect: { rejectUnauthorized: false }, pipelining: 0 }));

let scenes: Scene[];
const plain = {} as Record<'site' | 'hub', { url: string; credentials: object }>;
const own = {} as typeof plain;
let socket: string;

beforeAll(async () => {
  scenes = [new Scene(), new Scene()];
  const [first, second] = scenes as [Scene, Scene];
  const hub = await startHubHere(first, systemClock, env);
  expectStatus(
    await hub.call('POST', '/api/core/users', { name: 'chief', role: 'operator', password: PASSWORD }),
    201,
  );
  plain.site = { url: (await startSiteHere(first, { env })).site.url, credentials: { admin_key: ADMIN_KEY } };
  plain.hub = { url: hub.hub.url, credentials: { name: 'chief', password: PASSWORD } };
  own.site = {
    url: (await startSiteHere(second, { env: tls })).site.url,
    credentials: { admin_key: ADMIN_KEY },
  };
  own.hub = {
    url: (await startHubHere(second, systemClock, tls)).hub.url,
    credentials: { name: 'nobody', password: PASSWORD },
  };
  socket = path.join(second.dir, 'site', 'admin.sock');
});
afterAll(async () => {
  for (const scene of scenes) await scene.close();
});

const strict = ({ headers }: Answer): unknown => headers['strict-transport-security'];
const cookies = ({ headers }: Answer): boolean[] =>
  (headers['set-cookie'] ?? []).map((line) => /; Secure$/.test(line));

describe.each(['site', 'hub'] as const)('at a %s', (side) => {
  const login = (from: string, headers: Record<string, string>): Promise<Answer> =>
    new Browser(plain[side].url, from).call('POST', '/api/core/session/login', {
      body: plain[side].credentials,
      headers,
    });

  test('behind a named proxy that ends TLS the cookies are Secure, and TLS is asked for from then on', async () => {
    for (const proto of ['https', 'HTTPS', 'https, http']) {
      const answer = expectStatus(
        await login('127.0.0.5', { 'x-forwarded-proto': proto, 'x-forwarded-for': '203.0.113.9' }),
        200,
      );
      expect([cookies(answer), strict(answer)]).toEqual([[true, true], 'max-age=31536000']);
    }
  });

  test('a claim of anybody else is not believed, and neither is a proxy without TLS in front', async () => {
    for (const [from, headers] of [
      ['127.0.0.6', { 'x-forwarded-proto': 'https' }],
      ['127.0.0.5', { 'x-forwarded-proto': 'http' }],
      ['127.0.0.5', {}],
    ] as const) {
      const answer = expectStatus(await login(from, headers), 200);
      expect([cookies(answer), strict(answer)]).toEqual([[false, false], undefined]);
    }
  });

  test('with TLS of its own every answer asks for it, also a refusal', async () => {
    const get = (target: string): Promise<Answer> => overTls(own[side].url, 'GET', target);
    for (const [target, status] of [
      ['/healthz', 200],
      ['/no/such', 404],
      ['/api/core/nodes', 401],
    ] as const) {
      const answer = await get(target);
      expect([target, answer.status, strict(answer)]).toEqual([target, status, 'max-age=31536000']);
    }
  });
});

test('with TLS of its own the cookies are Secure; the local socket is not asked for it', async () => {
  const answer = await overTls(
    own.site.url,
    'POST',
    '/api/core/session/login',
    JSON.stringify(own.site.credentials),
  );
  expect([answer.status, cookies(answer)]).toEqual([200, [true, true]]);
  const local = await request({
    url: 'http://localhost',
    method: 'GET',
    path: '/healthz',
    agent: new Agent(agentOptions({ connect: { socketPath: socket }, pipelining: 0 })),
  });
  expect([local.status, strict(local)]).toEqual([200, undefined]);
});

// The certificate is one of the test's own authority.
const overTls = (url: string, method: string, target: string, body?: string): Promise<Answer> =>
  request({
    url,
    method,
    path: target,
    agent: trusting,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body }),
  });
