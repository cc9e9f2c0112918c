// CloudEvents and webhooks at the path of a device.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { jsonOf, request } from '../../support/request.ts';
import { deviceOf, eventsOf, type Issued, jpeg, post, register } from './rig.ts';

const scene = new Scene();
let here: SiteHere;
let device: Issued;
beforeAll(async () => {
  here = await startSiteHere(scene);
  device = await register(here, { kind: 'cloudevents', name: 'vms' });
});
afterAll(() => scene.close());

const structured = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
const event = (id: string, more: object = {}) => ({
  specversion: '1.0',
  id,
  source: '/vms/1',
  type: 'region.intrusion',
  time: new Date().toISOString(),
  subject: 'cam-7',
  data: { zone: 'yard' },
  ...more,
});
const keys = async () => (await eventsOf(here)).length;

test('a structured event is stored once, with its own type, time, camera and data', async () => {
  const sent = event('a-1', { severity: 'high' });
  const answer = await post(here, device.path, JSON.stringify(sent), structured);
  expect(answer).toMatchObject({ status: 200 });
  expect(jsonOf(answer)).toEqual({ stored: 1, repeated: 0, ended: 0, heartbeats: 0 });
  expect(jsonOf(await post(here, device.path, JSON.stringify(sent), structured))).toEqual({
    stored: 0,
    repeated: 1,
    ended: 0,
    heartbeats: 0,
  });
  const [stored, ...more] = await eventsOf(here);
  expect(more).toEqual([]);
  expect(stored).toMatchObject({
    type: 'region.intrusion',
    severity: 'high',
    occurredAt: Date.parse(sent.time),
    doc: {
      cameraRef: '/vms/1-cam-7',
      payload: { zone: 'yard', cloudevent: { id: 'a-1', source: '/vms/1' } },
    },
  });
});

test('a binary event comes by its headers, also with a picture as its data', async () => {
  const picture = jpeg();
  const answer = await post(here, device.path, picture, {
    'content-type': 'image/jpeg',
    'ce-specversion': '1.0',
    'ce-id': 'b-1',
    'ce-source': '/%E9%97%A8',
    'ce-type': 'Com.Example.Alarm',
  });
  expect(jsonOf(answer)).toMatchObject({ stored: 1 });
  const stored = (await eventsOf(here)).at(-1);
  expect(stored).toMatchObject({ type: 'cloudevents.com_example_alarm', doc: { cameraRef: '/门' } });
  expect(stored?.doc.evidence).toEqual([
    {
      name: 'picture',
      contentType: 'image/jpeg',
      size: picture.length,
      sha256: createHash('sha256').update(picture).digest('hex'),
    },
  ]);
  const files = await here.site.store.evidence.ofEvent('acme', stored?.id ?? 0);
  expect(files).toHaveLength(1);
  expect((await deviceOf(here, device.keyId)).unknownTypes).toEqual({ 'Com.Example.Alarm': 1 });
});

test('a batch with a fault is refused as a whole, and every fault is named', async () => {
  const before = await keys();
  const bad = [event('c-1'), { ...event('c-2'), id: undefined, type: '' }, 7];
  const refused = await post(here, device.path, JSON.stringify(bad), {
    'content-type': 'application/cloudevents-batch+json',
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(/\[1\] id must be[^;]*type must be.*\[2\] this is no CloudEvent/);
  expect(await keys()).toBe(before);
  const good = await post(here, device.path, JSON.stringify([event('c-1'), event('c-2'), event('c-1')]));
  expect(jsonOf(good)).toEqual({ stored: 2, repeated: 1, ended: 0, heartbeats: 0 });
});

test('every fault of an event is told at once, and nothing of it is stored', async () => {
  const before = await keys();
  const answer = await post(
    here,
    device.path,
    JSON.stringify(
      event('w-1', { specversion: '2.0', time: 'yesterday', Subject: 'x', zone_no: 1, data_base64: 'AAE=' }),
    ),
    structured,
  );
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(
    'specversion must be 1.0, time must be a time with a zone as in RFC 3339, names of attributes must be ' +
      'of a-z and 0-9, not \\"Subject\\" and \\"zone_no\\", data and data_base64 must not both be there',
  );
  for (const more of [
    { time: '2026-11-27 08:00:00' },
    { time: 7 },
    { SEVERITY: 'high' },
    { data_base64: '' },
  ])
    expect((await post(here, device.path, JSON.stringify(event('w-2', more)), structured)).status).toBe(400);
  expect(await keys()).toBe(before);
});

test('the id of the sender is the number of the event, where there is room for it', async () => {
  const long = 'x'.repeat(129);
  for (const id of ['8f0e-门 7', long])
    expect((await post(here, device.path, JSON.stringify(event(id)), structured)).status).toBe(200);
  const numbers = (await eventsOf(here)).slice(-2).map(({ doc }) => doc.localAlertNo);
  expect(numbers).toEqual(['8f0e-门 7', expect.stringMatching(/^[0-9a-f]{48}$/)]);
});

const last = async () => (await eventsOf(here)).at(-1);

test('attributes that are null are as those that are not there, and extensions keep their kind', async () => {
  const nothing = { subject: null, time: null, datacontenttype: null, dataschema: null, data: null };
  const sent = event('n-1', { ...nothing, floor: 3, armed: true, source: '#yard' });
  expect((await post(here, device.path, JSON.stringify(sent), structured)).status).toBe(200);
  const stored = await last();
  expect(stored?.doc.cameraRef).toBe('#yard');
  expect(stored?.doc.payload?.cloudevent).toEqual({
    id: 'n-1',
    source: '#yard',
    type: 'region.intrusion',
    specversion: undefined,
    floor: 3,
    armed: true,
  });
});

test('a batch of none is taken, and makes nothing', async () => {
  const batch = { 'content-type': 'application/cloudevents-batch+json; charset=UTF-8' };
  expect(jsonOf(await post(here, device.path, '[]', batch))).toEqual({
    stored: 0,
    repeated: 0,
    ended: 0,
    heartbeats: 1,
  });
});

test.each([
  ['JSON in base64', 'application/vnd.vms+json; charset=utf-8', '{"zone":"dock"}', { zone: 'dock' }],
  ['XML in base64', 'application/xml', '<zone>dock</zone>', { data: '<zone>dock</zone>' }],
  ['bytes', 'application/octet-stream', '\u0000\u0001', { data_base64: 'AAE=' }],
])('data comes as what it is: %s', async (name, datacontenttype, data, expected) => {
  const sent = event(name, { datacontenttype, data: undefined, data_base64: btoa(data) });
  expect((await post(here, device.path, JSON.stringify(sent), structured)).status).toBe(200);
  const { cloudevent: _, device_type: __, channel: ___, ...payload } = (await last())?.doc.payload ?? {};
  expect(payload).toEqual(expected);
});

test('headers in quotation marks are read without them, and a structured event beside headers is structured', async () => {
  const headers = {
    'content-type': 'application/json',
    'ce-specversion': '"1.0"',
    'ce-id': '"q\\"1"',
    'ce-source': '"/gate%20north"',
    'ce-type': '"region.intrusion"',
  };
  expect((await post(here, device.path, '{}', headers)).status).toBe(200);
  expect((await last())?.doc.payload?.cloudevent).toMatchObject({ id: 'q"1', source: '/gate north' });
  const both = { ...headers, 'ce-id': 'outer', 'content-type': 'application/cloudevents+json' };
  expect((await post(here, device.path, JSON.stringify(event('inner')), both)).status).toBe(200);
  expect((await last())?.doc.payload?.cloudevent).toMatchObject({ id: 'inner' });
});

test.each(['', '{', '{"specversion":"0.3","id":"1","source":"s","type":"t"}', '[[[', '[]x'])(
  'what is no CloudEvent is refused: %s',
  async (body) => {
    expect((await post(here, device.path, body, structured)).status).toBe(400);
  },
);

test('a path that is none is a plain 404, and one of a removed device too', async () => {
  const gone = await register(here, { kind: 'cloudevents', name: 'gone' });
  await here.call('DELETE', `/api/core/nodes/${gone.keyId}`);
  for (const path of ['/in/nothing', `${device.path}x`, gone.path])
    expect((await post(here, path, JSON.stringify(event('d')), structured)).status).toBe(404);
});

test('only the given networks may post, and with a password only who shows it', async () => {
  const far = await register(here, { kind: 'cloudevents', name: 'far', source_networks: ['10.0.0.0/8'] });
  expect((await post(here, far.path, JSON.stringify(event('e')), structured)).status).toBe(403);
  expect((await deviceOf(here, far.keyId)).refusal).toMatchObject({ reason: 'wrong_network' });

  const basic = await register(here, { kind: 'cloudevents', name: 'basic', auth: 'basic' });
  expect(basic.path.length).toBeLessThanOrEqual(128);
  expect(basic.password).toMatch(/^[a-zA-Z0-9]{16}$/);
  const send = (authorization: string | null) =>
    post(here, basic.path, JSON.stringify(event('f')), {
      ...structured,
      ...(authorization === null ? {} : { authorization }),
    });
  const challenged = await send(null);
  expect(challenged.status).toBe(401);
  expect(challenged.headers['www-authenticate']).toBe('Basic realm="fieldline"');
  const shown = (password: string) => `Basic ${btoa(`${basic.user ?? ''}:${password}`)}`;
  expect((await send(shown('wrong'))).status).toBe(401);
  expect((await deviceOf(here, basic.keyId)).refusal).toMatchObject({ reason: 'wrong_password', count: 1 });
  expect((await send(shown(basic.password ?? ''))).status).toBe(200);
});

test.each(['MD5', 'SHA-256'])('a device answers the challenge of Digest with %s', async (algorithm) => {
  const device = await register(here, { kind: 'cloudevents', name: algorithm, auth: 'digest' });
  const send = (headers: Record<string, string>) =>
    request({
      url: here.site.url,
      method: 'POST',
      path: device.path,
      headers: { ...structured, ...headers },
      body: JSON.stringify(event(`g-${algorithm}`)),
    });
  const asked = String((await send({})).headers['www-authenticate']);
  const nonce = new RegExp(`algorithm=${algorithm}, nonce="([^"]+)"`).exec(asked)?.[1] ?? '';
  const digest = (text: string) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex');
  const answered = (password: string) => {
    const ha1 = digest(`${device.user ?? ''}:fieldline:${password}`);
    const ha2 = digest(`POST:${device.path}`);
    const response = digest(`${ha1}:${nonce}:00000001:abc:auth:${ha2}`);
    return {
      authorization:
        `Digest username="${device.user ?? ''}", realm="fieldline", nonce="${nonce}", uri="${device.path}", ` +
        `algorithm=${algorithm}, qop=auth, nc=00000001, cnonce="abc", response="${response}"`,
    };
  };
  expect((await send(answered('wrong'))).status).toBe(401);
  expect((await send(answered(device.password ?? ''))).status).toBe(200);
});

test('a webhook is read by the paths that were given', async () => {
  const hook = await register(here, {
    kind: 'webhook',
    name: 'hook',
    types: { 'Zone Breach': 'region.intrusion' },
    severities: { 'region.intrusion': 'critical' },
    channels: { 'NVR/3': 'cam-yard' },
    fields: {
      list: 'alarms',
      type: 'kind.name',
      id: 'no',
      time: 'at',
      camera: 'cam',
      title: 'text',
      picture: 'image.b64',
    },
  });
  const at = Date.now();
  const alarm = {
    kind: { name: 'Zone Breach' },
    no: 4711,
    at: Math.floor(at / 1000),
    cam: 'NVR/3',
    text: 'somebody',
    image: { b64: `data:image/jpeg;base64,${jpeg().toString('base64')}` },
  };
  const body = JSON.stringify({ alarms: [alarm, { ...alarm, no: 4712, kind: { name: 'Odd' } }] });
  expect(jsonOf(await post(here, hook.path, body))).toMatchObject({ stored: 2 });
  const [first, second] = (await eventsOf(here)).slice(-2);
  expect(first).toMatchObject({
    type: 'region.intrusion',
    severity: 'critical',
    occurredAt: Math.floor(at / 1000) * 1000,
    doc: { cameraRef: 'cam-yard', title: 'somebody', evidence: [{ contentType: 'image/jpeg' }] },
  });
  expect(JSON.stringify(first?.doc.payload)).not.toContain('base64');
  expect(second).toMatchObject({ type: 'webhook.odd' });
  expect((await post(here, hook.path, '{"alarms":[{"no":1}]}')).status).toBe(400);
});

test('a webhook without numbers makes one event of an alarm that stands, until it says that it is over', async () => {
  const hook = await register(here, {
    kind: 'webhook',
    name: 'plain',
    fields: { type: 'type', state: 'state', camera: 'cam' },
  });
  const before = await keys();
  const say = (state: string) =>
    post(here, hook.path, JSON.stringify({ type: 'fire.detected', state, cam: 'c1' }));
  for (const state of ['on', 'on', 'off', 'off']) expect((await say(state)).status).toBe(200);
  expect(await keys()).toBe(before + 1);
  await say('on');
  expect(await keys()).toBe(before + 2);
});

test('a device is listed beside the nodes without its token, and a new path ends the old one', async () => {
  const one = await register(here, { kind: 'cloudevents', name: 'rotated' });
  const listed = await here.call('GET', '/api/core/nodes');
  expect(listed.text).toContain(one.keyId);
  const token = one.path.slice('/in/'.length);
  const status = await here.call('GET', '/api/core/site/status');
  const audit = await here.call('GET', '/api/core/audit');
  const devices = await here.call('GET', '/api/core/devices');
  for (const { text } of [listed, status, audit, devices]) expect(text).not.toContain(token);
  expect(audit.text).toContain('device.added');
  const next = jsonOf<Issued>(await here.call('POST', `/api/core/devices/${one.keyId}/rotate`));
  expect((await post(here, one.path, JSON.stringify(event('h')))).status).toBe(404);
  expect((await post(here, next.path, JSON.stringify(event('h')))).status).toBe(200);
});

test('a look shows what comes and what it becomes', async () => {
  const seen = here.call('POST', `/api/core/devices/${device.keyId}/try`, { seconds: 20 });
  // The look begins when the site has the request; until then what is posted is not seen.
  let shown = false;
  void seen.then(() => (shown = true));
  for (let id = 0; !shown; id += 1) await post(here, device.path, JSON.stringify(event(`try-${id}`)));
  const { items } = jsonOf<{ items: { events: { event: { type: string } }[] }[] }>(await seen);
  expect(items[0]?.events[0]?.event).toMatchObject({ type: 'region.intrusion' });
});
