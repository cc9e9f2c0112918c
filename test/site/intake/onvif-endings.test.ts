// What devices do with the subscriptions of ONVIF: they end connections, forget them, and name no address.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { longTest } from '../../support/long.ts';
import { Scene } from '../../support/process.ts';
import { until } from '../../support/request.ts';
import { notification, OnvifDevice, pulled, soapFault } from './onvif-device.ts';
import { deviceOf, eventsOf, type Issued, register, type SeenEvent } from './rig.ts';

const scene = new Scene();
let here: SiteHere;
let camera: OnvifDevice;
let device: Issued;
let count = 0;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  camera = await OnvifDevice.start(scene);
});

const connect = async (): Promise<void> => {
  const { address, user, password } = camera.http;
  device = await register(here, { kind: 'onvif', name: `ends-${count}`, address, user, password });
};
const listening = (): Promise<unknown> => until('it listens', async () => camera.listening);
const connection = async (): Promise<ConnectionView> =>
  ((await deviceOf(here, device.keyId)) as unknown as { connection: ConnectionView }).connection;
const own = async (): Promise<SeenEvent[]> => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};
const stored = (number: number): Promise<unknown> =>
  until(`${number} events`, async () => (await own()).length >= number);
const created = (): number => camera.called.filter((one) => one.startsWith('Create')).length;

test('a device that ends the connection when it has nothing to tell is asked again on the same subscription', async () => {
  let ended = 0;
  camera.pulling = (response) => {
    setTimeout(() => {
      ended += 1;
      if (ended === 3) camera.pulling = null;
      response.destroy();
    }, 1_100);
  };
  await connect();
  await listening();
  camera.tell(notification());
  await stored(1);
  expect(ended).toBe(3);
  expect(created()).toBe(1);
  expect(await connection()).toMatchObject({ condition: 'connected', connects: 1 });
});

test('a device that ends each connection at once is not believed to wait', async () => {
  camera.pulling = (response) => void response.destroy();
  await connect();
  await until('it is told', async () => (await connection()).code === 'closed_early');
  expect(camera.called.filter((one) => one === 'PullMessages').length).toBeLessThan(10);
});

longTest(
  'a device that forgets each subscription after an answer is asked at leisure, and named',
  async () => {
    let asked = 0;
    camera.pulling = (response) => {
      asked += 1;
      const at = new Date().toISOString();
      if (asked % 2 === 0) response.writeHead(500).end(soapFault('wsrf-rw:ResourceUnknownFault', 'unknown'));
      else response.writeHead(200).end(pulled([notification({ operation: 'Initialized', at })]));
    };
    await connect();
    await until('it is named', async () => (await connection()).code === 'device_subscription_ended');
    expect(created()).toBeLessThanOrEqual(3);
    expect(await connection()).toMatchObject({ condition: 'broken', connects: 1 });
    camera.pulling = null;
    await listening();
    camera.tell(notification());
    await stored(1);
    await until('it is well again', async () => {
      camera.tell(notification({ operation: 'Initialized' }));
      return (await connection()).condition === 'connected';
    });
  },
  40_000,
);

test('a device that never answers to Renew keeps the subscription until it ends', async () => {
  camera.term = 8_000;
  const answering = camera.http.answering;
  let renewals = 0;
  camera.http.answering = (request, response, body) => {
    if (!body.includes('<Renew')) return answering(request, response, body);
    renewals += 1;
  };
  await connect();
  await listening();
  camera.tell(notification());
  await stored(1);
  await until('it was to be renewed', async () => renewals === 1);
  camera.tell(notification({ data: { IsMotion: 'false' } }));
  camera.tell(notification({ topic: 'tns1:VideoSource/MotionAlarm', data: { State: 'true' } }));
  await stored(2);
  expect(await connection()).toMatchObject({ condition: 'connected', connects: 1 });
});

test('a device that has no answer to what it does not know is listened to all the same', async () => {
  const answering = camera.http.answering;
  camera.http.answering = (request, response, body) => {
    if (body.includes('<GetServices')) response.writeHead(500).end('<html>no</html>');
    else if (body.includes('<GetDeviceInformation')) response.destroy();
    else answering(request, response, body);
  };
  await connect();
  await listening();
  camera.tell(notification());
  await stored(1);
  expect((await own())[0]?.doc.cameraRef).toBe(`${device.keyId}-VSC0`);
});

test('a subscription without an address is asked for at the service of events', async () => {
  camera.addressed = false;
  await connect();
  await listening();
  camera.tell(notification());
  await stored(1);
  await until('it is asked there again', async () =>
    Promise.resolve(camera.http.asked.at(-1)?.url === '/onvif/events?a=1&b=2'),
  );
});

test('what begins while a subscription is made anew is an alarm', async () => {
  camera.standing = [notification({ operation: 'Initialized', data: { IsMotion: 'false' } })];
  await connect();
  await listening();
  camera.tell(notification({ data: { IsMotion: 'false' } }));
  await listening();
  camera.standing = [notification({ operation: 'Initialized' })];
  camera.reboot();
  await stored(1);
  expect((await own())[0]?.type).toBe('motion.detected');
});
