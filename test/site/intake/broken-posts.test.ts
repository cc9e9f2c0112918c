// Messages whose end does not come: what came of them counts.
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { jsonOf, until } from '../../support/request.ts';
import {
  alertXml,
  deviceOf,
  eventsOf,
  type Issued,
  jpeg,
  MULTIPART,
  multipart,
  PICTURE_PART,
  post,
  register,
  XML_PART,
} from './rig.ts';

const scene = new Scene();
let here: SiteHere;
let device: Issued;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());
beforeEach(async () => {
  device = await register(here, { kind: 'hikvision' });
});

const own = async () => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};
const seen = async () =>
  (await deviceOf(here, device.keyId)) as Awaited<ReturnType<typeof deviceOf>> & { picturesLost: number };
const filesOf = async (id: number) =>
  (await here.site.store.evidence.ofEvent('acme', id)).map(({ size }) => size);

/** Posts the beginning of a body, and then cuts the connection. */
function cutAfter(body: Buffer, bytes: number, type = MULTIPART['content-type']): Promise<void> {
  const { hostname, port } = new URL(here.site.url);
  const head =
    `POST ${device.path} HTTP/1.1\r\nHost: site\r\nContent-Type: ${type}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, bytes)]), () => socket.end());
    socket.resume();
  });
}

const refused = (): Promise<unknown> =>
  until('the message is counted', async () => (await seen()).refusal !== null);

const announcing = (pictures: number): string =>
  alertXml({ more: `<detectionPicturesNumber>${pictures}</detectionPicturesNumber>` });

test('an alarm whose picture breaks off is stored, with the picture that was whole', async () => {
  const body = multipart([
    XML_PART(alertXml()),
    PICTURE_PART(jpeg(30_000, 1), 'first'),
    PICTURE_PART(jpeg(200_000, 2), 'second'),
  ]);
  await cutAfter(body, 120_000);
  await refused();
  const [event, ...more] = await own();
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: 'region.intrusion', doc: { payload: { pictures_lost: 1 } } });
  expect(await filesOf(event?.id ?? 0)).toEqual([30_000]);
  expect(await seen()).toMatchObject({ stored: 1, picturesLost: 1, refusal: { reason: 'unreadable' } });
});

test('pictures that were announced and not even begun are lost too', async () => {
  const body = multipart([XML_PART(announcing(2)), PICTURE_PART(jpeg(30_000)), PICTURE_PART(jpeg(30_000))]);
  await cutAfter(body, body.indexOf('\r\n--boundary', body.indexOf('image/jpeg')) + 20);
  await refused();
  const [event] = await own();
  expect(event?.doc.payload).toMatchObject({ pictures_lost: 1 });
  expect(await filesOf(event?.id ?? 0)).toEqual([30_000]);
});

test('an alarm whose document breaks off is refused, and nothing is made of the rest', async () => {
  const body = multipart([XML_PART(alertXml()), PICTURE_PART(jpeg())]);
  await cutAfter(body, body.indexOf('</EventNotificationAlert>') + 10);
  await refused();
  expect(await own()).toEqual([]);
  expect(await seen()).toMatchObject({ unreadable: 1, picturesLost: 0 });
});

test('what a CloudEvent says in its headers is stored, although the picture breaks off', async () => {
  device = await register(here, { kind: 'cloudevents' });
  const picture = jpeg(90_000);
  const headers = ['ce-specversion: 1.0', 'ce-id: 7', 'ce-source: /cam', 'ce-type: fire.detected'];
  await cutAfter(picture, 30_000, ['image/jpeg', ...headers].join('\r\n'));
  await refused();
  expect(await own()).toMatchObject([{ type: 'fire.detected', doc: { payload: { pictures_lost: 1 } } }]);
  expect((await own())[0]?.doc.evidence).toBeUndefined();
});

test('half a JSON document is no CloudEvent, whatever its headers say', async () => {
  device = await register(here, { kind: 'cloudevents' });
  const headers = ['ce-specversion: 1.0', 'ce-id: 8', 'ce-source: /cam', 'ce-type: fire.detected'];
  const body = Buffer.from(JSON.stringify({ camera: 'gate', level: 'x'.repeat(2_000) }));
  await cutAfter(body, 1_000, ['application/json', ...headers].join('\r\n'));
  await refused();
  expect(await own()).toEqual([]);
});

test('an alarm with more pictures than are taken is stored with those that fit', async () => {
  const large = [1, 2, 3].map((fill) => PICTURE_PART(jpeg(8_000_000, fill), `image${fill}`));
  const answer = await post(here, device.path, multipart([XML_PART(alertXml()), ...large]), MULTIPART);
  expect(answer.status).toBe(200);
  expect(jsonOf(answer)).toMatchObject({ stored: 1 });
  const [event] = await own();
  expect(await filesOf(event?.id ?? 0)).toEqual([8_000_000]);
  expect(event?.doc.payload).toMatchObject({ pictures_lost: 1 });
  expect(await seen()).toMatchObject({ refusal: { reason: 'too_large', count: 1 } });
});

test('of a message with too many parts the alarms are stored, and it is refused', async () => {
  const all = Array.from({ length: 70 }, (_, channel) => XML_PART(alertXml({ channel })));
  expect((await post(here, device.path, multipart(all), MULTIPART)).status).toBe(413);
  expect(await own()).toHaveLength(64);
  expect(await seen()).toMatchObject({ stored: 64, refusal: { reason: 'too_large' } });
});

test('a picture that an alarm announces and does not bring is lost', async () => {
  await post(here, device.path, multipart([XML_PART(announcing(2)), PICTURE_PART(jpeg())]), MULTIPART);
  expect((await own())[0]?.doc.payload).toMatchObject({ pictures_lost: 1 });
  expect(await seen()).toMatchObject({ picturesLost: 1 });
});
