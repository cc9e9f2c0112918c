// What people call cameras: one name, shown and found everywhere, of one tenant alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEPT_MS } from '../../hq/receiver/site-names.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';
import { plan } from './tenant-plan.ts';

const PATH = '/api/core/camera-names';

let rig: SessionRig;
/** Of headquarters, where the events of this test arise. */
let here: string;
beforeAll(async () => {
  rig = await openSessionRig();
  const site = { instance: 'tunnel-7', tenants: ['acme'] };
  expectStatus(await rig.admin('POST', '/api/core/sites', site), 201);
  await post('first', 'gate-0');
  here = jsonOf<{ items: { instance: string }[] }>(await events()).items[0]?.instance ?? '';
});
afterAll(() => rig.close());

const post = async (key: string, camera_ref: string, tenant = 'acme'): Promise<number | undefined> =>
  (await rig.post(tenant, [{ idempotency_key: key, type: 'person.fall', title: 'A fall', camera_ref }]))[0];
const events = (query = ''): Promise<Answer> => rig.admin('GET', `/api/core/events/list?${query}`);
const found = async (words: string): Promise<string[]> =>
  jsonOf<{ items: { cameraRef: string }[] }>(
    expectStatus(await events(`q=${encodeURIComponent(words)}`), 200),
  ).items.map(({ cameraRef }) => cameraRef);
const name = (camera_ref: string, called: string | null, over: object = {}): Promise<Answer> =>
  rig.admin('PUT', PATH, { ...{ tenant_code: 'acme', instance: here, camera_ref, name: called }, ...over });
const named = async (query = ''): Promise<object[]> =>
  jsonOf<{ items: object[] }>(expectStatus(await rig.admin('GET', `${PATH}${query}`), 200)).items;

test('a name is given, changed and taken back, and each is audited', async () => {
  const camera = { tenantCode: 'acme', instance: here, cameraRef: 'gate-1' };
  expect(jsonOf(expectStatus(await name('gate-1', ' 北门 '), 200))).toEqual({ named: true });
  expect(await named()).toEqual([{ ...camera, name: '北门' }]);
  expectStatus(await name('gate-1', '新北门'), 200);
  expectStatus(await name('gate-1', '新北门'), 200);
  expect(await named('?tenant_code=acme')).toEqual([{ ...camera, name: '新北门' }]);
  expectStatus(await name('gate-1', null), 200);
  expect(await named()).toEqual([]);
  const audit = jsonOf<{ items: { action: string; subject: string }[] }>(
    await rig.admin('GET', '/api/core/audit?limit=100'),
  ).items.filter(({ action }) => action === 'camera.named');
  expect(audit.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 3 }, () => `camera:${here}/gate-1`),
  );
});

test('events are found by it, of its camera and tenant alone', async () => {
  await post('a', 'gate-2');
  await post('b', 'gate-3');
  await post('c', 'gate-2', 'beta');
  expect(await found('塔吊')).toEqual([]);
  expectStatus(await name('gate-2', '东塔吊'), 200);
  rig.clock.advance(KEPT_MS);
  expect(await found('塔吊')).toEqual(['gate-2']);
  expect(await found('塔吊 fall')).toEqual(['gate-2']);
  expect(await found('塔吊 nothing')).toEqual([]);
});

test('it is the name on every plan, and a plan can give it', async () => {
  const make = async (called: string, over: object = {}) =>
    jsonOf<{ id: string; pins: { name: string | null }[] }>(
      expectStatus(await rig.admin('POST', '/api/core/plans', plan('acme', 'tunnel-7', called, over)), 201),
    );
  const one = await make('one');
  expect(one.pins).toMatchObject([{ cameraRef: 'gate-1', name: 'Gate' }]);
  // A pin without a name leaves it.
  const two = await make('two', { pins: [{ camera_ref: 'gate-1', x: 0.5, y: 0.5 }] });
  expect(two.pins).toMatchObject([{ name: 'Gate' }]);
  expectStatus(await name('gate-1', 'North gate', { instance: 'tunnel-7' }), 200);
  for (const { id } of [one, two])
    expect(jsonOf(await rig.admin('GET', `/api/core/plans/${id}`))).toMatchObject({
      pins: [{ name: 'North gate' }],
    });
});

test('what a rule says of an event calls the camera so', async () => {
  const id = await post('d', 'gate-5');
  const action = { kind: 'notify', message: 'See to {camera}', channels: ['chat'] };
  const body = { priority: 1, enabled: true, match: {}, action };
  const rule = { tenant_code: 'acme', kind: 'response', name: 'fall', body };
  expectStatus(await rig.admin('POST', '/api/core/objects/rules', rule), 201);
  expectStatus(await name('gate-5', '西塔吊'), 200);
  rig.clock.advance(KEPT_MS);
  // The rules are read anew, and the names with them.
  expectStatus(await rig.admin('POST', '/api/agent/rules/reload'), 200);
  expect((await rig.admin('POST', '/api/agent/rules/explain', { event_id: id })).text).toContain('西塔吊');
});

test('names are of the own tenant, and given by who manages sites', async () => {
  await rig.addUser('guest', { role: 'customer', tenant_code: 'beta' });
  const guest = await rig.browser('guest');
  expect(jsonOf<{ items: object[] }>(await guest.call('GET', PATH)).items).toEqual([]);
  expect((await guest.call('GET', `${PATH}?tenant_code=acme`)).status).toBe(403);
  const body = { tenant_code: 'beta', instance: here, camera_ref: 'gate-2', name: 'mine' };
  expect((await guest.call('PUT', PATH, { body })).status).toBe(403);
  expect((await name('x', 'y', { instance: 'tunnel-7', tenant_code: 'beta' })).status).toBe(404);
  expect((await name('x', 'y', { instance: 'nowhere' })).status).toBe(404);
  expect((await name('x', '   ')).status).toBe(400);
});
