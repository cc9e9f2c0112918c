// Orders on incident groups of a site whose link loses answers and whose programs are killed: each is carried
// out once, and both ends say the same in the end.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../support/camera-client.ts';
import { drained, registerNode, startDeployment, TENANT } from '../support/deployment.ts';
import { Ledger } from '../support/ledger.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

interface GroupView {
  id: number;
  originId: number | null;
  state: string;
  memberCount: number;
  revision: number;
  orders?: { kind: string; state: string }[];
}

const groupsOf = async (program: Program): Promise<GroupView[]> =>
  jsonOf<{ items: GroupView[] }>(
    expectStatus(await program.api('GET', '/api/core/incidents?limit=200&include_test=true'), 200),
  ).items;
const groupAt = async (program: Program, id: number): Promise<GroupView> =>
  jsonOf<GroupView>(expectStatus(await program.api('GET', `/api/core/incidents/${id}`), 200));

test('lost answers and kills on both sides carry an order out once', async () => {
  const { hub, site, link } = await startDeployment(scene, seededRandom(7));
  const key = await registerNode(site, 'cam');
  const camera = new CameraClient({ name: 'cam', url: site.url, key, ledger: new Ledger() });
  scene.onClose(() => camera.close());
  const ids = (await camera.post(6)).map(({ id }) => id);
  const upsert = async (name: string, event_ids: number[]): Promise<number> => {
    const body = { tenant_code: TENANT, source_key: name, layer: 'L1', site_ref: 's', event_ids };
    const answer = await site.api('POST', '/api/core/incidents/upsert', body);
    return jsonOf<{ id: number }>(expectStatus(answer, 201)).id;
  };
  const [one, two] = [await upsert('one', ids.slice(0, 4)), await upsert('two', ids.slice(4))];
  await drained(site);
  const mirrors = await until('both are known', async () => {
    const found = await groupsOf(hub);
    return found.length === 2 ? found : undefined;
  });
  const there = (origin: number): number => mirrors.find(({ originId }) => originId === origin)?.id ?? 0;
  const order = async (id: number, what: string, body: object = {}): Promise<void> =>
    void expectStatus(
      await hub.api('POST', `/api/core/incidents/${id}/${what}`, { by: 'chen', ...body }),
      202,
    );
  const settled = (id: number, count: number): Promise<unknown> =>
    until('the order is answered', async () => {
      const { orders = [] } = await groupAt(hub, id);
      return orders.length === count && orders.every(({ state }) => state === 'done') ? orders : undefined;
    });

  // The site carries it out, and its answers are lost.
  const lost = link.withholdAnswers();
  await order(there(one), 'confirm');
  await lost;
  link.down('refused');
  await site.kill();
  link.up();
  await site.start();
  await settled(there(one), 1);
  expect(await groupAt(site, one)).toMatchObject({ state: 'confirmed', revision: 1 });

  // The order stands at headquarters when this is killed, and at the site when that is.
  link.down('silent');
  await order(there(two), 'merge', { incident_ids: [there(one)] });
  await hub.kill();
  await hub.start();
  link.up();
  await site.kill();
  await site.start();
  await settled(there(two), 1);
  expect(await groupAt(site, one)).toMatchObject({ state: 'closed', revision: 2 });
  expect(await groupAt(site, two)).toMatchObject({ memberCount: 6, revision: 1 });
  await drained(site);
  expect(
    await until('it has come up', async () => {
      const group = await groupAt(hub, there(two));
      return group.revision === 1 ? group : undefined;
    }),
  ).toMatchObject({ memberCount: 6 });
  expect(await groupAt(hub, there(one))).toMatchObject({ state: 'closed', revision: 2 });
});
