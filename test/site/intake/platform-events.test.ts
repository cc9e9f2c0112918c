// The messages of Hikvision's platform (iSecure Center, OnEventNotify): `status` 0 is told once, 1 begins, 2
// ends; `eventLvl` is 1 to 3; pictures stand as addresses somewhere in the data.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import { deviceOf, eventsOf, type Issued, jpeg, post, register } from './rig.ts';

const scene = new Scene();
const picture = jpeg(5_000);
let pictures: Server;
let here: SiteHere;
let hook: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene);
  pictures = createServer((_, response) => response.end(picture));
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  pictures.close();
  await scene.close();
});
beforeEach(async () => {
  count += 1;
  hook = await register(here, {
    kind: 'webhook',
    name: `platform-${count}`,
    fields: {
      list: 'params.events',
      type: 'eventType',
      id: 'eventId',
      time: 'happenTime',
      camera: 'srcIndex',
      camera_name: 'srcName',
      severity: 'eventLvl',
      state: 'status',
      picture_url: 'data.*.*.imageUrl',
    },
    state_ends: ['2'],
    severity_words: { '1': 'low', '2': 'medium', '3': 'high' },
    types: { '131329': 'camera.video_loss', '131588': 'region.intrusion', '422401': 'person.no_helmet' },
  });
});

const notified = (...events: object[]): string =>
  JSON.stringify({
    method: 'OnEventNotify',
    params: { ability: 'event_vss', sendTime: new Date().toISOString(), events },
  });
const platformEvent = (eventId: string, eventType: number, status: number, more: object = {}) => ({
  eventId,
  eventType,
  happenTime: new Date().toISOString(),
  srcIndex: 'b4f1',
  srcName: '北门',
  srcType: 'camera',
  status,
  timeout: 0,
  eventLvl: 3,
  ...more,
});
const send = async (...events: object[]) =>
  jsonOf(expectStatus(await post(here, hook.path, notified(...events)), 200));
const own = async () => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === hook.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};

test('what is told once, what begins and what ends without having begun are an event each', async () => {
  expect(await send(platformEvent('once', 422_401, 0))).toMatchObject({ stored: 1 });
  expect(await send(platformEvent('lasts', 131_588, 1))).toMatchObject({ stored: 1 });
  expect(await send(platformEvent('lasts', 131_588, 2))).toMatchObject({ stored: 0, repeated: 0, ended: 1 });
  expect(await send(platformEvent('missed', 131_588, 2))).toMatchObject({ stored: 1 });
  expect(await send(platformEvent('once', 422_401, 0))).toMatchObject({ stored: 0, repeated: 1 });
  expect((await own()).map(({ type, severity }) => [type, severity])).toEqual([
    ['person.no_helmet', 'high'],
    ['region.intrusion', 'high'],
    ['region.intrusion', 'high'],
  ]);
  expect(await deviceOf(here, hook.keyId)).toMatchObject({ stored: 3, repeated: 1 });
});

test('the pictures of an event are fetched from their addresses, and one that is not there is counted', async () => {
  const { port } = pictures.address() as AddressInfo;
  const data = {
    fielddetection: [
      { imageUrl: `http://127.0.0.1:${port}/pic?a=1` },
      { imageUrl: 'http://127.0.0.1:1/gone' },
      { imageUrl: 'file:///etc/passwd' },
    ],
  };
  expect(await send(platformEvent('pictured', 131_588, 0, { eventLvl: 1, data }))).toMatchObject({
    stored: 1,
  });
  const [event] = await own();
  expect(event).toMatchObject({
    severity: 'low',
    doc: { cameraName: '北门', payload: { pictures_lost: 1 } },
  });
  const files = await here.site.store.evidence.ofEvent('acme', event?.id ?? 0);
  expect(files.map(({ size }) => size)).toEqual([picture.length]);
});

test('without a number, an end of what does not stand is an event, and told again it is none', async () => {
  hook = await register(here, {
    kind: 'webhook',
    name: `plain-${count}`,
    fields: { type: 'kind', state: 'state', camera: 'cam' },
  });
  const say = async (state: string, cam = 'c1') =>
    jsonOf(await post(here, hook.path, JSON.stringify({ kind: 'fire.detected', state, cam })));
  expect(await say('off')).toMatchObject({ stored: 1, ended: 0 });
  expect(await say('off')).toMatchObject({ stored: 0, ended: 1 });
  expect(await say('on')).toMatchObject({ stored: 1 });
  expect(await say('off')).toMatchObject({ stored: 0, ended: 1 });
  expect(await say('off', 'c2')).toMatchObject({ stored: 1 });
});

test('the words of states and severities are settings that are shown again', async () => {
  const { items } = jsonOf<{ items: { keyId: string; settings: object }[] }>(
    await here.call('GET', '/api/core/devices'),
  );
  expect(items.find(({ keyId }) => keyId === hook.keyId)?.settings).toMatchObject({
    state_ends: ['2'],
    severity_words: { '3': 'high' },
    fields: { picture_url: 'data.*.*.imageUrl' },
  });
});
