// Everything that goes between a site and headquarters beside each other: events, verdicts, evidence, tasks
// with steps and notes, groups, orders and notifications, while the link breaks in every way and both ends
// and Postgres are killed. FAULT_WHOLE_RUNS gives the number of seeds from FAULT_SEED on, FAULT_WHOLE_STRIKES
// that of strikes of each.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { campaign } from '../support/campaign.ts';
import { Server } from '../support/cluster.ts';
import {
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { type Program, Scene } from '../support/process.ts';
import { Link } from '../support/proxy.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { expectStatus, until } from '../support/request.ts';
import { Acts } from '../support/whole/acts.ts';
import { faultsOf } from '../support/whole/faults.ts';
import type { Ends } from '../support/whole/marks.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260315);
const RUNS = Number(process.env.FAULT_WHOLE_RUNS ?? 1);
const STRIKES = campaign('FAULT_WHOLE_STRIKES', 3, 5);
const ACTS = 16;

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

interface Stage extends Ends {
  link: Link;
  postgres: Server;
  random: Random;
}

async function openStage(random: Random): Promise<Stage> {
  const postgres = await Server.primary();
  scene.onClose(() => postgres.close());
  const [camera, robot] = await Promise.all([new HttpPeer().open(), new HttpPeer().open()]);
  scene.onClose(() => Promise.all([camera.close(), robot.close()]));
  const hub = await startHubProgram(scene, postgres.url);
  // A hub that is to call the robot here must be told so before it starts.
  hub.env.AGENT_CHANNEL_NETWORKS = '127.0.0.1/32';
  await hub.stop();
  await hub.start();
  robot.respond = () => ({ body: '{"errcode":0}' });
  const chat = { tenant_code: TENANT, channel: 'chat', name: 'duty', format: 'wecom', url: robot.url };
  expectStatus(await hub.api('POST', '/api/agent/channels', chat), 201);
  const link = new Link(hub.options.port, random);
  await link.listen();
  scene.onClose(() => link.close());
  const keyFile = path.join(scene.dir, 'uplink-key');
  await registerSite(hub, keyFile);
  const site = await startSiteProgram(scene, {
    ...uplinkEnv(link.url, keyFile),
    AGENT_ENABLED: 'true',
    CORE_UPLINK_EVIDENCE: 'low',
  });
  const action = { kind: 'notify', message: '{camera}', channels: ['chat'], cooldown_s: 0 };
  const body = { priority: 1, enabled: true, match: {}, action };
  const rule = { tenant_code: TENANT, name: 'tell', kind: 'response', body };
  expectStatus(await site.api('POST', '/api/core/objects/rules', rule), 201);
  const node = await registerNode(site, 'gate');
  const acts = new Acts({ site, hub, node, feedbackUrl: `${camera.url}/heard`, random });
  return { site, hub, camera, robot, acts, link, postgres, random };
}

const again = async (program: Program): Promise<void> => {
  await program.kill();
  await program.start();
};

/** Each takes as long as it takes, while everybody goes on. */
const STRIKE: readonly ((stage: Stage) => Promise<void>)[] = [
  ({ site }) => again(site),
  ({ hub }) => again(hub),
  async ({ site, hub }) => void (await Promise.all([again(site), again(hub)])),
  async ({ link, random }) => {
    link.down(random.pick(['refused', 'silent'] as const));
    await pause(random.whole(100, 1_500));
    link.up();
  },
  async ({ link, random }) => {
    link.up({ breaksWithin: 8_000 });
    await pause(random.whole(500, 2_000));
  },
  // Headquarters has it and said so; the site does not know.
  async ({ link, hub, site, random }) => {
    await Promise.race([link.withholdAnswers(), pause(3_000)]);
    await again(random.chance(0.5) ? hub : site);
    link.up();
  },
  async ({ postgres }) => {
    await postgres.kill();
    await postgres.start();
  },
];

test.each(Array.from({ length: RUNS }, (_, index) => SEED + index))(
  'nothing lost, nothing twice, both ends equal (seed %i)',
  { timeout: 600_000 },
  async (seed) => {
    const stage = await openStage(seededRandom(seed));
    const { acts, random, link, site, hub, camera } = stage;
    let failing = 0;
    camera.respond = () => ({ status: (failing += 1) % 4 === 0 ? 500 : 200 });
    await acts.some(ACTS);
    const kinds = [...STRIKE].sort(() => random.next() - 0.5);
    for (let strike = 0; strike < STRIKES; strike += 1) {
      const acting = Promise.all([acts.some(ACTS), acts.some(ACTS)]);
      // The moment is what the test is about, so it is left to chance.
      await pause(random.whole(0, 400));
      await kinds[strike % kinds.length]?.(stage);
      await acting;
    }
    link.up();
    camera.respond = () => ({});
    let faults: string[] = [];
    await until('both ends agree', async () => (faults = await faultsOf(stage)).length === 0, 120_000).catch(
      (error: Error) => faults.push(error.message),
    );
    expect(faults, `${site.stderr.slice(-2_000)}\n${hub.stderr.slice(-2_000)}`).toEqual([]);
    const kindsDone = new Set(acts.acts.map(({ where, kind }) => `${where} ${kind}`));
    expect(kindsDone.size, [...kindsDone].join()).toBeGreaterThanOrEqual(6);
  },
);
