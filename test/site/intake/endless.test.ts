// Nine devices that never come to an end, and one beside them that has something to tell.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICE_ROOM } from '../../../site/intake/room.ts';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { type Endless, endlessAnswers, endlessBroker, endlessPost } from '../../support/endless.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { until } from '../../support/request.ts';
import { PlayedDevice } from './played-device.ts';
import { alertXml, deviceOf, eventsOf, jpeg, multipart, PICTURE_PART, register, XML_PART } from './rig.ts';

const scene = new Scene();
let here: SiteHere;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());

const connected = async ({ kind, address, close }: Endless): Promise<string> => {
  scene.onClose(close);
  const settings = { kind, name: address, address, user: 'u', password: 'pw12345678' };
  return (await register(here, settings)).keyId;
};
const figure = async (name: string): Promise<number> => {
  const { text } = await here.call('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
};
const connection = async (keyId: string): Promise<ConnectionView | null> =>
  ((await deviceOf(here, keyId)) as unknown as { connection: ConnectionView | null }).connection;

test('endless devices hold a bounded number of bytes together, are named, and keep no alarm out', async () => {
  const pulled = [
    await endlessAnswers('hikvision xml'),
    await endlessAnswers('hikvision jpeg'),
    await endlessAnswers('hikvision json'),
    await endlessAnswers('hikvision line'),
    await endlessAnswers('dahua'),
    await endlessAnswers('onvif'),
    await endlessBroker('axis'),
  ];
  const keys = await Promise.all(pulled.map(connected));
  const batch = await register(here, { kind: 'cloudevents', name: 'batch' });
  const hook = await register(here, { kind: 'webhook', name: 'hook', fields: { type: 'a' } });
  const json = (type: string) => ({ 'content-type': type });
  scene.onClose(
    endlessPost(here.site.url + batch.path, '[{"a":"', json('application/cloudevents-batch+json')),
  );
  scene.onClose(endlessPost(here.site.url + hook.path, '{"a":"', json('application/json')));

  const honest = await PlayedDevice.start(scene);
  honest.answering = (_request, response) =>
    honest.stream(response, { 'content-type': 'multipart/mixed; boundary=boundary' });
  const { keyId } = await register(here, {
    kind: 'hikvision',
    name: 'honest',
    address: honest.address,
    user: honest.user,
    password: honest.password,
  });
  await until('it listens', async () => honest.streams.size === 1);
  const announced = alertXml({ more: '<detectionPictureTransType>binary</detectionPictureTransType>' });
  honest.say(multipart([XML_PART(announced), PICTURE_PART(jpeg(50_000))], { closed: false }));
  honest.say('--boundary\r\n');

  const bound = DEVICE_ROOM.largeAtOnce * DEVICE_ROOM.ofOne + 10 * 2 * DEVICE_ROOM.small;
  // A record of Dahua that does not end is an alarm too.
  const alarms = async () => (await eventsOf(here)).filter(({ type }) => type === 'region.intrusion');
  let most = 0;
  const broken = new Set<string>();
  await until('the endless ones are named, and the alarm is there', async () => {
    most = Math.max(most, await figure('fieldline_device_held_bytes'));
    for (const key of keys) if ((await connection(key))?.condition === 'broken') broken.add(key);
    const posts = await Promise.all([deviceOf(here, batch.keyId), deviceOf(here, hook.keyId)]);
    // The other one may have found no room beside it.
    const refused = posts.some(({ refusal }) => refusal?.reason === 'too_large');
    return refused && broken.size >= 5 && (await alarms()).length === 1;
  });
  expect(most).toBeLessThan(bound);
  const [event] = await alarms();
  expect(event).toMatchObject({ type: 'region.intrusion', doc: { evidence: [{ size: 50_000 }] } });
  expect((await deviceOf(here, keyId)).stored).toBe(1);
});
