// The box above every screen, the filter of events by their site, and the course of a site.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTANCE } from '../support/deployment.ts';
import { longTest } from '../support/long.ts';
import { FieldCamera } from './field.ts';
import { type ConsoleRig, openConsoleRig, type Visit } from './rig.ts';

let rig: ConsoleRig;
let id: number;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief');
  await rig.addUser('stranger', { role: 'customer', tenant_code: rig.other });
  const camera = await FieldCamera.open(rig);
  ({ id } = await camera.post({ title: 'Found by its number', camera_ref: 'gate-7' }, null));
});
afterAll(() => rig.close());

const at = (path: string, user = 'chief'): Promise<Visit> => rig.enter(user, path);

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
  await page.waitForURL(new RegExp(`/sites/${INSTANCE}$`));
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

longTest(
  'a search that finds nothing at first goes on by itself, says how far it is, and can be stopped',
  async () => {
    const visit = await at('/site-states');
    const { page } = visit;
    let asked = 0;
    let held: (() => void) | undefined;
    await page.route(/\/api\/core\/events\/list\?.*q=/, async (route) => {
      asked += 1;
      // The third waits until the test has seen what stands meanwhile; the fifth has looked at all.
      if (asked === 3) await new Promise<void>((go) => (held = go));
      const more = asked < 5;
      const searchedTo = more ? `2026-11-0${9 - asked}T00:00:00.000Z` : null;
      const nextCursor = more ? String(1_000_000 - asked) : null;
      return route.fulfill({ json: { items: [], nextCursor, hasMore: more, searchedTo } });
    });
    await page.keyboard.press('/');
    await page.keyboard.type('nothing says this');
    await page.getByTitle('Events that say').click();
    await page.getByText('Looking further back: down to those received at 2026-11-07').waitFor();
    await page.getByText('None so far; not all has been looked at').waitFor();
    expect(await page.getByText('Nothing fits the filters').count()).toBe(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    held?.();
    await page.getByText('Looked from the newest down to those received at 2026-11-06').waitFor();
    expect(asked).toBe(3);
    await page.getByRole('button', { name: 'Look further back' }).click();
    await page.getByText('Looked through every event, and found 0.').waitFor();
    await page.getByText('Nothing fits the filters').waitFor();
    expect(asked).toBe(5);
    visit.check();
  },
);

test('what cannot be a number of anything is no page, and is asked for of nobody', async () => {
  const visit = await at('/events/abc');
  const { page } = visit;
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  for (const path of ['/events/abc', '/tasks/1.5', '/incidents/-1', '/library/files/0']) {
    await visit.open(path);
    await page.getByText('There is no page here').waitFor();
  }
  expect(
    asked.filter((url) => /NaN|abc$|files\/0$/.test(new URL(url).pathname) && url.includes('/api/')),
  ).toEqual([]);
  visit.check();
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

longTest('events are filtered by the site where they arose', async () => {
  const visit = await at('/events');
  const { page } = visit;
  await page.getByRole('combobox', { name: 'Site', exact: true }).fill('tunnel-9');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing fits the filters').waitFor();
  // What is known is offered; what is not can be typed all the same.
  await visit.open('/events');
  await page.getByRole('combobox', { name: 'Site', exact: true }).click();
  await page.locator('.ant-select-dropdown:visible').getByText(INSTANCE, { exact: true }).click();
  await page.waitForURL(new RegExp(`site=${INSTANCE}`));
  await page.getByRole('combobox', { name: 'Type', exact: true }).fill('no helmet');
  await page.locator('.ant-select-dropdown:visible').getByText('person.no_helmet').waitFor();
  await page.keyboard.press('Escape');
  await visit.open(`/events?site=${INSTANCE}&camera=gate-7`);
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
