// Two hub processes on one database behind one address, each request to the other one than the last: what is
// held open at one is answered by what is done at the other, nothing is done twice, and one may die.
import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { Balancer, type Passed } from '../support/balancer.ts';
import { Browser } from '../support/browser.ts';
import { CameraClient } from '../support/camera-client.ts';
import { DatasetSource, MODEL_FIELDS } from '../support/dataset-source.ts';
import {
  alarms,
  drained,
  epochOf,
  INSTANCE,
  registerNode,
  registerSite,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { Ledger, listAll } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

const EVENTS = 40;
const ROWS = 60;
/** More than a piece of 1 MB each, so that the pieces of one go to both hubs. */
const PICTURES = [2_500_000, 3_300_000].map((size) => randomBytes(size));
const LOCAL = '127.0.0.0/8';

let scene: Scene;
let hubs: Program[];
let balancer: Balancer;
beforeEach(async () => {
  scene = new Scene();
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  const secret = (): string => randomBytes(32).toString('base64url');
  const [masterKey, adminKey] = [path.join(scene.dir, 'master-key'), secret()];
  writeFileSync(masterKey, secret());
  const env = {
    DATABASE_URL: database.url,
    CORE_MASTER_KEY_REF: `file:${masterKey}`,
    CORE_DOC_DIR: path.join(scene.dir, 'docs'),
    CORE_WEBHOOK_NETWORKS: LOCAL,
    CORE_DATASET_NETWORKS: LOCAL,
    AGENT_CHANNEL_NETWORKS: LOCAL,
    AGENT_ENABLED: 'true',
  };
  hubs = [];
  for (const name of ['a', 'b']) hubs.push(await hubOf(name, adminKey, env));
  await Promise.all(hubs.map((hub) => hub.start()));
  balancer = await new Balancer(hubs.map(({ options }) => options.port)).open();
  scene.onClose(() => balancer.close());
});
afterEach(() => scene.close());

/** Each has a data directory of its own, in which the folder of evidence is one that both see. */
async function hubOf(name: string, adminKey: string, env: Record<string, string>): Promise<Program> {
  const [dataDir, shared] = [path.join(scene.dir, name), path.join(scene.dir, 'evidence')];
  mkdirSync(path.join(dataDir, 'secrets'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(dataDir, 'secrets', 'admin-key'), adminKey, { mode: 0o600 });
  mkdirSync(shared, { recursive: true });
  symlinkSync(shared, path.join(dataDir, 'evidence'));
  const hub = new Program({ main: 'hq/main.ts', dataDir, port: await freePort(), env });
  scene.onClose(() => hub.kill());
  return hub;
}

const hubAt = (index: number): Program => hubs[index % hubs.length] as Program;
const list = (program: Program) => listAll((method, target) => program.api(method, target));
const made = async <T>(target: string, body: object, method = 'POST'): Promise<T> =>
  jsonOf<T>(expectStatus(await hubAt(balancer.passed.length).api(method, target, body), 200, 201));

async function peer(): Promise<HttpPeer> {
  const opened = await new HttpPeer().open();
  opened.respond = () => ({ body: '{"errcode":0}' });
  scene.onClose(() => opened.close());
  return opened;
}

async function startSite(more: Record<string, string> = {}): Promise<{ site: Program; key: SigningKey }> {
  const keyFile = path.join(scene.dir, 'uplink-key');
  await registerSite(hubAt(0), keyFile);
  const site = await startSiteProgram(scene, { ...uplinkEnv(balancer.url, keyFile), ...more });
  return { site, key: await registerNode(site, 'gate') };
}

async function post({ url }: { url: string }, key: SigningKey, event: object): Promise<number> {
  const body = JSON.stringify({ type: 't.t', severity: 'high', site_ref: 's', ...event });
  const answer = await signedCall({ url, key, method: 'POST', path: '/api/core/events', body });
  return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items[0]?.id ?? 0;
}

const isHeldCall = ({ target }: Passed): boolean => target.startsWith('/api/core/uplink/inbox');

test('a verdict at one hub answers the call that is held at the other', async () => {
  const { site, key } = await startSite();
  const heldCalls = (): Passed[] => balancer.passed.filter(isHeldCall);
  /** @returns whether the call that was held when the verdict was given is the one that brought it */
  const answersHeld = async (event: string, verdict: 'confirmed' | 'false_alarm'): Promise<boolean> => {
    const id = await post(site, key, { idempotency_key: event });
    await drained(site);
    const there = (await list(hubAt(0))).find(({ originId }) => originId === id)?.id;
    const call = await until('a call is held', () =>
      Promise.resolve(heldCalls().findLast(({ answer }) => answer === null)),
    );
    expectStatus(
      await hubAt(call.to + 1).api('POST', `/api/core/events/${there}/verdict`, {
        verdict,
        by: 'duty',
        ...(verdict === 'false_alarm' ? { note: 'a shadow' } : {}),
      }),
      200,
    );
    const brought = ({ answer }: Passed): boolean => {
      const { items = [] } = JSON.parse(answer?.body ?? '{}') as {
        items?: { body: { event_key: string; verdict: string } }[];
      };
      return items.some(({ body }) => body.event_key === event && body.verdict === verdict);
    };
    const told = await until('a held call brings the verdict', () =>
      Promise.resolve(heldCalls().find(brought)),
    );
    await until('the verdict is at the site', async () =>
      (await list(site)).some((one) => one.id === id && one.verdict === verdict),
    );
    return told === call;
  };
  for (const verdict of ['confirmed', 'false_alarm'] as const) {
    // A call may be answered before the verdict is there, when its time is over or what it had told is
    // settled: the next one brings it, which may be at the same hub.
    let tries = 1;
    while (!(await answersHeld(`${verdict}${tries}`, verdict))) expect(++tries).toBeLessThan(10);
  }
}, 120_000);

longTest(
  'a backlog goes up to both, two batches at a time, and is there once and in order',
  async () => {
    const { site, key } = await startSite();
    const epoch = await epochOf(hubAt(0));
    await Promise.all(hubs.map((hub) => hub.kill()));
    const ledger = new Ledger();
    const camera = new CameraClient({ name: 'gate', url: site.url, key, ledger });
    for (let turn = 0; turn < 16; turn += 1) await camera.post(250);
    await Promise.all(hubs.map((hub) => hub.start()));
    await drained(site);
    const there = await list(hubAt(1));
    expect(there.map(({ originId }) => originId)).toEqual((await list(site)).map(({ id }) => id));
    expect(there).toHaveLength(4_000);
    // A position that is ahead of what is stored is not taken for a store that was restored.
    expect(await epochOf(hubAt(1))).toBe(epoch);
    expect((await alarms(hubAt(0))).filter(({ key: name }) => name.includes('lost_data'))).toEqual([]);
    expect((await alarms(site)).filter(({ key: name }) => name.includes('lost_data'))).toEqual([]);
    const batches = balancer.passed.filter(
      ({ target, answer }) => target.startsWith('/api/core/uplink/events') && answer?.status === 200,
    );
    expect(new Set(batches.map(({ to }) => to))).toEqual(new Set([0, 1]));
  },
  120_000,
);

longTest(
  'what is done by schedule, by rule and for events is done once, also when one hub dies',
  async () => {
    const [robot, receiver] = [await peer(), await peer()];
    const source = await new DatasetSource({ ncrs: MODEL_FIELDS.ncrs ?? {} }).open();
    scene.onClose(() => source.close());
    await made('/api/agent/channels', {
      ...{ tenant_code: TENANT, channel: 'chat', name: 'duty', format: 'wecom', url: `${robot.url}/duty` },
    });
    await made('/api/integration/webhooks', {
      ...{ tenant_code: TENANT, name: 'r', callback_url: `${receiver.url}/` },
    });
    for (const [name, action] of Object.entries({
      'a.tell': { kind: 'notify', message: '{camera}', channels: ['chat'], cooldown_s: 0 },
      'a.order': { kind: 'dispatch', cooldown_s: 0, llm: false },
    }))
      await made('/api/core/objects/rules', {
        ...{ tenant_code: TENANT, name, kind: 'response' },
        body: { priority: 1, enabled: true, match: { event_types: [name] }, action },
      });
    const ncr = (pk: number) =>
      source.put('ncrs', pk, { project_id: 1, code: `N${pk}`, title: '', level: 1, closed: false });
    ncr(1);
    const use = { tenant_code: TENANT, use: 'dataset', host: new URL(source.url).host, secret: 'x' };
    await made('/api/core/secrets/erp', use, 'PUT');
    const { id } = await made<{ id: string }>('/api/dataset/sources', {
      ...{ tenant_code: TENANT, name: 'erp', base_url: source.url, key_id: 'k', secret_ref: 'erp' },
      ...{ schedule: '* * * * * *', page_rows: 7, datasets: [{ dataset: 'ncrs', processor: 'ncrs' }] },
    });
    const pulled = async (): Promise<{ completedAt: string | null; changedTotal: number } | undefined> =>
      jsonOf<{ datasets: { completedAt: string | null; changedTotal: number }[] }>(
        expectStatus(await hubAt(1).api('GET', `/api/dataset/sources/${id}`), 200),
      ).datasets[0];
    await until('the first pull is complete', async () => (await pulled())?.completedAt ?? null);

    const { site, key } = await startSite();
    // The rules of headquarters are for events that arise there.
    const own = await made<SigningKey>('/api/core/nodes', { tenant_code: TENANT, name: 'hall' });
    for (let index = 0; index < EVENTS; index += 1) {
      await post(site, key, { idempotency_key: `s${index}` });
      await post(balancer, own, {
        ...{
          idempotency_key: `k${index}`,
          camera_ref: `c${index}`,
          type: index % 2 === 0 ? 'a.tell' : 'a.order',
        },
      });
      ncr(2 + index);
      if (index === EVENTS / 2) await hubAt(0).kill();
    }
    for (let pk = 2 + EVENTS; pk <= ROWS; pk += 1) ncr(pk);
    await hubAt(0).start();
    await drained(site);
    const tasks = async (): Promise<number[]> =>
      jsonOf<{ items: { eventId: number }[] }>(
        expectStatus(await hubAt(1).api('GET', '/api/core/objects/tasks?limit=500'), 200),
      ).items.map(({ eventId }) => eventId);
    const heard = (at: HttpPeer, header: string): unknown[] => at.heard.map(({ headers }) => headers[header]);
    const settled = async (): Promise<number[]> => [
      (await list(hubAt(0))).length,
      (await tasks()).length,
      new Set(heard(robot, 'idempotency-key')).size,
      (await pulled())?.changedTotal ?? 0,
      new Set(heard(receiver, 'webhook-id')).size,
    ];
    // The lease of the hub that was killed runs out first.
    const wanted = [2 * EVENTS, EVENTS, EVENTS / 2, ROWS, ROWS - 1];
    await until('all is done', async () => (await settled()).join() === wanted.join()).catch(
      async (error: unknown) => {
        throw new Error(`${JSON.stringify(await settled())} of ${JSON.stringify(wanted)}`, { cause: error });
      },
    );
    expect(new Set(await tasks()).size).toBe(EVENTS);
    // What was on its way when its hub died may go out a second time, under the same id; nothing else does.
    expect(robot.heard.length - EVENTS / 2).toBeLessThanOrEqual(1);
    expect(new Set(balancer.passed.map(({ to }) => to))).toEqual(new Set([0, 1]));
    const ofSite = (await list(hubAt(1))).filter(({ instance }) => instance === INSTANCE);
    expect(ofSite.map(({ originId }) => originId)).toEqual((await list(site)).map(({ id: at }) => at));
  },
  180_000,
);

test('pictures of a site come in pieces at both, and both show them', async () => {
  const { site, key } = await startSite({ CORE_UPLINK_EVIDENCE: 'low' });
  for (const [index, bytes] of PICTURES.entries()) {
    const evidence = [
      { name: 'a.jpg', content_type: 'image/jpeg', size: bytes.length, sha256: hash('sha256', bytes) },
    ];
    const id = await post(site, key, { idempotency_key: `k${index}`, evidence });
    const target = `/api/core/events/${id}/evidence/a.jpg`;
    const headers = signedHeaders(key, Date.now(), 'PUT', target, bytes);
    expectStatus(await request({ url: site.url, method: 'PUT', path: target, body: bytes, headers }), 201);
  }
  const read = async (hub: Program, id: number): Promise<string> => {
    const answer = await fetch(`${hub.url}/api/core/events/${id}/evidence/a.jpg`, {
      headers: { 'x-admin-key': hub.adminKey },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.status === 200 ? hash('sha256', bytes) : String(answer.status);
  };
  await drained(site);
  for (const { id, idempotencyKey } of await list(hubAt(0)))
    for (const hub of hubs)
      await until('the picture is there', async () => {
        const bytes = PICTURES[Number(idempotencyKey.slice(1))] ?? Buffer.alloc(0);
        return (await read(hub, id)) === hash('sha256', bytes);
      });
  const pieces = balancer.passed.filter(({ target }) => target.startsWith('/api/core/uplink/evidence/'));
  expect(new Set(pieces.map(({ to }) => to))).toEqual(new Set([0, 1]));
  // None is begun again because the other hub has it.
  expect(
    pieces.filter(({ method, answer }) => method === 'PUT' && answer?.body.includes('"offset":0,')),
  ).toEqual([]);
}, 120_000);

test('who logs in at one is known at the other, and so is who guesses', async () => {
  const browser = new Browser(balancer.url);
  const password = 'correct horse battery';
  await made('/api/core/users', { name: 'li', password, role: 'operator' });
  const login = (name: string, guess: string) =>
    browser.call('POST', '/api/core/session/login', { body: { name, password: guess } });
  expectStatus(await login('li', password), 200);
  for (let turn = 0; turn < 4; turn += 1)
    expectStatus(await browser.call('GET', '/api/core/events/list?limit=1'), 200);
  const client = await made<{ client_id: string; client_secret: string }>('/api/integration/clients', {
    tenant_code: TENANT,
    name: 'erp',
  });
  const token = await request({
    url: balancer.url,
    method: 'POST',
    path: '/open/v1/oauth/token',
    body: JSON.stringify(client),
    headers: { 'content-type': 'application/json', 'x-tenant-code': TENANT },
  });
  const { data } = jsonOf<{ data: { access_token: string } }>(expectStatus(token, 200));
  for (const hub of hubs)
    expectStatus(
      await request({
        url: hub.url,
        method: 'GET',
        path: '/open/v1/project/P-1/snapshot',
        headers: { authorization: `Bearer ${data.access_token}` },
      }),
      404,
    );
  expectStatus(await browser.call('POST', '/api/core/session/logout', { body: {} }), 200, 204);
  for (const hub of hubs)
    expectStatus(
      await request({
        url: hub.url,
        method: 'GET',
        path: '/api/core/events/list?limit=1',
        headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      }),
      401,
    );
  const guesses: number[] = [];
  while (guesses.at(-1) !== 429 && guesses.length < 100)
    guesses.push((await login('nobody', `guess ${guesses.length}`)).status);
  expect(guesses.at(-1)).toBe(429);
  for (const hub of hubs)
    expect(
      (
        await new Browser(hub.url).call('POST', '/api/core/session/login', {
          body: { name: 'nobody', password: 'another' },
        })
      ).status,
    ).toBe(429);
}, 120_000);
