// Devices that are connected to by ONVIF: what they tell by a PullPoint, with what they get wrong.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { SettableClock, type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { notification, OnvifDevice, pulled, soap } from './onvif-device.ts';
import { deviceOf, eventsOf, type Issued, jpeg, register, type SeenEvent, withClock } from './rig.ts';

const scene = new Scene();
const clock = new SettableClock();
let here: SiteHere;
let camera: OnvifDevice;
let device: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene, { clock });
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  camera = await OnvifDevice.start(scene);
});

const connect = async (more: Record<string, unknown> = {}): Promise<void> => {
  device = await register(here, {
    kind: 'onvif',
    name: `onvif-${count}`,
    address: camera.http.address,
    user: camera.http.user,
    password: camera.http.password,
    ...more,
  });
};
const listening = (): Promise<unknown> => until('it listens', async () => camera.listening);
const seen = async () =>
  (await deviceOf(here, device.keyId)) as unknown as {
    connection: ConnectionView;
    unreadable: number;
    heartbeats: number;
    repeated: number;
    picturesLost: number;
    clockOffSeconds: number;
    unknownTypes: Record<string, number>;
  };
const told = (code: string): Promise<unknown> =>
  until(`it is told: ${code}`, async () => (await seen()).connection.code === code);
const own = async (): Promise<SeenEvent[]> => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};
const stored = (number: number): Promise<unknown> =>
  until(`${number} events`, async () => (await own()).length >= number);
const alarms = async (): Promise<{ key: string; message: string; clearedAt: string | null }[]> =>
  jsonOf<{ items: { key: string; message: string; clearedAt: string | null }[] }>(
    await here.call('GET', '/api/core/alarms'),
  ).items;
const on = (more: object = {}) => notification(more);
const off = (more: object = {}) => notification({ data: { IsMotion: 'false' }, ...more });
/** One answer is taken after the other: with an event that follows them, those before are done. */
let marks = 0;
const handled = async (): Promise<void> => {
  marks += 1;
  const number = marks;
  camera.tell(
    notification({ topic: 'tns1:Device/Trigger/DigitalInput', source: { InputToken: `m${number}` } }),
  );
  await until('the mark is there', async () =>
    (await own()).some(({ doc }) => JSON.stringify(doc.payload).includes(`"m${number}"`)),
  );
};
const types = async (): Promise<string[]> =>
  (await own()).map(({ type }) => type).filter((type) => type !== 'input.triggered');

test.each(['token', 'digest', 'open'] as const)(
  'it is let in where the device wants %s, and never goes where the device names another host',
  async (wants) => {
    camera.wants = wants;
    if (wants === 'digest') camera.http.auth = 'digest';
    await connect();
    await listening();
    camera.tell(on());
    await stored(1);
    expect(await own()).toMatchObject([{ type: 'motion.detected', doc: { cameraRef: 'SN0001-VS0' } }]);
    expect(camera.http.wrong + camera.wrongTokens).toBe(0);
    expect(camera.called).not.toContain('Unsubscribe');
    expect((await seen()).connection).toMatchObject({ condition: 'connected', connects: 1 });
  },
);

test('an alarm that begins and ends is one event, however often it is told', async () => {
  await connect({ channels: { VS0: 'cam-yard' } });
  await listening();
  const at = Date.now();
  const times = [0, 1, 2, 3].map((n) => new Date(at + n).toISOString());
  const all = [on({ at: times[0] }), off({ at: times[1] }), on({ at: times[2] })];
  camera.tell(...all, ...all);
  await handled();
  expect(await types()).toEqual(['motion.detected', 'motion.detected']);
  const [first] = await own();
  expect(first).toMatchObject({ occurredAt: at, doc: { cameraRef: 'cam-yard' } });
});

test('how things stand when a subscription begins is no alarm, and ends what is over', async () => {
  const input = { topic: 'tns1:VideoSource/MotionAlarm', source: { Source: 'VS0' } };
  camera.standing = [on({ operation: 'Initialized' }), off({ operation: 'Initialized' })];
  await connect();
  await listening();
  camera.tell(notification({ ...input, data: { State: 'true' } }));
  await stored(1);
  const open = async (): Promise<number> =>
    (await here.site.store.devices.unsettled()).filter(({ keyId }) => keyId === device.keyId).length;
  expect(await open()).toBe(1);
  camera.standing = [
    on({ operation: 'Initialized', at: '2020-01-01T00:00:00Z' }),
    notification({
      ...input,
      data: { State: 'false' },
      operation: 'Initialized',
      at: '2020-01-01T00:00:00Z',
    }),
  ];
  camera.reboot();
  await until('the alarm is over', async () => (await open()) === 0);
  expect(await types()).toEqual(['motion.detected']);
  expect((await seen()).clockOffSeconds).toBe(0);
});

test('topics become types, each source its camera, and what no table has is counted', async () => {
  camera.sources = { VSC0: 'VS0', VSC1: 'VS1' };
  await connect({ types: { 'tns1:RuleEngine/Own/Thing': 'own.thing' } });
  await listening();
  const source = { VideoSourceConfigurationToken: 'VSC1' };
  const crossed = { topic: 'tns1:RuleEngine/LineDetector/Crossed', source, operation: null };
  camera.tell(
    notification({
      topic: 'tns1:RuleEngine/tnsx:FieldDetector/ObjectsInside',
      source,
      data: { IsInside: '1' },
    }),
    notification({ ...crossed, data: { ObjectId: '7' }, at: '2026-01-01T00:00:00Z' }),
    notification({ ...crossed, data: { ObjectId: '8' }, at: '2026-01-01T00:00:00Z' }),
    notification({ topic: 'tns1:RuleEngine/TamperDetector/Tamper', data: { IsTamper: 'true' } }),
    notification({ topic: 'tns1:VideoSource/GlobalSceneChange/ImagingService', data: { State: 'true' } }),
    notification({ topic: 'tns1:RuleEngine/Own/Thing', data: { IsThing: 'true' } }),
    notification({ topic: 'tns1:RuleEngine/Odd/Fox', data: { IsFox: 'true' } }),
    notification({ topic: 'tns1:Monitoring/ProcessorUsage', data: { Value: '30' } }),
    notification({ topic: 'tns1:VideoSource/SignalLoss', data: { State: 'true' }, operation: 'Deleted' }),
  );
  await handled();
  // Of several alarms of one message, in whatever order they are stored.
  expect((await types()).toSorted()).toEqual([
    'camera.scene_changed',
    'camera.tampered',
    'camera.video_loss',
    'line.crossing',
    'line.crossing',
    'onvif.odd_fox',
    'own.thing',
    'region.intrusion',
  ]);
  const intrusion = (await own()).find(({ type }) => type === 'region.intrusion');
  expect(intrusion?.doc.cameraRef).toBe('SN0001-VS1');
  expect((await seen()).unknownTypes).toEqual({ 'ruleengine/odd/fox': 1 });
});

test('a notification that breaks off or is wrong costs none of the others', async () => {
  await connect();
  await listening();
  const inside = notification({
    topic: 'tns1:RuleEngine/FieldDetector/ObjectsInside',
    data: { IsInside: 'true' },
  });
  const bare = on({ source: { Source: 'VS0', Rule: 'Gate & Yard' } });
  const bytes = Buffer.from(on({ source: { Source: 'VS0', Rule: 'T?r' } }));
  bytes[bytes.indexOf('T?r') + 1] = 0xfc;
  const answers = [
    Buffer.from(pulled([inside, on()]).replace(/<\/tt:Data><\/tt:Message>(?!.*<\/tt:Data>).*/s, '')),
    Buffer.from(pulled([bare])),
    Buffer.concat([
      Buffer.from('<tev:PullMessagesResponse>'),
      bytes,
      Buffer.from('</tev:PullMessagesResponse>'),
    ]),
    Buffer.from('<html>busy</html>'),
  ];
  camera.pulling = (response) => {
    const answer = answers.shift();
    if (answers.length === 0) camera.pulling = null;
    response.writeHead(200).end(answer);
  };
  camera.tell(off());
  await until('all four are read', async () => (await seen()).unreadable === 2);
  expect(await types()).toEqual(['region.intrusion', 'motion.detected', 'motion.detected']);
  expect((await own())[1]?.doc.payload).toMatchObject({ onvif: { source: { Rule: 'Gate & Yard' } } });
});

test('a subscription that ended without a word, or with the device, is made anew', async () => {
  await connect();
  await listening();
  const waiting = camera.subscriptions.get('1')?.answer;
  camera.subscriptions.clear();
  waiting?.end(pulled([]));
  await until('another is there', async () => camera.subscriptions.has('2') && camera.listening);
  camera.tell(on());
  await stored(1);
  expect((await seen()).connection.connects).toBe(1);
  camera.reboot();
  await until('one more is there', async () => camera.subscriptions.has('3') && camera.listening);
  camera.tell(off(), notification({ topic: 'tns1:VideoSource/MotionAlarm', data: { State: 'true' } }));
  await stored(2);
});

test('a subscription is renewed in time, where the device has that, and made anew where it does not', async () => {
  camera.term = 2_000;
  await connect();
  await listening();
  camera.tell(on());
  await until('it is renewed', async () => camera.called.includes('Renew'));
  expect(camera.subscriptions.size).toBe(1);
  camera.missing = ['Renew'];
  camera.term = 1;
  camera.tell(off());
  await until('another is there', async () => camera.subscriptions.size > 1);
  camera.tell(notification({ topic: 'tns1:VideoSource/MotionAlarm', data: { State: 'true' } }));
  await stored(2);
});

test('a subscription that goes deaf is made anew after an hour', async () => {
  await connect();
  await listening();
  const [deaf] = camera.subscriptions.values();
  if (deaf) deaf.deaf = true;
  await withClock(clock, 3_700_000, async () => {
    if (deaf?.answer) deaf.answer.end(pulled([]));
    await until('another is there', async () => camera.subscriptions.size === 2);
  });
  await until('it listens there', async () => [...camera.subscriptions.values()][1]?.answer !== null);
  camera.tell(on());
  await stored(1);
});

test('questions that are never answered are noticed, and asked anew', async () => {
  camera.pulling = () => undefined;
  await connect({ quiet_seconds: 5 });
  await told('device_silent');
  camera.pulling = null;
  await listening();
  camera.tell(on());
  await stored(1);
});

test.each([
  ['an hour behind, as where summer time is wrong', -3_600_000, 0],
  ['years behind', -800_000_000_000, 0],
  ['right, but told with its zone added twice', 0, 7_200_000],
])('a clock that is %s locks nobody out, and is an alarm', async (_, clockOff, saysOff) => {
  camera.clockOff = clockOff;
  camera.saysOff = saysOff;
  await connect();
  await listening();
  const began = Date.now();
  const at = new Date(Date.now() + clockOff).toISOString();
  camera.tell(on({ at }));
  await stored(1);
  const [event] = await own();
  expect(Math.abs((event?.occurredAt ?? 0) - began)).toBeLessThan(30_000);
  expect(event?.doc.payload?.device_time).toEqual(clockOff === 0 ? undefined : at);
  expect((await seen()).connection.condition).toBe('connected');
  if (clockOff !== 0)
    await until('the alarm stands', async () =>
      (await alarms()).some(({ key }) => key === `device_clock:${device.keyId}`),
    );
});

test('the alarm of a clock goes with its device', async () => {
  camera.clockOff = -3_600_000;
  await connect();
  const standing = async (): Promise<boolean> =>
    (await alarms()).some(
      ({ key, clearedAt }) => key === `device_clock:${device.keyId}` && clearedAt === null,
    );
  await until('it stands', async () => {
    camera.tell(on({ at: new Date(Date.now() + camera.clockOff).toISOString() }));
    return standing();
  });
  expectStatus(await here.call('DELETE', `/api/core/devices/${device.keyId}`), 200);
  await until('it is over', async () => !(await standing()));
});

test('a clock that is set while the connection stands does not lock out', async () => {
  await connect();
  await listening();
  camera.clockOff = -3_600_000;
  camera.tell(on());
  await listening();
  camera.tell(off());
  await stored(1);
  expect((await seen()).connection).toMatchObject({ condition: 'connected', connects: 1 });
});

test.each(['token', 'digest'] as const)(
  'a wrong %s is shown twice at most, and tried seldom',
  async (wants) => {
    camera.wants = wants;
    if (wants === 'token') camera.clockOff = -3_600_000;
    else camera.http.auth = 'digest';
    await connect({ password: 'another' });
    await told('device_password_refused');
    expect(camera.http.wrong + camera.wrongTokens).toBeLessThanOrEqual(2);
    const { condition, nextAttemptAt } = (await seen()).connection;
    expect(condition).toBe('refused');
    expect(Date.parse(nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(600_000);
  },
);

test('a password that is changed in the device is named', async () => {
  await connect();
  await listening();
  camera.http.password = 'changed';
  camera.tell(on());
  await told('device_password_refused');
  await stored(1);
});

test('an answer without an end is not held', async () => {
  let sent = 0;
  camera.pulling = (response) => {
    const more = (): void => {
      while (!response.destroyed && sent < 64 * 1024 * 1024) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536, 0x20))) return void response.once('drain', more);
      }
    };
    more();
  };
  await connect();
  await told('answer_too_large');
  expect(sent).toBeLessThan(16 * 1024 * 1024);
});

test.each([
  [
    'ONVIF is off',
    'device_onvif_off',
    (one: OnvifDevice) => {
      one.http.answering = (_, response) => void response.writeHead(404).end();
    },
  ],
  [
    'there is no PullPoint',
    'device_pullpoint_missing',
    (one: OnvifDevice) => {
      one.missing = ['CreatePullPointSubscription'];
    },
  ],
  [
    'it is no SOAP at all',
    'device_answer_wrong',
    (one: OnvifDevice) => {
      one.http.answering = (_, response) => void response.writeHead(200).end('<html>hello</html>');
    },
  ],
  [
    'the device gives no subscription',
    'device_answer_wrong',
    (one: OnvifDevice) => {
      const answering = one.http.answering;
      one.http.answering = (request, response, body) =>
        body.includes('<CreatePullPoint')
          ? void response.end(soap('<a/>'))
          : answering(request, response, body);
    },
  ],
] as const)('it is told why nothing comes: %s', async (_, code, prepare) => {
  camera.wants = 'open';
  prepare(camera);
  await connect();
  await told(code);
  expect((await seen()).connection).toMatchObject({ condition: 'broken' });
});

test('a device without GetServices is asked as before', async () => {
  camera.missing = ['GetServices', 'GetDeviceInformation'];
  await connect();
  await listening();
  camera.tell(on());
  await stored(1);
  expect((await own())[0]?.doc.cameraRef).toBe(`${device.keyId}-VSC0`);
});

test('a device that takes no time for a subscription, and allows less than is asked for, is asked for that', async () => {
  camera.takesNoTerm = true;
  camera.most = { seconds: 2, messages: 5 };
  await connect();
  await listening();
  camera.tell(on());
  await stored(1);
  expect(camera.subscriptions.size).toBe(1);
  expect((await seen()).connection.condition).toBe('connected');
});

test.each(['token', 'digest'] as const)(
  'a user who may not see media has the alarms without pictures: %s',
  async (wants) => {
    camera.wants = wants;
    camera.forbidden = ['GetProfiles'];
    await connect();
    await listening();
    camera.tell(on());
    await stored(1);
    expect((await seen()).connection.condition).toBe('connected');
  },
);

test('a subscription that ends in local time and begins in UTC is asked as one without a time', async () => {
  camera.term = -8 * 3_600_000;
  await connect();
  await listening();
  camera.tell(on());
  await stored(1);
  await listening();
  expect(camera.called.filter((one) => one === 'Renew' || one.startsWith('Create'))).toHaveLength(1);
});

test('the snapshot of the source is kept with the event', async () => {
  const picture = jpeg(40_000);
  camera.picture = (response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture);
  await connect();
  await listening();
  camera.tell(on());
  await stored(1);
  const [event] = await own();
  await until('the picture is kept', async () => {
    const files = await here.site.store.evidence.ofEvent('acme', event?.id ?? 0);
    return files[0]?.size === picture.length;
  });
  expect(camera.http.asked.map(({ url }) => url)).toContain('/snap?p=P-VS0');
});

test.each([
  ['never comes', () => undefined],
  ['is broken', (response: ServerResponse) => void response.writeHead(200).end('<html>')],
])('a snapshot that %s costs no alarm', async (_, picture) => {
  camera.picture = picture;
  await connect();
  await listening();
  camera.tell(on());
  await stored(1);
  await until('it is counted', async () => (await seen()).picturesLost === 1);
});
