// Hikvision devices as they post to their listening host, with what they get wrong.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SettableClock, type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { jsonOf, until } from '../../support/request.ts';
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
  withClock,
  XML,
  XML_PART,
} from './rig.ts';

const scene = new Scene();
const clock = new SettableClock();
let here: SiteHere;
let device: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene, { clock });
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

test('an alarm that is repeated twice a second with a moving time is one event', async () => {
  const began = Date.now();
  for (let n = 0; n < 8; n += 1) {
    const time = localTime(began + n * 500);
    const answer = await send(alertXml({ region: 1, count: n + 1, time }));
    expect(jsonOf(answer)).toMatchObject(n === 0 ? { stored: 1 } : { stored: 0, repeated: 1 });
  }
  const [event, ...more] = await ofDevice();
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    type: 'region.intrusion',
    occurredAt: Math.floor(began / 1000) * 1000,
    doc: {
      cameraRef: 'ac:b9:2f:49:44:75-1',
      cameraName: 'Gate',
      payload: { region: '1', target: 'human', device_type: 'fielddetection' },
    },
  });
});

test('another region, channel or type is another alarm, and after the end comes a new one', async () => {
  for (const alert of [
    { region: 1 },
    { region: 2 },
    { region: 1, channel: 2 },
    { region: 1, type: 'loitering' },
  ])
    await send(alertXml(alert));
  expect(await ofDevice()).toHaveLength(4);
  await send(alertXml({ region: 1, state: 'inactive' }));
  // A second later, as the clock of the camera counts.
  await send(alertXml({ region: 1, time: localTime(Date.now() + 1_000) }));
  expect(await ofDevice()).toHaveLength(5);
});

test('a report that an alarm lasts is of the one that stands, wherever it is, and an event only without one', async () => {
  const lasts = (relation: string, state = 'active'): Promise<unknown> =>
    send(
      alertXml({
        type: 'duration',
        state,
        more: `<DurationList><Duration><relationEvent>${relation}</relationEvent></Duration></DurationList>`,
      }),
    );
  await send(alertXml({ region: 1 }));
  await lasts('fielddetection');
  await lasts('fielddetection');
  expect(await ofDevice()).toHaveLength(1);
  await lasts('linedetection');
  expect((await ofDevice()).map(({ type }) => type)).toEqual(['region.intrusion', 'line.crossing']);
  await lasts('fielddetection', 'inactive');
  await send(alertXml({ region: 1, time: localTime(Date.now() + 1_000) }));
  expect(await ofDevice()).toHaveLength(3);
});

test('an alarm that falls silent is over', async () => {
  device = await register(here, { kind: 'hikvision', name: 'quick', silence_seconds: 2 });
  await send(alertXml({}));
  await until('the alarm is over', async () =>
    (await here.site.store.devices.unsettled()).every(({ keyId }) => keyId !== device.keyId),
  );
  await send(alertXml({ time: localTime(Date.now() + 1_000) }));
  expect(await ofDevice()).toHaveLength(2);
});

const picture = jpeg(60_000);
const wrongs: [string, Buffer | string, Record<string, string>][] = [
  ['plain XML', alertXml(), XML],
  ['multipart', multipart([XML_PART(alertXml()), PICTURE_PART(picture)]), MULTIPART],
  [
    'the boundary twice',
    multipart([XML_PART(alertXml()), PICTURE_PART(picture)], { doubled: true }),
    MULTIPART,
  ],
  ['LF alone', multipart([XML_PART(alertXml()), PICTURE_PART(picture)], { eol: '\n' }), MULTIPART],
  ['no end', multipart([XML_PART(alertXml()), PICTURE_PART(picture)], { closed: false }), MULTIPART],
  ['a length too short', multipart([XML_PART(alertXml(), 12), PICTURE_PART(picture)]), MULTIPART],
  ['a length too long', multipart([XML_PART(alertXml(), 99_999), PICTURE_PART(picture)]), MULTIPART],
  ['multipart said to be XML', multipart([XML_PART(alertXml()), PICTURE_PART(picture)]), XML],
  ['XML said to be multipart', alertXml(), MULTIPART],
  [
    'another boundary than announced',
    multipart([XML_PART(alertXml())], { boundary: '---------------------------7e13971310878' }),
    MULTIPART,
  ],
  [
    'no Content-Disposition',
    multipart([{ headers: ['Content-Type: application/xml'], body: alertXml() }]),
    MULTIPART,
  ],
  ['no headers', multipart([{ body: alertXml() }]), MULTIPART],
  ['a bare &', alertXml({ more: '<deviceName>Gate & Yard</deviceName>' }), XML],
  ['bad UTF-8', Buffer.concat([Buffer.from(alertXml().replace('Gate', 'G')), Buffer.alloc(0)]), XML],
  ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(alertXml())]), XML],
  ['no Content-Type', alertXml(), {}],
  ['a broken picture', multipart([XML_PART(alertXml()), PICTURE_PART(Buffer.from('oh no'))]), MULTIPART],
  [
    'the type under duration',
    alertXml({
      type: 'duration',
      more: '<DurationList><Duration><relationEvent>fielddetection</relationEvent></Duration></DurationList>',
    }),
    XML,
  ],
  [
    'JSON',
    JSON.stringify({
      macAddress: 'ac-b9-2f-49-44-75',
      channelID: 1,
      dateTime: localTime(Date.now()),
      eventType: 'fielddetection',
      eventState: 'active',
    }),
    { 'content-type': 'application/json' },
  ],
  [
    'JSON in multipart without a disposition',
    multipart([
      {
        headers: ['Content-Type: application/json'],
        body: JSON.stringify({
          EventNotificationAlert: { macAddress: 'ACB92F494475', channelID: 1, eventType: 'fielddetection' },
        }),
      },
      PICTURE_PART(picture),
    ]),
    MULTIPART,
  ],
];
test.each(wrongs)('is read as the alarm that it is: %s', async (_, body, headers) => {
  expect(jsonOf(await send(body, headers))).toMatchObject({ stored: 1 });
  const [event] = await ofDevice();
  expect(event).toMatchObject({ type: 'region.intrusion', doc: { cameraRef: 'ac:b9:2f:49:44:75-1' } });
  const whole = Buffer.isBuffer(body) && body.includes(picture);
  const files = await here.site.store.evidence.ofEvent('acme', event?.id ?? 0);
  expect(files.map(({ size }) => size)).toEqual(whole ? [picture.length] : []);
});

test('bytes that are no UTF-8 do not cost the alarm', async () => {
  const [head = '', tail = ''] = alertXml().split('Gate');
  const body = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(tail)]);
  expect(jsonOf(await send(body))).toMatchObject({ stored: 1 });
  expect((await ofDevice())[0]?.doc.cameraName).toContain('�');
});

test.each([
  ['truncated', alertXml().slice(0, -30)],
  ['truncated before the end of the last tag', alertXml().trimEnd().slice(0, -26)],
  ['empty', ''],
  ['something else', '<html><body>404</body></html>'],
  ['without a type', alertXml().replace('<eventType>fielddetection</eventType>', '')],
  ['with a DTD', alertXml().replace('<EventNotif', '<!DOCTYPE x [<!ENTITY a "b">]><EventNotif')],
])('what cannot be read is refused and counted: %s', async (_, body) => {
  expect((await send(body)).status).toBe(400);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ unreadable: 1, stored: 0 });
});

test('heartbeats are liveness, and an active videoloss is an alarm', async () => {
  for (let n = 0; n < 3; n += 1)
    expect(jsonOf(await send(alertXml({ type: 'videoloss', state: 'inactive', count: 0 })))).toMatchObject({
      stored: 0,
      heartbeats: 1,
    });
  expect(await ofDevice()).toEqual([]);
  expect(await deviceOf(here, device.keyId)).toMatchObject({ heartbeats: 3, stored: 0 });
  await send(alertXml({ type: 'videoloss' }));
  // The heartbeat goes on meanwhile, and ends nothing.
  await send(alertXml({ type: 'videoloss', state: 'inactive', count: 0 }));
  await send(alertXml({ type: 'videoloss', count: 2 }));
  expect((await ofDevice()).map(({ type }) => type)).toEqual(['camera.video_loss']);
});

test('a camera of which nothing is heard is silent, and with a heartbeat it is not', async () => {
  const silent = async (): Promise<boolean | undefined> =>
    jsonOf<{ cameras: { keyId: string; silent: boolean }[] }>(
      await here.call('GET', '/api/core/site/status'),
    ).cameras.find(({ keyId }) => keyId === device.keyId)?.silent;
  await withClock(clock, 72 * 3_600_000, async () => {
    expect(await silent()).toBe(true);
    await send(alertXml({ type: 'videoloss', state: 'inactive', count: 0 }));
    expect(await silent()).toBe(false);
  });
});

test('an unknown type is stored under the name of the maker, and counted', async () => {
  await send(alertXml({ type: 'SomeNewThing' }));
  expect((await ofDevice())[0]).toMatchObject({
    type: 'hikvision.some_new_thing',
    doc: { payload: { unknown_type: true } },
  });
  expect((await deviceOf(here, device.keyId)).unknownTypes).toEqual({ SomeNewThing: 1 });
});

test.each([
  ['no zone', (at: number) => localTime(at).slice(0, 19)],
  ['a broken zone', (at: number) => `${localTime(at).slice(0, 17)}3100:00`],
  ['UTC under the name of the zone', (at: number) => `${new Date(at).toISOString().slice(0, 19)}+08:00`],
  ['a clock from 1970', () => '1970-01-01T00:00:12+08:00'],
])('a time that cannot be believed leaves the time of receipt: %s', async (_, write) => {
  const [before, time] = [Date.now(), write(Date.now())];
  await send(alertXml({ time }));
  const [event] = await ofDevice();
  expect(event?.occurredAt).toBeGreaterThanOrEqual(before);
  expect(event?.occurredAt).toBeLessThanOrEqual(Date.now());
  expect(event?.doc.payload).toMatchObject({ device_time: time });
});

test('an alarm names a camera whose clock is off, and goes when it is right again', async () => {
  const standing = async () =>
    (await here.site.store.alarms.list({ tenantCode: null, includeCleared: false }, 100)).filter(
      ({ key }) => key === `device_clock:${device.keyId}`,
    );
  const off = localTime(Date.now() - 3_600_000);
  await send(alertXml({ time: off }));
  await send(alertXml({ time: off, count: 2 }));
  expect((await standing()).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The clock of cam-\d+ is 36\d\d seconds behind/),
  ]);
  await send(alertXml({ type: 'videoloss', state: 'inactive' }));
  await send(alertXml({ type: 'videoloss', state: 'inactive' }));
  expect(await standing()).toEqual([]);
});

test('what is sent again keeps its own time and is marked late, and what was known makes no second event', async () => {
  const lived = Date.now() - 60_000;
  await withClock(clock, -60_000, () => send(alertXml({ time: localTime(lived), region: 1 })));
  const again = '<isDataRetransmission>true</isDataRetransmission>';
  expect(jsonOf(await send(alertXml({ time: localTime(lived), region: 1, more: again })))).toMatchObject({
    stored: 0,
  });
  const missed = Date.now() - 5 * 3_600_000;
  for (let n = 0; n < 3; n += 1)
    await send(alertXml({ time: localTime(missed + n * 500), region: 1, more: again }));
  const events = await ofDevice();
  expect(events).toHaveLength(2);
  expect(events[1]).toMatchObject({
    occurredAt: Math.floor(missed / 1000) * 1000,
    doc: { payload: { sent_late: true } },
  });
});

test('a recorder has a camera for each channel, and digital channels begin after 32', async () => {
  device = await register(here, {
    kind: 'hikvision',
    name: 'nvr',
    channels: { '1': 'cam-gate', D3: 'cam-yard' },
  });
  await send(alertXml({ channel: 1 }));
  await send(alertXml({ channel: 35 }));
  await send(alertXml({ channel: null, more: '<dynChannelID>36</dynChannelID>' }));
  expect((await ofDevice()).map(({ doc }) => doc.cameraRef)).toEqual([
    'cam-gate',
    'cam-yard',
    'ac:b9:2f:49:44:75-D4',
  ]);
});

test('one vehicle after another is an event each, with all its pictures and its plate as written', async () => {
  const anpr = (plate: string) =>
    multipart([
      XML_PART(alertXml({ type: 'ANPR', more: `<ANPR><licensePlate>${plate}</licensePlate></ANPR>` })),
      PICTURE_PART(jpeg(3_000, 1), 'licensePlatePicture.jpg'),
      PICTURE_PART(jpeg(4_000, 2), 'vehiclePicture.jpg'),
      PICTURE_PART(jpeg(5_000, 3), 'detectionPicture.jpg'),
    ]);
  await send(anpr('0012345'), MULTIPART);
  await send(anpr('0012345'), MULTIPART);
  await send(anpr('京A12345'), MULTIPART);
  const events = await ofDevice();
  expect(events.map(({ doc }) => doc.title)).toEqual(['0012345', '京A12345']);
  for (const { id } of events) expect(await here.site.store.evidence.ofEvent('acme', id)).toHaveLength(3);
});
