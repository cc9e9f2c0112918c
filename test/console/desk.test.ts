// One act on an alarm: judged, somebody sent, tasks of a false alarm cancelled; and how far it all is.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../support/long.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';
import { drawn, eventAt, FieldCamera, type SeenEvent } from './field.ts';
import { type ConsoleRig, openConsoleRig, type Visit } from './rig.ts';
import { PASSWORD } from './shared.ts';

let rig: ConsoleRig;
let camera: FieldCamera;
beforeAll(async () => {
  rig = await openConsoleRig();
  camera = await FieldCamera.open(rig);
  await rig.addUser('chief');
});
afterAll(() => rig.close());

interface Task {
  id: number;
  type: string;
  state: string;
  title: string;
  assigneeOrg: string | null;
  dueAt: string | null;
  severity: string;
}

const tasksOf = async ({ id }: SeenEvent): Promise<Task[]> =>
  jsonOf<{ items: Task[] }>(
    expectStatus(await rig.hub.api('GET', `/api/core/objects/tasks?event_id=${id}`), 200),
  ).items;

/** Ordered by headquarters, and made by the site. */
async function sentBefore(
  event: SeenEvent,
  assigneeOrg: string,
  title: string,
  type = 'disposal',
): Promise<Task> {
  const made = jsonOf<Task>(
    expectStatus(
      await rig.hub.api('POST', '/api/core/objects/tasks', {
        tenant_code: rig.tenant,
        type,
        event_id: event.id,
        title,
        severity: 'high',
        assignee_org: assigneeOrg,
      }),
      202,
    ),
  );
  await until('the site has made it', async () => {
    const { orders } = jsonOf<{ orders: { state: string }[] }>(
      expectStatus(await rig.hub.api('GET', `/api/core/objects/tasks/${made.id}`), 200),
    );
    return orders.every(({ state }) => state === 'done');
  });
  return made;
}

test('on a telephone: judged, somebody sent, and the camera told, seen as it goes', async () => {
  const before = await camera.post({ title: '先前的告警' });
  await sentBefore(before, '三号洞口值班队', '先前的任务');
  const event = await camera.post({ title: '人员倒地', type: 'person.fall', severity: 'critical' });
  const visit = await rig.enter('chief', `/events/${event.id}`, { locale: 'zh-CN', width: 390, quick: true });
  const { page } = visit;
  await page.getByText('等待研判').waitFor();
  await page.getByText('尚未派人').waitFor();
  await page.getByRole('button', { name: '研判' }).click();
  await page.getByRole('radio', { name: '确认属实' }).check();
  // What the type proposes stands there already; only who goes is chosen.
  await page.getByRole('button', { name: '三号洞口值班队' }).click();
  expect(await page.getByLabel('15分钟').isChecked()).toBe(true);
  await page.getByRole('button', { name: '提交', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('已派出：三号洞口值班队').waitFor();
  await page.getByText('摄像机已收到结论').waitFor();
  await page.getByText('等待接管').waitFor();
  expect(camera.heard.at(-1)).toMatchObject({ verdict: 'confirmed', by: 'chief' });
  const [task] = (await tasksOf(event)).filter(({ type }) => type === 'disposal');
  expect(task).toMatchObject({ state: 'open', assigneeOrg: '三号洞口值班队', severity: 'critical' });
  const left = Date.parse(task?.dueAt ?? '') - Date.now();
  expect(left).toBeGreaterThan(5 * 60_000);
  expect(left).toBeLessThanOrEqual(15 * 60_000);
  // Who takes it over is seen without a touch.
  expectStatus(
    await rig.hub.api('POST', `/api/core/objects/tasks/${task?.id}/transition`, {
      tenant_code: rig.tenant,
      to: 'taken_over',
      by: '老王',
    }),
    200,
    202,
  );
  await page.getByText('已接管：老王').waitFor();
  visit.check();
});

/** What a screen reader says of what has the focus: its role and its name, and whether it is chosen. */
async function spoken(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const has = (node: (typeof nodes)[number], name: string) =>
    node.properties?.some((one) => one.name === name && one.value.value === true) ?? false;
  const found = nodes.filter((node) => !node.ignored && has(node, 'focused')).at(-1);
  return [found?.role?.value, found?.name?.value].map(String).join(' ');
}

/** Goes on by Tab until this is told. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const said: string[] = [];
  for (let step = 0; step < 45; step += 1) {
    await page.keyboard.press('Tab');
    said.push(await spoken(page));
    if (wanted.test(said.at(-1) ?? '')) return;
  }
  throw new Error(`${wanted} is not reached: ${said.join('; ')}`);
}

/** What is told on the way, in the language of the browser. */
interface Walk {
  locale: 'zh-CN' | 'en-GB';
  open: RegExp;
  judge: RegExp;
  confirmed: RegExp;
  send: RegExp;
  sent: string;
  heard: string;
}
const WALKS: readonly Walk[] = [
  {
    ...{ locale: 'zh-CN', open: /^link 打开事件$/, judge: /^button .*研判/, send: /^button 提交/ },
    ...{ confirmed: /^radio 确认属实/, sent: '已派出：夜班队', heard: '摄像机已收到结论' },
  },
  {
    ...{ locale: 'en-GB', open: /^link Open the event$/, judge: /^button .*Judge/, send: /^button Send/ },
    ...{ confirmed: /^radio Confirmed/, sent: 'Sent: 夜班队', heard: 'The camera heard the verdict' },
  },
];

test.each(WALKS)('from the login through the queue by names and keys alone ($locale)', async (words) => {
  const type = `walk.${words.locale.slice(0, 2)}`;
  await sentBefore(await camera.post({ title: '先前的夜班告警' }), '夜班队', '先前的夜班任务');
  const event = await camera.post({ title: `Walked ${words.locale}`, type, severity: 'critical' });
  const visit = await rig.visit({ locale: words.locale, quick: true });
  const { page } = visit;
  const { keyboard } = page;
  await visit.open(`/review?site=${event.instance}&tenant=${rig.tenant}&type=${type}`);
  await page.locator('input[autocomplete="username"]:focus').waitFor();
  await keyboard.type('chief');
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await page.locator('#content:focus').waitFor();
  await page.getByText(`Walked ${words.locale}`).first().waitFor();
  await tabTo(page, words.open);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: `Walked ${words.locale}` }).waitFor();
  await tabTo(page, words.judge);
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type="radio"]:focus').waitFor();
  expect(await spoken(page)).toMatch(words.confirmed);
  await keyboard.press('Space');
  await dialog.getByRole('button', { name: '夜班队' }).waitFor();
  await tabTo(page, /^button 夜班队$/);
  await keyboard.press('Enter');
  await dialog.locator('#errand').waitFor();
  await tabTo(page, words.send);
  await keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  // Back where it was opened, or on the screen; and what comes of it is told without being looked for.
  await page.locator('#content:focus, #content :focus').waitFor();
  const told = page.locator('[aria-live="polite"]');
  for (const text of [words.sent, words.heard]) await told.getByText(text).first().waitFor();
  expect(camera.heard.at(-1)).toMatchObject({ verdict: 'confirmed', by: 'chief' });
  visit.check();
});

test('by the keys alone, and told in words: judged, and somebody sent', async () => {
  const before = await camera.post({ title: '先前的高处告警' });
  await sentBefore(before, '高处作业队', '先前的高处任务');
  const event = await camera.post({ title: '临边无防护', type: 'edge.open', severity: 'high' });
  const visit = await rig.enter('chief', `/events/${event.id}`, { locale: 'zh-CN', quick: true });
  const { page } = visit;
  const { keyboard } = page;
  await page.getByText('尚未派人').waitFor();
  await keyboard.press('v');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type="radio"]:focus').waitFor();
  expect(await spoken(page)).toMatch(/^radio 确认属实/);
  await keyboard.press('Space');
  await dialog.getByRole('button', { name: '高处作业队' }).waitFor();
  const said: string[] = [];
  for (let step = 0; step < 8 && !said.at(-1)?.includes('高处作业队'); step += 1) {
    await keyboard.press('Tab');
    said.push(await spoken(page));
  }
  expect(said.at(-1), said.join('; ')).toBe('button 高处作业队');
  await keyboard.press('Enter');
  await dialog.getByText('15分钟').waitFor();
  await keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('已派出：高处作业队').waitFor();
  // On the screen, and not at the top of the page: its button is gone, and the dialog was opened by a key.
  await page.locator('#content:focus').waitFor();
  expect(camera.heard.at(-1)).toMatchObject({ verdict: 'confirmed', by: 'chief' });
  visit.check();
});

test('a false alarm closes its review and calls those back who were sent, but for what is kept', async () => {
  const event = await camera.post({ title: 'Smoke', type: 'smoke.seen' });
  await sentBefore(event, 'office', 'Look at the picture', 'review');
  const [first, second] = [
    await sentBefore(event, 'crew-a', 'look for smoke'),
    await sentBefore(event, 'crew-b', 'mend the lamp'),
  ];
  const visit = await rig.enter('chief', `/events/${event.id}`, { quick: true });
  const { page } = visit;
  await page.getByRole('button', { name: 'Judge v' }).click();
  await page.getByRole('radio', { name: 'False alarm' }).check();
  await page.getByLabel('Note').fill('steam of the kitchen');
  await page.getByRole('checkbox', { name: /mend the lamp/ }).uncheck();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await until('the site has done so', async () => {
    const all = await tasksOf(event);
    return all.some(({ id, state }) => id === first.id && state === 'cancelled') && all.some(isSettled);
  });
  expect((await tasksOf(event)).find(({ id }) => id === second.id)?.state).toBe('open');
  visit.check();
});

const isSettled = ({ type, state }: Task): boolean => type === 'review' && state === 'closed';

longTest('what cannot be sent stays in the form and on the device, and is sent once', async () => {
  const event = await camera.post({ title: 'Ladder on the track' });
  const visit = await rig.enter('chief', `/events/${event.id}`, { quick: true });
  const { page, context } = visit;
  await page.getByRole('button', { name: 'Judge v' }).click();
  await page.getByRole('radio', { name: 'False alarm' }).check();
  await page.getByLabel('Note').fill('it is a fence');
  await context.setOffline(true);
  await page.keyboard.press('Control+Enter');
  await page.getByText('What you typed is kept on this device').waitFor();
  await context.setOffline(false);
  visit.faults.length = 0;
  await page.reload();
  await page.getByRole('button', { name: 'Judge v' }).click();
  await page.getByText('What you had typed before is here again').waitFor();
  expect(await page.getByLabel('Note').inputValue()).toBe('it is a fence');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(
    jsonOf(expectStatus(await rig.hub.api('GET', `/api/core/events/${event.id}/verdict`), 200)),
  ).toMatchObject({ first: { verdict: 'false_alarm', note: 'it is a fence' } });
  visit.check();
});

longTest(
  'where the verdict is recorded and nobody could be sent, that is said, and tried again alone',
  async () => {
    const event = await camera.post({ title: 'Crane without a banksman' });
    const visit = await rig.enter('chief', `/events/${event.id}`, { quick: true });
    const { page } = visit;
    await page.getByRole('button', { name: 'Judge v' }).click();
    await page.getByRole('radio', { name: 'Confirmed' }).check();
    await page.getByRole('combobox', { name: 'Send somebody' }).fill('crew-c');
    // The answer is lost, not the request.
    await page.route('**/api/core/objects/tasks', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press('Control+Enter');
    await page.getByText('The verdict is recorded').waitFor();
    await page.getByText('Not done', { exact: true }).waitFor();
    expect(await eventAt(rig, event.id)).toMatchObject({ verdict: 'confirmed' });
    await page.unroute('**/api/core/objects/tasks');
    visit.faults.length = 0;
    await page.getByRole('button', { name: 'Try again what is not done' }).click();
    console.log(await page.getByRole('dialog').innerText());
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Sent: crew-c').waitFor();
    expect((await tasksOf(event)).filter(({ assigneeOrg }) => assigneeOrg === 'crew-c')).toHaveLength(1);
    visit.check();
  },
);

test('shows what the camera brought before, how it was judged, and leads there', async () => {
  const past = { type: 'gas.leak', camera_ref: 'gas-1', site_ref: 'north' };
  const [first, second] = [await camera.post(past), await camera.post(past)];
  for (const [{ id }, verdict] of [
    [first, 'false_alarm'],
    [second, 'confirmed'],
  ] as const)
    expectStatus(
      await rig.hub.api('POST', `/api/core/events/${id}/verdict`, { verdict, by: 'li', note: 'seen' }),
      200,
    );
  const event = await camera.post(past);
  const visit = await rig.enter('chief', `/events/${event.id}`, { quick: true });
  const { page } = visit;
  await page.getByText('2 in 30 days, 2 of them judged · 1 false alarms (50%)').first().waitFor();
  await page.getByRole('link', { name: 'All earlier ones' }).click();
  await page.waitForURL(/\/events\?.*camera=gas-1/);
  await page.locator(`[data-row-key="${first.id}"]`).waitFor();
  visit.check();
});

/** A finger over what is shown. @param to -1: to the left, which goes on; 1: back */
async function swipe({ page, context }: Visit, over: Locator, to: -1 | 1): Promise<void> {
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  if (!box) throw new Error('what is to be swiped is not on the screen');
  const touch = await context.newCDPSession(page);
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const [x, y] = [195, box.y + box.height / 2];
  const at = (by: number) => [{ x: x + by, y }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(-to * 80) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(to * 80) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await touch.detach();
}

test('the queue shows what waits by camera and type, and one look judges a row for everybody', async () => {
  const row = { type: 'forklift.near', camera_ref: 'hall-1', camera_name: 'Hall', severity: 'critical' };
  const [first, second, third] = [
    await camera.post(row, await drawn(60)),
    await camera.post(row, await drawn(90)),
    await camera.post({ ...row, camera_ref: 'hall-2', camera_name: 'Second hall' }),
  ];
  const site = `site=${first.instance}&tenant=${rig.tenant}&type=forklift.near`;
  const visit = await rig.enter('chief', `/review?${site}`, { width: 390, quick: true });
  const { page } = visit;
  const watcher = await rig.enter('chief', `/review?${site}`, { quick: true });
  // The newest of the gravest first; a swipe goes on.
  await page.getByText('3 alerts wait to be judged, in 2 rows').waitFor();
  await page
    .getByText(/Second hall · site-1/)
    .first()
    .waitFor();
  // A picture that comes meanwhile may move what the finger is put on.
  const swiped = (over: RegExp, to: -1 | 1, row: string) =>
    until(row, async () => {
      await swipe(visit, page.getByText(over).first(), to);
      return page.getByText(row).isVisible();
    });
  await swiped(/Second hall · site-1/, -1, 'Row 2 of 2');
  await swiped(/Hall · site-1/, 1, 'Row 1 of 2');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Row 2 of 2').waitFor();
  await page.getByText('2 alerts', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: /Judge/ }).click();
  await page.getByRole('radio', { name: 'False alarm' }).check();
  await page
    .getByRole('checkbox', { name: 'The same holds for 1 more alerts of the row, as shown' })
    .waitFor();
  await page.getByLabel('Note').fill('a trolley');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const { page: seen } of [visit, watcher])
    await seen.getByText('1 alerts wait to be judged, in 1 rows').waitFor();
  for (const { id } of [first, second])
    expect(await eventAt(rig, id)).toMatchObject({ verdict: 'false_alarm', verdictBy: 'chief' });
  expect(await eventAt(rig, third.id)).toMatchObject({ verdict: null });
  await watcher.page.keyboard.press('v');
  await watcher.page.getByRole('radio', { name: 'Confirmed' }).check();
  await watcher.page.keyboard.press('Control+Enter');
  await page.getByText('No alert that waits fits the filters').waitFor();
  visit.check();
  watcher.check();
});

test('reviews are no tasks of the list, unless somebody asks for them', async () => {
  const event = await camera.post({ title: 'Look at it' });
  await sentBefore(event, 'office', 'Judge the picture', 'review');
  await sentBefore(event, 'crew-d', 'Go and look');
  const visit = await rig.enter('chief', `/tasks?tenant=${rig.tenant}`, { quick: true });
  const { page } = visit;
  await page.getByText('Go and look').first().waitFor();
  expect(await page.getByText('Judge the picture').count()).toBe(0);
  await visit.open(`/tasks?tenant=${rig.tenant}&type=review`);
  await page.getByText('Judge the picture').first().waitFor();
  visit.check();
});
