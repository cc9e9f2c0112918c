// A day of a site with a bad link in miniature: what the cameras were told is held against what headquarters
// has.
import { afterEach, beforeEach, expect } from 'vitest';
import { CameraClient, FeedbackListener } from '../support/camera-client.ts';
import { campaign } from '../support/campaign.ts';
import {
  alarms,
  channels,
  type Deployment,
  drained,
  registerNode,
  startDeployment,
} from '../support/deployment.ts';
import { Consumer, Ledger, listAll, type SeenEvent } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/request.ts';
import { Traffic } from '../support/traffic.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260302);
/** Events of each camera in each part of the day. */
const SHARE = campaign('FAULT_DAY_SHARE', 40, 100);
/** Connections that the lossy link is to break in the middle of a request or an answer. */
const BREAKS = 5;

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

longTest(
  `a day with a bad link: exactly once, in order, judged alike (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const random = seededRandom(SEED);
    const ledger = new Ledger();
    const deployment = await startDeployment(scene, random);
    const { site, hub, link } = deployment;
    const key = await registerNode(site, 'gate');
    const ear = new FeedbackListener(() => key);
    await ear.listen();
    scene.onClose(() => ear.close());
    const cameras = ['a', 'b', 'c'].map(
      (name) => new CameraClient({ name, url: site.url, key, ledger, feedbackUrl: ear.url }),
    );
    scene.onClose(() => cameras.forEach((camera) => camera.close()));
    const consumer = new Consumer('console', (method, path, body) => hub.api(method, path, body));
    await consumer.register();
    const traffic = new Traffic({ site, hub, cameras, ledger, random });

    await theDay(deployment, traffic, ear, random);
    await drained(site);
    await until('headquarters shows every event', async () => {
      await consumer.round();
      return consumer.seen.length >= ledger.told.size;
    });

    expect(ledger.oddities).toEqual([]);
    expect(consumer.oddities).toEqual([]);
    expect(ledger.faultsOf(consumer.seen)).toEqual([]);
    expect(link.counts.broken, 'connections broken in the middle').toBeGreaterThanOrEqual(BREAKS);
    expect(link.counts.answersWithheld).toBeGreaterThan(0);
    await judgedAlike(deployment, traffic, ear);
  },
);

async function theDay(
  { site, hub, link }: Deployment,
  traffic: Traffic,
  ear: FeedbackListener,
  random: ReturnType<typeof seededRandom>,
): Promise<void> {
  await traffic.run(SHARE);
  link.down('refused');
  await traffic.run(SHARE);
  link.up();
  ear.deafFor = 5;
  await traffic.run(SHARE, () => {
    if (!random.chance(0.3)) return;
    if (link.isUp) link.down('refused');
    else link.up();
  });
  link.up({ latencyMs: 15, bandwidth: 256 * 1024, breaksWithin: 12_000 });
  while (link.counts.broken < BREAKS) {
    const before = link.counts.broken;
    await traffic.run(SHARE / 4);
    await until(
      'the lossy link breaks, or the site has sent all',
      async () => link.counts.broken > before || (await channels(site)).events.backlog === 0,
    );
  }
  link.down('silent');
  await traffic.run(SHARE);
  link.up();
  await Promise.all([traffic.run(SHARE), hub.stop().then(() => hub.start())]);
  const answered = link.withholdAnswers();
  const posting = traffic.run(SHARE);
  // The hub has committed and answered, and the site does not know it.
  await answered;
  await hub.kill();
  link.up();
  await Promise.all([posting, hub.start()]);
  link.up({ latencyMs: 2, breaksWithin: 200_000 });
  await traffic.run(SHARE);
  link.up();
}

async function judgedAlike(
  { site, hub }: Deployment,
  traffic: Traffic,
  ear: FeedbackListener,
): Promise<void> {
  const view = (event: SeenEvent): string => `${event.idempotencyKey} ${event.verdict} ${event.correctedTo}`;
  const [here, there] = await Promise.all([
    listAll((method, path) => site.api(method, path)),
    listAll((method, path) => hub.api(method, path)),
  ]);
  expect(there.map(view).sort()).toEqual(here.map(view).sort());
  expect(
    here.filter((event) => traffic.judged.has(event.idempotencyKey) && event.verdict === null).map(view),
  ).toEqual([]);
  expect(traffic.counts.atSite).toBeGreaterThan(10);
  expect(traffic.counts.atHub).toBeGreaterThan(10);
  expect(traffic.counts.corrections).toBeGreaterThan(0);

  let missing: string[] = [];
  await until('every verdict is heard by its camera', async () => {
    missing = here.filter((event) => event.verdict !== null && !ear.has(event.id, event.verdict)).map(view);
    missing.push(
      ...here
        .filter((event) => event.correctedTo !== null && !ear.has(event.id, event.correctedTo))
        .map(view),
    );
    return missing.length === 0;
  }).catch(() => undefined);
  expect(missing, 'verdicts that no camera heard').toEqual([]);
  expect(ear.oddities).toEqual([]);
  const { events, verdicts } = await channels(site);
  expect([events.parked, verdicts.parked], 'parked: a verdict before its event would be').toEqual([0, 0]);
  expect(
    (await alarms(site))
      .map((alarm) => alarm.key)
      .filter((key) => /rollback|restored|epoch|replaced/.test(key)),
  ).toEqual([]);
}
