// Cameras lock an account after a few wrong passwords: a site that is started again and again must not do it.
import { afterEach, expect, test } from 'vitest';
import type { ConnectionView } from '../../../site/intake/schema.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { until } from '../../support/request.ts';
import { PlayedDevice } from './played-device.ts';
import { deviceOf, type Issued, register } from './rig.ts';

let scene: Scene;
afterEach(() => scene.close());

const stateOf = async (here: SiteHere, { keyId }: Issued): Promise<ConnectionView | null> =>
  ((await deviceOf(here, keyId)) as unknown as { connection: ConnectionView | null }).connection;
const becomes = (here: SiteHere, device: Issued, condition: string) =>
  until(`it is ${condition}`, async () => {
    const state = await stateOf(here, device);
    return state?.condition === condition && state;
  });

async function refused(): Promise<{ here: SiteHere; camera: PlayedDevice; device: Issued }> {
  scene = new Scene();
  const camera = await PlayedDevice.start(scene);
  camera.answering = (_request, response) =>
    camera.stream(response, { 'content-type': 'multipart/mixed; boundary=boundary' });
  const here = await startSiteHere(scene);
  const { address, user } = camera;
  const device = await register(here, { kind: 'hikvision', address, user, password: 'wrong' });
  await becomes(here, device, 'refused');
  return { here, camera, device };
}

async function restarted({ site }: SiteHere): Promise<SiteHere> {
  await site.stop();
  return startSiteHere(scene);
}

test('a wrong password is not shown again by a site that is restarted five times', async () => {
  const { camera, device, here: first } = await refused();
  const shown = camera.wrong;
  const { nextAttemptAt } = (await stateOf(first, device)) ?? {};
  let here = first;
  for (let n = 0; n < 5; n += 1) {
    here = await restarted(here);
    expect(await becomes(here, device, 'refused')).toMatchObject({
      nextAttemptAt,
      code: 'device_password_refused',
    });
  }
  expect(camera.wrong).toBe(shown);
  const alarms = await here.site.store.alarms.list({ tenantCode: null, includeCleared: false }, 10);
  expect(alarms.map(({ key }) => key)).toEqual([`device_connection:${device.keyId}`]);
});

test('with the right password it is connected to at once, and so it is after the next restart', async () => {
  const { camera, device, here: first } = await refused();
  const here = await restarted(first);
  await becomes(here, device, 'refused');
  const { status } = await here.call('PUT', `/api/core/devices/${device.keyId}/password`, {
    password: camera.password,
  });
  expect(status).toBe(200);
  await becomes(here, device, 'connected');
  const shown = camera.wrong;
  await becomes(await restarted(here), device, 'connected');
  expect(camera.wrong).toBe(shown);
});

test('a password that was put right while the site was away counts with the next try that is asked for', async () => {
  const { camera, device, here: first } = await refused();
  await first.site.stop();
  camera.password = 'wrong';
  const here = await startSiteHere(scene);
  await becomes(here, device, 'refused');
  const tried = await here.call('POST', `/api/core/devices/${device.keyId}/try`, { seconds: 1 });
  expect(tried.status).toBeLessThan(300);
  await becomes(here, device, 'connected');
});
