// Incident groups in the console: found, confirmed, split, merged, and a merge undone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../support/long.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import { eventAt, FieldCamera } from './field.ts';
import { type ConsoleRig, openConsoleRig, type Visit, type VisitOptions } from './rig.ts';

let rig: ConsoleRig;
let camera: FieldCamera;
let events: number[];
let instance: string;
beforeAll(async () => {
  rig = await openConsoleRig();
  camera = await FieldCamera.open(rig);
  await rig.addUser('chief');
  await rig.addUser('zhang');
  await rig.addUser('viewer', { role: 'customer', tenant_code: rig.tenant, permissions: ['events.view'] });
  await rig.addUser('stranger', { role: 'customer', tenant_code: rig.other });
  events = [];
  for (let index = 0; index < 12; index += 1)
    events.push((await camera.post({ title: `Alert ${index}`, type: 'smoke.seen' }, null)).id);
  ({ instance } = await eventAt(rig, events[0] ?? 0));
});
afterAll(() => rig.close());

interface SeenGroup {
  id: number;
  state: string;
  memberCount: number;
  mergedInto: number | null;
  confirmedBy: string | null;
}

let keys = 0;
/** A group of headquarters. Events are given to one group each. */
async function makeGroup(title: string, count: number, more: object = {}): Promise<number> {
  keys += 1;
  const body = {
    tenant_code: rig.tenant,
    source_key: `key-${keys}`,
    layer: 'L1',
    site_ref: `tunnel-${keys}`,
    title,
    event_ids: events.splice(0, count),
    ...more,
  };
  const answer = await rig.hub.api('POST', '/api/core/incidents/upsert', body);
  return jsonOf<{ id: number }>(expectStatus(answer, 201)).id;
}

const groupAt = async (id: number): Promise<SeenGroup> =>
  jsonOf<SeenGroup>(expectStatus(await rig.hub.api('GET', `/api/core/incidents/${id}`), 200));

const at = (path: string, user = 'chief', options: VisitOptions = {}): Promise<Visit> =>
  rig.enter(user, path, options);

const rowOf = ({ page }: Visit, id: number) => page.locator(`[data-row-key="${id}"]`);
const send = ({ page }: Visit, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

test('a group is confirmed, and who comes second is told by whom', async () => {
  const id = await makeGroup('Smoke at the portal', 2);
  const [one, other] = [await at('/incidents?state=auto'), await at(`/incidents/${id}`, 'zhang')];
  await rowOf(one, id).getByRole('link').click();
  for (const { page } of [one, other])
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await send(one, 'Confirm');
  await one.page.getByRole('dialog').waitFor({ state: 'detached' });
  await send(other, 'Confirm');
  await other.page.getByText('chief had confirmed it first').waitFor();
  expect(await groupAt(id)).toMatchObject({ state: 'confirmed', confirmedBy: 'chief' });
  one.check();
  other.check();
});

test('members are split off, with both groups shown before', async () => {
  const id = await makeGroup('Two matters', 3);
  // Of several sites: each event says where its camera is.
  const name = { tenant_code: rig.tenant, instance, camera_ref: 'gate-1', name: 'West gate' };
  expectStatus(await rig.hub.api('PUT', '/api/core/camera-names', name), 200);
  const visit = await at(`/incidents/${id}`);
  const { page } = visit;
  await page.locator('tbody').getByText('West gate').first().waitFor();
  await page.locator('tbody').getByRole('checkbox').last().check();
  await page.getByRole('button', { name: 'Split off 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 events').waitFor();
  await dialog.getByText('1 events').waitFor();
  expect((await groupAt(id)).memberCount).toBe(3);
  await send(visit, 'Split off 1');
  await page.getByText(/It was split off as group \d+/).waitFor();
  expect(await groupAt(id)).toMatchObject({ memberCount: 2 });
  visit.check();
});

test('several are merged with a preview, the merge is undone, and a second undo says that it is', async () => {
  const [into, away] = [await makeGroup('The larger one', 2), await makeGroup('The smaller one', 1)];
  const visit = await at('/incidents');
  const { page } = visit;
  for (const id of [into, away]) await rowOf(visit, id).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('stays, with 3 events then').waitFor();
  await dialog.getByText(`is closed; its events go to group ${into}`).waitFor();
  await send(visit, 'Merge');
  await dialog.getByRole('button', { name: `Undo for group ${away}` }).waitFor();
  expect(await groupAt(away)).toMatchObject({ state: 'closed', mergedInto: into });
  const late = await at(`/incidents/${away}`, 'zhang');
  await late.page.getByRole('button', { name: 'Undo the merge' }).click();
  await late.page.getByRole('dialog').getByText(`Group ${into} gives them back`).waitFor();
  await dialog.getByRole('button', { name: `Undo for group ${away}` }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await groupAt(away)).toMatchObject({ state: 'auto', memberCount: 1, mergedInto: null });
  expect(await groupAt(into)).toMatchObject({ memberCount: 2 });
  await send(late, 'Undo the merge');
  await late.page.getByText('the merge is undone already').waitFor();
  visit.check();
  late.check();
});

longTest('who may only read sees no control, and of another tenant nothing at all', async () => {
  const id = await makeGroup('Only to read', 2);
  const viewer = await at('/incidents', 'viewer');
  await rowOf(viewer, id).waitFor();
  expect(await viewer.page.getByRole('checkbox').count()).toBe(1);
  await rowOf(viewer, id).getByRole('link').click();
  await viewer.page.getByRole('heading', { name: 'Only to read' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: /Confirm|Split|Merge/ }).count()).toBe(0);
  const stranger = await at('/incidents', 'stranger');
  await stranger.page.getByText('No events were grouped yet').waitFor();
  await stranger.open(`/incidents/${id}`);
  await stranger.page.getByText('It does not exist, or no longer does').waitFor();
  viewer.check();
  stranger.check();
});

longTest('hostile text is shown as text and breaks no layout', async () => {
  const id = await makeGroup(`<img src=x onerror=alert(1)> ${'很长的名字'.repeat(40)} حادث 🚧`, 1);
  for (const width of [1366, 390] as const) {
    const visit = await at('/incidents', 'chief', { width });
    for (const path of ['/incidents', `/incidents/${id}`]) {
      await visit.open(path);
      await visit.page.getByText('<img src=x').first().waitFor();
      expect(await visit.page.evaluate<boolean>(WIDE)).toBe(false);
    }
    visit.check();
  }
});

/** Whether the page scrolls sideways. */
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
