// Files that a consumer of headquarters has sent to its own storage by the site, while site and headquarters
// are killed in turn and the link breaks: each job is done, each file lies there whole, and none is sent
// again once headquarters has heard of it.
import { hash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedHeaders } from '../../common/http/signing/signature.ts';
import { firstOf, runs } from '../support/campaign.ts';
import {
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';
import { Link } from '../support/proxy.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

const FILES = Array.from({ length: runs(5, 8) }, (_, index) => randomBytes(20_000 + index * 10_000));
const LOCAL = { CORE_PUSH_NETWORKS: '127.0.0.0/8' };
/** Each is killed once in `npm test`. */
const KILLS = firstOf(['site', 'hub', 'site', 'hub'] as const, 2);
const SITE_KILLS = KILLS.filter((which) => which === 'site').length;
const digest = (bytes: Buffer): string => hash('sha256', bytes, 'hex');

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

test('each file is brought, and each job says so', async () => {
  const [storage, consumer] = [await new HttpPeer().open(), await new HttpPeer().open()];
  scene.onClose(() => Promise.all([storage.close(), consumer.close()]));
  consumer.respond = ({ body }) => {
    const { items } = JSON.parse(body.toString('utf8')) as {
      items: { id: number; idempotencyKey: string }[];
    };
    const wanted = items.map(({ id, idempotencyKey: key }) => ({
      event_id: id,
      name: 'a.jpg',
      put_url: `${storage.url}/${key}`,
    }));
    return { body: JSON.stringify({ evidence: wanted }) };
  };
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  const hub = await startHubProgram(scene, database.url);
  Object.assign(hub.env, LOCAL);
  await hub.kill();
  await hub.start();
  const subscription = { consumer: 'c', tenant_code: TENANT, push_url: consumer.url, start_cursor: 0 };
  expectStatus(await hub.api('POST', '/api/core/events/subscribe', subscription), 201);
  const link = new Link(hub.options.port, seededRandom(7));
  await link.listen();
  scene.onClose(() => link.close());
  const keyFile = path.join(scene.dir, 'uplink-key');
  await registerSite(hub, keyFile);
  const site = await startSiteProgram(scene, { ...uplinkEnv(link.url, keyFile), ...LOCAL });
  const key = await registerNode(site, 'gate');
  const { url } = site;
  for (const [index, bytes] of FILES.entries()) {
    const evidence = [
      { name: 'a.jpg', content_type: 'image/jpeg', size: bytes.length, sha256: digest(bytes) },
    ];
    const body = JSON.stringify({ idempotency_key: `k${index}`, type: 't.t', severity: 'high', evidence });
    const posted = await signedCall({ url, key, method: 'POST', path: '/api/core/events', body });
    const id = jsonOf<{ items: { id: number }[] }>(expectStatus(posted, 201)).items[0]?.id ?? 0;
    const target = `/api/core/events/${id}/evidence/a.jpg`;
    const headers = signedHeaders(key, Date.now(), 'PUT', target, bytes);
    expectStatus(await request({ url, method: 'PUT', path: target, body: bytes, headers }), 201);
  }
  const jobs = async (): Promise<{ state: string; lastError: string | null }[]> =>
    jsonOf<{ items: { state: string; lastError: string | null }[] }>(
      expectStatus(await hub.api('GET', '/api/core/evidence/jobs?limit=100'), 200),
    ).items;

  for (const [step, which] of KILLS.entries()) {
    const program = { site, hub }[which];
    await until(`${step + 1} files are there`, async () => storage.heard.length > step, 120_000);
    // What the site says of it may not come, or its answer.
    link.down('silent');
    await program.kill();
    await program.start();
    link.up({ breaksWithin: 40_000 });
  }
  link.up();
  await until(
    'all jobs are done',
    async () => {
      const all = await jobs();
      return all.length === FILES.length && all.every(({ state }) => state === 'done');
    },
    240_000,
  );
  const puts = storage.heard.map(({ target: at, body }) => [at, digest(body)]);
  expect(new Set(puts.map(([at]) => at))).toEqual(new Set(FILES.map((_, index) => `/k${index}`)));
  for (const [at, sha256] of puts)
    expect(sha256).toBe(digest(FILES[Number(at?.slice(2))] ?? Buffer.alloc(0)));
  // What was under way when its site was killed, four at most, goes once more; nothing else does.
  expect(puts.length).toBeLessThanOrEqual(FILES.length + SITE_KILLS * 4);

  // Both begin anew: what is done stays so.
  for (const program of [site, hub]) {
    await program.kill();
    await program.start();
  }
  const event = JSON.stringify({ idempotency_key: 'last', type: 't.t' });
  expectStatus(await signedCall({ url, key, method: 'POST', path: '/api/core/events', body: event }), 201);
  await until('the last event is at headquarters', async () => {
    const answer = expectStatus(await hub.api('GET', '/api/core/events/list?limit=1'), 200);
    return jsonOf<{ items: { idempotencyKey: string }[] }>(answer).items[0]?.idempotencyKey === 'last';
  });
  expect(storage.heard).toHaveLength(puts.length);
}, 600_000);
