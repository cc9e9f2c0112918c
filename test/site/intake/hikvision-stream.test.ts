// Hikvision devices that are connected to: alertStream, with what it gets wrong, and what can go wrong with a
// connection.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { PlayedDevice } from './played-device.ts';
import {
  alertXml,
  deviceOf,
  eventsOf,
  type Issued,
  jpeg,
  localTime,
  multipart,
  type PartText,
  PICTURE_PART,
  register,
  type SeenEvent,
  XML_PART,
} from './rig.ts';

const STREAM = '/ISAPI/Event/notification/alertStream';
const scene = new Scene();
let here: SiteHere;
let camera: PlayedDevice;
let device: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  // Devices of earlier tests go on connecting: their streams are none of this one's.
  const started = await PlayedDevice.start(scene);
  camera = started;
  camera.answering = (request, response) => {
    if (request.url !== STREAM) return void response.writeHead(404).end();
    started.stream(response, { 'content-type': 'multipart/mixed; boundary=boundary' });
  };
});

const pulled = async (more: Record<string, unknown> = {}): Promise<void> => {
  device = await register(here, {
    kind: 'hikvision',
    name: `cam-${count}`,
    address: camera.address,
    user: camera.user,
    password: camera.password,
    ...more,
  });
};
const listening = (): Promise<unknown> => until('it listens', async () => camera.streams.size === 1);
const connection = async (): Promise<ConnectionView | null> =>
  ((await deviceOf(here, device.keyId)) as unknown as { connection: ConnectionView | null }).connection;
const becomes = (condition: string): Promise<unknown> =>
  until(`it is ${condition}`, async () => (await connection())?.condition === condition);
const own = async (): Promise<SeenEvent[]> => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};
const stored = (number: number): Promise<unknown> =>
  until(`${number} events`, async () => (await own()).length >= number);
const parts = (all: readonly PartText[], form: Parameters<typeof multipart>[1] = {}): Buffer =>
  multipart(all, { closed: false, ...form });

test.each([
  ['MD5 with qop', { algorithm: 'MD5', qop: 'auth' }],
  ['MD5, unnamed, without qop', { algorithm: null, qop: null }],
  ['MD5-sess', { algorithm: 'MD5-sess', qop: 'auth' }],
  ['SHA-256 where auth-int is offered too', { algorithm: 'SHA-256', qop: 'auth-int,auth' }],
])('it is let in with Digest: %s', async (_, form) => {
  camera.form = form;
  await pulled();
  await listening();
  await becomes('connected');
  expect(camera.wrong).toBe(0);
  expect(camera.asked.map(({ authorized }) => authorized)).toEqual([false, true]);
  expect(await connection()).toMatchObject({ code: null, reason: null, connects: 1 });
});

test('an alarm is stored as it comes, before the boundary that follows it, and once however often it repeats', async () => {
  await pulled({ camera_ref: 'cam-gate' });
  await listening();
  const began = Date.now();
  for (let n = 0; n < 4; n += 1)
    camera.say(parts([XML_PART(alertXml({ region: 1, count: n, time: localTime(began + n * 500) }))]));
  camera.say(parts([XML_PART(alertXml({ type: 'videoloss', state: 'inactive', count: 0 }))]));
  await until('the heartbeat has come', async () => (await deviceOf(here, device.keyId)).heartbeats === 1);
  expect(await own()).toMatchObject([{ type: 'region.intrusion', doc: { cameraRef: 'cam-gate' } }]);
  expect((await connection())?.aliveAt).not.toBeNull();
});

test.each([
  ['the boundary twice', { doubled: true }, 7],
  ['LF alone', { eol: '\n' }, 7],
  ['a length too long', {}, 99_999],
])('is read as the alarms that it is: %s', async (_, form, length) => {
  await pulled();
  await listening();
  const bytes = parts(
    [1, 2, 3].map((region) => XML_PART(alertXml({ region, more: '<a>&</a>' }), length)),
    form,
  );
  for (let at = 0; at < bytes.length; at += 113) camera.say(bytes.subarray(at, at + 113));
  await stored(3);
  expect((await own()).map(({ doc }) => doc.payload?.region)).toEqual(['1', '2', '3']);
});

test.each([
  ['of a plate', '<ANPR><licensePlate>A 1</licensePlate></ANPR><picNum>2</picNum>', 'anpr', 2],
  ['of a number', '<detectionPicturesNumber>1</detectionPicturesNumber>', 'fielddetection', 1],
])('pictures %s that follow in the stream are those of their alarm', async (_, more, type, pictures) => {
  await pulled();
  await listening();
  const two = [PICTURE_PART(jpeg(30_000, 1)), PICTURE_PART(jpeg(30_000, 2))].slice(0, pictures);
  camera.say(parts([XML_PART(alertXml({ type, more })), ...two]));
  camera.say('--boundary\r\n');
  await stored(1);
  expect((await own())[0]?.doc.evidence).toHaveLength(pictures);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ picturesLost: 0 });
});

test('pictures that an alarm announces are kept with it, and one that none waits for is counted', async () => {
  await pulled();
  await listening();
  const picture = jpeg(60_000);
  const announced = alertXml({ more: '<detectionPictureTransType>binary</detectionPictureTransType>' });
  camera.say(parts([XML_PART(announced), PICTURE_PART(picture), PICTURE_PART(picture)]));
  camera.say('--boundary\r\n');
  await stored(1);
  const [event] = await own();
  await until('the picture is kept', async () => {
    const files = await here.site.store.evidence.ofEvent('acme', event?.id ?? 0);
    return files[0]?.size === picture.length;
  });
  await until('the stray one is counted', async () => {
    const { picturesLost } = (await deviceOf(here, device.keyId)) as unknown as { picturesLost: number };
    return picturesLost === 1;
  });
});

test('what breaks off is counted, and the stream goes on', async () => {
  await pulled();
  await listening();
  camera.say(parts([XML_PART(alertXml({}).slice(0, -60)), XML_PART(alertXml({ region: 5 }))]));
  await stored(1);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ unreadable: 1 });
  expect(camera.asked).toHaveLength(2);
});

test.each([
  ['breaks off', () => camera.hangUp()],
  ['is ended', () => camera.streams.forEach((stream) => stream.end())],
])('an alarm in the middle of which the stream %s is counted', async (_, over) => {
  await pulled();
  await listening();
  camera.say(parts([XML_PART(alertXml({ region: 6 }))]));
  await stored(1);
  camera.say(
    Buffer.concat([Buffer.from('--boundary\r\n'), Buffer.from('Content-Type: application/xml\r\n\r\n')]),
  );
  camera.say(alertXml({ region: 7 }).slice(0, -60));
  await until('it has come', async () => (await connection())?.condition === 'connected');
  setTimeout(over, 200);
  await until('it is counted', async () => (await deviceOf(here, device.keyId)).unreadable === 1);
  expect(await own()).toHaveLength(1);
});

test.each([
  ['at once', 0],
  ['long after its alarm', 2_500],
])(
  'half a picture with which the stream breaks off %s is counted, and the alarm is kept',
  async (_, wait) => {
    await pulled();
    await listening();
    const announced = alertXml({ more: '<detectionPicturesNumber>1</detectionPicturesNumber>' });
    const whole = parts([XML_PART(announced), PICTURE_PART(jpeg(60_000))]);
    camera.say(whole.subarray(0, -30_000));
    if (wait > 0) await stored(1);
    setTimeout(() => camera.hangUp(), 200);
    await until('it is counted', async () => {
      const { picturesLost } = (await deviceOf(here, device.keyId)) as unknown as { picturesLost: number };
      return picturesLost === 1;
    });
    await stored(1);
    expect((await own())[0]?.doc.evidence ?? []).toHaveLength(0);
  },
);

test('a stream that ends is opened again, with the nonce it has or another where that grew old', async () => {
  camera.nonceUses = 2;
  await pulled();
  for (let n = 1; n <= 3; n += 1) {
    await until(
      `the stream is there ${n} times`,
      async () => camera.asked.filter((one) => one.authorized).length === n,
    );
    await listening();
    for (const stream of camera.streams) stream.end();
    await until('it is gone', async () => camera.streams.size === 0);
  }
  await listening();
  camera.say(parts([XML_PART(alertXml({}))]));
  await stored(1);
  expect(camera.wrong).toBe(0);
});

test('a stream that falls silent while its connection stands is noticed and opened again', async () => {
  await pulled({ quiet_seconds: 5 });
  await listening();
  await until('another connection', async () => camera.asked.filter((one) => one.authorized).length === 2);
  expect(await connection()).toMatchObject({ condition: 'silent' });
  await listening();
  camera.say(parts([XML_PART(alertXml({}))]));
  await becomes('connected');
  await stored(1);
});

test('a wrong password is tried seldom and named, and the right one at once', async () => {
  await pulled({ password: 'another' });
  await becomes('refused');
  expect(camera.wrong).toBe(1);
  const seen = await connection();
  expect(seen).toMatchObject({ code: 'device_password_refused' });
  expect(Date.parse(seen?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(600_000);
  const { items } = jsonOf<{ items: { key: string; message: string; messageZh: string }[] }>(
    await here.call('GET', '/api/core/alarms'),
  );
  const alarm = items.find(({ key }) => key === `device_connection:${device.keyId}`);
  expect(alarm?.message).toContain('refuses the user name or the password');
  const { cameras } = jsonOf<{ cameras: { keyId: string; connection: unknown }[] }>(
    await here.call('GET', '/api/core/site/status'),
  );
  expect(cameras.find(({ keyId }) => keyId === device.keyId)).toMatchObject({
    connection: { condition: 'refused', reasonZh: expect.stringContaining('密码') as unknown },
  });
  const path = `/api/core/devices/${device.keyId}/password`;
  expectStatus(await here.call('PUT', path, { password: camera.password }), 200);
  await listening();
  await becomes('connected');
  await until('the alarm is over', async () => {
    const alarms = jsonOf<{ items: { key: string; clearedAt: string | null }[] }>(
      await here.call('GET', '/api/core/alarms'),
    );
    return !alarms.items.some(({ key, clearedAt }) => key.endsWith(device.keyId) && clearedAt === null);
  });
});

test('a password that is changed in the camera is noticed when the stream ends', async () => {
  await pulled();
  await listening();
  camera.password = 'changed';
  for (const stream of camera.streams) stream.end();
  await becomes('refused');
});

test('the password stands in no answer, and goes to no other host', async () => {
  await pulled();
  const listed = await here.call('GET', '/api/core/devices');
  expect(listed.text).not.toContain(JSON.stringify(camera.password).slice(1, -1));
  expect(device).toMatchObject({ path: null, password: null });
  const other = await PlayedDevice.start(scene);
  const path = `/api/core/devices/${device.keyId}`;
  const settings = { address: other.address, user: camera.user };
  expectStatus(await here.call('PUT', path, settings), 400);
  expect(other.asked).toEqual([]);
  expectStatus(await here.call('PUT', path, { ...settings, password: camera.password }), 200);
});

test.each([
  ['a redirect is not followed', 302, 'broken', 'device_redirects'],
  ['a user without the right', 403, 'refused', 'device_right_missing'],
  ['another kind of device', 404, 'broken', 'device_path_unknown'],
  ['a device that is busy', 503, 'broken', 'device_status'],
])('%s', async (_, status, condition, code) => {
  const other = await PlayedDevice.start(scene);
  camera.answering = (_request, response) =>
    void response.writeHead(status, { location: `${other.address}/` }).end();
  await pulled();
  await until('it is told', async () => (await connection())?.code === code);
  expect(await connection()).toMatchObject({ condition, code });
  expect(other.asked).toEqual([]);
});

test('a camera that wants the password in the clear gets it only where that was allowed', async () => {
  camera.auth = 'basic';
  await pulled();
  await until('it is told', async () => (await connection())?.code === 'device_password_open');
  expect(camera.asked.every(({ authorized }) => !authorized)).toBe(true);
  expect(camera.wrong).toBe(0);
  await pulled({ auth: 'basic' });
  await listening();
});

test('a camera that is away is not reachable, and connected to when it is back', async () => {
  const { port } = camera;
  await camera.close();
  await pulled();
  await becomes('unreachable');
  await camera.listen(port);
  await listening();
  await becomes('connected');
});

test('the machine itself and addresses of clouds are closed as long as no network lists them', async () => {
  for (const address of ['http://169.254.169.254', 'http://[fe80::1]', 'http://192.0.2.1']) {
    await pulled({ address });
    await until('it is refused', async () => (await connection())?.code === 'address_outside');
  }
});

test.each([
  [{ address: 'ftp://192.168.1.1' }, 'device_address_scheme'],
  [{ address: 'http://u:p@192.168.1.1' }, 'device_address'],
  [{ address: 'http://192.168.1.1/x?y=1' }, 'device_address'],
  [{ kind: 'cloudevents' }, 'device_address_foreign'],
  [{ auth: 'digest' }, 'device_auth_pulled'],
  [{ user: undefined }, 'device_user_wanted'],
  [{ password_ref: 'one' }, 'device_password_once'],
  [{ address: undefined }, 'device_pulled_only'],
])('settings that are wrong are refused: %o', async (more, code) => {
  const body = {
    kind: 'hikvision',
    name: 'wrong',
    tenant_code: 'acme',
    address: 'http://192.168.1.64',
    user: 'events',
    password: 'x',
    ...more,
  };
  const answer = expectStatus(await here.call('POST', '/api/core/devices', body), 400);
  expect(jsonOf<{ details: { code: string }[] }>(answer).details.map((one) => one.code)).toContain(code);
  const { items } = jsonOf<{ items: { name: string }[] }>(await here.call('GET', '/api/core/nodes'));
  expect(items.filter(({ name }) => name === 'wrong')).toEqual([]);
});

test('what the site cannot store waits, and the camera with it', async () => {
  await pulled();
  await listening();
  const save = here.site.store.devices.save.bind(here.site.store.devices);
  let failures = 0;
  here.site.store.devices.save = () => {
    failures += 1;
    return Promise.reject(new Error('the disk is busy'));
  };
  camera.say(parts([XML_PART(alertXml({}))]));
  await becomes('not_stored');
  expect(failures).toBeGreaterThan(0);
  here.site.store.devices.save = save;
  await stored(1);
  await becomes('connected');
});

test('a picture that an alarm names is fetched from the device with Digest, and from nobody else', async () => {
  const stream = camera.answering;
  camera.answering = (request, response, body) =>
    request.url?.startsWith('/pictures/')
      ? void response.writeHead(200).end(jpeg(30_000))
      : stream(request, response, body);
  await pulled();
  await listening();
  const byUrl =
    '<detectionPictureTransType>url</detectionPictureTransType>' +
    '<detectionPicturesNumber>1</detectionPicturesNumber>';
  const named = (region: number, address: string): void =>
    void camera.say(parts([XML_PART(alertXml({ region, more: byUrl + `<bkgUrl>${address}</bkgUrl>` }))]));
  named(1, `${camera.address}/pictures/1.jpg?a=1&amp;b=2`);
  named(2, 'http://192.0.2.7/pictures/2.jpg');
  await stored(2);
  await until('the picture is kept', async () => {
    const [event] = await own();
    const [file] = await here.site.store.evidence.ofEvent('acme', event?.id ?? 0);
    return file?.size === 30_000;
  });
  const asked = camera.asked.filter(({ url, authorized }) => url !== STREAM && authorized);
  expect(asked.map(({ url }) => url)).toEqual(['/pictures/1.jpg?a=1&b=2']);
  await until('the other is counted', async () => {
    const { picturesLost } = (await deviceOf(here, device.keyId)) as unknown as { picturesLost: number };
    return picturesLost === 1;
  });
});

test.each(['devices', 'nodes'])('a device that is removed from the %s is let go', async (list) => {
  await pulled();
  await listening();
  expectStatus(await here.call('DELETE', `/api/core/${list}/${device.keyId}`), 200);
  await until('it is gone', async () => camera.streams.size === 0);
  // Nothing of it stays, its sealed password neither.
  const rows = new Database(path.join(scene.dir, 'site', 'site.db'), { readonly: true });
  expect(rows.prepare('SELECT count(*) FROM devices WHERE key_id = ?').pluck().get(device.keyId)).toBe(0);
  rows.close();
});
