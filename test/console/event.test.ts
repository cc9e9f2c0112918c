// Events in the console: found, opened, judged; by a real site and a camera that hears.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../support/long.ts';
import { freePort } from '../support/process.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';
import { drawn, eventAt, FieldCamera, type SeenEvent } from './field.ts';
import { type ConsoleRig, openConsoleRig, type Visit, type VisitOptions } from './rig.ts';
import { PASSWORD } from './shared.ts';

let rig: ConsoleRig;
let camera: FieldCamera;
beforeAll(async () => {
  rig = await openConsoleRig();
  camera = await FieldCamera.open(rig);
  await rig.addUser('chief');
  await rig.addUser('zhang');
  await rig.addUser('viewer', { role: 'customer', tenant_code: rig.tenant, permissions: ['events.view'] });
  await rig.addUser('stranger', { role: 'customer', tenant_code: rig.other });
});
afterAll(() => rig.close());

/** In the screen, logged in. */
const at = (path: string, user = 'chief', options: VisitOptions = {}): Promise<Visit> =>
  rig.enter(user, path, options);

/** Whether the page scrolls sideways. */
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Of the picture that is shown. */
const WIDTH = `document.querySelector('img[alt="With a picture"]').naturalWidth`;

const rowOf = ({ page }: Visit, { id }: SeenEvent) => page.locator(`[data-row-key="${id}"]`);

test('by the keyboard alone from login to a verdict that the camera hears', async () => {
  const event = await camera.post({ title: 'Truck in the tunnel', type: 'truck.seen' });
  const visit = await rig.visit();
  const { page } = visit;
  const { keyboard } = page;
  await visit.open('/events?type=truck.seen');
  await page.locator('input[autocomplete="username"]:focus').waitFor();
  await keyboard.type('chief');
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await rowOf(visit, event).waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Truck in the tunnel' }).waitFor();
  await keyboard.press('v');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type="radio"]:focus').waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Tab');
  await keyboard.type('dust on the lens');
  // Neither a letter nor Enter decides.
  expect((await eventAt(rig, event.id)).verdict).toBeNull();
  await keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('dust on the lens').first().waitFor();
  expect(await eventAt(rig, event.id)).toMatchObject({ verdict: 'false_alarm', verdictBy: 'chief' });
  await until('the camera has heard it', async () => camera.heard.length > 0);
  expect(camera.heard[0]).toMatchObject({ verdict: 'false_alarm', by: 'chief' });
  // Its site tells so, and the page shows it by itself.
  await page.getByText('It heard', { exact: true }).first().waitFor();
  await page.getByText('The camera is told of the verdict: delivered.').first().waitFor();
  visit.check();
});

test('of two who judge one event one wins, and the other is told who was first', async () => {
  const event = await camera.post({ title: 'Two at once' });
  const [one, other] = [await at(`/events/${event.id}`), await at(`/events/${event.id}`, 'zhang')];
  for (const { page } of [one, other]) {
    await page.getByRole('button', { name: /^Judge|Judge v/ }).click();
    await page.getByRole('radio', { name: 'Confirmed' }).check();
  }
  await one.page.getByRole('button', { name: 'Send (Ctrl+Enter)' }).click();
  await one.page.getByRole('dialog').waitFor({ state: 'detached' });
  // By the key: the button is gone where its page has heard of it meanwhile.
  await other.page.keyboard.press('Control+Enter');
  await other.page.getByText(/chief was first: “Confirmed” at \d{4}-\d\d-\d\d/).waitFor();
  expect(await eventAt(rig, event.id)).toMatchObject({ verdict: 'confirmed', verdictBy: 'chief' });
  // Only by one's own decision it becomes a correction, which says why.
  const dialog = other.page.getByRole('dialog');
  await dialog.getByText(`Judge event ${event.id}`).waitFor();
  await dialog.getByRole('button', { name: 'Correct it all the same' }).click();
  await dialog.getByText(`Correct the verdict on event ${event.id}`).waitFor();
  await dialog.getByText('It stands as Confirmed, by chief').waitFor();
  await other.page.getByRole('radio', { name: 'False alarm' }).check();
  await other.page.keyboard.press('Control+Enter');
  await other.page.getByText('A note is needed').waitFor();
  await other.page.getByLabel('Note').fill('it was a shadow');
  await other.page.keyboard.press('Control+Enter');
  await other.page.getByText('corrected to False alarm').first().waitFor();
  expect(await eventAt(rig, event.id)).toMatchObject({ verdict: 'confirmed', correctedTo: 'false_alarm' });
  one.check();
  other.check();
});

longTest(
  'a dialog that is open never becomes a correction, and says who judged or corrected meanwhile',
  async () => {
    const event = await camera.post({ title: 'Person down' });
    const judge = (what: string, by: string, verdict: string): Promise<unknown> =>
      rig.hub.api('POST', `/api/core/events/${event.id}/${what}`, { verdict, by, note: 'seen by myself' });
    const visit = await at(`/events/${event.id}`, 'chief', { quick: true });
    const { page } = visit;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Judge v' }).click();
    await page.getByRole('radio', { name: 'False alarm' }).check();
    await page.getByLabel('Note').fill('it was a shadow');
    await judge('verdict', 'zhang', 'confirmed');
    await dialog.getByText(/zhang was first: “Confirmed” at \d{4}-\d\d-\d\d/).waitFor();
    await dialog.getByText('seen by myself').waitFor();
    // The page behind offers to correct; what was begun stays what it was, and cannot be sent.
    await page.getByText('Correct v').waitFor();
    await dialog.getByText(`Judge event ${event.id}`).waitFor();
    await page.keyboard.press('Control+Enter');
    expect(await dialog.getByRole('button', { name: 'Send (Ctrl+Enter)' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await eventAt(rig, event.id)).toMatchObject({ verdict: 'confirmed', correctedTo: null });
    // A correction that another has written is not overruled unseen either, polled or not.
    await page.getByRole('button', { name: 'Correct v' }).click();
    await dialog.getByText('It stands as Confirmed, by zhang').waitFor();
    await page.route(`**/api/core/events/${event.id}/verdict`, (route) => route.abort());
    await page.getByRole('radio', { name: 'False alarm' }).check();
    await page.getByLabel('Note').fill('it was a shadow');
    await judge('corrections', 'li', 'false_alarm');
    await page.unroute(`**/api/core/events/${event.id}/verdict`);
    await page.keyboard.press('Control+Enter');
    await dialog.getByText(/li was first, and corrected it to “False alarm”/).waitFor();
    const { corrections } = jsonOf<{ corrections: { by: string }[] }>(
      expectStatus(await rig.hub.api('GET', `/api/core/events/${event.id}/verdict`), 200),
    );
    expect(corrections.map(({ by }) => by)).toEqual(['li']);
    visit.check();
  },
);

test('types are said in words, and a time in the future is marked as of a wrong clock', async () => {
  const nextYear = new Date(Date.now() + 400 * 86_400_000).toISOString();
  const event = await camera.post({ type: 'ppe.no_helmet', site_ref: 'ahead', occurred_at: nextYear });
  const visit = await at('/events?place=ahead', 'chief', { locale: 'zh-CN' });
  const row = rowOf(visit, event);
  await row.getByText('未戴安全帽').first().waitFor();
  await row.getByText('时间在未来，摄像机时钟有误').waitFor();
  expect(await row.innerText()).not.toContain('ppe.no_helmet');
  visit.check();
});

test('a camera that is away is said not to have heard yet, and why', async () => {
  const away = `http://127.0.0.1:${await freePort()}/feedback`;
  const event = await camera.post({ title: 'Its camera is away', feedback_url: away });
  const verdict = { verdict: 'confirmed', by: 'zhang', note: 'seen by myself' };
  expectStatus(await rig.hub.api('POST', `/api/core/events/${event.id}/verdict`, verdict), 200);
  const { page } = await at(`/events/${event.id}`, 'chief', { quick: true });
  await page.getByText('The camera has not heard yet; it is tried again').waitFor();
  await page.getByText('it refused the connection', { exact: true }).waitFor();
  await page.getByText(/nothing listens at 127\.0\.0\.1:\d+/).waitFor();
  expect(await page.getByText('The camera is being told').count()).toBe(0);
});

longTest('a camera that was not reached for seven days is said to be given up, and why', async () => {
  const away = `http://127.0.0.1:${await freePort()}/feedback`;
  const event = await camera.post({ title: 'Its camera is gone', feedback_url: away });
  const verdict = { verdict: 'confirmed', by: 'zhang', note: 'seen by myself' };
  expectStatus(await rig.hub.api('POST', `/api/core/events/${event.id}/verdict`, verdict), 200);
  const { page } = await at(`/events/${event.id}`, 'chief', { quick: true });
  await page.getByText('The camera has not heard yet; it is tried again').waitFor();
  const store = new Database(path.join(rig.site.options.dataDir, 'site.db'));
  const older = store.prepare('update feedback set created_at = created_at - ?, next_at = 0 where url = ?');
  expect(older.run(8 * 86_400_000, away).changes).toBe(1);
  store.close();
  await page.getByText('The camera could not be told; given up').waitFor();
  await page.getByText('Failed, given up', { exact: true }).waitFor();
  await page.getByText('it refused the connection', { exact: true }).first().waitFor();
});

longTest('save and next goes through what is not judged, and the list stays where it is', async () => {
  const [first, second] = [await camera.post({ type: 'series.a' }), await camera.post({ type: 'series.a' })];
  const visit = await at('/events?type=series.a', 'chief', { quick: true });
  const { page } = visit;
  await rowOf(visit, second).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('v');
  await page.getByRole('dialog').getByText(`Judge event ${second.id}`).waitFor();
  await page.getByRole('radio', { name: 'Confirmed' }).check();
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByRole('dialog').getByText(`Judge event ${first.id}`).waitFor();
  expect((await eventAt(rig, second.id)).verdict).toBe('confirmed');
  await page.keyboard.press('Escape');
  const third = await camera.post({ type: 'series.a' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  expect(await rowOf(visit, third).count()).toBe(0);
  await page.getByRole('button', { name: '1 new' }).click();
  await rowOf(visit, third).waitFor();
  visit.check();
});

test('filters act at the hub and stand in the address', async () => {
  const low = await camera.post({ type: 'filtered.a', severity: 'low', camera_ref: 'gate-9' });
  const high = await camera.post({ type: 'filtered.a', severity: 'critical', is_test: true });
  const visit = await at('/events?type=filtered.a');
  const { page } = visit;
  await rowOf(visit, low).waitFor();
  expect(await rowOf(visit, high).count()).toBe(0);
  await page.getByRole('checkbox', { name: 'With test events' }).check();
  await rowOf(visit, high).waitFor();
  await visit.open('/events?type=filtered.a&test=yes&severity=critical&severity=high&verdict=none');
  await rowOf(visit, high).waitFor();
  expect(await rowOf(visit, low).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Camera', exact: true }).fill('gate-9');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing fits the filters').waitFor();
  expect(new URL(page.url()).searchParams.get('camera')).toBe('gate-9');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await rowOf(visit, low).waitFor();
  visit.check();
});

test('a picture is shown with its state, comes when it is asked for, and says when the camera owes it', async () => {
  const bytes = await drawn(200);
  const event = await camera.post({ title: 'With a picture' }, bytes);
  const owed = await camera.post({ title: 'Without its picture' }, null);
  const visit = await at(`/events/${event.id}`, 'chief', { quick: true });
  const { page } = visit;
  await page.getByText('At the site only').waitFor();
  await page.getByRole('button', { name: 'Ask the site for it' }).click();
  const picture = page.locator('img[alt="With a picture"]');
  await picture.waitFor();
  // A preview may stand there first.
  await until('the whole picture is shown', async () => (await page.evaluate(WIDTH)) === 640);
  await visit.open('/events');
  await rowOf(visit, event).locator('.small-picture img').waitFor();
  await rowOf(visit, owed).getByText('Asked for; the camera has not sent it').waitFor();
  visit.check();
});

longTest(
  'a preview is there at once, says that it is one, and gives way to the picture that is asked for',
  async () => {
    const event = await camera.post({ title: 'Seen at first', type: 'smoke.first' }, await drawn(40, 800));
    await until('the preview has come', async () => {
      const answer = await rig.hub.api('GET', `/api/core/events/${event.id}/evidence`);
      const { items } = jsonOf<{ items: { preview: boolean }[] }>(expectStatus(answer, 200));
      return items[0]?.preview;
    });
    const list = await at('/events?type=smoke.first');
    await rowOf(list, event).getByText('Preview', { exact: true }).waitFor();
    const queue = await at('/review?type=smoke.first', 'chief', { quick: true });
    await queue.page.getByText('This is a preview; the picture is at the site still.').waitFor();
    const visit = await at(`/events/${event.id}`);
    await visit.page.getByText('At the site only').waitFor();
    await visit.page.locator('.file-far img[alt="Seen at first"]').waitFor();
    await queue.page.getByRole('button', { name: 'Ask the site for it' }).click();
    await queue.page
      .getByText('This is a preview; the picture is at the site still.')
      .waitFor({ state: 'detached' });
    await queue.page.locator('.ant-image img[alt="Seen at first"]').waitFor();
    for (const one of [list, queue, visit]) one.check();
  },
);

longTest('a picture that headquarters is too busy for is asked for again, small and whole', async () => {
  const event = await camera.post({ title: 'Asked for twice', type: 'busy.picture' }, await drawn(120));
  const file = `/api/core/events/${event.id}/evidence/front.jpg`;
  expectStatus(await rig.hub.api('GET', file), 202);
  await until('it is at headquarters', async () => (await rig.hub.api('GET', file)).status === 200);
  const visit = await at('/now', 'chief', { quick: true });
  const { page } = visit;
  const asked = { small: 0, whole: 0 };
  await page.route(`**${file}*`, (route) => {
    const size = route.request().url().includes('size=small') ? 'small' : 'whole';
    asked[size] += 1;
    if (asked[size] > 2) return route.continue();
    const headers = { 'retry-after': '1' };
    return route.fulfill({
      status: 503,
      headers,
      json: { error: 'small_pictures_unavailable', message: 'busy' },
    });
  });
  await visit.open('/events?type=busy.picture');
  await rowOf(visit, event).locator('.small-picture img').waitFor();
  await visit.open(`/events/${event.id}`);
  const whole = page.locator('img[alt="Asked for twice"]');
  await until('it is drawn', () =>
    whole.evaluate((one: { naturalWidth: number }) => one.naturalWidth === 640),
  );
  expect(asked).toEqual({ small: 3, whole: 3 });
  visit.check();
});

test('who may only look sees no control, and of another tenant nothing is there', async () => {
  const event = await camera.post({ title: 'Not for all' });
  const viewer = await at(`/events/${event.id}`, 'viewer');
  await viewer.page.getByRole('heading', { name: 'Not for all' }).waitFor();
  await viewer.page.getByText('received the event').waitFor();
  expect(await viewer.page.getByRole('button', { name: /Judge|Correct|Add a step|Remind/ }).count()).toBe(0);
  await viewer.page.keyboard.press('v');
  expect(await viewer.page.getByRole('dialog').count()).toBe(0);
  expect(await viewer.page.getByText('Why a rule decided so').count()).toBe(0);
  const stranger = await at('/events', 'stranger');
  await stranger.page.getByText('No event has come yet').waitFor();
  await stranger.open(`/events/${event.id}`);
  await stranger.page.getByText('It does not exist, or no longer does').waitFor();
  viewer.check();
  stranger.check();
});

test('a step is added to a task of the event from here', async () => {
  const event = await camera.post({ title: 'With a task' });
  const made = expectStatus(
    await rig.hub.api('POST', '/api/core/objects/tasks', {
      tenant_code: rig.tenant,
      type: 'disposal',
      event_id: event.id,
      title: 'Clear the road',
      severity: 'high',
    }),
    201,
    202,
  );
  const { id } = jsonOf<{ id: number }>(made);
  const visit = await at(`/events/${event.id}`);
  const { page } = visit;
  await page.getByRole('link', { name: 'Clear the road' }).waitFor();
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('dialog').getByLabel('Text').fill('arrived with two people');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await until('the task has the step', async () => {
    const task = expectStatus(await rig.hub.api('GET', `/api/core/objects/tasks/${id}`), 200);
    return task.text.includes('arrived with two people');
  });
  visit.check();
});

test('text that is markup, long, right-to-left or emoji is shown as text and breaks no layout', async () => {
  const title = `<img src=x onerror=alert(1)> \u202eمرحبا\u202c 🚧 ${'長'.repeat(200)}`;
  const event = await camera.post({ title, camera_name: 'x'.repeat(200), description: '<b>bold</b>' });
  for (const width of [1366, 390] as const) {
    const visit = await at('/events', 'chief', { width });
    const { page } = visit;
    await rowOf(visit, event).waitFor();
    const wide = () => page.evaluate(WIDE);
    expect(await wide()).toBe(false);
    await visit.open(`/events/${event.id}`);
    await page.getByText('<b>bold</b>').first().waitFor();
    expect(await wide()).toBe(false);
    visit.check();
    await visit.context.close();
  }
});
