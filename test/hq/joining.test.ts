// Short codes by which a site fetches its key: good once, for ten minutes, and for one site.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, expectStatus, jsonOf, request, signedCall } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
  await rig.addUser('chief');
  for (const instance of ['tunnel', 'bridge'])
    expectStatus(await rig.admin('POST', '/api/core/sites', { instance, tenants: ['alpha'] }), 201);
});
afterAll(() => rig.close());

const codeOf = async (instance: string): Promise<string> =>
  jsonOf<{ code: string }>(expectStatus(await rig.admin('POST', `/api/core/sites/${instance}/codes`), 201))
    .code;
const join = (body: object, url = rig.hub.url): Promise<Answer> =>
  request({
    url,
    path: '/api/core/sites/join',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const INVALID = { error: 'invalid_code' };

test('a code gives the site a key that signs, and is used up by it, whichever process is asked', async () => {
  const peer = await rig.peer();
  const code = await codeOf('tunnel');
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  const answers = await Promise.all([join({ code }), join({ code }, peer.url), join({ code })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  const [given] = answers.filter(({ status }) => status === 200);
  const key = jsonOf<{ instance: string; keyId: string; secret: string }>(given as Answer);
  expect(key.instance).toBe('tunnel');
  const body = JSON.stringify({ protocol: 99, version: '1', instance: 'tunnel', epoch: 'e', head: 0 });
  const made = { url: rig.hub.url, key, method: 'POST', path: '/api/core/uplink/events', body };
  // The signature is taken: the request is looked at.
  expect((await signedCall({ ...made, now: rig.clock.now() })).status).toBe(400);
  const audit = jsonOf<{ items: { actor: string; action: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/core/audit?limit=20'), 200),
  ).items;
  expect(audit).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'site.code_issued' }),
      expect.objectContaining({
        action: 'key.added',
        actor: expect.stringContaining('by a joining code used from 127.0.0.1'),
      }),
    ]),
  );
  expect(JSON.stringify(audit)).not.toContain(code);
});

test('a code is for its site, until a newer one, and for ten minutes', async () => {
  const first = await codeOf('tunnel');
  expect(jsonOf(expectStatus(await join({ code: first, instance: 'bridge' }), 401))).toMatchObject(INVALID);
  const second = await codeOf('tunnel');
  expect((await join({ code: first })).status).toBe(401);
  rig.clock.advance(10 * 60_000);
  expect((await join({ code: second })).status).toBe(401);
  const third = await codeOf('tunnel');
  rig.clock.advance(10 * 60_000 - 1);
  expect((await join({ code: ` ${third.toLowerCase().replace('-', '')} `, instance: 'tunnel' })).status).toBe(
    200,
  );
});

test('guesses wait longer and longer, and hold up no right code from the same address', async () => {
  rig.clock.advance(2 * 60 * 60_000);
  const code = await codeOf('bridge');
  for (let guess = 0; guess < 6; guess++) expect((await join({ code: `0000-000${guess}` })).status).toBe(401);
  const held = expectStatus(await join({ code: 'no code' }), 429);
  expect(jsonOf(held)).toMatchObject({ error: 'too_many_attempts' });
  expect(held.headers['retry-after']).toBe('1');
  expect((await join({ code })).status).toBe(200);
  expect((await join({ code })).status).toBe(429);
  rig.clock.advance(1_000);
  expect((await join({ code })).status).toBe(401);
});

test('only who manages sites makes codes, and only for a site that there is', async () => {
  await rig.addUser('watcher', { role: 'operator', permissions: ['uplink.view'] });
  const watcher = await rig.browser('watcher');
  expect((await watcher.call('POST', '/api/core/sites/tunnel/codes')).status).toBe(403);
  const chief = await rig.browser('chief');
  expectStatus(await chief.call('POST', '/api/core/sites/tunnel/codes'), 201);
  expect((await chief.call('POST', '/api/core/sites/nowhere/codes')).status).toBe(404);
});
