// A site that sends more pictures than its tenant may have takes nothing of the room of another tenant.
import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { signedHeaders, type SigningKey } from '../../../common/http/signing/signature.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../../support/request.ts';
import { digest, Joined } from './joined.ts';

const MB = 1_000_000;
const LIMIT = 20 * MB;
let scene: Scene;
afterEach(() => scene.close());

/** A picture of a camera that posts to headquarters itself. @returns the status of its upload */
async function uploaded(joined: Joined, camera: SigningKey, bytes: Buffer): Promise<number> {
  const { url } = joined.hub.hub;
  const body = JSON.stringify({
    idempotency_key: randomBytes(8).toString('hex'),
    type: 'vehicle.intrusion',
    evidence: [{ name: 'a.jpg', content_type: 'image/jpeg', size: bytes.length, sha256: digest(bytes) }],
  });
  const answer = expectStatus(
    await signedCall({ url, key: camera, method: 'POST', path: '/api/core/events', body }),
    201,
  );
  const [event] = jsonOf<{ items: { id: number }[] }>(answer).items;
  const path = `/api/core/events/${event?.id}/evidence/a.jpg`;
  const headers = signedHeaders(camera, joined.clock.now(), 'PUT', path, bytes);
  return (await request({ url, method: 'PUT', path, body: bytes, headers })).status;
}

test('24 pictures of a megabyte from a site leave the other tenant its half of 20 megabytes', async () => {
  scene = new Scene();
  const joined = await Joined.open(scene, {
    site: { CORE_UPLINK_EVIDENCE: 'low' },
    hub: { CORE_EVIDENCE_LIMIT: String(LIMIT) },
  });
  const node = await joined.hub.call('POST', '/api/core/nodes', { tenant_code: 'bravo', name: 'gate' });
  const camera = jsonOf<SigningKey>(expectStatus(node, 201));
  for (let event = 0; event < 4; event += 1) {
    const pictures = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [`${index}.jpg`, randomBytes(MB)]),
    );
    const id = await joined.event(pictures);
    for (const [name, bytes] of Object.entries(pictures)) await joined.upload(id, name, bytes);
  }
  const used = async (tenant: string): Promise<number> => {
    const uses = await joined.hub.hub.store.evidence.use();
    return uses.filter(({ tenantCode }) => tenantCode === tenant).reduce((sum, { bytes }) => sum + bytes, 0);
  };
  await until('its share is full', async () => (await used('acme')) === LIMIT / 2);
  for (let picture = 0; picture < 6; picture += 1)
    expect(await uploaded(joined, camera, randomBytes(1.5 * MB))).toBe(201);
  expect(await uploaded(joined, camera, randomBytes(1.5 * MB))).toBe(507);
  expect(await used('bravo')).toBe(9 * MB);
  // What has no room at headquarters is kept where it is, and what is there stays.
  expect(await used('acme')).toBe(LIMIT / 2);
  expect((await joined.site.site.store.evidence.use()).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(
    24 * MB,
  );
});

test('that headquarters answers questions does not hide that it refuses pictures', async () => {
  scene = new Scene();
  const joined = await Joined.open(scene, { site: { CORE_UPLINK_EVIDENCE: 'low' } });
  renameSync(path.join(scene.dir, 'hq', 'evidence'), path.join(scene.dir, 'hq', 'away'));
  const bytes = randomBytes(1_000);
  await joined.upload(await joined.event({ 'a.jpg': bytes }), 'a.jpg', bytes);
  await until('it was refused twice in a row', async () => {
    joined.clock.pass(30_000);
    const status = await joined.site.call('GET', '/api/core/uplink/status');
    return jsonOf<{ evidence: { consecutiveFailures: number } }>(status).evidence.consecutiveFailures > 1;
  });
});
