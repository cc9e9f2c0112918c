// Pictures of devices between their event and their keeping, on a disk that does not do its part.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, until } from '../../support/request.ts';
import {
  alertXml,
  deviceOf,
  eventsOf,
  type Issued,
  jpeg,
  MULTIPART,
  multipart,
  PICTURE_PART,
  post,
  register,
  XML_PART,
} from './rig.ts';

let scene: Scene;
let folder: string;
let here: SiteHere;
let device: Issued;
beforeEach(() => {
  scene = new Scene();
  folder = path.join(scene.dir, 'site', 'device-pictures');
  mkdirSync(path.dirname(folder), { recursive: true });
});
afterEach(() => scene.close());

const start = async (): Promise<void> => {
  here = await startSiteHere(scene);
  device = await register(here, { kind: 'hikvision' });
};
const alarm = (channel: number) =>
  post(
    here,
    device.path,
    multipart([XML_PART(alertXml({ channel })), PICTURE_PART(jpeg(30_000, channel))]),
    MULTIPART,
  );
const lost = async (): Promise<number> =>
  ((await deviceOf(here, device.keyId)) as unknown as { picturesLost: number }).picturesLost;
const kept = async (): Promise<number[]> => {
  const events = await eventsOf(here);
  const { evidence } = here.site.store;
  return Promise.all(events.map(async ({ id }) => (await evidence.ofEvent('acme', id)).length));
};

test.each([
  ['is none', () => writeFileSync(folder, 'a file')],
  ['has a folder of somebody else', () => mkdirSync(path.join(folder, 'lost+found'), { recursive: true })],
])('a folder for pictures that %s costs neither the alarm nor its picture', async (_, spoil) => {
  spoil();
  await start();
  expectStatus(await alarm(1), 200);
  expectStatus(await alarm(2), 200);
  expect([await kept(), await lost()]).toEqual([[1, 1], 0]);
});

test('a picture that is gone when its event is stored at last is lost, and costs no other', async () => {
  await start();
  const { events } = here.site.store;
  const ingest = events.ingest.bind(events);
  events.ingest = () => Promise.reject(new Error('the disk is busy'));
  expectStatus(await alarm(1), 500);
  const [gone = ''] = readdirSync(folder);
  expectStatus(await alarm(2), 500);
  rmSync(path.join(folder, gone));
  events.ingest = ingest;
  await until('the pictures are settled', async () => (await kept()).includes(1) && (await lost()) === 1);
  expect((await kept()).sort()).toEqual([0, 1]);
  await until('nothing is left', async () => readdirSync(folder).length === 0);
});

test('an evidence file that cannot be written costs no alarm, and is counted', async () => {
  await start();
  const { evidence } = here.site.store;
  const store = evidence.store.bind(evidence);
  evidence.store = () => Promise.reject(new Error('the disk is busy'));
  expectStatus(await alarm(1), 200);
  evidence.store = store;
  expectStatus(await alarm(2), 200);
  expect([await kept(), await lost()]).toEqual([[0, 1], 1]);
});
