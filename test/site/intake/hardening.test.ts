// What real devices get wrong, and what strangers try, at the path of a device.
import { connect } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, request } from '../../support/request.ts';
import {
  alertXml,
  deviceOf,
  eventsOf,
  type Issued,
  jpeg,
  localTime,
  MULTIPART,
  multipart,
  PICTURE_PART,
  post,
  register,
  type SeenEvent,
  XML,
  XML_PART,
} from './rig.ts';

const scene = new Scene();
let here: SiteHere;
let device: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  device = await register(here, { kind: 'hikvision', name: `cam-${count}` });
});

const ofDevice = async (): Promise<SeenEvent[]> => {
  const rows = await here.site.store.events.page(0, 10_000);
  const own = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => own.has(id));
};
const send = (body: string | Buffer, headers: Record<string, string> = XML) =>
  post(here, device.path, body, headers);
const JSON_TYPE = { 'content-type': 'application/json' };

/** `门` in GB 18030. */
const GATE = Buffer.from([0xc3, 0xc5]);
const withName = (name: Buffer, declared = 'UTF-8'): Buffer => {
  const [head = '', tail = ''] = alertXml().replace('UTF-8', declared).split('Gate');
  return Buffer.concat([Buffer.from(head), name, Buffer.from(tail)]);
};

test.each([
  ['GB2312, declared', withName(GATE, 'GB2312'), XML, '门'],
  [
    'GB2312, declared in the header',
    withName(GATE, 'x'),
    { 'content-type': 'text/xml; charset=gb2312' },
    '门',
  ],
  ['GB2312 under the name of UTF-8', withName(GATE), XML, '门'],
  ['UTF-8 under the name of GB2312', withName(Buffer.from('门'), 'GB2312'), XML, '门'],
  ['UTF-8 cut in the middle of a sign', withName(Buffer.from('北京西门').subarray(0, 11)), XML, '北京西�'],
  ['a sign by its number', withName(Buffer.from('&#38376;')), XML, '门'],
  ['ASCII under the name of UTF-16', withName(Buffer.from('Gate'), 'UTF-16'), XML, 'Gate'],
])('a name is read in its encoding: %s', async (_, body, headers, name) => {
  expect(jsonOf(await send(body, headers))).toMatchObject({ stored: 1 });
  expect((await ofDevice())[0]?.doc.cameraName).toBe(name);
});

test.each([
  [
    'prefixes',
    alertXml()
      .replaceAll(/<(\/?)([A-Za-z])/g, '<$1hik:$2')
      .replace('xmlns=', 'xmlns:hik='),
  ],
  [
    'a root without namespace or version',
    alertXml().replace(/<EventNotificationAlert[^>]*>/, '<EventNotificationAlert>'),
  ],
  ['no declaration', alertXml().replace(/<\?xml[^>]*>\n/, '')],
  ['what stands before the document', `HTTP/1.1 200 OK\r\n\r\n${alertXml()}`],
])('an alert is found with %s', async (_, body) => {
  expect(jsonOf(await send(body))).toMatchObject({ stored: 1 });
  expect((await ofDevice())[0]).toMatchObject({
    type: 'region.intrusion',
    doc: { cameraRef: 'ac:b9:2f:49:44:75-1' },
  });
});

test('several alerts in one document are an event each', async () => {
  const both = alertXml({ channel: 1 }) + alertXml({ channel: 2 }).replace(/<\?xml[^>]*>\n/, '');
  expect(jsonOf(await send(both))).toMatchObject({ stored: 2 });
  const list = [1, 2].map((channelID) => ({ channelID, eventType: 'linedetection', eventState: 'active' }));
  expect(jsonOf(await send(JSON.stringify(list), JSON_TYPE))).toMatchObject({ stored: 2 });
});

const access = (serialNo: number, more: object = {}, time = localTime(Date.now())): string =>
  JSON.stringify({
    ipAddress: '10.1.1.7',
    macAddress: '24:32:ae:00:11:22',
    channelID: 1,
    dateTime: time,
    activePostCount: 1,
    eventType: 'AccessControllerEvent',
    eventState: 'active',
    AccessControllerEvent: {
      deviceName: 'North door',
      majorEventType: 5,
      subEventType: 75,
      doorNo: 1,
      employeeNoString: '0042',
      serialNo,
      currentEvent: true,
      ...more,
    },
  });

test('each card is an event, its number a text, and a resend of it none', async () => {
  const door = (n: number) =>
    multipart([
      {
        headers: ['Content-Disposition: form-data; name="event_log"', 'Content-Type: application/json'],
        body: access(n),
      },
      PICTURE_PART(jpeg(3_000, n), 'Picture'),
    ]);
  for (const n of [257, 258, 258]) await send(door(n), MULTIPART);
  const events = await ofDevice();
  expect(events).toHaveLength(2);
  expect(events[0]).toMatchObject({
    type: 'access.event',
    doc: { payload: { hikvision: { AccessControllerEvent: { employeeNoString: '0042', serialNo: 257 } } } },
  });
  for (const { id } of events) expect(await here.site.store.evidence.ofEvent('acme', id)).toHaveLength(1);
});

test('a card that was kept in the controller while nobody answered keeps its time', async () => {
  const then = Date.now() - 3 * 3_600_000;
  const kept = access(300, { currentEvent: false }, localTime(then));
  for (let n = 0; n < 2; n += 1) await send(kept, JSON_TYPE);
  const events = await ofDevice();
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    occurredAt: Math.floor(then / 1000) * 1000,
    doc: { payload: { sent_late: true } },
  });
});

test('two reports of an alarm panel within a second are two events', async () => {
  const report = (code: string, zone: number) =>
    alertXml({ type: 'cidEvent', more: `<CIDEvent><code>${code}</code><zone>${zone}</zone></CIDEvent>` });
  for (const [code, zone] of [
    ['1130', 1],
    ['1130', 2],
    ['1110', 1],
  ] as const)
    await send(report(code, zone));
  expect((await ofDevice()).map(({ type }) => type)).toEqual(['panel.event', 'panel.event', 'panel.event']);
});

test('a vehicle that is called inactive is an event', async () => {
  const plate = '<ANPR><licensePlate>0012345</licensePlate></ANPR>';
  await send(alertXml({ type: 'ANPR', state: 'inactive', more: plate }));
  expect((await ofDevice()).map(({ doc }) => doc.title)).toEqual(['0012345']);
});

test('what is sent late for minutes, or at the same moment, is one event', async () => {
  const then = Date.now() - 5 * 3_600_000;
  const late = (seconds: number) =>
    alertXml({
      time: localTime(then + seconds * 1000),
      more: '<isDataRetransmission>true</isDataRetransmission>',
    });
  await Promise.all([0, 1, 2, 3].map((n) => send(late(n))));
  for (let n = 10; n <= 120; n += 10) await send(late(n));
  expect(await ofDevice()).toHaveLength(1);
});

test('a word that every object inherits is a word as any other', async () => {
  for (const type of ['constructor', 'toString', '__proto__'])
    expect(jsonOf(await send(alertXml({ type, channel: 'constructor' })))).toMatchObject({ stored: 1 });
  expect((await ofDevice()).map(({ type }) => type)).toEqual([
    'hikvision.constructor',
    'hikvision.to_string',
    'hikvision.proto',
  ]);
});

test('nesting, entities and strings without end cost neither time nor the process', async () => {
  const deep = alertXml({ more: '<a>'.repeat(50_000) + '</a>'.repeat(50_000) });
  expect((await send(deep)).status).toBe(400);
  const laughs = alertXml().replace(
    '<EventNotif',
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><EventNotif',
  );
  expect((await send(laughs.replace('Gate', '&b;'))).status).toBe(400);
  expect((await send(`{${'"\\'.repeat(200_000)}`, JSON_TYPE)).status).toBe(400);
  expect((await send(`{"a":${'['.repeat(100_000)}`, JSON_TYPE)).status).toBe(400);
  expect((await send('<'.repeat(400_000))).status).toBe(400);
  expect((await send(Buffer.alloc(500_000, 0x2d), MULTIPART)).status).toBe(400);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ stored: 0 });
});

test('a webhook takes a picture of eight megabytes in its JSON', async () => {
  const hook = await register(here, {
    kind: 'webhook',
    name: `hook-${count}`,
    fields: { type: 'type', id: 'id', picture: 'image' },
  });
  const image = jpeg(8_000_000).toString('base64');
  const answer = await post(here, hook.path, JSON.stringify({ type: 'a.b', id: 1, image }), JSON_TYPE);
  expect(jsonOf(answer)).toMatchObject({ stored: 1 });
});

test('who asks whether a path is right is told, and counts as heard', async () => {
  for (const method of ['GET', 'HEAD']) {
    expect((await request({ url: here.site.url, method, path: device.path })).status).toBe(200);
    expect((await request({ url: here.site.url, method, path: `${device.path}x` })).status).toBe(404);
  }
  const seen = await deviceOf(here, device.keyId);
  expect(seen).toMatchObject({ messages: 0 });
  expect(seen.heardAt).not.toBeNull();
  const far = await register(here, {
    kind: 'hikvision',
    name: `far-${count}`,
    source_networks: ['10.0.0.0/8'],
  });
  expect((await request({ url: here.site.url, method: 'GET', path: far.path })).status).toBe(403);
});

test('behind a proxy a source network is that of the device, and nobody else says where he is', async () => {
  const own = new Scene();
  try {
    const site = await startSiteHere(own, { env: { CORE_TRUSTED_PROXIES: '127.0.0.1/32,10.9.0.0/16' } });
    const settings = { kind: 'hikvision', source_networks: ['192.168.1.0/24'] };
    const cam = await register(site, { ...settings, name: 'behind' });
    const from = (forwarded: string) =>
      post(site, cam.path, alertXml(), { ...XML, 'x-forwarded-for': forwarded });
    // The nearest address that is no trusted proxy counts; what stands before it anybody can write.
    expect((await from('192.168.1.64')).status).toBe(200);
    expect((await from('203.0.113.9, 192.168.1.64, 10.9.0.1')).status).toBe(200);
    expect((await from('192.168.1.64, 203.0.113.9')).status).toBe(403);
    expect((await from('not an address')).status).toBe(403);
    expect((await post(site, cam.path, alertXml(), XML)).status).toBe(403);
    expect((await deviceOf(site, cam.keyId)).refusal).toMatchObject({ reason: 'wrong_network', count: 3 });
    // A site that trusts no proxy goes by who connects.
    const open = await register(here, { ...settings, name: `direct-${count}` });
    const claimed = await post(here, open.path, alertXml(), { ...XML, 'x-forwarded-for': '192.168.1.64' });
    expect(claimed.status).toBe(403);
  } finally {
    await own.close();
  }
});

test('a path stands in no line of the log, at no level', async () => {
  const lines: string[] = [];
  const own = new Scene();
  try {
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const site = await startSiteHere(own, { log });
    const cam = await register(site, { kind: 'hikvision', name: 'logged', auth: 'digest' });
    const token = cam.path.slice('/in/'.length);
    for (const path of [cam.path, `${cam.path}/more`, `${cam.path}?a=1`, `/in//${token}`, `/IN/${token}`])
      for (const method of ['POST', 'GET', 'DELETE'])
        await request({ url: site.site.url, method, path, headers: XML, body: method === 'POST' ? '<' : '' });
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.join('\n')).not.toContain(token);
    expect(lines.join('\n')).not.toContain(cam.password);
  } finally {
    await own.close();
  }
});

/** Everything that the site answers to bytes as they are. */
function answerTo(pieces: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(here.site.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => (text += String(part)));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    for (const piece of pieces) socket.write(piece);
  });
}

test('a device that waits for 100 Continue is told to go on', async () => {
  const body = alertXml();
  const answer = await answerTo([
    `POST ${device.path} HTTP/1.1\r\nHost: site\r\nConnection: close\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/xml\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    body,
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(await ofDevice()).toHaveLength(1);
});

test('HTTP/1.0 and a body in chunks are taken', async () => {
  const body = alertXml();
  const old = `POST ${device.path} HTTP/1.0\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  expect(await answerTo([old])).toContain(' 200 OK');
  const other = alertXml({ channel: 2 });
  const chunked =
    `POST ${device.path} HTTP/1.1\r\nHost: site\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n` +
    `${Buffer.byteLength(other).toString(16)}\r\n${other}\r\n0\r\n\r\n`;
  expect(await answerTo([chunked])).toContain(' 200 OK');
  expect(await ofDevice()).toHaveLength(2);
});

test('a device that sends megabytes before it was asked for its password hears the challenge', async () => {
  device = await register(here, { kind: 'hikvision', name: `digest-${count}`, auth: 'digest' });
  const body = multipart([XML_PART(alertXml()), PICTURE_PART(jpeg(6_000_000))]);
  const answer = await send(body, MULTIPART);
  expect(answer.status).toBe(401);
  expect(await ofDevice()).toEqual([]);
});

test('what is refused before it is read is counted and shown too', async () => {
  const refusal = async () => (await deviceOf(here, device.keyId)).refusal;
  expect((await send(alertXml(), { ...XML, 'content-encoding': 'gzip' })).status).toBe(415);
  expect(await refusal()).toMatchObject({ reason: 'unreadable', count: 1 });
  expect((await deviceOf(here, device.keyId)).unreadable).toBe(1);
  const length = 64 * 1024 * 1024;
  const large = `POST ${device.path} HTTP/1.1\r\nHost: site\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
  expect(await answerTo([large])).toContain(' 413 ');
  expect(await refusal()).toMatchObject({ reason: 'too_large', count: 1 });
  expect(await ofDevice()).toEqual([]);
});

test('a camera whose name leaves no room for its channel keeps both, as far as there is room', async () => {
  const recorder = await register(here, {
    kind: 'hikvision',
    camera_ref: 'r'.repeat(128),
    channels: { '9': 'cam-nine' },
  });
  expectStatus(await post(here, recorder.path, alertXml({ channel: 12 }), XML), 200);
  const refs = (await eventsOf(here)).map(({ doc }) => doc.cameraRef);
  expect(refs).toContain(`${'r'.repeat(125)}-12`);
});
