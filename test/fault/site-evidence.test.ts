// Pictures go up over a link that breaks, while site and headquarters are killed in turn: each arrives once,
// whole and right, and the events do not wait for them.
import { hash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedHeaders } from '../../common/http/signing/signature.ts';
import { firstOf, runs } from '../support/campaign.ts';
import {
  drained,
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  uplinkEnv,
} from '../support/deployment.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';
import { Link } from '../support/proxy.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

const PICTURES = Array.from({ length: runs(8, 12) }, (_, index) => randomBytes(60_000 + index * 50_000));
const digest = (bytes: Buffer): string => hash('sha256', bytes, 'hex');

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

test('every picture arrives once, whole and right', async () => {
  const random = seededRandom(15);
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  const hub = await startHubProgram(scene, database.url);
  const link = new Link(hub.options.port, random);
  await link.listen();
  scene.onClose(() => link.close());
  const keyFile = path.join(scene.dir, 'uplink-key');
  await registerSite(hub, keyFile);
  link.down('refused');
  const site = await startSiteProgram(scene, {
    ...uplinkEnv(link.url, keyFile),
    CORE_UPLINK_EVIDENCE: 'low',
  });
  const key = await registerNode(site, 'gate');
  const { url } = site;
  for (const [index, bytes] of PICTURES.entries()) {
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
  const received = async (): Promise<number> => {
    const { sites } = jsonOf<{ sites: { evidence: { receivedFiles: number } }[] }>(
      expectStatus(await hub.api('GET', '/api/core/uplink/status'), 200),
    );
    return sites[0]?.evidence.receivedFiles ?? 0;
  };

  // Half of the connections carry less than the smallest picture, both programs die, and the link breaks
  // and returns.
  const rough = { breaksWithin: 60_000, bandwidth: 2_000_000 };
  link.up(rough);
  for (const [step, program] of firstOf([site, hub, site, hub], 2).entries()) {
    await until(`${step + 1} pictures are there`, async () => (await received()) > step, 120_000);
    await program.kill();
    link.down('silent');
    await program.start();
    link.up(rough);
  }
  await drained(site);
  link.up();
  await until('all are there', async () => (await received()) >= PICTURES.length, 240_000);

  const { items } = jsonOf<{ items: { id: number; idempotencyKey: string }[] }>(
    expectStatus(await hub.api('GET', '/api/core/events/list?limit=100'), 200),
  );
  expect(items).toHaveLength(PICTURES.length);
  for (const { id, idempotencyKey } of items) {
    const answer = await fetch(`${hub.url}/api/core/events/${id}/evidence/a.jpg`, {
      headers: { 'x-admin-key': hub.adminKey },
    });
    const sent = PICTURES[Number(idempotencyKey.slice(1))] ?? Buffer.alloc(0);
    expect([answer.status, digest(Buffer.from(await answer.arrayBuffer()))]).toEqual([200, digest(sent)]);
  }
  const kept = jsonOf<{ items: object[] }>(
    expectStatus(await hub.api('GET', '/api/core/audit?action=evidence.stored&limit=500'), 200),
  );
  expect(kept.items).toHaveLength(PICTURES.length);
  expect(await received()).toBe(PICTURES.length);
  expect(link.counts.broken).toBeGreaterThan(0);
}, 600_000);
