// Dahua and Amcrest devices that are connected to: their event stream, and the snapshot of a channel.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { long } from '../../support/campaign.ts';
import { SettableClock, type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { longTest } from '../../support/long.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, until } from '../../support/request.ts';
import { PlayedDevice } from './played-device.ts';
import { deviceOf, type DeviceSeen, eventsOf, type Issued, jpeg, register, type SeenEvent } from './rig.ts';

const ATTACH = '/cgi-bin/eventManager.cgi?action=attach&codes=[All]&heartbeat=5';
const SERIAL = '/cgi-bin/magicBox.cgi?action=getSerialNo';
const scene = new Scene();
/** Real time, but for what it is put ahead. */
class AheadClock extends SettableClock {
  ahead = 0;
  override monotonic = (): number => performance.now() + this.ahead;
}
const clock = new AheadClock();
let here: SiteHere;
let camera: PlayedDevice;
let device: Issued;
let picture: (response: ServerResponse) => void;
let serial: (response: ServerResponse) => void;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene, { clock });
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  picture = (response) => void response.writeHead(404).end();
  serial = (response) => void response.writeHead(200).end(`sn=SN000${count}\r\n`);
  // Devices of earlier tests go on connecting: their streams are none of this one's.
  const started = await PlayedDevice.start(scene);
  camera = started;
  camera.answering = (request, response) => {
    if (request.url === SERIAL) serial(response);
    else if (request.url?.startsWith('/cgi-bin/snapshot.cgi')) picture(response);
    else if (request.url !== ATTACH) response.writeHead(404).end();
    else started.stream(response, { 'content-type': 'multipart/x-mixed-replace; boundary=myboundary' });
  };
});

const connect = async (more: Record<string, unknown> = {}): Promise<void> => {
  const { address, user, password } = camera;
  device = await register(here, { kind: 'dahua', name: `cam-${count}`, address, user, password, ...more });
};
type Seen = DeviceSeen & { connection: ConnectionView | null; picturesLost: number };
const seen = async (): Promise<Seen> => (await deviceOf(here, device.keyId)) as unknown as Seen;
const listening = (): Promise<unknown> => until('it listens', async () => camera.streams.size === 1);
const becomes = (condition: string): Promise<unknown> =>
  until(`it is ${condition}`, async () => (await seen()).connection?.condition === condition);
const own = async (): Promise<SeenEvent[]> => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};
const stored = (number: number): Promise<unknown> =>
  until(`${number} events`, async () => (await own()).length >= number);
const pictureOf = (event: SeenEvent | undefined): Promise<unknown> =>
  until('the picture is kept', async () => {
    const [file] = await here.site.store.evidence.ofEvent('acme', event?.id ?? 0);
    return file?.size === jpeg(40_000).length;
  });
/** Whether an alarm names the connection. */
const standing = async (): Promise<boolean> =>
  (await here.site.store.alarms.list({ tenantCode: null, includeCleared: false }, 100)).some(
    ({ key }) => key === `device_connection:${device.keyId}`,
  );
const attached = (): number => camera.asked.filter((one) => one.url === ATTACH && one.authorized).length;

const NEVER: [string, () => void] = ['does not answer', () => undefined];

const part = (body: string): string =>
  `--myboundary\r\nContent-Type: text/plain\r\nContent-Length:${body.length}\r\n\r\n${body}\r\n\r\n`;
const say = (code: string, action: 'Start' | 'Stop' | 'Pulse', index = 0, data?: object): void =>
  camera.say(
    part(`Code=${code};action=${action};index=${index}${data ? `;data=${JSON.stringify(data)}` : ''}`),
  );
const crossed = (EventID: number): object => ({ Name: 'Fence', EventID, UTC: 1_700_000_000 + EventID });

test('it is let in with Digest, and an alarm is one event of the serial number and channel', async () => {
  await connect();
  await listening();
  await becomes('connected');
  expect(camera.wrong).toBe(0);
  say('CrossLineDetection', 'Start', 0, crossed(1));
  say('CrossLineDetection', 'Start', 0, crossed(1));
  say('CrossLineDetection', 'Stop', 0, crossed(1));
  say('CrossRegionDetection', 'Start', 3, { Name: 'Yard' });
  await stored(2);
  camera.say(part('Heartbeat'));
  await until('the heartbeat has come', async () => (await seen()).heartbeats === 1);
  expect((await own()).map(({ type, doc }) => [type, doc.cameraRef])).toEqual([
    ['line.crossing', `SN000${count}-1`],
    ['region.intrusion', `SN000${count}-4`],
  ]);
});

test('a device that keeps the key of its session is shown no wrong one', async () => {
  camera.form = { algorithm: 'MD5-sess', qop: 'auth' };
  await connect();
  await listening();
  expect(camera.wrong).toBe(0);
});

test('channels of a recorder are the cameras that they were given', async () => {
  await connect({ channels: { 1: 'cam-gate', 2: 'cam-yard' } });
  await listening();
  say('VideoMotion', 'Start', 0);
  say('VideoMotion', 'Start', 1);
  await stored(2);
  expect((await own()).map(({ doc }) => doc.cameraRef)).toEqual(['cam-gate', 'cam-yard']);
});

test('the snapshot of the channel is fetched with Digest, and kept with the event', async () => {
  picture = (response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg(40_000));
  await connect();
  await listening();
  say('CrossLineDetection', 'Start', 2, crossed(1));
  await stored(1);
  await pictureOf((await own())[0]);
  expect(camera.asked.map(({ url }) => url)).toContain('/cgi-bin/snapshot.cgi?channel=3');
  say('StorageFailure', 'Start', 0);
  await stored(2);
  expect(camera.asked.filter(({ url }) => url.includes('snapshot') && url.endsWith('1'))).toEqual([]);
  expect((await seen()).picturesLost).toBe(0);
});

test.each([
  ['never comes', () => undefined],
  ['is broken', (response: ServerResponse) => void response.writeHead(200).end('<html>')],
  ['breaks off', (response: ServerResponse) => void response.destroy()],
  ['is too large', (response: ServerResponse) => void response.writeHead(200).end(Buffer.alloc(9_000_000))],
])('a snapshot that %s costs no alarm', async (_, answer) => {
  picture = answer;
  await connect();
  await listening();
  say('CrossLineDetection', 'Start', 0, crossed(1));
  await stored(1);
  await until('it is counted', async () => (await seen()).picturesLost === 1);
  expect(camera.streams.size).toBe(1);
});

test('snapshots that do not come keep the alarms of other channels waiting no longer than one', async () => {
  const open: ServerResponse[] = [];
  picture = (response) => void open.push(response);
  await connect();
  await listening();
  const all = Array.from({ length: 12 }, (_, index) => index);
  camera.say(all.map((index) => part(`Code=AlarmLocal;action=Start;index=${index}`)).join(''));
  await until('the first is asked for', async () => open.length === 1);
  open.pop()?.writeHead(200).end(jpeg(40_000));
  await until('some are asked for at once', async () => open.length === 4);
  clock.ahead += 10_000;
  for (const response of open) response.writeHead(404).end();
  await stored(12);
  expect(open).toHaveLength(4);
  expect(new Set((await own()).map(({ doc }) => doc.cameraRef)).size).toBe(12);
  await until('each is counted', async () => (await seen()).picturesLost === 11);
});

test('a device that refuses the password for its snapshots is asked for one once', async () => {
  picture = (response) => void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  await connect();
  await listening();
  for (const number of [1, 2, 3]) say('CrossLineDetection', 'Start', number, crossed(number));
  await stored(3);
  expect(camera.asked.filter(({ url }) => url.includes('snapshot')).length).toBeLessThanOrEqual(2);
  await until('all three are counted', async () => (await seen()).picturesLost === 3);
});

test('a channel that is no number has its snapshot like any other', async () => {
  picture = (response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg(40_000));
  await connect();
  await listening();
  camera.say(part('Code=CrossLineDetection;action=Start;index=Gate 1&é'));
  await stored(1);
  await pictureOf((await own())[0]);
  expect(camera.asked.map(({ url }) => url)).toContain('/cgi-bin/snapshot.cgi?channel=Gate%201%26%C3%A9');
});

test('one that speaks another protocol all at once is told, and tried again', async () => {
  const dahua = camera.answering;
  camera.answering = (request, response, body) => {
    if (request.url !== ATTACH) return dahua(request, response, body);
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  };
  await connect();
  await until('it is told', async () => (await seen()).connection?.code === 'device_closed');
  camera.answering = dahua;
  await listening();
  say('VideoMotion', 'Start');
  await stored(1);
});

longTest('one that lets us in and ends the connection each time is an alarm, until it speaks', async () => {
  const dahua = camera.answering;
  camera.answering = (request, response, body) =>
    request.url === ATTACH ? void response.writeHead(200).end() : dahua(request, response, body);
  await connect();
  const again = async (): Promise<void> =>
    void expectStatus(await here.call('POST', `/api/core/devices/${device.keyId}/try`, { seconds: 1 }), 200);
  await until('it was let in often', async () => {
    await again();
    return ((await seen()).connection?.connects ?? 0) > 5;
  });
  clock.ahead += 200_000;
  await until('the alarm stands', async () => {
    await again();
    return standing();
  });
  camera.answering = dahua;
  await until('it listens', async () => {
    await again();
    return camera.streams.size === 1;
  });
  camera.say(part('Heartbeat'));
  await until('the alarm is over', async () => !(await standing()));
});

test('one whose alarms cannot be stored is an alarm after minutes, until they are', async () => {
  await connect();
  await listening();
  await becomes('connected');
  const { devices } = here.site.store;
  const save = devices.save.bind(devices);
  devices.save = () => Promise.reject(new Error('the disk is busy'));
  say('VideoMotion', 'Start');
  await becomes('not_stored');
  expect(await standing()).toBe(false);
  clock.ahead += 200_000;
  await until('the alarm stands', standing);
  devices.save = save;
  await stored(1);
  await until('the alarm is over', async () => !(await standing()));
});

longTest(
  'one that falls silent while its connection stands, as after its restart, is opened again',
  async () => {
    await connect({ quiet_seconds: 5 });
    await listening();
    await until('another connection', async () => attached() === 2);
    expect((await seen()).connection).toMatchObject({ condition: 'silent' });
    await listening();
    say('VideoMotion', 'Start');
    await becomes('connected');
    await stored(1);
  },
);

longTest(
  'what waits to be stored is not given up for silence, also behind an alarm with a picture',
  async () => {
    picture = (response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg(40_000));
    await connect({ quiet_seconds: 5 });
    await listening();
    const { devices } = here.site.store;
    const save = devices.save.bind(devices);
    let failures = 0;
    devices.save = (episodes) => {
      if (!episodes.some(({ pending }) => pending?.includes('input.triggered'))) return save(episodes);
      failures += 1;
      return Promise.reject(new Error('the disk is busy'));
    };
    camera.say(
      ['Code=CrossLineDetection;action=Start;index=0', 'Code=AlarmLocal;action=Start;index=0']
        .map(part)
        .join(''),
    );
    // The pauses between them are longer than the silence that is allowed.
    await until('it was tried often', async () => failures >= 5);
    devices.save = save;
    await stored(2);
    expect((await own()).map(({ type }) => type)).toEqual(['line.crossing', 'input.triggered']);
    expect(attached()).toBe(1);
  },
);

test('an alarm that stands while the device restarts is one event, and so is the next one', async () => {
  await connect();
  await listening();
  say('AlarmLocal', 'Start', 1);
  await stored(1);
  camera.hangUp();
  await until('another connection', async () => attached() === 2);
  await listening();
  say('AlarmLocal', 'Start', 1);
  say('AlarmLocal', 'Stop', 1);
  say('AlarmLocal', 'Start', 1);
  await stored(2);
  camera.say(part('Heartbeat'));
  await until('the heartbeat has come', async () => (await seen()).heartbeats === 1);
  expect(await own()).toHaveLength(2);
});

test('a password that is changed in the device is named, and tried seldom', async () => {
  await connect();
  await listening();
  camera.password = 'changed';
  camera.hangUp();
  await becomes('refused');
  expect(camera.wrong).toBeLessThanOrEqual(2);
  const { connection } = await seen();
  expect(connection).toMatchObject({ code: 'device_password_refused' });
  expect(Date.parse(connection?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(600_000);
});

test.each([
  ['another kind of device', 404, 'broken', 'device_path_unknown'],
  ['a user without the right', 403, 'refused', 'device_right_missing'],
])('%s is named', async (_, status, condition, code) => {
  camera.answering = (_request, response) => void response.writeHead(status).end();
  await connect();
  await until('it is told', async () => (await seen()).connection?.code === code);
  expect((await seen()).connection).toMatchObject({ condition });
});

test.each<[how: string, answer: (response: ServerResponse) => void]>([
  ['refuses', (response: ServerResponse) => void response.writeHead(400).end('Error\r\nBad Request!\r\n')],
  ['hangs up at', (response: ServerResponse) => void response.destroy()],
  [
    'breaks off at',
    (response: ServerResponse) => void response.writeHead(200).write('sn=', () => response.destroy()),
  ],
  // Nobody but a clock ends that.
  ...(long ? [NEVER] : []),
])('one that %s the question for its serial number has its events, under its own key', async (_, answer) => {
  serial = answer;
  await connect();
  await listening();
  say('VideoBlind', 'Start');
  await stored(1);
  const [event] = await own();
  expect(event).toMatchObject({ type: 'camera.tampered', doc: { cameraRef: `${device.keyId}-1` } });
});

test('the time that a device tells as UTC, and is off by whole hours, is doubted and not the alarm', async () => {
  await connect();
  await listening();
  const hours = 8 * 3_600;
  const now = Math.floor(Date.now() / 1000);
  say('CrossLineDetection', 'Start', 0, { Name: 'A', EventID: 1, UTC: now + hours });
  await stored(1);
  const [event] = await own();
  expect(Math.abs((event?.occurredAt ?? 0) - Date.now())).toBeLessThan(120_000);
});
