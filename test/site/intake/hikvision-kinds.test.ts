// What alerts of Hikvision are about, by whatever member says so.
import { expect, test } from 'vitest';
import { hikvision } from '../../../site/intake/hikvision/parse.ts';
import type { DeviceConfig, Occurrence } from '../../../site/intake/record.ts';
import { type Alert, alertXml, localTime } from './rig.ts';

function read(body: string, config: DeviceConfig = {}): Occurrence {
  const [reading] = hikvision.parse([{ headers: {}, body: Buffer.from(body) }], config, { headers: {} });
  if (reading?.what !== 'occurrence') throw new Error(`this is ${JSON.stringify(reading)}`);
  return reading;
}
const xml = (alert: Alert, config?: DeviceConfig): Occurrence => read(alertXml(alert), config);
const json = (members: object, config?: DeviceConfig): Occurrence =>
  read(
    JSON.stringify(
      { macAddress: '02:11:22:33:44:55', channelID: 1, dateTime: localTime(Date.now()), ...members },
      null,
      '\t',
    ),
    config,
  );

const density = (dataSource: string, more: object = {}): Occurrence =>
  json({
    eventType: 'personDensityDetection',
    eventState: 'active',
    personDensityResult: {
      Target: [{ recognitionType: 'human', TargetInfo: { dataSource, regionID: 2, ...more } }],
    },
  });
const access = (major: number, minor: number, more: object = {}, config?: DeviceConfig): Occurrence =>
  json(
    {
      eventType: 'AccessControllerEvent',
      AccessControllerEvent: { majorEventType: major, subEventType: minor, serialNo: 81, ...more },
    },
    config,
  );

test('counts of people hide no alarm about them, and are none', () => {
  const count = density('PDC');
  const alarm = density('PQA', { PQA: { alarmCount: 4 } });
  expect(count).toMatchObject({ type: 'people.count', kind: 'observation' });
  expect(density('timing')).toMatchObject({ type: 'people.count', kind: 'observation' });
  expect(alarm).toMatchObject({ type: 'people.count_changed', kind: 'alert', payload: { region: '2' } });
  expect(density('trigger')).toMatchObject({ type: 'people.count_changed', kind: 'alert' });
  expect(alarm.identity).not.toEqual(count.identity);
});

test('who stays too long is an alarm each, however often it is told with another time', () => {
  const stays = (targetID: number, alarmTime: number): Occurrence =>
    density('DSA', { targetID, DSA: { alarmTime } });
  const first = stays(8, 200);
  expect(first).toMatchObject({ type: 'region.loitering', payload: { target: 'human' } });
  expect(stays(8, 201).identity).toEqual(first.identity);
  expect(stays(9, 30).identity).not.toEqual(first.identity);
});

test.each([
  [5, 27, 'door.forced'],
  [5, 28, 'door.held_open'],
  [5, 37, 'doorbell.pressed'],
  [5, 75, 'access.event'],
  [3, 1024, 'access.event'],
])('what an access controller tells as %i/%i is %s', (major, minor, type) => {
  expect(access(major, minor)).toMatchObject({
    type,
    known: true,
    rawType: `AccessControllerEvent/${major}/${minor}`,
  });
});

test('the type of an access controller is configured for all that it tells, or for one code', () => {
  const all = { types: { AccessControllerEvent: 'door.any' } };
  const one = { types: { 'AccessControllerEvent/5/76': 'access.refused' } };
  expect(access(5, 27, {}, all).type).toBe('door.any');
  expect(access(5, 76, {}, one).type).toBe('access.refused');
  expect(access(5, 27, {}, one).type).toBe('door.forced');
});

test('a call at a door station is one alarm until it is answered or given up', () => {
  const call = (eventType: string, cmdType: string, more: object = {}): Occurrence =>
    json({ eventType, VoiceTalkEvent: { cmdType, serialNo: 12, ...more } });
  const rings = call('voiceTalkEvent', 'request');
  expect(rings).toMatchObject({ type: 'doorbell.pressed', state: 'active', late: false });
  for (const cmdType of ['cancel', 'answer', 'hangUp'])
    expect(call('voiceTalkEvent', cmdType)).toMatchObject({ state: 'ended', identity: rings.identity });
  expect(call('videoIntercomEvent', 'request').identity).toEqual(rings.identity);
  expect(call('voiceTalkEvent', 'request', { currentEvent: false }).late).toBe(true);
});

test('what is captured is one after another, with its kind and its plate', () => {
  const captured = (targetID: number, what: object): Occurrence =>
    json({ eventType: 'mixedTargetDetection', CaptureResult: [{ targetID, ...what }] });
  const person = captured(3, { Human: { Rect: { x: 0.1 } } });
  expect(person).toMatchObject({ type: 'object.detected', title: null, payload: { target: 'human' } });
  expect(captured(4, { Human: {} }).identity).not.toEqual(person.identity);
  const property = (value: string) => [
    { description: 'vehicleType', value: 'SUVMPV' },
    { description: 'plateNo', value },
  ];
  const vehicle = captured(5, { Vehicle: { Property: property('0077XY') } });
  expect(vehicle).toMatchObject({ title: '0077XY', payload: { target: 'vehicle' } });
  expect(captured(6, { Vehicle: { Property: property('unknown') } }).title).toBeNull();
});

test.each([
  [{ type: 'VMD', more: '<targetType>human</targetType>' }, 'human'],
  [{ type: 'linedetection', more: '<detectionTarget>Vehicle</detectionTarget>' }, 'vehicle'],
  [{ type: 'VMD', more: '<detectionTarget><name>human</name></detectionTarget>' }, 'human'],
])('the target is kept wherever it stands: %o', (alert, target) => {
  expect(xml(alert)).toMatchObject({ payload: { target } });
});

test.each([
  ['TMPA', 'temperature.warning', 'alert'],
  ['reflectiveVestDetection', 'person.no_vest', 'alert'],
  ['workClothesDetection', 'person.no_workwear', 'alert'],
  ['smokingDetection', 'person.smoking', 'alert'],
  ['FALL_DOWN', 'person.fall', 'alert'],
  ['gasDetection', 'gas.alarm', 'alert'],
  ['radarFieldDetection', 'region.intrusion', 'alert'],
  ['ipcDisconnect', 'device.network_lost', 'alert'],
  ['scenechange', 'camera.scene_changed', 'alert'],
  ['failDown', 'person.fall', 'alert'],
  ['retention', 'region.loitering', 'alert'],
  ['videoException', 'camera.video_bad', 'alert'],
  ['diskUnformat', 'device.disk_error', 'alert'],
  ['regionTargetNumberCounting', 'people.count', 'observation'],
  ['personQueueRealTime', 'people.count', 'observation'],
])('%s is %s', (word, type, kind) => {
  expect(xml({ type: word })).toMatchObject({ type, kind, known: true });
});
