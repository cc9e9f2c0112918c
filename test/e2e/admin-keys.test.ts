// Several admin keys with names, at both programs: each is made, used, rotated and withdrawn by itself, and
// wrong ones are limited, logged and audited.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../common/core/stores.ts';
import { Browser } from '../support/browser.ts';
import { SECOND, TestClock } from '../support/clock.ts';
import { ADMIN_KEY, type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { adminCall, type Answer, expectStatus, jsonOf, request, until } from '../support/request.ts';

const MINUTE = 60 * SECOND;

interface Rig {
  url: string;
  call: Call;
  clock: TestClock;
  store: Stores;
}
interface Key {
  name: string;
  secret: string;
}

const SIDES = ['site', 'hub'] as const;
const rigs = {} as Record<(typeof SIDES)[number], Rig>;
let scene: Scene;

beforeAll(async () => {
  scene = new Scene();
  const [siteClock, hubClock] = [new TestClock(), new TestClock()];
  const here = await startSiteHere(scene, { clock: siteClock });
  rigs.site = { url: here.site.url, call: here.call, clock: siteClock, store: here.site.store };
  const hub = await startHubHere(scene, hubClock);
  rigs.hub = { url: hub.hub.url, call: hub.call, clock: hubClock, store: hub.hub.store };
});
afterAll(() => scene.close());

const itemsOf = <T>(answer: Answer): T[] => jsonOf<{ items: T[] }>(expectStatus(answer, 200)).items;
const make = async ({ call }: Rig, name: string): Promise<Key> =>
  jsonOf<Key>(expectStatus(await call('POST', '/api/core/admin_keys', { name }), 201));
const as = (rig: Rig, secret: string, method = 'GET', path = '/api/core/nodes', body?: unknown) =>
  adminCall(rig.url, secret, method, path, body);
/** From an address of its own, so that no test is held up by another's wrong keys. */
const from = (rig: Rig, localAddress: string, key: string): Promise<Answer> =>
  new Browser(rig.url, localAddress).call('GET', '/api/core/nodes', { headers: { 'x-admin-key': key } });

describe.each(SIDES)('at a %s', (side) => {
  test('a named key opens what the configured one opens, and the audit tells them apart', async () => {
    const rig = rigs[side];
    const key = await make(rig, 'backup-script');
    expect(key.secret).toMatch(/^fla_[\w-]{43}$/);
    expectStatus(
      await as(rig, key.secret, 'POST', '/api/core/nodes', {
        tenant_code: 'acme',
        name: 'by-script',
        key_id: 'by-script',
      }),
      201,
    );
    expectStatus(
      await rig.call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'by-hand', key_id: 'by-hand' }),
      201,
    );
    const actors = async (subject: string) =>
      itemsOf<{ actor: string }>(await rig.call('GET', `/api/core/audit?subject=key:${subject}`)).map(
        ({ actor }) => actor,
      );
    expect([await actors('by-script'), await actors('by-hand')]).toEqual([
      ['admin:backup-script from 127.0.0.1'],
      ['admin from 127.0.0.1'],
    ]);
    expect(itemsOf<object>(await rig.call('GET', '/api/core/audit?actor=admin:backup-script'))).toHaveLength(
      1,
    );
    expect(jsonOf(await as(rig, key.secret, 'GET', '/api/core/session'))).toMatchObject({
      name: 'admin:backup-script',
      role: 'operator',
    });
  });

  test('is shown once, and neither kept nor listed in clear', async () => {
    const rig = rigs[side];
    const key = await make(rig, 'shown-once');
    const listed = await rig.call('GET', '/api/core/admin_keys');
    const record = (await rig.store.adminKeys.list()).find(({ name }) => name === 'shown-once');
    expect(record?.secretHash).toMatch(/^[0-9a-f]{64}$/);
    for (const text of [
      listed.text,
      JSON.stringify(record),
      (await rig.call('GET', '/api/core/audit?limit=1000')).text,
    ])
      expect(text).not.toContain(key.secret);
    expect(listed.text).not.toContain(record?.secretHash);
    expectStatus(await rig.call('POST', '/api/core/admin_keys', { name: 'shown-once' }), 409);
    for (const name of ['admin', 'local', 'two words', ''])
      expectStatus(await rig.call('POST', '/api/core/admin_keys', { name }), 400);
  });

  test('shows when and from where it was used last', async () => {
    const rig = rigs[side];
    const key = await make(rig, 'used');
    const of = async (name: string) =>
      itemsOf<{ name: string; configured: boolean; lastUsedAt: string | null; lastUsedFrom: string | null }>(
        await rig.call('GET', '/api/core/admin_keys'),
      ).find((one) => one.name === name);
    expect(await of('used')).toMatchObject({ configured: false, lastUsedAt: null });
    expectStatus(await as(rig, key.secret), 200);
    await until(
      'the use is noted',
      async () => (await of('used'))?.lastUsedAt === new Date(rig.clock.now()).toISOString(),
    );
    expect(await of('used')).toMatchObject({ lastUsedFrom: '127.0.0.1' });
    expect(await of('admin')).toMatchObject({ configured: true, lastUsedAt: expect.any(String) });
  });

  test('in rotation has two secrets until the old one is past', async () => {
    const rig = rigs[side];
    const old = await make(rig, 'turning');
    const next = jsonOf<Key>(
      expectStatus(await rig.call('POST', '/api/core/admin_keys/turning/rotate', { overlap_hours: 1 }), 200),
    );
    for (const { secret } of [old, next]) expectStatus(await as(rig, secret), 200);
    rig.clock.advance(61 * MINUTE);
    expectStatus(await from(rig, '127.0.0.21', old.secret), 401);
    expectStatus(await as(rig, next.secret), 200);
    const last = jsonOf<Key>(
      expectStatus(await rig.call('POST', '/api/core/admin_keys/turning/rotate', { overlap_hours: 0 }), 200),
    );
    expectStatus(await from(rig, '127.0.0.21', next.secret), 401);
    expectStatus(await as(rig, last.secret), 200);
    for (const name of ['nobody', 'admin'])
      expectStatus(await rig.call('POST', `/api/core/admin_keys/${name}/rotate`), 404);
  });

  test('that is withdrawn opens nothing from that moment on, and the others go on', async () => {
    const rig = rigs[side];
    const [gone, stays] = [await make(rig, 'gone'), await make(rig, 'stays')];
    expectStatus(await as(rig, gone.secret), 200);
    expectStatus(await as(rig, stays.secret, 'DELETE', '/api/core/admin_keys/gone'), 200);
    expectStatus(await from(rig, '127.0.0.22', gone.secret), 401);
    for (const secret of [stays.secret, ADMIN_KEY]) expectStatus(await as(rig, secret), 200);
    for (const name of ['gone', 'admin'])
      expectStatus(await rig.call('DELETE', `/api/core/admin_keys/${name}`), 404);
    expect(
      itemsOf<{ name: string }>(await rig.call('GET', '/api/core/admin_keys')).map(({ name }) => name),
    ).not.toContain('gone');
  });

  test('is for holders of an admin key only', async () => {
    const rig = rigs[side];
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/stays/rotate'],
      ['DELETE', '/stays'],
    ] as const) {
      const answer = await request({
        url: rig.url,
        method,
        path: `/api/core/admin_keys${path}`,
        ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
      });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });
});

describe.each(SIDES)('wrong admin keys at a %s', (side) => {
  interface Entry {
    at: string;
    actor: string;
    subject: string;
    after: { count: number };
  }
  const entries = async (rig: Rig, address: string) =>
    itemsOf<Entry>(
      await rig.call('GET', `/api/core/audit?action=admin_key.refused&subject=address:${address}`),
    );

  test('are limited by address, and a right key is never held up, from that address or another', async () => {
    const rig = rigs[side];
    const answers: number[] = [];
    for (let tries = 0; tries < 30; tries += 1)
      answers.push((await from(rig, '127.0.0.31', `guess ${tries}`)).status);
    // Twenty are free, one more is counted, and then it waits.
    expect(answers).toEqual([...Array<number>(21).fill(401), ...Array<number>(9).fill(429)]);
    const held = await from(rig, '127.0.0.31', 'one more');
    expect([jsonOf<{ error: string }>(held).error, held.headers['retry-after']]).toEqual([
      'too_many_attempts',
      '1',
    ]);
    const named = await make(rig, 'behind-the-same-address');
    for (const key of [ADMIN_KEY, named.secret]) expectStatus(await from(rig, '127.0.0.31', key), 200);
    expectStatus(await from(rig, '127.0.0.32', 'wrong'), 401);
    rig.clock.advance(2 * SECOND);
    expectStatus(await from(rig, '127.0.0.31', 'again'), 401);
    expectStatus(await from(rig, '127.0.0.31', 'again'), 429);
  });

  test('are in the audit at once, and then once a minute for each address with how many there were', async () => {
    const rig = rigs[side];
    for (let tries = 0; tries < 5; tries += 1) await from(rig, '127.0.0.41', 'wrong');
    expect(await entries(rig, '127.0.0.41')).toMatchObject([
      { actor: 'public from 127.0.0.41', after: { count: 1 } },
    ]);
    rig.clock.advance(MINUTE + SECOND);
    await from(rig, '127.0.0.41', 'wrong');
    expect((await entries(rig, '127.0.0.41')).map(({ after }) => after.count)).toEqual([5, 1]);
    await from(rig, '127.0.0.42', 'wrong');
    expect(await entries(rig, '127.0.0.42')).toHaveLength(1);
    expect((await rig.call('GET', '/api/core/audit?limit=1000')).text).not.toContain('guess');
  });
});

test('a site is logged in to with each key, under its name, and the sessions of a withdrawn key end', async () => {
  const rig = rigs.site;
  const key = await make(rig, 'technician');
  const browser = new Browser(rig.url);
  expect(
    jsonOf(
      expectStatus(
        await browser.call('POST', '/api/core/session/login', { body: { admin_key: key.secret } }),
        200,
      ),
    ),
  ).toMatchObject({ name: 'admin:technician', role: 'operator' });
  const other = new Browser(rig.url);
  expectStatus(await other.call('POST', '/api/core/session/login', { body: { admin_key: ADMIN_KEY } }), 200);
  expectStatus(await rig.call('DELETE', '/api/core/admin_keys/technician'), 200);
  expect([
    (await browser.call('GET', '/api/core/session')).status,
    (await other.call('GET', '/api/core/session')).status,
  ]).toEqual([401, 200]);
});
