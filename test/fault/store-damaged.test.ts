// The files of a site's store are damaged, cut or gone: it goes on, nothing comes twice, and both ends say
// what was lost and no more than that.
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../support/camera-client.ts';
import {
  alarms,
  type Deployment,
  drained,
  registerNode,
  startDeployment,
  TENANT,
} from '../support/deployment.ts';
import { Ledger, listAll } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260305);
const SENT = 120;
const UNSENT = 40;

interface Running extends Deployment {
  camera: CameraClient;
  ledger: Ledger;
  file: string;
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

const task = async ({ site }: Deployment, eventId: number | null): Promise<number> =>
  jsonOf<{ id: number }>(
    expectStatus(
      await site.api('POST', '/api/core/objects/tasks', {
        tenant_code: TENANT,
        type: 'disposal',
        title: 'look there',
        severity: 'high',
        ...(eventId === null ? {} : { event_id: eventId }),
      }),
      201,
    ),
  ).id;

/** Judged and with tasks; the last events were taken while the link was down; stopped in order. */
async function used(): Promise<Running> {
  const deployment = await startDeployment(scene, seededRandom(SEED));
  const { site, link } = deployment;
  const ledger = new Ledger();
  const camera = new CameraClient({
    name: 'a',
    url: site.url,
    key: await registerNode(site, 'gate'),
    ledger,
  });
  scene.onClose(() => camera.close());
  for (const { id } of (await camera.post(SENT)).slice(0, 30)) {
    expectStatus(
      await site.api('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
      200,
    );
    const made = await task(deployment, id);
    expectStatus(
      await site.api('POST', `/api/core/objects/tasks/${made}/transition`, {
        tenant_code: TENANT,
        to: 'taken_over',
        by: 'li',
      }),
      200,
    );
  }
  await drained(site);
  link.down('refused');
  await camera.post(UNSENT);
  await site.stop();
  return { ...deployment, camera, ledger, file: path.join(site.options.dataDir, 'site.db') };
}

const openToOthers = (dir: string): string[] =>
  readdirSync(dir).filter(
    (name) => name !== 'admin.sock' && (statSync(path.join(dir, name)).mode & 0o027) !== 0,
  );

const standing = async (program: Deployment['hub']): Promise<Record<string, string>> =>
  Object.fromEntries((await alarms(program, false)).map(({ key, message }) => [key, message]));

async function goesOn(running: Running, camera = running.camera): Promise<void> {
  const { site, hub, link } = running;
  const before = await standing(site);
  expect(Object.keys(before).filter((key) => key.startsWith('agent_event_failed'))).toEqual([]);
  const fresh = await camera.post(20);
  for (const { id } of fresh) {
    await task(running, id);
    expectStatus(
      await site.api('POST', `/api/core/events/${id}/verdict`, {
        verdict: 'false_alarm',
        by: 'li',
        note: 'a shadow',
      }),
      200,
    );
  }
  await task(running, null);
  link.up();
  await drained(site);
  const keys = (await listAll((method, target) => hub.api(method, target))).map(
    ({ idempotencyKey }) => idempotencyKey,
  );
  expect(new Set(keys).size, 'doubled').toBe(keys.length);
  expect(
    fresh.map(({ key }) => key).filter((key) => !keys.includes(key)),
    'lost at headquarters',
  ).toEqual([]);
}

test(
  'a wrong bit in the schema and a cut end: nothing is lost that is left, tasks are made, both ends ' +
    `say it (seed ${SEED})`,
  { timeout: 300_000 },
  async () => {
    const running = await used();
    const { site, hub, file, ledger } = running;
    const at = readFileSync(file).indexOf('CREATE TABLE push_states');
    const fd = openSync(file, 'r+');
    writeSync(fd, Buffer.from('X'), 0, 1, at + 3);
    closeSync(fd);
    await site.start();
    const first = (await standing(site)).store_salvaged;
    expect(first).toMatch(new RegExp(`; ${SENT + UNSENT} events could be saved`));
    expect(first).not.toMatch(/are lost/);
    await goesOn(running);
    await until('headquarters shows the alarm', async () => 'store_salvaged' in (await standing(hub)));
    expect(ledger.faultsOf(await listAll((method, target) => hub.api(method, target)))).toEqual([]);
    expect(Object.keys(await standing(hub)).filter((key) => /uplink_gap|site_store_new/.test(key))).toEqual(
      [],
    );
    // The same site once more, with its end cut off.
    await site.stop();
    truncateSync(file, Math.floor((statSync(file).size * 0.7) / 4096) * 4096);
    await site.start();
    expect(await standing(site)).toHaveProperty('store_salvaged');
    const key = await registerNode(site, 'yard');
    const camera = new CameraClient({ name: 'b', url: site.url, key, ledger: new Ledger() });
    scene.onClose(() => camera.close());
    await goesOn(running, camera);
    expect(Object.keys(await standing(hub)).filter((one) => /uplink_gap/.test(one))).toEqual([]);
  },
);

longTest(
  'an empty file: both ends say that the store is gone, with numbers',
  { timeout: 300_000 },
  async () => {
    const running = await used();
    const { site, hub, file } = running;
    truncateSync(file, 0);
    await site.start();
    expect((await standing(site)).store_lost).toMatch(
      new RegExp(
        `its newest event was ${SENT + UNSENT}, and headquarters had not confirmed ${UNSENT} events; ` +
          '.*The keys of 1 cameras',
      ),
    );
    const camera = new CameraClient({
      name: 'b',
      url: site.url,
      key: await registerNode(site, 'yard'),
      ledger: new Ledger(),
    });
    scene.onClose(() => camera.close());
    await goesOn(running, camera);
    const there = await until('headquarters says so', async () => {
      const found = await standing(hub);
      return 'store_lost' in found && 'site_store_new:site-1' in found ? found : null;
    });
    expect(there['site_store_new:site-1']).toMatch(new RegExp(`held here up to ${SENT}\\.`));
    expect(Object.keys(there).filter((key) => key.startsWith('uplink_gap'))).toEqual([]);
  },
);

test(
  'a new site says nothing of the kind, and its files are its own whatever the folder allows',
  { timeout: 120_000 },
  async () => {
    const deployment = await startDeployment(scene, seededRandom(SEED));
    for (const program of [deployment.site, deployment.hub]) {
      expect(Object.keys(await standing(program))).toEqual([]);
      expect(openToOthers(program.options.dataDir)).toEqual([]);
    }
    const { site } = deployment;
    const files = ['site.db', 'site.known', 'secrets'];
    expect(readdirSync(site.options.dataDir)).toEqual(expect.arrayContaining(files));
    // As a copy that was put back leaves it.
    await site.stop();
    chmodSync(path.join(site.options.dataDir, 'site.db'), 0o644);
    await site.start();
    expect(openToOthers(site.options.dataDir)).toEqual([]);
  },
);
