// A small picture of each alert comes to headquarters by itself, while the picture stays at its site.
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stampOf, systemClock } from '../../../common/clock.ts';
import { room } from '../../support/evidence-room.ts';
import { ADMIN_KEY, untilRun } from '../../support/in-process.ts';
import { longTest } from '../../support/long.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { Joined } from './joined.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#346' } });

interface Counts {
  waiting: number;
  sent: number;
  bytes: number;
  unreadable: number;
  refused: number;
}
const countsOf = async ({ site }: Joined): Promise<Counts> =>
  jsonOf<{ evidence: { previews: Counts } }>(
    expectStatus(await site.call('GET', '/api/core/uplink/status'), 200),
  ).evidence.previews;

const settled = (joined: Joined, wanted: Partial<Counts>): Promise<Counts> =>
  until(`previews are ${JSON.stringify(wanted)}`, async () => {
    const counts = await countsOf(joined);
    const all = { waiting: 0, ...wanted };
    return Object.entries(all).every(([name, value]) => counts[name as keyof Counts] === value)
      ? counts
      : undefined;
  });

const preview = async (joined: Joined, id: number, name: string): Promise<Response> =>
  fetch(`${joined.hub.hub.url}/api/core/events/${id}/evidence/${name}?size=small`, {
    headers: { 'x-admin-key': ADMIN_KEY },
  });

test('the first picture is seen at once, and the whole of it only when it is asked for', async () => {
  const joined = await Joined.open(scene);
  const files = {
    'front.jpg': await noise(1920, 1080).jpeg({ quality: 90 }).toBuffer(),
    'back.jpg': await flat(64, 64).jpeg().toBuffer(),
  };
  const here = await joined.event(files);
  for (const [name, bytes] of Object.entries(files)) await joined.upload(here, name, bytes);
  const id = await joined.newestAtHub();
  const { bytes } = await settled(joined, { sent: 1 });
  expect(bytes).toBeLessThanOrEqual(24_000);

  const answer = await preview(joined, id, 'front.jpg');
  expect([answer.status, answer.headers.get('x-preview')]).toEqual([200, '1']);
  const made = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect(made).toMatchObject({ format: 'jpeg' });
  // Looking at it has not asked for the picture; the other one has no preview.
  expect(await joined.listed(id)).toMatchObject([
    { name: 'front.jpg', state: 'at_site', preview: true },
    { name: 'back.jpg', state: 'at_site', preview: false },
  ]);
  const kept = await joined.hub.hub.store.evidence.ofEvent('acme', id);
  expect(kept).toMatchObject([{ size: bytes }]);
  // It takes its tenant's room, as what is of its site.
  expect(await joined.hub.hub.store.evidence.use()).toContainEqual({
    ...{ tenantCode: 'acme', instance: 'site-1', bytes },
  });

  await joined.far(id, 'front.jpg');
  await until('the picture is here', async () => (await joined.get(id, 'front.jpg')).status === 200);
  // It takes the place of its preview.
  const whole = await preview(joined, id, 'front.jpg');
  expect([whole.status, whole.headers.get('x-preview')]).toEqual([200, null]);
  await until('the preview is gone', async () => {
    const records = await joined.hub.hub.store.evidence.ofEvent('acme', id);
    return records.length === 1 && records[0]?.name === 'front.jpg';
  });
});

longTest('what is no picture, a bomb, or broken is counted, and holds up nothing', async () => {
  const joined = await Joined.open(scene);
  const whole = await noise(1280, 720).jpeg().toBuffer();
  const hostile: Record<string, Buffer> = {
    noise: randomBytes(10_000),
    page: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    bomb: await flat(10_000, 10_000).png({ compressionLevel: 9 }).toBuffer(),
    interlaced: await flat(4_000, 4_000).png({ progressive: true }).toBuffer(),
    huge: await flat(10_000, 10_000).jpeg({ quality: 1 }).toBuffer(),
  };
  const fine = { cut: whole.subarray(0, whole.length / 2), good: whole };
  for (const bytes of Object.values({ ...hostile, ...fine }))
    await joined.upload(await joined.event({ 'a.jpg': bytes }), 'a.jpg', bytes);
  // Of a picture that breaks off, there is what came.
  const counts = await settled(joined, { sent: 2, unreadable: 5, refused: 0 });
  expect(counts.bytes).toBeGreaterThan(0);
});

const LIMIT = 1_000_000;
const filling = { tenantCode: 'acme', instance: null, eventId: 9_999, name: 'x', size: LIMIT, sha256: 'x' };

/** The alarm at the site about room at headquarters. */
const noRoom = async ({ site }: Joined): Promise<string | undefined> =>
  jsonOf<{ items: { key: string; message: string }[] }>(
    await site.call('GET', '/api/core/alarms'),
  ).items.find(({ key }) => key === 'uplink_evidence_full')?.message;

test('a room that is full at headquarters is told by the site, which waits and goes on with the rest', async () => {
  const joined = await Joined.open(scene, { hub: { CORE_EVIDENCE_LIMIT: String(LIMIT) } });
  const { evidence } = joined.hub.hub.store;
  const file = { ...filling, storedAt: joined.clock.now() };
  await evidence.store(file, room(LIMIT), 'node:other', stampOf(joined.clock));
  const bytes = await noise(640, 480).jpeg().toBuffer();
  await joined.upload(await joined.event({ 'a.jpg': bytes }), 'a.jpg', bytes);
  const told = await until('the site says so', () => noRoom(joined));
  expect(told).toMatch(/of acme cannot go up: headquarters has no room left for it \(507 evidence_limit/);
  expect(await countsOf(joined)).toMatchObject({ waiting: 1, sent: 0, refused: 0 });
  expect((await joined.site.call('GET', '/api/core/site/status')).text).toContain('"state":"look"');
  await joined.event({});
  const id = await joined.newestAtHub(2);
  // One that a person asks for waits with it, and is refused before any byte of it goes.
  await joined.far(id - 1, 'a.jpg');
  const { evidenceWants } = joined.site.site.store;
  await until('it is asked for there', () => Promise.resolve(evidenceWants.waiting().files > 0));

  await evidence.forget([file]);
  joined.clock.monotonic = () => systemClock.monotonic() + 61_000;
  await settled(joined, { sent: 1 });
  await until('it is over', async () => (await noRoom(joined)) === undefined);
  await until('the picture is here', async () => (await joined.get(id - 1, 'a.jpg')).status === 200);
});

test('a site that sends no files sends no previews', async () => {
  const joined = await Joined.open(scene, { site: { CORE_UPLINK_EVIDENCE: 'none' } });
  const bytes = await flat(64, 64).jpeg().toBuffer();
  await joined.upload(await joined.event({ 'a.jpg': bytes }), 'a.jpg', bytes);
  await joined.newestAtHub();
  expect(await countsOf(joined)).toEqual({ waiting: 0, sent: 0, bytes: 0, unreadable: 0, refused: 0 });
});

test('the worst goes up first, and of the same severity what came first', async () => {
  // Nobody answers there: all of it waits.
  const joined = await Joined.open(scene, { through: () => Promise.resolve('http://127.0.0.1:9') });
  const came = ['low', 'medium', 'critical', 'high', 'critical'] as const;
  const ids: number[] = [];
  for (const severity of came) {
    const bytes = await flat(64, 64 + ids.length)
      .jpeg()
      .toBuffer();
    const id = await joined.event({ 'a.jpg': bytes }, { severity });
    await joined.upload(id, 'a.jpg', bytes);
    ids.push(id);
  }
  const { evidenceWants } = joined.site.site.store;
  const order: (string | undefined)[] = [];
  for (;;) {
    const file = evidenceWants.previewed(Number.MAX_SAFE_INTEGER, []);
    if (!file) break;
    order.push(came[ids.indexOf(file.eventId)]);
    await evidenceWants.previewSettled(file);
  }
  expect(order).toEqual(['critical', 'critical', 'high', 'medium', 'low']);
});

test('it goes with its event: from the disk and out of the room, once a person lets the deletion go', async () => {
  const joined = await Joined.open(scene, { hub: { CORE_RETENTION_EVENTS_DAYS: '30' } });
  const bytes = await noise(640, 480).jpeg().toBuffer();
  await joined.upload(await joined.event({ 'a.jpg': bytes }), 'a.jpg', bytes);
  const id = await joined.newestAtHub();
  await settled(joined, { sent: 1 });
  expect((await preview(joined, id, 'a.jpg')).status).toBe(200);
  const { evidence } = joined.hub.hub.store;
  const [record] = await evidence.ofEvent('acme', id);
  const file = await filesOf(scene, record?.sha256 ?? '');
  expect(file).toHaveLength(1);

  joined.clock.pass(500 * 86_400_000);
  const guards = async (): Promise<{ kind: string }[]> =>
    jsonOf<{ guards: { kind: string }[] }>(
      expectStatus(await joined.hub.call('GET', '/api/core/retention'), 200),
    ).guards;
  await untilRun('so large a part of the events is held back', async () =>
    (await guards()).some(({ kind }) => kind === 'events'),
  );
  expect((await preview(joined, id, 'a.jpg')).status).toBe(200);
  expectStatus(
    await joined.hub.call('POST', '/api/core/retention/confirm', { kind: 'events', by: 'li' }),
    200,
  );
  await untilRun(
    'the event is gone',
    async () => (await joined.hub.call('GET', `/api/core/events/${id}`)).status === 404,
  );
  await untilRun('so is its preview', async () =>
    (await evidence.use()).every(({ bytes: kept }) => kept === 0),
  );
  expect((await preview(joined, id, 'a.jpg')).status).toBe(404);
  expect(await filesOf(scene, record?.sha256 ?? '')).toEqual([]);
});

/** Files of headquarters with these bytes. */
async function filesOf({ dir }: Scene, sha256: string): Promise<string[]> {
  const all = await readdir(path.join(dir, 'hq'), { recursive: true });
  return all.filter((name) => name.includes(sha256));
}
