// What tells one alarm of a registration from another, in messages as devices send them.
import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import {
  type Alert,
  alertXml,
  deviceOf,
  eventsOf,
  type Issued,
  jpeg,
  localTime,
  multipart,
  PICTURE_PART,
  post,
  register,
  XML,
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
/** Each a second later by the device. */
let second = 0;
const send = async (alert: Alert) => {
  const time = localTime(Date.now() - 40_000 + (second += 1_000));
  return jsonOf(expectStatus(await post(here, device.path, alertXml({ time, ...alert }), XML), 200));
};

test('an end that names no region ends the alarms of all regions, of that type, channel and device alone', async () => {
  const line = { type: 'linedetection', region: 1 };
  expect(await send(line)).toMatchObject({ stored: 1 });
  expect(await send({ ...line, region: 2 })).toMatchObject({ stored: 1 });
  expect(await send({ type: 'fielddetection', region: 1 })).toMatchObject({ stored: 1 });
  expect(await send({ ...line, channel: 2 })).toMatchObject({ stored: 1 });
  expect(await send({ type: 'linedetection', state: 'inactive' })).toMatchObject({ stored: 0 });
  // The crossings are over; what stands elsewhere goes on.
  expect(await send(line)).toMatchObject({ stored: 1 });
  expect(await send({ ...line, region: 2 })).toMatchObject({ stored: 1 });
  expect(await send({ type: 'fielddetection', region: 1 })).toMatchObject({ stored: 0, repeated: 1 });
  expect(await send({ ...line, channel: 2 })).toMatchObject({ stored: 0, repeated: 1 });
});

test('two cameras that post on one path are two, and neither ends the alarm of the other', async () => {
  const [one, other] = [{ mac: 'ac:b9:2f:49:44:75' }, { mac: 'ac:b9:2f:49:44:76' }];
  expect(await send(one)).toMatchObject({ stored: 1 });
  expect(await send(other)).toMatchObject({ stored: 1 });
  await send({ ...other, state: 'inactive' });
  expect(await send(one)).toMatchObject({ stored: 0, repeated: 1 });
  expect(await send(other)).toMatchObject({ stored: 1 });
  const refs = (await own()).map(({ doc }) => doc.cameraRef);
  expect(refs).toEqual(['ac:b9:2f:49:44:75-1', 'ac:b9:2f:49:44:76-1', 'ac:b9:2f:49:44:76-1']);
});

const platform = (rules: [number, string][], data = (told: object): unknown => told): string =>
  JSON.stringify({
    macAddress: 'ac:b9:2f:49:44:75',
    channelID: 1,
    dateTime: localTime(Date.now()),
    eventType: 'AIOP_Video',
    eventState: 'active',
    AIOPData: data({
      events: { alertInfo: rules.map(([ruleID, ruleName]) => ({ ruleInfo: { ruleID, ruleName } })) },
    }),
  });

test('rules of the AI platform are told apart, have their names, and are configured one by one', async () => {
  device = await register(here, { kind: 'hikvision', types: { 'AIOP_Video/3': 'fire.detected' } });
  const said = async (body: string) =>
    jsonOf(expectStatus(await post(here, device.path, body, { 'content-type': 'application/json' }), 200));
  expect(await said(platform([[1, '未佩戴安全帽']]))).toMatchObject({ stored: 1 });
  expect(await said(platform([[2, '抽烟']], JSON.stringify))).toMatchObject({ stored: 1 });
  expect(
    await said(
      platform([
        [3, '明火'],
        [1, '未佩戴安全帽'],
      ]),
    ),
  ).toMatchObject({ stored: 1, repeated: 1 });
  expect((await own()).map(({ type, doc }) => [type, doc.title, doc.payload?.device_type])).toEqual([
    ['hikvision.aiop_video', '未佩戴安全帽', 'AIOP_Video/1'],
    ['hikvision.aiop_video', '抽烟', 'AIOP_Video/2'],
    ['fire.detected', '明火', 'AIOP_Video/3'],
  ]);
  expect((await deviceOf(here, device.keyId)).unknownTypes).toMatchObject({
    'AIOP_Video/1': 2,
    'AIOP_Video/2': 1,
  });
});

test('when it is in doubt whether an alarm stands already, it is an event of its own and says so', async () => {
  await send({ type: 'linedetection', region: 1 });
  await send({ type: 'linedetection' });
  const [first, second] = await own();
  expect(first?.doc.payload).not.toHaveProperty('maybe_same_as');
  expect(second?.doc.payload).toMatchObject({ maybe_same_as: first?.id });
  expect(await deviceOf(here, device.keyId)).toMatchObject({ doubtful: 1 });
});

test('an alarm that is over and begins anew within one second of the camera is a second event, with its pictures', async () => {
  const time = localTime(Date.now() - 20_000);
  const say = async (alert: Alert, picture?: Buffer) => {
    const document = XML_PART(alertXml({ time, region: 4, ...alert }));
    const body = multipart([document, ...(picture ? [PICTURE_PART(picture)] : [])]);
    const headers = { 'content-type': 'multipart/form-data; boundary=boundary' };
    return jsonOf(expectStatus(await post(here, device.path, body, headers), 200));
  };
  expect(await say({}, jpeg(2_000, 1))).toMatchObject({ stored: 1 });
  expect(await say({}, jpeg(2_000, 1))).toMatchObject({ stored: 0, repeated: 1 });
  for (const [fill, stored] of [
    [2, 2],
    [3, 3],
  ] as const) {
    expect(await say({ state: 'inactive' })).toMatchObject({ stored: 0 });
    expect(await say({}, jpeg(2_000, fill))).toMatchObject({ stored: 1 });
    expect(await own()).toHaveLength(stored);
  }
  const events = await own();
  const [first] = events;
  expect(events.map(({ doc }) => doc.payload?.maybe_same_as ?? null)).toEqual([null, first?.id, first?.id]);
  expect(new Set(events.map(({ key }) => key)).size).toBe(3);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ doubtful: 2 });
  const kept = await Promise.all(events.map(({ id }) => here.site.store.evidence.ofEvent('acme', id)));
  expect(kept.map((files) => files.map(({ sha256 }) => sha256))).toEqual(
    [1, 2, 3].map((fill) => [hash('sha256', jpeg(2_000, fill), 'hex')]),
  );
});

test('two faces that pass within one second of the camera are two, and one that is posted again is one', async () => {
  const time = localTime(Date.now() - 20_000);
  const face = async (left: number) => {
    const more = `<Faces><Face><faceRect><x>${left}</x></faceRect></Face></Faces>`;
    return jsonOf(
      expectStatus(await post(here, device.path, alertXml({ type: 'faceSnap', time, more }), XML), 200),
    );
  };
  expect(await face(1)).toMatchObject({ stored: 1 });
  expect(await face(2)).toMatchObject({ stored: 1 });
  expect(await face(1)).toMatchObject({ stored: 0, repeated: 1 });
  expect(await own()).toHaveLength(2);
});
