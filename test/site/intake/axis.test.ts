// Axis cameras by way of a real broker.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { jsonOf, until } from '../../support/request.ts';
import { Broker } from './broker-rig.ts';
import { deviceOf, eventsOf, type Issued, register, type SeenEvent } from './rig.ts';

const scene = new Scene();
let here: SiteHere;
let broker: Broker;
let device: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  broker = await Broker.start(scene);
  const subscribed = broker.subscribed('axis/+/event/#');
  device = await register(here, {
    kind: 'axis',
    name: `cams-${count}`,
    address: broker.address,
    user: broker.user,
    password: broker.password,
    channels: { B8A44F000001: 'cam-north' },
  });
  await subscribed;
});

const SERIAL = 'ACCC8E012345';
const send = (message: object, options: { retain?: boolean; qos?: 0 | 1 } = {}): Promise<void> =>
  broker.publish(`axis/${SERIAL}/event/x`, message, options);
/** One message is taken after the other: with the heartbeat that follows them, those before are done. */
const handled = async (number: number): Promise<void> => {
  const before = await deviceOf(here, device.keyId);
  await broker.publish(`axis/${SERIAL}/event/connection`, { connected: true });
  await until(`${number} messages`, async () => {
    const { messages, heartbeats } = await deviceOf(here, device.keyId);
    return messages > number && heartbeats > before.heartbeats;
  });
};
const own = async (): Promise<SeenEvent[]> => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};

/** A message of the event bridge; values are texts. */
const bridge = (data: Record<string, string>, more: Record<string, unknown> = {}) => ({
  timestamp: Date.now(),
  serial: SERIAL,
  topic: 'onvif:Device/axis:Sensor/PIR',
  message: { source: { sensor: '0' }, key: {}, data },
  ...more,
});

test('a state that begins and ends is one event, and the next one another', async () => {
  const began = Date.now();
  const on = bridge({ state: '1' }, { timestamp: began });
  const off = bridge({ state: '0' }, { timestamp: began + 400 });
  for (const one of [on, on, off, off, bridge({ state: '1' }, { timestamp: began + 800 })]) await send(one);
  await until('both are there', async () => (await own()).length === 2);
  const events = await own();
  expect(events[0]).toMatchObject({
    type: 'motion.detected',
    occurredAt: began,
    doc: { cameraRef: `${SERIAL}-0`, payload: { axis: { data: { state: '1' } } } },
  });
  expect(await here.site.store.devices.unsettled()).toHaveLength(1);
});

test.each([
  ['tnsaxis:CameraApplicationPlatform/VMD/Camera1Profile1', { active: '1' }, 'motion.detected'],
  ['tns1:CameraApplicationPlatform/ObjectAnalytics/Device1Scenario2', { active: '1' }, 'object.detected'],
  ['axis:CameraApplicationPlatform/FenceGuard/Camera1Profile3', { active: '1' }, 'region.intrusion'],
  ['onvif:Device/axis:IO/Port', { state: '1' }, 'input.triggered'],
  ['onvif:VideoSource/onvif:MotionAlarm', { State: '1' }, 'motion.detected'],
  ['onvif:VideoSource/axis:Tampering', { tampering: '1' }, 'camera.tampered'],
  ['onvif:RuleEngine/axis:SomeNew/Thing', { active: '1' }, 'axis.somenew_thing'],
])('its topic has its type: %s', async (topic, data, type) => {
  await send(bridge(data, { topic }));
  await handled(1);
  expect((await own()).map((event) => event.type)).toEqual([type]);
});

test('without a serial number it is counted, and the reason says what to tick', async () => {
  await send({ ...bridge({ state: '1' }), serial: undefined });
  await handled(1);
  const seen = await deviceOf(here, device.keyId);
  expect(seen).toMatchObject({ unreadable: 1, stored: 0, refusal: { reason: 'unreadable' } });
  expect(JSON.stringify(seen.refusal)).toContain('Include serial number');
});

test('what has no state is an event each time, and doubled once', async () => {
  const crossed = bridge({ ObjectId: '7' }, { topic: 'onvif:RuleEngine/onvif:LineDetector/onvif:Crossed' });
  await send(crossed);
  await send(crossed);
  await send({ ...crossed, timestamp: Date.now() + 5 });
  await handled(3);
  expect((await own()).map(({ type }) => type)).toEqual(['line.crossing', 'line.crossing']);
});

test('a state that the broker kept comes with its own time, and once however often it is told', async () => {
  const began = Date.now() - 600_000;
  await send(bridge({ state: '1' }, { timestamp: began }), { retain: true });
  // The live one is past; whoever connects hears it again.
  await handled(1);
  const before = (await own()).length;
  await broker.close();
  await broker.open();
  await handled(2);
  expect(before).toBe(1);
  expect(await own()).toHaveLength(1);
});

test('a camera has the name that the settings give its serial number', async () => {
  await send(bridge({ state: '1' }, { serial: 'B8A44F000001' }));
  await handled(1);
  expect((await own()).map(({ doc }) => doc.cameraRef)).toEqual(['cam-north']);
});

test('status and connection messages are no events', async () => {
  await send(bridge({ ready: '1' }, { topic: 'onvif:PTZController/axis:PTZReady' }));
  await send({ address: '10.0.0.9', serial: SERIAL, connected: true });
  await handled(2);
  expect(await own()).toEqual([]);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ heartbeats: 3, unreadable: 0 });
});

test('a try shows what comes by way of the broker, and what it becomes', async () => {
  const tried = here.call('POST', `/api/core/devices/${device.keyId}/try`, { seconds: 20 });
  const sent = setInterval(() => void send(bridge({ state: '1' })), 100);
  const { items } = jsonOf<{ items: { events: { event: { type: string } }[] }[] }>(await tried);
  clearInterval(sent);
  expect(items[0]?.events[0]?.event.type).toBe('motion.detected');
});
