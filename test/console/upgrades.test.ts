// A version of the site, through a browser, from its upload to the sites: files, waves, a pause, the end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentOf, packageOf } from '../support/release.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import { openOwnHub, type OwnHub } from './rig.ts';

let rig: OwnHub;
beforeAll(async () => {
  rig = await openOwnHub();
  await rig.addUser('chief');
  for (const instance of ['north', 'south', 'west'])
    expectStatus(await rig.hub.api('POST', '/api/core/sites', { instance, tenants: [rig.tenant] }), 201);
});
afterAll(() => rig.close());

interface Rollout {
  state: string;
  sites: number;
  hours: object;
  waves: { sites: number }[];
}

const rollouts = async (): Promise<Rollout[]> =>
  jsonOf<{ items: Rollout[] }>(expectStatus(await rig.hub.api('GET', '/api/core/rollouts'), 200)).items;

test('a release is uploaded, goes out in waves that are shown before, is paused, gone on with and aborted', async () => {
  const bytes = packageOf('9.1.0');
  const signed = JSON.stringify(documentOf('9.1.0', bytes));
  const visit = await rig.enter('chief', '/upgrades');
  const { page } = visit;
  const dialog = page.getByRole('dialog');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const send = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const octets = 'application/octet-stream';
  const file = { name: 'fieldline-site_9.1.0.release', mimeType: octets, buffer: Buffer.from(signed) };
  const deb = (name: string) => ({ name, mimeType: octets, buffer: bytes });

  await page.getByRole('button', { name: 'Add a release' }).click();
  await dialog.locator('input[type=file]').setInputFiles([deb('fieldline-site_9.1.0_amd64.deb')]);
  await send('Upload');
  await page.getByText('Choose one .release file').waitFor();
  await dialog.locator('input[type=file]').setInputFiles([file]);
  await send('Upload');
  await page.getByText('The release 9.1.0 is here whole').waitFor();
  await page.getByText(/^amd64 · /).waitFor();
  expect(jsonOf(await rig.hub.api('GET', '/api/core/releases'))).toMatchObject({
    items: [{ version: '9.1.0', complete: true }],
  });

  await page.getByRole('button', { name: 'Roll out' }).click();
  await dialog.getByLabel('Version').click();
  await page.locator('.ant-select-item-option', { hasText: '9.1.0' }).click();
  await dialog.getByText('Wave 2: 2 sites').waitFor();
  await send('Start');
  await page.getByRole('heading', { name: 'Upgrade to 9.1.0' }).waitFor();
  await page.getByText('0 of 3 have it').waitFor();
  expect(await rollouts()).toMatchObject([
    { state: 'running', sites: 3, hours: { from: 1, until: 5 }, waves: [{ sites: 1 }, { sites: 2 }] },
  ]);

  await press('Pause');
  await page.getByText('Paused by ').waitFor();
  await press('Go on');
  await send('Go on');
  await page.locator('.ant-tag', { hasText: 'Running' }).waitFor();
  await press('Abort');
  await send('Abort');
  await page.locator('.ant-tag', { hasText: 'Aborted' }).waitFor();
  expect(await rollouts()).toMatchObject([{ state: 'aborted' }]);
  visit.check();
});
