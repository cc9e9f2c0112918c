// The box above every screen, the filter of events by their site, and the course of a site.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTANCE } from '../support/deployment.ts';
import { FieldCamera } from './field.ts';
import { openConsoleRig, type ConsoleRig } from './rig.ts';

let rig: ConsoleRig;
let id: number;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief');
  await rig.addUser('stranger', { role: 'customer', tenant_code: 'other' });
  const camera = await FieldCamera.open(rig);
  ({ id } = await camera.post({ title: 'Found by its number', camera_ref: 'gate-7' }, null));
});
afterAll(() => rig.close());

async function at(path: string, user = 'chief') {
  const visit = await rig.visit();
  await visit.open(path);
  await visit.logIn(user);
  return visit;
}

test('an event is found by its number and by its camera, by the keyboard alone', async () => {
  const visit = await at('/site-states');
  const { page } = visit;
  await page.keyboard.press('/');
  await page.keyboard.type(String(id));
  await page.getByTitle(`Open event ${id}`).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Found by its number' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gate-7');
  await page.getByTitle('Events of the camera: gate-7').click();
  await page.waitForURL(/\/events\?camera=gate-7$/);
  await page.getByRole('link', { name: 'Found by its number' }).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(INSTANCE);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/sites\\?q=${INSTANCE}$`));
  visit.check();
});

test('events are found by words that they say, and none of another tenant', async () => {
  const camera = await FieldCamera.open(rig);
  const said = { title: '三号洞口 <b>烟雾</b>', description: '堆场有人吸烟' };
  const { id: smoke } = await camera.post(said, null);
  const visit = await at('/events');
  const { page } = visit;
  await page.keyboard.press('/');
  await page.keyboard.type('堆场 三号');
  await page.getByTitle('Events that say “堆场 三号”').click();
  await page.getByText('Looked through every event, and found 1.').waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('堆场 三号');
  await page.getByRole('link', { name: said.title }).waitFor();
  expect(await page.getByRole('link', { name: 'Found by its number' }).count()).toBe(0);
  visit.check();
  const stranger = await at('/events?q=堆场', 'stranger');
  await stranger.page.getByText('Looked through every event, and found 0.').waitFor();
  expect(await stranger.page.locator(`a[href$="/events/${smoke}"]`).count()).toBe(0);
  stranger.check();
});

test('who sees no sites finds events alone, and none of another tenant', async () => {
  const visit = await at('/events', 'stranger');
  const { page } = visit;
  await page.keyboard.press('/');
  await page.keyboard.type(String(id));
  await page.getByTitle(`Open event ${id}`).waitFor();
  expect(await page.getByTitle(`Sites: ${id}`).count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByText('It does not exist, or no longer does').waitFor();
  visit.check();
});

test('events are filtered by the site where they arose', async () => {
  const visit = await at('/events');
  const { page } = visit;
  await page.getByRole('textbox', { name: 'Site', exact: true }).fill('tunnel-9');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing fits the filters').waitFor();
  await visit.open(`/events?site=${INSTANCE}`);
  await page.getByRole('link', { name: 'Found by its number' }).first().waitFor();
  visit.check();
});

test('the last day of a site stands beside its last week', async () => {
  const visit = await at(`/sites/${INSTANCE}?tab=day`);
  for (const span of ['last day', 'last week'])
    await visit.page
      .getByRole('figure', { name: `Events received an hour · ${span}` })
      .locator('canvas')
      .waitFor();
  expect(await visit.page.getByRole('figure').count()).toBe(6);
  visit.check();
});
