// Groups of a site whose store was put back from a backup, or damaged and salvaged: headquarters knows each
// by its source key, and nothing of the site waits behind it.
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../support/camera-client.ts';
import { type } from '../support/command.ts';
import {
  alarms,
  type Deployment,
  drained,
  registerNode,
  startDeployment,
  TENANT,
} from '../support/deployment.ts';
import { Ledger } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

async function cameraOf({ site }: Deployment, name: string): Promise<CameraClient> {
  const key = await registerNode(site, name);
  const camera = new CameraClient({ name, url: site.url, key, ledger: new Ledger() });
  scene.onClose(() => camera.close());
  return camera;
}

const upsert = async (site: Program, key: string, eventIds: readonly number[]): Promise<void> =>
  void expectStatus(
    await site.api('POST', '/api/core/incidents/upsert', {
      tenant_code: TENANT,
      source_key: key,
      layer: 'L1',
      site_ref: 's',
      title: key,
      event_ids: eventIds,
    }),
    200,
    201,
  );

interface GroupView {
  sourceKey: string | null;
  memberCount: number;
}

const groupsOf = async (program: Program): Promise<Map<string | null, number>> => {
  const { items } = jsonOf<{ items: GroupView[] }>(
    expectStatus(await program.api('GET', '/api/core/incidents?limit=200&include_test=true'), 200),
  );
  expect(new Set(items.map(({ sourceKey }) => sourceKey)).size, 'doubled').toBe(items.length);
  return new Map(items.map(({ sourceKey, memberCount }) => [sourceKey, memberCount]));
};

interface WorkView {
  name: string;
  backlog: number;
  parked: number;
  consecutiveFailures: number;
}

/** Waits until the work of the site is at headquarters. */
async function workSent({ site }: Deployment): Promise<WorkView> {
  await drained(site);
  return until('the tasks and groups are sent', async () => {
    const { channels } = jsonOf<{ channels: WorkView[] }>(await site.api('GET', '/api/core/uplink/status'));
    const work = channels.find(({ name }) => name === 'verdicts');
    return work?.backlog === 0 ? work : null;
  });
}

async function sameAtBothEnds(deployment: Deployment): Promise<void> {
  const { site, hub } = deployment;
  expect(await workSent(deployment)).toMatchObject({ parked: 0, consecutiveFailures: 0 });
  const [here, there] = [await groupsOf(site), await groupsOf(hub)];
  for (const key of here.keys()) expect(there.has(key), `group ${key} is at headquarters`).toBe(true);
  const failed = (await alarms(hub, false)).filter(({ key }) => key.startsWith('uplink_items_failed'));
  expect(failed).toEqual([]);
}

test(
  'a backup is put back: groups that came after it are made anew, and are the same',
  { timeout: 300_000 },
  async () => {
    const deployment = await startDeployment(scene, seededRandom(7));
    const { site } = deployment;
    const camera = await cameraOf(deployment, 'gate');
    const before = await camera.post(20);
    for (const [index, { id }] of before.entries()) await upsert(site, `area-${index % 5}`, [id]);
    await workSent(deployment);
    const archive = path.join(scene.dir, 'site.backup');
    const env = { ...process.env, ...site.options.env, CORE_DATA_DIR: site.options.dataDir };
    expect(await type('site/main.ts', ['backup', archive], env as Record<string, string>)).toMatchObject({
      code: 0,
    });
    const after = await camera.post(20);
    for (const [index, { id }] of after.entries()) await upsert(site, `area-${5 + (index % 5)}`, [id]);
    await workSent(deployment);
    await site.stop();
    renameSync(site.options.dataDir, `${site.options.dataDir}-lost`);
    expect(await type('site/main.ts', ['restore', archive], env as Record<string, string>)).toMatchObject({
      code: 0,
    });
    await site.start();
    const fresh = await (await cameraOf(deployment, 'yard')).post(20);
    // The same groups as those of the lost hour, and one that the backup has.
    for (const [index, { id }] of fresh.entries()) await upsert(site, `area-${4 + (index % 6)}`, [id]);
    await sameAtBothEnds(deployment);
    expect((await groupsOf(deployment.hub)).size).toBe(10);
  },
);

longTest(
  'the pages of the groups are damaged: they are made anew after the salvage, and are the same',
  { timeout: 300_000 },
  async () => {
    const deployment = await startDeployment(scene, seededRandom(8));
    const { site } = deployment;
    const events = await (await cameraOf(deployment, 'gate')).post(40);
    for (const [index, { id }] of events.entries()) await upsert(site, `area-${index}`, [id]);
    await workSent(deployment);
    await site.stop();
    const file = path.join(site.options.dataDir, 'site.db');
    const db = new Database(file);
    db.pragma('wal_checkpoint(truncate)');
    const pages = db.prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'incidents'").pluck().all();
    const size = Number(db.pragma('page_size', { simple: true }));
    // The schema too, so that the damage is found at the start and not a minute after it.
    db.close();
    const fd = openSync(file, 'r+');
    for (const page of pages) writeSync(fd, Buffer.alloc(size), 0, size, (page - 1) * size);
    writeSync(fd, Buffer.from('X'), 0, 1, readFileSync(file).indexOf('CREATE TABLE push_states') + 3);
    closeSync(fd);
    await site.start();
    expect((await alarms(site, false)).map(({ key }) => key)).toContain('store_salvaged');
    expect((await groupsOf(site)).size).toBe(0);
    const fresh = await (await cameraOf(deployment, 'yard')).post(10);
    for (const [index, { id }] of fresh.entries()) await upsert(site, `area-${index}`, [id]);
    await sameAtBothEnds(deployment);
  },
);
