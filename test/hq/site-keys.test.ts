// Sites and their keys in the hands of people: who may look, who may change, and what the audit keeps of it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectStatus, jsonOf, signedCall } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
  await rig.addUser('chief');
  await rig.addUser('watcher', { role: 'operator', permissions: ['uplink.view'] });
});
afterAll(() => rig.close());

interface Key {
  keyId: string;
  secret: string;
}
const knock = async (key: Key): Promise<number> => {
  const body = JSON.stringify({ protocol: 99, version: '1', instance: 'tunnel', epoch: 'e', head: 0 });
  const made = { url: rig.hub.url, key, method: 'POST', path: '/api/core/uplink/events', body };
  return (await signedCall({ ...made, now: rig.clock.now() })).status;
};
/** What a site gets whose signature is taken: its request is looked at. */
const TAKEN = 400;

test('an operator makes a site, gives it another key, rotates and withdraws, under their name', async () => {
  const chief = await rig.browser('chief');
  const made = async (path: string, body: object = {}): Promise<Key> =>
    jsonOf<Key>(expectStatus(await chief.call('POST', `/api/core/sites${path}`, { body }), 200, 201));
  const first = await made('', { instance: 'tunnel', tenants: ['alpha'] });
  expect(await knock(first)).toBe(TAKEN);
  const second = await made('/tunnel/keys');
  expect([await knock(first), await knock(second)]).toEqual([TAKEN, TAKEN]);
  const rotated = await made(`/tunnel/keys/${second.keyId}/rotate`, { overlap_hours: 0 });
  expect([await knock(second), await knock(rotated)]).toEqual([401, TAKEN]);
  expectStatus(await chief.call('DELETE', `/api/core/sites/tunnel/keys/${first.keyId}`), 200);
  expect([await knock(first), await knock(rotated)]).toEqual([401, TAKEN]);
  expect((await chief.call('DELETE', `/api/core/sites/other/keys/${rotated.keyId}`)).status).toBe(404);
  expect((await chief.call('POST', '/api/core/sites/other/keys')).status).toBe(404);
  const { items } = jsonOf<{ items: { instance: string; keys: { keyId: string }[] }[] }>(
    expectStatus(await chief.call('GET', '/api/core/sites'), 200),
  );
  expect(items).toMatchObject([{ instance: 'tunnel', keys: [{ keyId: second.keyId }] }]);
  const told = jsonOf<{ items: { actor: string; action: string; subject: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/core/audit?limit=20'), 200),
  ).items.filter(({ actor }) => actor.startsWith('user:chief '));
  expect(told.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['site.added', 'key.added', 'key.rotated', 'key.removed']),
  );
  expect(JSON.stringify(told)).not.toContain(rotated.secret);
});

test('who may only look sees sites and keys, and changes none', async () => {
  const watcher = await rig.browser('watcher');
  const { items } = jsonOf<{ items: { keys: { keyId: string }[] }[] }>(
    expectStatus(await watcher.call('GET', '/api/core/sites'), 200),
  );
  const keyId = items[0]?.keys[0]?.keyId;
  for (const [method, path, body] of [
    ['POST', '', { instance: 'another', tenants: ['alpha'] }],
    ['PATCH', '/tunnel', { tenants: ['bravo'] }],
    ['POST', '/tunnel/keys', {}],
    ['POST', `/tunnel/keys/${keyId}/rotate`, {}],
    ['DELETE', `/tunnel/keys/${keyId}`, undefined],
    ['DELETE', '/tunnel', undefined],
  ] as const) {
    const answer = await watcher.call(method, `/api/core/sites${path}`, { body });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.text).toContain('sites.manage');
  }
  expect(jsonOf(await watcher.call('GET', '/api/core/sites'))).toMatchObject({ items });
});
