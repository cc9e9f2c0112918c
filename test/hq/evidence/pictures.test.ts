// Pictures of a site's events at headquarters: asked for, brought in pieces, kept.
// And what headquarters says of them meanwhile.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { piecePath } from '../../../common/uplink/evidence.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';
import { Joined } from './joined.ts';

const PICTURE = randomBytes(700_000);

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

test('headquarters asks the site for a file and gets it, whole', async () => {
  const joined = await Joined.open(scene);
  const atSite = await joined.event({ 'a.jpg': PICTURE, 'b.jpg': PICTURE.subarray(1) });
  await joined.upload(atSite, 'a.jpg', PICTURE);
  const id = await joined.newestAtHub();
  expect((await joined.listed(id)).map(({ state }) => state)).toEqual(['at_site', 'at_site']);
  expect(await joined.far(id, 'a.jpg')).toMatchObject({
    state: 'asked',
    instance: 'site-1',
    bytes: 0,
    size: PICTURE.length,
    deletedAt: null,
  });
  await until('the file is here', async () => (await joined.get(id, 'a.jpg')).status === 200);
  expect((await joined.bytes(id, 'a.jpg')).equals(PICTURE)).toBe(true);
  // The camera has not sent the other one.
  await joined.far(id, 'b.jpg');
  await until('the site says so', async () => (await joined.far(id, 'b.jpg')).state === 'awaited');
  expect(await joined.far(id, 'b.jpg')).toMatchObject({
    code: 'evidence_awaited',
    text: 'The camera has not sent the file to the site site-1 yet.',
    textZh: '摄像机尚未将文件传到站点 site-1。',
  });
  await joined.upload(atSite, 'b.jpg', PICTURE.subarray(1));
  await until('the late file is here', async () => (await joined.get(id, 'b.jpg')).status === 200);
  expect((await joined.listed(id)).map(({ state }) => state)).toEqual(['stored', 'stored']);
  // The file is there before it is counted.
  let atHub: { receivedFiles: number } | undefined;
  await until('headquarters has counted it', async () => {
    const answer = await joined.hub.call('GET', '/api/core/uplink/status');
    atHub = jsonOf<{ sites: { evidence: { receivedFiles: number } }[] }>(answer).sites[0]?.evidence;
    return atHub?.receivedFiles === 2;
  });
  expect(atHub).toMatchObject({
    mode: 'on_demand',
    wanted: 0,
    wantedBytes: 0,
    receivedFiles: 2,
    receivedBytes: 2 * PICTURE.length - 1,
  });
  // The site says so once its last file is gone, not with its next word of something else.
  await until('headquarters knows that nothing waits there', async () => {
    const answer = await joined.hub.call('GET', '/api/core/uplink/status');
    return jsonOf<{ sites: { evidence: { backlog: number } }[] }>(answer).sites[0]?.evidence.backlog === 0;
  });
  const { evidence } = jsonOf<{ evidence: object }>(await joined.site.call('GET', '/api/core/uplink/status'));
  expect(evidence).toMatchObject({ backlog: 0, awaited: 0, sentFiles: 2, lastError: null });
});

test('a file that is deleted at the site before it came is said to be lost, and since when', async () => {
  const joined = await Joined.open(scene);
  const atSite = await joined.event({ 'a.jpg': PICTURE, 'b.jpg': PICTURE.subarray(1) });
  await joined.upload(atSite, 'a.jpg', PICTURE);
  await joined.upload(atSite, 'b.jpg', PICTURE.subarray(1));
  const id = await joined.newestAtHub();
  const { store } = joined.site.site;
  await until('headquarters has answered', () =>
    Promise.resolve(store.uplink.channel('events').cursor === atSite),
  );
  const only = store.eviction.onlyHere(10);
  await store.eviction.forgetEvidence(only, Date.parse('2026-01-02T03:04:05Z'), 'lost');
  const gone = { state: 'lost', deletedAt: '2026-01-02T03:04:05.000Z', askedAt: null };
  expect(['at_site', 'asked', 'lost']).toContain((await joined.far(id, 'a.jpg')).state);
  await until('the site has said so', async () => (await joined.far(id, 'a.jpg')).state === gone.state);
  expect(await joined.far(id, 'a.jpg')).toMatchObject({
    ...gone,
    textZh: '文件已丢失：在上传到总部之前，已于 2026-01-02T03:04:05.000Z 在站点 site-1 删除。',
  });
  // Of a file that nobody asked for too.
  await until('of the other too', async () => (await joined.listed(id))[1]?.state === gone.state);
  expect((await joined.listed(id))[1]?.site).toMatchObject({ deletedAt: gone.deletedAt });
});

test('a site that sends none says so, and nothing is asked of it', async () => {
  const joined = await Joined.open(scene, { site: { CORE_UPLINK_EVIDENCE: 'none' } });
  const atSite = await joined.event({ 'a.jpg': PICTURE });
  await joined.upload(atSite, 'a.jpg', PICTURE);
  const id = await joined.newestAtHub();
  await until('the site has said what it sends', async () =>
    (await joined.far(id, 'a.jpg')).reason?.includes('CORE_UPLINK_EVIDENCE=none'),
  );
  expect(await joined.far(id, 'a.jpg')).toMatchObject({
    state: 'at_site',
    code: 'evidence_not_sent',
    textZh: expect.stringContaining('不向总部上传') as string,
  });
});

test('from a severity on files go up by themselves, but for those of test events', async () => {
  const joined = await Joined.open(scene, { site: { CORE_UPLINK_EVIDENCE: 'high' } });
  const minor = await joined.event({ 'a.jpg': PICTURE }, { severity: 'medium' });
  const trial = await joined.event({ 'a.jpg': PICTURE }, { severity: 'critical', is_test: true });
  const major = await joined.event({ 'a.jpg': PICTURE }, { severity: 'critical' });
  for (const id of [minor, trial, major]) await joined.upload(id, 'a.jpg', PICTURE);
  const id = await joined.newestAtHub(2);
  await until(
    'the file of the major one is here',
    async () => (await joined.listed(id))[0]?.state === 'stored',
  );
  expect((await joined.bytes(id, 'a.jpg')).equals(PICTURE)).toBe(true);
  expect((await joined.listed(id - 2))[0]?.state).toBe('at_site');
});

test('another tenant sees nothing, and no key but that of the site brings anything', async () => {
  const joined = await Joined.open(scene);
  await joined.event({ 'a.jpg': PICTURE });
  const id = await joined.newestAtHub();
  const target = `/api/core/events/${id}/evidence/a.jpg?tenant_code=other`;
  expectStatus(await joined.hub.call('GET', target), 404);
  await joined.far(id, 'a.jpg');
  const other = jsonOf<SigningKey>(
    expectStatus(
      await joined.hub.call('POST', '/api/core/sites', { instance: 'site-2', tenants: ['acme'] }),
      201,
    ),
  );
  const [want] = await joined.hub.hub.store.evidenceWants.ofEvent('acme', id);
  const path = piecePath(want?.id ?? '', 0);
  const { url } = joined.hub.hub;
  const table: [SigningKey, number][] = [
    [other, 404],
    [{ ...other, secret: 'wrong' }, 401],
  ];
  for (const [key, status] of table)
    expectStatus(await signedCall({ url, key, method: 'PUT', path, body: 'x' }), status);
  expect(await joined.hub.hub.store.evidenceWants.find(want?.id ?? '')).toMatchObject({ held: 0 });
});
