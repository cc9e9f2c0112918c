// Plans of sites: stored with their picture, changed by one person at a time, seen by their tenant alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_PICTURE, MOST_PLANS } from '../../hq/plan/record.ts';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';
import { DOT, plan } from './tenant-plan.ts';

const PATH = '/api/core/plans';
const SITE = 'tunnel-7';

interface View {
  id: string;
  updatedAt: string;
  picture: { contentType: string; size: number; sha256: string };
  pins: { cameraRef: string; name: string | null; x: number; y: number }[];
}

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
  for (const instance of [SITE, 'full-site'])
    expectStatus(await rig.admin('POST', '/api/core/sites', { instance, tenants: ['acme'] }), 201);
});
afterAll(() => rig.close());

const make = async (name: string): Promise<View> =>
  jsonOf(expectStatus(await rig.admin('POST', PATH, plan('acme', SITE, name)), 201));
const pictureOf = async (id: string) => {
  const headers = { 'x-admin-key': rig.adminKey };
  const answer = await fetch(`${rig.hub.url}${PATH}/${id}/picture`, { headers });
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const faults = (answer: Answer): string[] =>
  jsonOf<{ details: { path: string }[] }>(expectStatus(answer, 400)).details.map(({ path }) => path);

test('a picture comes back as it was given, with where the cameras are', async () => {
  const made = await make('ground floor');
  expect(made).toMatchObject({
    picture: { contentType: 'image/png', size: Buffer.from(DOT, 'base64').length },
    pins: [{ cameraRef: 'gate-1', name: 'Gate', x: 0.25, y: 0.5 }],
  });
  const { headers, bytes } = await pictureOf(made.id);
  expect(bytes.toString('base64')).toBe(DOT);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

test('the list leaves out where cameras stand, and finds the plans on which one stands', async () => {
  const made = await make('with a crane');
  const pins = [
    { camera_ref: 'crane-9', x: 0.1, y: 0.1 },
    { camera_ref: 'gate-9', x: 0.2, y: 0.1 },
  ];
  expectStatus(await rig.admin('PUT', `${PATH}/${made.id}`, { name: 'with a crane', pins }), 200);
  const list = async (query: string): Promise<object[]> =>
    jsonOf<{ items: object[] }>(expectStatus(await rig.admin('GET', `${PATH}?${query}`), 200)).items;
  const found = await list(`instance=${SITE}&camera_ref=crane-9`);
  expect(found).toMatchObject([{ id: made.id, name: 'with a crane', cameras: 2 }]);
  expect(found[0]).not.toHaveProperty('pins');
  expect(await list('instance=elsewhere')).toEqual([]);
  expect(jsonOf<View>(await rig.admin('GET', `${PATH}/${made.id}`)).pins).toHaveLength(2);
});

test('every fault is named, and nothing is stored', async () => {
  const pins = [
    { camera_ref: 'gate-1', x: 0, y: 0 },
    { camera_ref: 'gate-1', x: 1, y: 1 },
  ];
  const script = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
  const bad = plan('acme', 'nobody', 'bad', { picture: script, pins });
  expect(faults(await rig.admin('POST', PATH, bad))).toEqual(['instance', 'picture', 'pins[1].camera_ref']);
  const outside = plan('acme', SITE, 'bad', { pins: [{ camera_ref: 'a', x: 1.01, y: -0.1 }] });
  expect(faults(await rig.admin('POST', PATH, outside))).toEqual(['pins[0].x', 'pins[0].y']);
  expect(faults(await rig.admin('POST', PATH, plan('other', SITE, 'bad')))).toEqual(['instance']);
  const { items } = jsonOf<{ items: { name: string }[] }>(await rig.admin('GET', PATH));
  expect(items.map(({ name }) => name)).not.toContain('bad');
});

test('a picture of the greatest size is taken, and no greater one', async () => {
  const head = Buffer.from(DOT, 'base64');
  const of = (bytes: number) => Buffer.concat([head, Buffer.alloc(bytes - head.length)]).toString('base64');
  const send = (name: string, picture: string) =>
    rig.admin('POST', PATH, plan('acme', SITE, name, { picture }));
  expectStatus(await send('greatest', of(MAX_PICTURE)), 201);
  expect((await send('greater', of(MAX_PICTURE + 1))).status).toBe(400);
});

test('who changes a plan that was changed meanwhile is told, and the picture stays unless one is given', async () => {
  const made = await make('second floor');
  const change = (seen: string, body: object) =>
    rig.admin('PUT', `${PATH}/${made.id}?seen_at=${encodeURIComponent(seen)}`, body);
  const pins = [{ camera_ref: 'crane-2', name: null, x: 0.5, y: 0.5 }];
  const changed = jsonOf<View>(expectStatus(await change(made.updatedAt, { name: 'second', pins }), 200));
  expect(changed.picture).toEqual(made.picture);
  expect(changed.pins).toEqual([{ cameraRef: 'crane-2', name: null, x: 0.5, y: 0.5 }]);
  expect(faults(await change('yesterday', { name: 'mine', pins: [] }))).toEqual(['seen_at']);
  const late = await change(made.updatedAt, { name: 'mine', pins: [] });
  expect([late.status, jsonOf<{ error: string }>(late).error]).toEqual([409, 'plan_changed']);
  const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), Buffer.alloc(8)]);
  const other = { name: 'second', pins, picture: webp.toString('base64') };
  const drawn = jsonOf<View>(expectStatus(await change(changed.updatedAt, other), 200));
  expect(drawn.picture.contentType).toBe('image/webp');
  expect((await pictureOf(made.id)).bytes).toEqual(webp);
});

test('a name is given once, a site has so many plans and no more, and what is removed is gone', async () => {
  const first = jsonOf<View>(
    expectStatus(await rig.admin('POST', PATH, plan('acme', 'full-site', 'floor 0')), 201),
  );
  const same = await rig.admin('POST', PATH, plan('acme', 'full-site', 'floor 0'));
  expect([same.status, jsonOf<{ error: string }>(same).error]).toEqual([409, 'plan_exists']);
  for (let floor = 1; floor < MOST_PLANS; floor += 1)
    expectStatus(await rig.admin('POST', PATH, plan('acme', 'full-site', `floor ${floor}`)), 201);
  const over = await rig.admin('POST', PATH, plan('acme', 'full-site', 'roof'));
  expect([over.status, jsonOf<{ error: string }>(over).error]).toEqual([409, 'too_many_plans']);
  expectStatus(await rig.admin('DELETE', `${PATH}/${first.id}`), 200);
  expect((await rig.admin('GET', `${PATH}/${first.id}/picture`)).status).toBe(404);
  expect((await rig.admin('DELETE', `${PATH}/${first.id}`)).status).toBe(404);
  expectStatus(await rig.admin('POST', PATH, plan('acme', 'full-site', 'roof')), 201);
  const { items } = jsonOf<{ items: { action: string; subject: string }[] }>(
    await rig.admin('GET', `/api/core/audit?subject=plan:${first.id}`),
  );
  expect(items.map(({ action }) => action).sort()).toEqual(['plan.created', 'plan.removed']);
});
