// Headquarters comes back with less than it had: on an empty database, and on an old copy of its own.
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../support/camera-client.ts';
import { campaign } from '../support/campaign.ts';
import {
  alarms,
  copyDatabase,
  type Deployment,
  drained,
  registerNode,
  registerSite,
  startDeployment,
} from '../support/deployment.ts';
import { Ledger, listAll, type SeenEvent } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { createDatabase } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/request.ts';
import { Traffic } from '../support/traffic.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260303);
const SHARE = campaign('HUB_REPLACED_SHARE', 40, 80);

interface Running extends Deployment {
  ledger: Ledger;
  traffic: Traffic;
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

async function startWithTraffic(): Promise<Running> {
  const random = seededRandom(SEED);
  const deployment = await startDeployment(scene, random);
  const { site, hub } = deployment;
  const ledger = new Ledger();
  const key = await registerNode(site, 'gate');
  const cameras = ['a', 'b'].map((name) => new CameraClient({ name, url: site.url, key, ledger }));
  scene.onClose(() => cameras.forEach((camera) => camera.close()));
  const traffic = new Traffic({ site, hub, cameras, ledger, random });
  await traffic.run(SHARE);
  await drained(site);
  return { ...deployment, ledger, traffic };
}

/** Every event once and in order at headquarters, judged there as at the site. */
async function expectAlike({ site, hub, ledger }: Running): Promise<void> {
  const view = (event: SeenEvent): string => `${event.idempotencyKey} ${event.verdict} ${event.correctedTo}`;
  let here: SeenEvent[] = [];
  let there: SeenEvent[] = [];
  // Each channel compares its own position, the verdicts after the events.
  await until('both hold the same', async () => {
    here = await listAll((method, path) => site.api(method, path));
    there = await listAll((method, path) => hub.api(method, path));
    return isDeepStrictEqual(there.map(view).sort(), here.map(view).sort());
  }).catch(() => undefined);
  expect(there.map(view).sort()).toEqual(here.map(view).sort());
  expect(ledger.oddities).toEqual([]);
  expect(ledger.faultsOf(there)).toEqual([]);
  expect(here.filter((event) => event.verdict !== null).length).toBeGreaterThan(SHARE / 8);
}

async function raisedAtSite({ site }: Running, key: string): Promise<string> {
  const found = await until(`the alarm ${key}`, async () =>
    (await alarms(site)).find((alarm) => alarm.key === key),
  );
  return found.message;
}

test(
  `on an empty database everything is sent again, and an alarm says so (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const running = await startWithTraffic();
    const { hub, site, keyFile, traffic } = running;
    const empty = await createDatabase();
    scene.onClose(() => empty.drop());
    await hub.stop();
    hub.env.DATABASE_URL = empty.url;
    await hub.start();
    await registerSite(hub, keyFile);
    await site.stop();
    await site.start();

    await traffic.run(SHARE);
    await drained(site);

    expect(await raisedAtSite(running, 'uplink_hub_epoch_changed')).toMatch(/another store/);
    expect(await raisedAtSite(running, 'uplink_hub_lost_data')).toMatch(/sends them again/);
    await expectAlike(running);
  },
);

longTest(
  `on an old copy the site goes back to what is known there (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const running = await startWithTraffic();
    const { hub, site, traffic } = running;
    const { epoch } = JSON.parse((await hub.api('GET', '/api/core/version')).text) as { epoch: string };
    await hub.stop();
    const copy = await copyDatabase(hub.env.DATABASE_URL as string);
    await hub.start();
    await traffic.run(SHARE);
    await drained(site);
    const held = (await listAll((method, path) => hub.api(method, path))).length;
    await hub.stop();
    hub.env.DATABASE_URL = copy.url;
    scene.onClose(() => copy.drop());
    await hub.start();
    await hub.api('POST', '/api/core/events/subscribe', { consumer: 'reader', start_cursor: 0 });

    // What headquarters has forgotten is sent again although nothing new arises at the site.
    await until('the site has noticed', async () =>
      (await alarms(site)).some((alarm) => alarm.key === 'uplink_hub_lost_data'),
    );
    await drained(site);
    // A cursor from before the copy was put back is answered by name.
    expect(
      JSON.parse((await hub.api('GET', `/api/core/events/since?consumer=reader&epoch=${epoch}`)).text),
    ).toMatchObject({ error: 'cursor_epoch_changed' });
    await until(
      'headquarters holds as much as before',
      async () => (await listAll((method, path) => hub.api(method, path))).length === held,
    );
    await expectAlike(running);
    await traffic.run(SHARE);
    await drained(site);

    expect(await raisedAtSite(running, 'uplink_hub_lost_data')).toMatch(
      /(?:events|verdicts, tasks and groups) up to \d+ only/,
    );
    await expectAlike(running);
  },
);
