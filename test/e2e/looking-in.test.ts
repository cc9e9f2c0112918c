// Looking into a site from headquarters: asked for there, carried out at the site, answered over the same
// link, however that and the programs fare meanwhile.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownState } from '../../hq/fleet/request/schema.ts';
import { DOT } from '../hq/tenant-plan.ts';
import { type } from '../support/command.ts';
import { type Deployment, INSTANCE, registerNode, startDeployment, TENANT } from '../support/deployment.ts';
import { endlessAnswers } from '../support/endless.ts';
import { Notified } from '../support/notified.ts';
import { clientOf } from '../support/postgres.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

interface Asked {
  id: string;
  what: string;
  state: ShownState;
  sentAt: string | null;
  exit: number | null;
  text: string | null;
  reason: string | null;
  file: { name: string; contentType: string; size: number; sha256: string; whole: boolean } | null;
}

const PATH = `/api/core/sites/${INSTANCE}/requests`;
const scene = new Scene();
let deployment: Deployment;
let manager: Notified;
let hub: Program;
let site: Program;
beforeAll(async () => {
  manager = new Notified(scene, 'site');
  await manager.hears('LISTENING');
  deployment = await startDeployment(scene, seededRandom(11), {
    siteEnv: { NOTIFY_SOCKET: manager.socket, PLANTED_VARIABLE: planted('variable') },
  });
  ({ hub, site } = deployment);
});
afterAll(() => scene.close());

/** A text that nothing but a leak brings into an answer. */
const planted = (where: string): string => `planted-${where}-7f3a9c`;

const ask = async (body: object): Promise<Asked> =>
  jsonOf(expectStatus(await hub.api('POST', PATH, body), 201));
const get = async (id: string): Promise<Asked> =>
  jsonOf(expectStatus(await hub.api('GET', `${PATH}/${id}`), 200));
async function settled(id: string): Promise<Asked> {
  let found = await get(id);
  await until(`the request ${found.what} is answered`, async () => {
    found = await get(id);
    return !['waiting', 'sent'].includes(found.state) && (found.file === null || found.file.whole);
  });
  return found;
}
const answered = async (body: object): Promise<Asked> => settled((await ask(body)).id);
async function fileOf(id: string): Promise<Buffer> {
  const answer = await fetch(`${hub.url}${PATH}/${id}/file`, { headers: { 'x-admin-key': hub.adminKey } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const ended = (): Promise<unknown> => until('the site has ended', () => Promise.resolve(!site.running));
const audited = async (program: Program, action: string): Promise<{ after: { what: string } }[]> =>
  jsonOf<{ items: { after: { what: string } }[] }>(
    expectStatus(await program.api('GET', `/api/core/audit?action=${action}&limit=200`), 200),
  ).items;

test('what the commands at the site say is answered in the language of who asks, and is in both audits', async () => {
  const check = await answered({ what: 'check' });
  expect(check).toMatchObject({ state: 'done', file: null, reason: null });
  expect(check.text).toMatch(/service/);
  const status = await answered({ what: 'status', language: 'zh' });
  expect(status.text).toContain(INSTANCE);
  expect(status.text).toMatch(/\p{Script=Han}/u);
  expect((await answered({ what: 'log', lines: 5 })).state).toBe('done');
  expect((await audited(hub, 'site.asked')).map(({ after }) => after.what)).toContain('check');
  expect((await audited(site, 'care.asked')).map(({ after }) => after.what)).toContain('check');
});

test('the command line of headquarters asks, lists, and saves a file', async () => {
  const typed = (...argv: string[]) =>
    type('hq/main.ts', ['site', ...argv], { CORE_DATA_DIR: hub.options.dataDir });
  expect((await typed('ask', INSTANCE, 'status')).out).toContain(INSTANCE);
  const target = path.join(scene.dir, 'saved.tar.gz');
  expect(await typed('ask', INSTANCE, 'bundle', '--file', target)).toMatchObject({ code: 0 });
  expect(gunzipSync(readFileSync(target)).toString('latin1')).toContain('about.json');
  const { code, out } = await typed('answers', INSTANCE);
  expect([code, out]).toEqual([0, expect.stringMatching(/bundle +answered/)]);
});

test('a bundle comes whole and holds no secret, wherever one was planted', async () => {
  await plant();
  const { id, file } = await answered({ what: 'bundle' });
  const body = await fileOf(id);
  expect(createHash('sha256').update(body).digest('hex')).toBe(file?.sha256);
  const text = gunzipSync(body).toString('latin1');
  expect(text).toContain('about.json');
  expect(text).toContain('journal.txt');
  for (const secret of secretsOfSite()) expect(text.includes(secret), secret.slice(0, 16)).toBe(false);
  expect(text.match(/planted-[a-z]+-7f3a9c/)).toBeNull();
  await until('the site keeps no file that was sent', () =>
    Promise.resolve(readdirSync(path.join(site.options.dataDir, 'care')).length === 0),
  );
});

/** Puts a secret into each thing of the site that takes one. */
async function plant(): Promise<void> {
  const made = [
    await site.api('POST', '/api/core/devices', {
      ...{ kind: 'hikvision', tenant_code: TENANT, name: 'gate', address: 'http://127.0.0.1:9' },
      ...{ user: 'admin', password: planted('device') },
    }),
    await site.api('POST', '/api/core/devices', {
      kind: 'hikvision',
      tenant_code: TENANT,
      name: 'door',
      auth: 'digest',
    }),
    await site.api('PUT', '/api/core/secrets/hook', {
      ...{ tenant_code: TENANT, use: 'push', host: 'example.org', secret: planted('kept') },
    }),
    await site.api('POST', '/api/core/events/subscribe', {
      ...{ consumer: 'viewer', tenant_code: TENANT, enabled: false },
      push_url: `https://127.0.0.1:9/${planted('push')}?token=${planted('query')}`,
    }),
    await site.api('POST', '/api/core/nodes', { tenant_code: TENANT, name: 'cam' }),
  ];
  for (const answer of made)
    if (answer.status >= 300) throw new Error(`not planted: ${answer.status} ${answer.text}`);
  for (const answer of made) given.push(...valuesIn(jsonOf<Record<string, unknown>>(answer)));
  writeFileSync(path.join(site.options.dataDir, 'secrets', 'stray'), planted('file'));
}

const given: string[] = [];
const SECRET_MEMBERS = ['secret', 'key', 'password', 'path'];
const valuesIn = (made: Record<string, unknown>): string[] =>
  SECRET_MEMBERS.map((name) => made[name]).filter(
    (value): value is string => typeof value === 'string' && value.length >= 12,
  );

/** All that opens something: what files hold, and what was shown once. */
function secretsOfSite(): string[] {
  const dir = path.join(site.options.dataDir, 'secrets');
  const files = readdirSync(dir).map((name) => readFileSync(path.join(dir, name), 'utf8').trim());
  const uplink = readFileSync(deployment.keyFile, 'utf8').trim().split(':')[1] ?? '';
  return [...files.filter((text) => text.length >= 12), uplink, ...given];
}

test('a file that is not the one announced is given up, and both ends say so', async () => {
  const client = clientOf(deployment.databaseUrl);
  await client.connect();
  await client.query(`create function otherwise() returns trigger language plpgsql as $$ begin
      new.file := regexp_replace(new.file, '[0-9a-f]{64}', repeat('0', 64)); return new; end $$;
    create trigger otherwise before update on site_requests for each row execute function otherwise()`);
  const { id } = await ask({ what: 'bundle' });
  await until('it is given up', async () => (await get(id)).state === 'failed');
  await client.query('drop trigger otherwise on site_requests; drop function otherwise');
  await client.end();
  expect(await get(id)).toMatchObject({
    file: null,
    reason: 'what the site brought is not the file that it announced, 3 times; ask again',
  });
  await until('the site keeps it no more', () =>
    Promise.resolve(readdirSync(path.join(site.options.dataDir, 'care')).length === 0),
  );
  expect(site.stderr).toContain('the file of an answer changed on the disk');
});

test('what was over before it was sent is not done, also where the site comes later', async () => {
  deployment.link.down('refused');
  const { id } = await ask({ what: 'restart', expires_minutes: 1 });
  const past = `update site_requests set expires_at = 1 where id = $1`;
  await over(past, id);
  expect((await get(id)).state).toBe('expired');
  deployment.link.up();
  expect((await answered({ what: 'status' })).state).toBe('done');
  expect(await get(id)).toMatchObject({ state: 'expired', text: null });
  expect(site.running).toBe(true);
});

async function over(statement: string, id: string): Promise<void> {
  const client = clientOf(deployment.databaseUrl);
  await client.connect();
  await client.query(statement, [id]);
  await client.end();
}

test('what is asked while the link is away waits; one that is withdrawn stays here, or is answered', async () => {
  deployment.link.down('refused');
  const { id, state } = await ask({ what: 'check' });
  expect(state).toBe('waiting');
  const late = await ask({ what: 'restart', expires_minutes: 1 });
  expect(late.state).toBe('waiting');
  const unwanted = await ask({ what: 'check' });
  expect(await withdraw(unwanted.id)).toMatchObject({ state: 'withdrawn', sentAt: null });
  deployment.link.up();
  await ended();
  // It has gone down and is taken at the site: withdrawn here, it is answered all the same.
  const argv = ['site', 'withdraw', INSTANCE, late.id];
  const { code, out } = await type('hq/main.ts', argv, { CORE_DATA_DIR: hub.options.dataDir });
  expect([code, out]).toEqual([0, expect.stringContaining('may have carried it out')]);
  expect((await get(late.id)).state).toBe('withdrawn');
  await site.start();
  // The restart may have come before this answer had gone up.
  expect((await settled(id)).state).toBe('done');
  await until('the answer is stored', async () => (await get(late.id)).state === 'done');
  expectStatus(await hub.api('DELETE', `${PATH}/${late.id}`), 409);
  // Asked again it is withdrawn still, and noted once.
  expect(await withdraw(unwanted.id)).toMatchObject({ state: 'withdrawn', sentAt: null, text: null });
  expect((await audited(hub, 'site.request_withdrawn')).map(({ after }) => after.what).sort()).toEqual([
    'check',
    'restart',
  ]);
});

const withdraw = async (id: string): Promise<Asked> =>
  jsonOf(expectStatus(await hub.api('DELETE', `${PATH}/${id}`), 200));

test('a restart is done once and answered by the process that is up again', async () => {
  const lives = site.lives;
  const { id } = await ask({ what: 'restart' });
  await ended();
  expect((await get(id)).state).toBe('sent');
  await site.start();
  expect(await settled(id)).toMatchObject({
    state: 'done',
    text: expect.stringContaining('is up') as string,
  });
  // Another round of the inbox, and of what is open, brings it about no second time.
  expect((await answered({ what: 'status' })).state).toBe('done');
  expect(site).toMatchObject({ running: true, lives: lives + 1 });
});

test('a site that is killed over its requests answers each once it is back', async () => {
  const ids: string[] = [];
  for (const what of ['bundle', 'restart', 'check']) ids.push((await ask({ what })).id);
  await until('the first is at the site', async () => (await get(ids[0] ?? '')).state !== 'waiting');
  await site.kill();
  await site.start();
  // Where the kill came before the restart was taken, that ends this process too.
  await until(
    'the restart is answered, or ends the site',
    async () => !site.running || (await get(ids[1] ?? '')).state === 'done',
  );
  if (!site.running) await site.start();
  for (const id of ids) expect((await settled(id)).state).toBe('done');
  const lives = site.lives;
  expect((await answered({ what: 'status' })).state).toBe('done');
  expect(site).toMatchObject({ running: true, lives });
});

test('a picture of a device comes as it is now, and what it sends is shown', async () => {
  const camera = await startCamera();
  const made = await site.api('POST', '/api/core/devices', {
    ...{ kind: 'hikvision', tenant_code: TENANT, name: 'tower', address: camera, user: 'admin' },
    password: planted('tower'),
  });
  const { keyId: device } = jsonOf<{ keyId: string }>(expectStatus(made, 201));
  const seen = await answered({ what: 'picture', device });
  expect(seen).toMatchObject({ state: 'done', file: { contentType: 'image/png', whole: true } });
  expect((await fileOf(seen.id)).equals(PICTURE)).toBe(true);
  const tried = await answered({ what: 'try', device, seconds: 1 });
  expect(tried).toMatchObject({ state: 'done', exit: 1 });
  expect(tried.text).not.toBe('');
});

const PICTURE = Buffer.from(DOT, 'base64');

/** Has a picture, and nothing else. @returns its address */
async function startCamera(): Promise<string> {
  const server = http.createServer(({ url }, response) => {
    response.statusCode = url === '/ISAPI/Streaming/channels/101/picture' ? 200 : 404;
    response.end(response.statusCode === 200 ? PICTURE : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scene.onClose(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a device that is not there, or gives no picture, is told so', async () => {
  expect(await answered({ what: 'picture', device: 'nobody' })).toMatchObject({
    ...{ state: 'failed', reason: 'there is no device nobody at the site' },
  });
  const endless = await endlessAnswers('hikvision jpeg');
  scene.onClose(endless.close);
  const made = await site.api('POST', '/api/core/devices', {
    ...{ kind: 'hikvision', tenant_code: TENANT, name: 'endless', address: endless.address, user: 'admin' },
    password: planted('endless'),
  });
  const { keyId: device } = jsonOf<{ keyId: string }>(expectStatus(made, 201));
  const poured = await answered({ what: 'picture', device });
  expect([poured.state, poured.reason]).toEqual([
    'failed',
    expect.stringMatching(/larger|too large|more than/),
  ]);
  for (const body of [{ what: 'picture' }, { what: 'check', device: 'cam' }, { what: 'shell' }])
    expectStatus(await hub.api('POST', PATH, body), 400);
  expectStatus(await hub.api('POST', '/api/core/sites/nowhere/requests', { what: 'check' }), 404);
});

test("too many open requests of one site are refused, and stand in nobody's way", async () => {
  deployment.link.down('refused');
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) ids.push((await ask({ what: 'check' })).id);
  expectStatus(await hub.api('POST', PATH, { what: 'check' }), 409);
  await withdraw(ids.pop() ?? '');
  ids.push((await ask({ what: 'check' })).id);
  deployment.link.up();
  for (const id of ids) expect((await settled(id)).state).toBe('done');
  const key = await registerNode(site, 'after');
  const event = {
    ...{ idempotency_key: 'after-1', tenant_code: TENANT, type: 'vehicle.intrusion', severity: 'high' },
    ...{ title: 'x', occurred_at: new Date().toISOString() },
  };
  const call = { url: site.url, key, method: 'POST', path: '/api/core/events', body: JSON.stringify(event) };
  expectStatus(await signedCall(call), 201);
});

test('a site whose owner has switched it off does nothing of it, and headquarters shows so', async () => {
  await site.stop();
  const { id } = await ask({ what: 'check' });
  site.env.CORE_REMOTE_CARE = 'off';
  await site.start();
  expect(await settled(id)).toMatchObject({
    state: 'refused',
    text: null,
    reason: 'looking in from headquarters is switched off at the site (CORE_REMOTE_CARE=off)',
  });
  await until('headquarters knows', async () => {
    const { care } = jsonOf<{ care: string }>(expectStatus(await hub.api('GET', PATH), 200));
    return care === 'off';
  });
  expect(jsonOf(expectStatus(await hub.api('POST', PATH, { what: 'check' }), 409))).toMatchObject({
    error: 'site_care_off',
  });
  expect((await audited(site, 'care.refused')).length).toBeGreaterThan(0);
});
