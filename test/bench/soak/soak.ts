// Whether anything grows: three sites with fifty cameras, a hub, consumers and a console that stays open, for
// as long as is asked, with links that come and go and a kill every five minutes. `--minutes 120` is what a
// release is held to.
import { drained } from '../../support/deployment.ts';
import { listAll, type SeenEvent } from '../../support/ledger.ts';
import { Scene } from '../../support/process.ts';
import { seededRandom } from '../../support/random.ts';
import { until } from '../../support/request.ts';
import type { Bench } from '../bench.ts';
import { type Row, whole } from '../table.ts';
import { curveOf, diskRows, faultRow, flatRows } from './curve.ts';
import { Life } from './life.ts';
import { openStage, type Stage } from './stage.ts';
import { watch } from './watch.ts';

const MINUTES = 10;
const SEED = 20_261_128;

export async function measureSoak({ options }: Bench): Promise<Row[]> {
  const lastsMs = (options.minutes ?? MINUTES) * 60_000;
  const scene = new Scene();
  try {
    const stage = await openStage(scene, seededRandom(SEED));
    const life = new Life(stage, lastsMs);
    life.begin();
    const looks = await watch(stage, AbortSignal.any([AbortSignal.timeout(lastsMs), life.failed]));
    await life.end();
    process.stderr.write(`${curveOf(looks)}\n`);
    const { counts } = life;
    const told = stage.sites.map(({ ledger }) => ledger.told.size);
    const events = told.reduce((sum, one) => sum + one, 0);
    const ofSite = (name: string): number =>
      told[stage.sites.findIndex((side) => side.name === name)] ?? events;
    return [
      {
        what: `soak: events in ${whole(lastsMs / 60_000)} minutes; kills, troubles of links, verdicts, pictures`,
        measured: `${whole(events)}; ${Object.values(counts).map(whole).join(', ')}`,
      },
      ...(await faultRows(stage)),
      ...flatRows(looks),
      ...diskRows(looks, ofSite),
    ];
  } finally {
    await scene.close();
  }
}

/** Once everything has gone up: what was told to cameras beside what both ends and whoever pulls have. */
async function faultRows({ hub, sites, consumer }: Stage): Promise<Row[]> {
  for (const { program } of sites) await drained(program);
  const here = await Promise.all(sites.map(({ program }) => listAll((...call) => program.api(...call))));
  const there = await listAll((...call) => hub.api(...call));
  await until('whoever pulls from headquarters has all', async () => {
    await consumer.round();
    return consumer.seen.length >= there.length;
  });
  const ofSite = (events: readonly SeenEvent[], name: string): SeenEvent[] =>
    events.filter(({ instance }) => instance === name);
  const lost = sites.flatMap(({ name, ledger }, at) => [
    ...ledger.oddities,
    ...ledger.faultsOf(here[at] ?? []),
    ...ledger.faultsOf(ofSite(there, name)),
    ...ledger.faultsOf(ofSite(consumer.seen, name)),
  ]);
  const pulled = [consumer, ...sites.map((side) => side.consumer)].flatMap(({ oddities }) => oddities);
  const heard = sites.flatMap(({ ear }) => ear.oddities);
  return [
    faultRow('events lost, doubled or misordered, at sites, at headquarters and to whoever pulls', lost),
    faultRow('batches that came twice or out of order', pulled),
    faultRow('messages to cameras with a bad signature', heard),
  ];
}
