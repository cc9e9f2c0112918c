// The site is killed at random moments while cameras post and a consumer pulls.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../support/camera-client.ts';
import { campaign } from '../support/campaign.ts';
import { channels, drained, registerNode, startDeployment, startSiteProgram } from '../support/deployment.ts';
import { Consumer, Ledger, listAll } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { type Program, Scene } from '../support/process.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { expectStatus, until } from '../support/request.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260301);
const EVENTS = campaign('FAULT_KILL_EVENTS', 3_000, 20_000);
const KILLS = campaign('FAULT_KILLS', 5, 22);

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

test(
  `${KILLS} kills within ${EVENTS} events lose, double and reorder nothing (seed ${SEED})`,
  { timeout: 900_000 },
  async () => {
    const random = seededRandom(SEED);
    const ledger = new Ledger();
    const site = await startSiteProgram(scene);
    const key = await registerNode(site, 'gate');
    const cameras = ['a', 'b', 'c', 'd'].map(
      (name) => new CameraClient({ name, url: site.url, key, ledger }),
    );
    const consumer = new Consumer('agent', (method, path, body) => site.api(method, path, body));
    await consumer.register();

    const done = { posting: false, kills: 0 };
    const posting = Promise.all(
      cameras.map((camera, index) => postShare(camera, index, { ledger, done }, seededRandom(SEED + index))),
    ).finally(() => {
      done.posting = true;
    });
    const killing = killAgainAndAgain(site, random, { ledger, events: EVENTS, kills: KILLS, done });
    const [killsInTime] = await Promise.all([killing, posting, pullThroughAll(consumer, ledger, done)]);
    const taken = ledger.told.size;
    const again: number[] = [];
    for (const camera of cameras) again.push(await camera.postAllAgain());

    expect(again, 'events taken for new when they came again').toEqual([0, 0, 0, 0]);
    expect(taken).toBe(ledger.posted.size);
    expect(ledger.oddities).toEqual([]);
    expect(consumer.oddities).toEqual([]);
    expect(ledger.faultsOf(consumer.seen)).toEqual([]);
    expect(ledger.faultsOf(await listAll((method, path) => site.api(method, path)))).toEqual([]);
    expect(killsInTime, 'kills while cameras were posting').toBeGreaterThanOrEqual(KILLS - 2);
    expect(
      cameras.reduce((sum, camera) => sum + camera.retries, 0),
      'posts that a kill broke',
    ).toBeGreaterThan(0);
  },
);

/** Two cameras post batches, two post single events; the last batches fill up to the number wanted. */
async function postShare(
  camera: CameraClient,
  index: number,
  { ledger, done }: { ledger: Ledger; done: Killing['done'] },
  random: Random,
): Promise<void> {
  while (ledger.posted.size < EVENTS) {
    // Nobody runs ahead of the kills: on a fast disk the load would be over before most of them.
    const before = done.kills >= KILLS ? Infinity : (EVENTS * (done.kills + 1.9)) / (KILLS + 1);
    if (ledger.posted.size >= before) {
      await pause(1);
      continue;
    }
    await camera.post(index < 2 ? random.whole(2, 120) : 1);
    if (ledger.told.size % 7 === 0) await pause(random.whole(0, 4));
  }
  camera.close();
}

interface Killing {
  ledger: Ledger;
  events: number;
  kills: number;
  done: { posting: boolean; kills: number };
}

/** Kills spread over the events. @returns how many of them came before the cameras were done */
async function killAgainAndAgain(
  site: Program,
  random: Random,
  { ledger, events, kills, done }: Killing,
): Promise<number> {
  let inTime = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const target = Math.floor((events * kill) / (kills + 1));
    await until(
      `${target} events are stored`,
      async () => done.posting || ledger.told.size >= target,
      240_000,
    );
    // The moment within a write is what the test is about, so it is left to chance.
    await pause(random.next() * 12);
    if (!done.posting) inTime += 1;
    await site.kill();
    done.kills = kill;
    await site.start();
  }
  return inTime;
}

async function pullThroughAll(consumer: Consumer, ledger: Ledger, done: { posting: boolean }): Promise<void> {
  await until(
    'the consumer has seen every event',
    async () => {
      let batch = await consumer.pull(500).catch(broken);
      while (batch) {
        const pulled = batch;
        // An acknowledgement whose answer was lost is given again until it is answered.
        await until('an acknowledgement is answered', async () =>
          consumer.confirm(pulled).then(() => true, broken),
        );
        batch = pulled.hasMore ? await consumer.pull(500).catch(broken) : null;
      }
      return done.posting && consumer.seen.length >= ledger.told.size;
    },
    840_000,
  );
}

longTest(
  `a site that is killed while it sends has everything at headquarters once (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const events = 2_000;
    const random = seededRandom(SEED);
    const { site, hub } = await startDeployment(scene, random);
    const ledger = new Ledger();
    const key = await registerNode(site, 'gate');
    const cameras = ['a', 'b'].map((name) => new CameraClient({ name, url: site.url, key, ledger }));
    const judged = new Map<string, number>();
    const done = { posting: false, kills: 0 };
    const posting = Promise.all(
      cameras.map(async (camera) => {
        while (ledger.posted.size < events) {
          const [first] = await camera.post(random.whole(1, 20));
          if (first) await untilJudged(site, first.id);
          if (first) judged.set(first.key, first.id);
        }
        camera.close();
      }),
    ).finally(() => {
      done.posting = true;
    });
    const [inTime] = await Promise.all([
      killAgainAndAgain(site, random, { ledger, events, kills: 5, done }),
      posting,
    ]);
    await drained(site);

    const there = await listAll((method, path) => hub.api(method, path));
    expect(ledger.oddities).toEqual([]);
    expect(ledger.faultsOf(there)).toEqual([]);
    expect(
      there
        .filter((event) => event.verdict === 'confirmed')
        .map((event) => event.idempotencyKey)
        .sort(),
    ).toEqual([...judged.keys()].sort());
    const { events: up, verdicts } = await channels(site);
    expect([up.parked, verdicts.parked]).toEqual([0, 0]);
    expect(inTime, 'kills while cameras were posting').toBeGreaterThanOrEqual(3);
  },
);

async function untilJudged(site: Program, id: number): Promise<void> {
  await until(`event ${id} is judged`, async () => {
    const answer = await site
      .api('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' })
      .catch(broken);
    return answer !== null && expectStatus(answer, 200, 503).status === 200;
  });
}

/** A connection that broke because its program was killed; anything that was answered is a fault. */
function broken(error: unknown): null {
  const { code, message } = error as { code?: string; message: string };
  if (code === undefined && !/aborted|hang up/.test(message)) throw error;
  return null;
}
