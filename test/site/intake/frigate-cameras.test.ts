// What Frigate tells beside its reviews, by way of a real broker: dead cameras, its version, its models.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { until } from '../../support/request.ts';
import { Broker } from './broker-rig.ts';
import { deviceOf, eventsOf, type Issued, register } from './rig.ts';

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
  const subscribed = broker.subscribed('frigate/tracked_object_update');
  device = await register(here, {
    kind: 'frigate',
    name: `nvr-${count}`,
    address: broker.address,
    user: broker.user,
    password: broker.password,
    types: { 'gloves:bare': 'person.no_gloves' },
  });
  await subscribed;
});

const own = async () => {
  const rows = await here.site.store.events.page(0, 10_000);
  const ids = new Set(rows.filter(({ nodeKey }) => nodeKey === device.keyId).map(({ id }) => id));
  return (await eventsOf(here)).filter(({ id }) => ids.has(id));
};
const heard = (messages: number): Promise<unknown> =>
  until(`${messages} messages`, async () => (await deviceOf(here, device.keyId)).messages >= messages);
const stats = (version: string, cameras: Record<string, number>): object => ({
  service: { version, uptime: 60 },
  cameras: Object.fromEntries(
    Object.entries(cameras).map(([name, camera_fps]) => [name, { camera_fps, process_fps: camera_fps }]),
  ),
});

test('a camera that is gone is one event until it is back, by its status', async () => {
  for (const word of ['offline', 'offline', 'online', 'offline', 'disabled'])
    await broker.publish('frigate/front_cam/status/detect', word);
  await heard(5);
  expect(await own()).toMatchObject([
    { type: 'camera.video_loss', severity: 'medium', doc: { cameraRef: 'frigate-front_cam' } },
    { type: 'camera.video_loss' },
  ]);
});

test('before there was a status, the figures of every minute tell it', async () => {
  for (const frames of [5, 0, 0, 5])
    await broker.publish('frigate/stats', stats('0.14.1-f4f3cfa', { yard: frames, gate: 5 }));
  // A camera that is switched off has no frames either, and has a status to say so.
  await broker.publish('frigate/stats', stats('0.17.0-f0d69f7', { yard: 0 }));
  await heard(5);
  expect((await own()).map(({ type, doc }) => [type, doc.cameraRef])).toEqual([
    ['camera.video_loss', 'frigate-yard'],
  ]);
});

test('a version that has no reviews is told by its name', async () => {
  await broker.publish('frigate/stats', stats('0.13.2-6476f8a', { yard: 5 }));
  const view = await until('it is told', async () => {
    const { connection } = (await deviceOf(here, device.keyId)) as unknown as {
      connection: { condition: string; code: string | null; reason: string | null } | null;
    };
    return connection?.code === 'device_program_old' ? connection : null;
  });
  expect(view).toMatchObject({ condition: 'broken' });
  expect(view.reason).toContain('0.13.2');
  expect(view.reason).toContain('0.14');
});

test('a model that sees protective gear missing raises an alarm, one that sees it worn does not', async () => {
  const update = (id: string, model: string, attribute: string) => ({
    type: 'classification',
    id,
    camera: 'front_cam',
    timestamp: Date.now() / 1000,
    model,
    attribute,
    score: 0.93,
  });
  const said: [string, string, string][] = [
    ['1-a', 'helmet_detector', 'yes'],
    ['1-a', 'helmet_detector', 'no'],
    ['1-a', 'helmet_detector', 'no'],
    ['2-b', 'helmet_detector', 'no'],
    ['2-b', 'dog_breeds', 'no'],
    ['3-c', 'gloves', 'bare'],
  ];
  for (const [id, model, attribute] of said)
    await broker.publish('frigate/tracked_object_update', update(id, model, attribute));
  await broker.publish('frigate/tracked_object_update', { type: 'description', id: '1-a', description: 'x' });
  await heard(said.length + 1);
  expect((await own()).map(({ type, severity }) => [type, severity])).toEqual([
    ['person.no_helmet', 'medium'],
    ['person.no_helmet', 'medium'],
    ['person.no_gloves', null],
  ]);
  expect((await own())[0]?.doc.payload).toMatchObject({ device_type: 'helmet_detector:no', object: '1-a' });
});
