// A site's data directory is put back from an old copy: it must notice, say so, and go on without a gap or a
// double.
import { cpSync, renameSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../support/camera-client.ts';
import {
  alarms,
  type Deployment,
  drained,
  epochOf,
  registerNode,
  startDeployment,
} from '../support/deployment.ts';
import { Consumer, Ledger, listAll } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { Scene } from '../support/process.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260304);

interface Running extends Deployment {
  cameras: CameraClient[];
  /** What the copy knows, and what was stored here after the copy was made. */
  ledger: Ledger;
  consumer: Consumer;
  random: Random;
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

/** The site has run on after the copy: 60 events were in it, 90 came after, all of them at headquarters. */
async function runOnAfterCopy(): Promise<Running & { copy: string; idsBefore: number }> {
  const random = seededRandom(SEED);
  const deployment = await startDeployment(scene, random);
  const { site } = deployment;
  const ledger = new Ledger();
  const key = await registerNode(site, 'gate');
  const cameras = ['a', 'b', 'c'].map((name) => new CameraClient({ name, url: site.url, key, ledger }));
  scene.onClose(() => cameras.forEach((camera) => camera.close()));
  const consumer = new Consumer('agent', (method, target, body) => site.api(method, target, body));
  await consumer.register();
  await postAndJudge(deployment, cameras.slice(0, 2), 30);
  await consumeAll(consumer, ledger);
  await drained(site);
  await site.stop();
  const copy = path.join(scene.dir, 'copy-of-site');
  cpSync(site.options.dataDir, copy, { recursive: true });
  await site.start();
  await postAndJudge(deployment, cameras.slice(0, 2), 45);
  await drained(site);
  return {
    ...deployment,
    cameras,
    ledger,
    consumer,
    random,
    copy,
    idsBefore: Math.max(...ledger.keyOf.keys()),
  };
}

async function postAndJudge(
  { site }: Deployment,
  cameras: readonly CameraClient[],
  each: number,
): Promise<void> {
  for (const camera of cameras) {
    for (const { id } of (await camera.post(each)).slice(0, 8)) {
      expectStatus(
        await site.api('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
        200,
      );
    }
  }
}

async function consumeAll(consumer: Consumer, ledger: Ledger): Promise<void> {
  await until('the consumer has seen every event', async () => {
    await consumer.round();
    return [...ledger.told.keys()].every((key) => consumer.sees(key));
  });
}

async function putBack({ site }: Deployment, copy: string): Promise<void> {
  await site.stop();
  renameSync(site.options.dataDir, `${site.options.dataDir}-lost`);
  cpSync(copy, site.options.dataDir, { recursive: true });
}

test(
  `a new epoch, an alarm, ids beyond what headquarters knew (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const running = await runOnAfterCopy();
    const { site, hub, consumer, copy, ledger, idsBefore } = running;
    const epochBefore = await epochOf(site);
    await putBack(running, copy);
    await site.start();

    const raised = await until('the alarm store_restored', async () =>
      (await alarms(site)).find((alarm) => alarm.key === 'store_restored'),
    );
    expect(raised.message).toMatch(/older copy/);
    const epoch = await epochOf(site);
    expect(epoch).not.toBe(epochBefore);

    const third = running.cameras[2] as CameraClient;
    const fresh = await third.post(40);
    expect(Math.min(...fresh.map(({ id }) => id))).toBeGreaterThan(idsBefore);
    await drained(site);
    expect(ledger.oddities).toEqual([]);
    expect(ledger.faultsOf(await listAll((method, target) => hub.api(method, target)))).toEqual([]);

    const stale = await site.api('GET', `/api/core/events/since?consumer=agent&epoch=${epochBefore}`);
    expect([stale.status, jsonOf<{ error: string; epoch: string }>(stale)]).toMatchObject([
      409,
      { error: 'cursor_epoch_changed', epoch },
    ]);
    const refusedAck = await site.api('POST', '/api/core/events/ack', {
      consumer: 'agent',
      cursor: 1,
      epoch: epochBefore,
    });
    expect([refusedAck.status, jsonOf<{ error: string }>(refusedAck).error]).toEqual([
      409,
      'cursor_epoch_changed',
    ]);
    await until('the consumer goes on with the new events', async () => {
      await consumer.round();
      return fresh.every(({ key }) => consumer.sees(key));
    });
    expect(consumer.oddities).toEqual([]);
  },
);

longTest(
  `a copy that has outgrown what was lost is noticed too, and nothing is lost at headquarters (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const running = await runOnAfterCopy();
    const { site, hub, link, copy, ledger } = running;
    const epochBefore = await epochOf(site);
    await putBack(running, copy);
    link.down('refused');
    await site.start();
    // More than was lost, before headquarters can say anything: the ids of the lost events are given out
    // again.
    const again = new Ledger();
    const key = await registerNode(site, 'yard');
    const newcomer = new CameraClient({ name: 'd', url: site.url, key, ledger: again });
    scene.onClose(() => newcomer.close());
    const fresh = await newcomer.post(200);
    for (const { id } of fresh.slice(0, 60))
      expectStatus(
        await site.api('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
        200,
      );
    link.up();
    await until('the alarm store_restored', async () =>
      (await alarms(site)).some((alarm) => alarm.key === 'store_restored'),
    );
    await drained(site);

    const there = await listAll((method, target) => hub.api(method, target));
    const keys = there.map((event) => event.idempotencyKey);
    expect(new Set(keys).size, 'doubled').toBe(keys.length);
    expect(
      [...ledger.told.keys(), ...again.told.keys()].filter((one) => !keys.includes(one)),
      'lost',
    ).toEqual([]);
    const judged = new Set(
      there.filter((event) => event.verdict !== null).map((event) => event.idempotencyKey),
    );
    expect(
      fresh.slice(0, 60).filter(({ key: one }) => !judged.has(one)),
      'verdicts lost',
    ).toEqual([]);
    expect(await epochOf(site)).not.toBe(epochBefore);
  },
);
