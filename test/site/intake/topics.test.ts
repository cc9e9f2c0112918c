// Topics of ONVIF and Axis as makers write them: what they mean, whether they hold, and which are no alarm.
import { expect, test } from 'vitest';
import { axis } from '../../../site/intake/axis/parse.ts';
import { headersOf, NOBODY } from '../../../site/intake/onvif/identity.ts';
import { onvif } from '../../../site/intake/onvif/parse.ts';
import type { Reading } from '../../../site/intake/record.ts';
import { notification } from './onvif-device.ts';

const AT = Date.UTC(2026, 0, 1);
const headers = headersOf(NOBODY, { at: AT, deviceAt: AT, clockOff: 0 });
const said = (readings: readonly Reading[]): string[] =>
  readings.map((one) =>
    one.what === 'occurrence'
      ? [
          one.state,
          one.type,
          ...(one.known ? [] : ['unknown']),
          ...(one.kind === 'alert' ? [] : ['seen']),
        ].join(' ')
      : one.what,
  );
const byOnvif = (topic: string, data: Record<string, string>, operation: string | null = 'Changed') => {
  const text = notification({ topic, data, operation, at: new Date(AT).toISOString() });
  return said(onvif.parse([{ headers: {}, body: Buffer.from(text) }], {}, { headers }));
};
const byAxis = (topic: string, data: object) => {
  const message = { timestamp: AT, serial: 'ACCC8E00A1B2', topic, message: { source: {}, key: {}, data } };
  return said(axis.parse([{ headers: {}, body: Buffer.from(JSON.stringify(message)) }], {}, { headers: {} }));
};

test.each([
  ['tns1:RuleEngine/CellMotionDetector/LineCross', { IsLineCross: 'true' }, 'active line.crossing'],
  ['tns1:RuleEngine/CellMotionDetector/People', { IsPeople: 'true' }, 'active object.person'],
  ['tns1:RuleEngine/CellMotionDetector/Intrusion', { IsIntrusion: 'false' }, 'ended region.intrusion'],
  ['tns1:RuleEngine/CellMotionDetector/Tamper', { IsTamper: 'true' }, 'active camera.tampered'],
  ['tns1:RuleEngine/CellMotionDetector/TpSmartEvent', { IsVehicle: 'true' }, 'active object.vehicle'],
  ['tns1:RuleEngine/TPSmartEventDetector/TPSmartEvent', { IsPet: 'true' }, 'active object.animal'],
  ['tns1:RuleEngine/TPSmartEventDetector/TPSmartEvent', { IsOdd: 'true' }, 'active object.detected'],
  ['tns1:RuleEngine/CellMotionDetector/Motion//.', { IsMotion: 'true' }, 'active motion.detected'],
  ['tns1:IVA/EnteringField/Zaun_Nord', { State: 'true' }, 'active region.entrance'],
  ['tns1:VideoAnalytics/tnssamsung:MotionDetection', { Motion: '0' }, 'ended motion.detected'],
  ['tns1:VideoAnalytics/tnssamsung:MotionDetection', { Motion: '1' }, 'active motion.detected'],
  ['tns1:Device/tns1:Trigger/CallRequest', { State: 'true' }, 'active doorbell.pressed'],
  ['tns1:VideoAnalytics/tnshik:MotionAlarm', { State: 'TRUE' }, 'active motion.detected'],
  ['tns1:UserAlarm/VideoCover', { State: 'FALSE' }, 'ended camera.tampered'],
  ['tns1:VideoSource/tns1:Device/Trigger/DigitalInput', { LogicalState: 'true' }, 'active input.triggered'],
  ['tns1:VideoAnalytics/tns1:VideoSource/MotionAlarm', { State: '1' }, 'active motion.detected'],
  ['tns1:Device/Trigger/tnshik:AlarmIn', { State: 'true' }, 'active input.triggered'],
  ['tns1:RuleEngine/MyRuleDetector/Package', { State: 'true' }, 'active object.package'],
  ['tns1:OpenApp/WiseAI/LineCrossing', { State: 'true' }, 'active line.crossing'],
  ['tns1:OpenApp/WiseAI/IvaArea', { State: 'true' }, 'active region.intrusion'],
  ['tns1:VideoAnalytics/tnssamsung:Loitering', { State: 'true' }, 'active region.loitering'],
  ['tns1:RuleEngine/tnsx:Odd', { Found: 'false' }, 'ended onvif.ruleengine_odd unknown'],
])('a topic has its type, and its state under whatever name: %s %j', (topic, data, expected) => {
  expect(byOnvif(topic, data)).toEqual([expected]);
});

test('a list of classes that is empty ends what was seen, and is no alarm', () => {
  const seen = (ClassTypes: string) => byOnvif('tns1:RuleEngine/ObjectDetection/Object', { ClassTypes });
  expect(seen('Human')).toEqual(['active object.person']);
  expect(seen('')).toEqual(['ended object.detected']);
  expect(seen('Vehicle Human')).toEqual(['active object.person', 'active object.vehicle']);
});

test('what is not there is no alarm', () => {
  const topic = 'tns1:RuleEngine/PeopleDetector/People';
  expect(byOnvif(topic, { IsNotPerson: 'true' })).toEqual(['ended object.person']);
  expect(byOnvif(topic, { IsNotPerson: 'false' })).toEqual(['active object.person']);
});

test.each([
  ['tns1:Device/tnsavg:Logs', { Level: 'info' }],
  ['tns1:MediaControl/VideoEncoderConfiguration', { Config: 'x' }],
])('what a device says of itself is no event: %s', (topic, data) => {
  expect(byOnvif(topic, data, null)).toEqual(['heartbeat']);
});

test('of several objects a person comes first, and a number that stands alone is no state', () => {
  const [first] = byOnvif('tns1:RuleEngine/ObjectDetection/Object', { ClassTypes: 'Vehicle Human' }, null);
  expect(first).toBe('active object.person');
  expect(byOnvif('tns1:RuleEngine/tnsx:Odd', { ObjectId: '0' }, null)).toHaveLength(2);
});

const OBJECTS = 'axis:CameraApplicationPlatform/ObjectAnalytics/Device1Scenario1';

test.each([
  [OBJECTS, { active: '1', classTypes: 'human', objectId: '7' }, 'active object.person'],
  [OBJECTS, { active: true }, 'active object.detected'],
  [OBJECTS, { active: '0' }, 'ended object.detected'],
  [OBJECTS, { reason: 'car', total: '20960', totalCar: '18103' }, 'single object.count seen'],
  ['axis:Storage/Alert', { alert: '0', wear: '-3', overall_health: '-3' }, 'ended device.disk_error'],
  ['axis:Storage/Alert', { alert: '1', wear: '99', temperature: '80' }, 'active device.disk_error'],
  ['onvif:RuleEngine/axis:VMD3/vmd3_video_1', { active: '1' }, 'active motion.detected'],
  ['onvif:Device/axis:Status/Temperature/Above', { sensor_level: '1' }, 'active temperature.alarm'],
  ['onvif:Device/axis:Status/Temperature/Inside', { sensor_level: '1' }, 'heartbeat'],
  ['onvif:Device/axis:Light/Status', { state: 'OFF' }, 'heartbeat'],
  [`${OBJECTS}/xinternal_data`, { svgframe: '<svg/>' }, 'heartbeat'],
  ['axis:Storage/Recording', { recording: '1' }, 'heartbeat'],
  ['onvif:UserAlarm/axis:Recurring/Interval', { active: '1' }, 'heartbeat'],
  ['onvif:Device/axis:Network/AddressAdded', { address: '10.0.0.9', origin: 'DHCP' }, 'heartbeat'],
])('Axis tells it by MQTT: %s %j', (topic, data, expected) => {
  expect(byAxis(topic, data)).toEqual([expected]);
});

test('a topic of Axis without a message is no alarm, and is counted', () => {
  const body = Buffer.from(
    JSON.stringify({ serial: 'A', topic: 'onvif:Device/axis:Sensor/PIR', message: 1 }),
  );
  expect(said(axis.parse([{ headers: {}, body }], {}, { headers: {} }))).toEqual(['unreadable']);
});
