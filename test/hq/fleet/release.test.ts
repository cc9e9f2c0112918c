// Releases: what is taken of the vendor, and what sites are given of it.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signManifest } from '../../../common/uplink/upgrade/manifest.ts';
import { PieceRoom } from '../../../hq/fleet/release/pieces.ts';
import type { ReleaseView } from '../../../hq/fleet/release/schema.ts';
import type { RolloutView } from '../../../hq/fleet/rollout/schema.ts';
import { MAX_ORIGINAL, packageKey } from '../../../hq/policy/original/original.ts';
import { S3Originals } from '../../../hq/policy/original/s3.ts';
import { ObjectStore } from '../../support/object-store.ts';
import { digest, documentOf, packageOf, release, upload, vendor, vendorKey } from '../../support/release.ts';
import { type Answer, expectStatus, jsonOf, until } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';
import { untilRollout, WireSite } from './rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

const add = (document: object) => rig.admin('POST', '/api/core/releases', document);
const viewOf = async (version: string): Promise<ReleaseView> =>
  jsonOf(expectStatus(await rig.admin('GET', `/api/core/releases/${version}`), 200));
const codeOf = (answer: Answer): unknown => jsonOf<{ error: string }>(answer).error;

/** Files below the data folder that are no mark. */
async function files(): Promise<string[]> {
  const kept = await readdir(path.join(rig.dir, 'kbdocs'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const coming = await readdir(path.join(rig.dir, 'originals-incoming'));
  return [...kept.filter((one) => one.isFile()).map(({ name }) => name), ...coming].filter(
    (name) => !name.startsWith('.fieldline'),
  );
}

test('a release comes with its document, then its packages, whole or not at all', async () => {
  const bytes = packageOf('1.0.0');
  const document = documentOf('1.0.0', bytes);
  expect(expectStatus(await add(document), 201).status).toBe(201);
  expectStatus(await add(document), 200);
  const other = await add(documentOf('1.0.0', bytes, { made_at: 2 }));
  expect([other.status, codeOf(other)]).toEqual([409, 'release_exists']);

  // Not what was signed, cut short, too long, of no machine, of no release.
  for (const wrong of [packageOf('1.0.1'), bytes.subarray(1), Buffer.concat([bytes, bytes])]) {
    const refused = await upload(rig, '1.0.0', wrong);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'package_mismatch']);
  }
  expect((await upload(rig, '9.9.9', bytes)).status).toBe(404);
  expect(await files()).toEqual([]);
  expect(await viewOf('1.0.0')).toMatchObject({ complete: false, inUse: false, checkedWith: null });

  // A connection that breaks off in the middle leaves nothing.
  const { port } = new URL(rig.hub.url);
  const broken = connect(Number(port), '127.0.0.1');
  broken.write(
    `PUT /api/core/releases/1.0.0/packages/amd64 HTTP/1.1\r\nHost: hub\r\nX-Admin-Key: ${rig.adminKey}\r\n` +
      `Content-Length: ${bytes.length}\r\n\r\n`,
  );
  broken.write(bytes.subarray(0, 2_000));
  await until('it has begun to come', async () => (await files()).length > 0);
  broken.destroy();
  await until('nothing is left', async () => (await files()).length === 0);

  expectStatus(await upload(rig, '1.0.0', bytes), 201);
  expectStatus(await upload(rig, '1.0.0', bytes), 200);
  expect(await viewOf('1.0.0')).toMatchObject({ complete: true, key: vendorKey, addedBy: 'admin' });
  expect(await files()).toEqual([digest(bytes)]);
  expectStatus(await rig.admin('DELETE', '/api/core/releases/1.0.0'), 200);
  expect((await rig.admin('DELETE', '/api/core/releases/1.0.0')).status).toBe(404);
  expect(await files()).toEqual([]);
});

test('every fault of a document is told, and a list goes by pages', async () => {
  const bad = documentOf('1.0.0', packageOf('1.0.0'));
  const manifest = Buffer.from(
    JSON.stringify({ format: 2, product: 'other', version: '1', made_at: 0, packages: [] }),
  );
  const answer = await add({ ...bad, manifest: manifest.toString('base64') });
  const { details } = jsonOf<{ details: { path: string }[] }>(expectStatus(answer, 400));
  expect(details.map((one) => one.path)).toEqual([
    ...['manifest.format', 'manifest.product', 'manifest.version', 'manifest.packages'],
  ]);
  expect((await add({ ...bad, manifest: 'bm8=' })).status).toBe(400);
  expect((await add({ ...bad, more: 1 })).status).toBe(400);
  for (const version of ['2.0.1', '2.0.2', '2.0.3']) {
    await release(rig, version);
    rig.clock.advance(1);
  }
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: { items: ReleaseView[]; nextCursor: string | null } = jsonOf(
      expectStatus(await rig.admin('GET', `/api/core/releases?limit=2${at}`), 200),
    );
    seen.push(...page.items.map(({ version }) => version));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(['2.0.3', '2.0.2', '2.0.1']);
});

test('who is bound to a tenant sees releases, and adds and deletes none', async () => {
  const permissions = ['releases.manage'];
  await rig.addUser('acme-keeper', { role: 'customer', tenant_code: 'acme', permissions });
  await rig.addUser('acme-other', { role: 'customer', tenant_code: 'acme', permissions: ['events.view'] });
  const keeper = await rig.browser('acme-keeper');
  expectStatus(await keeper.call('GET', '/api/core/releases/2.0.1'), 200);
  const body = documentOf('3.0.0', packageOf('3.0.0'));
  expect((await keeper.call('POST', '/api/core/releases', { body })).status).toBe(403);
  expect((await keeper.call('DELETE', '/api/core/releases/2.0.1')).status).toBe(403);
  const other = await rig.browser('acme-other');
  expect((await other.call('GET', '/api/core/releases')).status).toBe(403);
});

test('a site gets the pieces of what it was told to have, and nothing else', async () => {
  const bytes = await release(rig, '4.0.0');
  const site = await WireSite.register(rig, 'north-1');
  const stranger = await WireSite.register(rig, 'south-1');
  const sha256 = digest(bytes);
  expect((await site.piece(sha256, 0, 10)).status).toBe(404);
  const started = await rig.admin('POST', '/api/core/rollouts', { version: '4.0.0', sites: ['north-1'] });
  const { id } = jsonOf<RolloutView>(expectStatus(started, 201));
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 1);
  let got = '';
  for (let at = 0; at < bytes.length; at += 1_000)
    got += expectStatus(await site.piece(sha256, at, 1_000), 200).text;
  expect(digest(Buffer.from(got))).toBe(sha256);
  expect((await site.piece(sha256, 4_990, 1_000)).text).toHaveLength(10);
  expect((await site.piece(sha256, 5_000, 1)).status).toBe(400);
  expect((await site.piece(sha256, 0, 2 * 1024 * 1024)).status).toBe(400);
  expect((await stranger.piece(sha256, 0, 10)).status).toBe(404);
  expect((await site.piece(digest(packageOf('2.0.1')), 0, 10)).status).toBe(404);
  expect(codeOf(await rig.admin('DELETE', '/api/core/releases/4.0.0'))).toBe('release_in_use');
  expectStatus(await rig.admin('POST', `/api/core/rollouts/${id}/abort`), 200);
  expect((await site.piece(sha256, 0, 10)).status).toBe(404);
  expectStatus(await rig.admin('DELETE', '/api/core/releases/4.0.0'), 200);
});

test('pieces give way to what sites bring, and are a few at a time', async () => {
  let waiting = 0;
  const room = new PieceRoom({ batchesWaiting: () => waiting, atOnce: 1, random: () => 0 });
  const open = () => Promise.resolve(Readable.from([Buffer.alloc(10)]));
  const first = await room.send(10, open);
  await expect(room.send(10, open)).rejects.toMatchObject({ code: 'releases_later', retryAfterSeconds: 5 });
  const closed = new Promise((resolve) => first.once('close', resolve));
  first.resume();
  await closed;
  await expect(room.send(10, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  waiting = 1;
  await expect(room.send(10, open)).rejects.toMatchObject({ status: 503 });
  waiting = 0;
  (await room.send(10, open)).destroy();
  expect(room.counts).toMatchObject({ sent: 2, bytes: 20, refused: 2 });
});

test('with keys of its own a hub takes nothing that none of them signed', async () => {
  const keys = path.join(rig.dir, 'vendor.pem');
  writeFileSync(keys, vendor.publicKey.export({ type: 'spki', format: 'pem' }));
  const strict = await openSessionRig({ CORE_RELEASE_KEYS: keys });
  try {
    const bytes = packageOf('5.0.0');
    const foreign = generateKeyPairSync('ed25519');
    const good = documentOf('5.0.0', bytes);
    const manifest = JSON.parse(Buffer.from(good.manifest, 'base64').toString()) as never;
    for (const forged of [
      signManifest(manifest, foreign),
      { ...documentOf('5.0.1', bytes), signature: good.signature },
    ]) {
      const refused = await strict.admin('POST', '/api/core/releases', forged);
      expect([refused.status, codeOf(refused)]).toEqual([422, 'release_unsigned']);
    }
    const taken = await strict.admin('POST', '/api/core/releases', good);
    expect(jsonOf(expectStatus(taken, 201))).toMatchObject({ checkedWith: vendorKey });
  } finally {
    await strict.close();
  }
});

test('a bucket takes a large package as a stream, and gives pieces of it or says that it cannot', async () => {
  const store = new ObjectStore();
  await store.open();
  const place = new S3Originals({
    ...{ endpoint: store.url, bucket: 'docs', region: 'local', accessKey: 'a', secretKey: 'b' },
    publicEndpoint: null,
  });
  const bytes = Buffer.alloc(MAX_ORIGINAL + 1, 'package ');
  const file = path.join(rig.dir, 'large');
  writeFileSync(file, bytes);
  const key = packageKey({ version: '1.0.0', sha256: digest(bytes) });
  await place.put(key, file, bytes.length);
  const piece = await place.piece(key, MAX_ORIGINAL - 7, 8);
  expect((await piece?.toArray())?.join('')).toBe(bytes.subarray(-8).toString());
  expect(await place.piece(packageKey({ version: '1.0.1', sha256: digest(bytes) }), 0, 8)).toBeNull();
  store.ranges = false;
  await expect(place.piece(key, 0, 8)).rejects.toMatchObject({ code: 'originals_unavailable' });
  place.close();
  await store.close();
});
