// Incident groups that a site keeps, worked on in the console: waiting for the site, done, refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../support/long.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';
import { FieldCamera } from './field.ts';
import { openOwnDeployment, type OwnDeployment, type Visit } from './rig.ts';

let rig: OwnDeployment;
let camera: FieldCamera;
beforeAll(async () => {
  rig = await openOwnDeployment();
  camera = await FieldCamera.open(rig);
  await rig.addUser('chief');
  await rig.addUser('zhang');
});
afterAll(() => rig.close());

interface SeenGroup {
  id: number;
  originId: number | null;
  state: string;
  title: string;
  memberCount: number;
  mergedInto: number | null;
}

const listAt = async (at: OwnDeployment['site'] | OwnDeployment['hub']): Promise<SeenGroup[]> =>
  jsonOf<{ items: SeenGroup[] }>(
    expectStatus(await at.api('GET', '/api/core/incidents?limit=100&include_test=true'), 200),
  ).items;

interface Ids {
  here: number;
  there: number;
  events: number[];
}

/** A group that the site made, of new events. @returns its ids at both ends, and its events at the site */
async function makeGroup(title: string, count: number): Promise<Ids> {
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1)
    keys.push((await camera.post({ title: `${title} ${index}`, type: 'smoke.seen' }, null)).idempotencyKey);
  const { items } = jsonOf<{ items: { id: number; idempotencyKey: string }[] }>(
    expectStatus(await rig.site.api('GET', '/api/core/events/list?limit=100'), 200),
  );
  const events = items.filter(({ idempotencyKey }) => keys.includes(idempotencyKey)).map(({ id }) => id);
  const body = {
    ...{ tenant_code: rig.tenant, source_key: title, layer: 'L1', site_ref: 'tunnel', title },
    event_ids: events,
  };
  const answer = await rig.site.api('POST', '/api/core/incidents/upsert', body);
  const { id: here } = jsonOf<{ id: number }>(expectStatus(answer, 201));
  const { id: there } = await until(`headquarters has ${title}`, async () =>
    (await listAt(rig.hub)).find((group) => group.title === title),
  );
  return { here, there, events: events.sort((a, b) => a - b) };
}

const decideThere = async (id: number, what: string, body: object = {}): Promise<void> =>
  void expectStatus(
    await rig.site.api('POST', `/api/core/incidents/${id}/${what}`, { by: 'li', ...body }),
    200,
    201,
  );

const send = ({ page }: Visit, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const stateAt = ({ page }: Visit, word: string) =>
  page.locator('.ant-tag', { hasText: word }).first().waitFor();

longTest('what is decided waits for the site, for everybody, and is done once it is reached', async () => {
  const { there } = await makeGroup('Smoke at the portal', 2);
  const [one, other] = [
    await rig.enter('chief', `/incidents/${there}`),
    await rig.enter('zhang', `/incidents/${there}`),
  ];
  await one.page.getByText('The site keeps this group').waitFor();
  rig.link.down('refused');
  for (const { page } of [one, other])
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await send(one, 'Confirm');
  await one.page.getByText(/“Confirm”, ordered by chief, waits for the site/).waitFor();
  expect(await one.page.getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(0);
  // Who comes second is told who was first, and nothing is ordered twice.
  await send(other, 'Confirm');
  await other.page.getByText('chief was first: “Confirm” is ordered').waitFor();
  rig.link.up();
  for (const visit of [one, other]) {
    await stateAt(visit, 'Done');
    await stateAt(visit, 'Confirmed');
  }
  one.check();
  other.check();
});

longTest(
  'what the site refuses is said with both ways on: ordered again, or left as the site has it',
  async () => {
    const { here, there, events } = await makeGroup('Two matters', 3);
    const visit = await rig.enter('chief', `/incidents/${there}`, { quick: true });
    const { page } = visit;
    rig.link.down('refused');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await send(visit, 'Confirm');
    await page.getByText(/waits for the site/).waitFor();
    await decideThere(here, 'split', { event_ids: events.slice(0, 1) });
    rig.link.up();
    await page.getByText(/refused “Confirm”, ordered by chief/).waitFor();
    await page.getByText('somebody at the site decided on the group meanwhile').first().waitFor();
    const left = await rig.enter('zhang', `/incidents/${there}`, { locale: 'zh-CN', quick: true });
    await left.page.getByRole('button', { name: '以站点为准，不再更改' }).click();
    await left.page.getByText(/未执行 chief 下达的/).waitFor({ state: 'detached' });
    await left.page.getByText('站点已有人先更改了该归并组').waitFor();
    await page.getByRole('button', { name: 'Order “Confirm” again, as it is now' }).click();
    await page.getByRole('dialog').getByText('2 events').waitFor();
    await send(visit, 'Confirm');
    await stateAt(visit, 'Confirmed');
    visit.check();
    left.check();
  },
);

test('members are split off and groups merged at the site from here', async () => {
  const [one, two] = [await makeGroup('The larger one', 3), await makeGroup('The smaller one', 1)];
  const visit = await rig.enter('chief', `/incidents/${one.there}`);
  const { page } = visit;
  await page.locator('tbody').getByRole('checkbox').last().check();
  await page.getByRole('button', { name: 'Split off 1' }).click();
  await send(visit, 'Split off 1');
  await until('the part has come', async () =>
    (await listAt(rig.hub)).find(({ id, memberCount }) => id === one.there && memberCount === 2),
  );
  await visit.open('/incidents');
  for (const { there } of [one, two])
    await page.locator(`[data-row-key="${there}"]`).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await send(visit, 'Merge');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await visit.open(`/incidents/${two.there}`);
  await page.getByText(`This group was merged into group ${one.there}.`).waitFor();
  await page.getByRole('button', { name: 'Undo the merge' }).click();
  await send(visit, 'Undo the merge');
  await stateAt(visit, 'Grouped by itself');
  visit.check();
});
