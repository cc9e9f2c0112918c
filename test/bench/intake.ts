// Durable intake of single events and of batches, beside the bare echo and the bare sync.
import { type Bench, type CameraSite, CLIENTS } from './bench.ts';
import { ROWS_A_COMMIT } from './disk.ts';
import type { LoadResult } from './load.ts';
import { ADMIN, type DiskUse } from './program.ts';
import { EVENT_BYTES } from './requests.ts';
import { atMost, median, ms, perSecond, type Row, shareOf, whole } from './table.ts';

const ROUNDS = 5;
const BATCH_ROUNDS = 3;
const MEASURE_MS = 2_500;
const FLOOR_MS = 1_000;
const SYNC_MS = 20;

interface Round {
  floor: number;
  load: LoadResult;
  /** An event's share. */
  disk: DiskUse;
  cpuUs: number;
}

interface Plan {
  clients: number;
  batch: number;
  keys: 'sequential' | 'uuid';
  rounds: number;
  floor: () => Promise<number>;
}

export async function measureIntake(bench: Bench): Promise<Row[]> {
  const site = await bench.site('intake');
  const echo = async (clients: number): Promise<number> => (await bench.echo(clients, FLOOR_MS)).perSecond;
  const sync = async (): Promise<number> => (await bench.disk('extend', FLOOR_MS)).perSecond;
  const echo64 = (): Promise<number> => echo(CLIENTS);
  const rows = await floorRows(bench, echo);

  const single: Plan = { clients: CLIENTS, batch: 1, keys: 'sequential', rounds: 1, floor: echo64 };
  // The floors are warm by now; a site that has just been started compiles what intake needs.
  rows.push(...firstRows(await measure(bench, site, single)));
  const many = await measure(bench, site, { ...single, rounds: ROUNDS });
  rows.push(...manyRows(many));
  const one = await measure(bench, site, {
    clients: 1,
    batch: 1,
    keys: 'sequential',
    rounds: ROUNDS,
    floor: sync,
  });
  rows.push(
    ...oneRows(one, {
      inPlace: (await bench.disk('sync', FLOOR_MS)).perSecond,
      apart: (await bench.disk('extend-apart', FLOOR_MS)).perSecond,
    }),
  );
  for (const clients of [8, CLIENTS]) {
    const batches = await measure(bench, site, {
      clients,
      batch: 100,
      keys: 'sequential',
      rounds: BATCH_ROUNDS,
      floor: echo64,
    });
    rows.push(
      shareOf({
        what: `batches of 100, ${clients} clients: events to echo requests`,
        measured: rate(batches) * 100,
        floor: floorOf(batches),
        bound: 0.75,
        unit: 'events',
        floorUnit: 'requests',
      }),
    );
  }
  for (const clients of [1, CLIENTS]) {
    const random = await measure(bench, site, {
      clients,
      batch: 1,
      keys: 'uuid',
      rounds: 1,
      floor: clients === 1 ? sync : echo64,
    });
    rows.push({
      what: `random UUID keys, ${clients} clients`,
      measured: perSecond(rate(random), 'events'),
      floor: perSecond(floorOf(random), clients === 1 ? 'syncs' : 'requests'),
      ratio: rate(random) / floorOf(random),
    });
    rows.push({
      what: '  bytes written an event (write_bytes)',
      measured: whole(mid(random, (round) => round.disk.dirtied)),
    });
  }
  await site.program.stop();
  rows.push(...(await slowSync(bench)));
  return rows;
}

async function floorRows(bench: Bench, echo: (clients: number) => Promise<number>): Promise<Row[]> {
  const floor = (what: string, value: number, unit: string): Row => ({
    what: `floor: ${what}`,
    measured: perSecond(value, unit),
  });
  const commit = (await bench.disk('commit', FLOOR_MS)).perSecond * ROWS_A_COMMIT;
  const synced = (await bench.disk('synced-commit', FLOOR_MS)).perSecond * ROWS_A_COMMIT;
  return [
    floor(`bare node:http echo of ${EVENT_BYTES} bytes, ${CLIENTS} clients`, await echo(CLIENTS), 'requests'),
    floor('the same, 1 client', await echo(1), 'requests'),
    floor('4 KiB write + fdatasync, file in place', (await bench.disk('sync', FLOOR_MS)).perSecond, 'syncs'),
    floor('4 KiB write + fdatasync, growing file', (await bench.disk('extend', FLOOR_MS)).perSecond, 'syncs'),
    floor(
      'the same with 0.1 ms of work between two',
      (await bench.disk('extend-apart', FLOOR_MS)).perSecond,
      'syncs',
    ),
    floor(`SQLite, ${ROWS_A_COMMIT} rows a commit, WAL, synchronous=NORMAL`, commit, 'rows'),
    floor('the same with one fdatasync a commit', synced, 'rows'),
  ];
}

/** Floor and product in turn, so that both see the same machine. */
async function measure(bench: Bench, site: CameraSite, plan: Plan): Promise<Round[]> {
  const rounds: Round[] = [];
  let built = plan.batch === 1 ? 60_000 : 2_400;
  for (let index = 0; index < plan.rounds; index += 1) {
    const floor = await plan.floor();
    const [disk, cpu] = [site.program.disk(), site.program.cpuMs()];
    const load = await bench.post(site, {
      clients: plan.clients,
      batch: plan.batch,
      keys: plan.keys,
      measureMs: MEASURE_MS,
      built,
    });
    const after = site.program.disk();
    const events = load.allAnswers * plan.batch;
    rounds.push({
      floor,
      load,
      disk: {
        device: (after.device - disk.device) / events,
        dirtied: (after.dirtied - disk.dirtied) / events,
        handed: (after.handed - disk.handed) / events,
      },
      cpuUs: ((site.program.cpuMs() - cpu) * 1000) / events,
    });
    built = Math.ceil(load.perSecond * ((MEASURE_MS + 500) / 1000) * 1.3);
  }
  return rounds;
}

const mid = (rounds: readonly Round[], of: (round: Round) => number): number => median(rounds.map(of));
const rate = (rounds: readonly Round[]): number => mid(rounds, (round) => round.load.perSecond);
const floorOf = (rounds: readonly Round[]): number => mid(rounds, (round) => round.floor);

function firstRows(rounds: Round[]): Row[] {
  return [
    {
      what: `intake, ${CLIENTS} clients, first ${MEASURE_MS / 1000} s of a new process`,
      measured: perSecond(rate(rounds), 'events'),
      floor: perSecond(floorOf(rounds), 'requests'),
      ratio: rate(rounds) / floorOf(rounds),
    },
    { what: '  p99', measured: ms(mid(rounds, (round) => round.load.p99)) },
  ];
}

function manyRows(rounds: Round[]): Row[] {
  const share = shareOf({
    what: `intake, ${CLIENTS} clients`,
    measured: rate(rounds),
    floor: floorOf(rounds),
    bound: 0.25,
    unit: 'events',
    floorUnit: 'requests',
  });
  return [
    share,
    atMost(
      '  p99',
      mid(rounds, (round) => round.load.p99),
      10,
      ms,
    ),
    ...costRows(rounds, 2_000),
  ];
}

/** @param syncs a second: of a file that does not grow, and of one that grows with work between two syncs */
function oneRows(rounds: Round[], { inPlace, apart }: { inPlace: number; apart: number }): Row[] {
  const share = shareOf({
    what: 'intake, 1 client, to syncs of a growing file',
    measured: rate(rounds),
    floor: floorOf(rounds),
    bound: 0.4,
    unit: 'events',
    floorUnit: 'syncs',
  });
  return [
    share,
    {
      what: '  to syncs of a file in place',
      measured: perSecond(rate(rounds), 'events'),
      floor: perSecond(inPlace, 'syncs'),
      ratio: rate(rounds) / inPlace,
    },
    {
      what: '  to syncs of a growing file with 0.1 ms of work between',
      measured: perSecond(rate(rounds), 'events'),
      floor: perSecond(apart, 'syncs'),
      ratio: rate(rounds) / apart,
    },
    {
      what: '  p50, p99',
      measured: `${ms(mid(rounds, (round) => round.load.p50))}, ${ms(mid(rounds, (round) => round.load.p99))}`,
    },
    ...costRows(rounds, 10_500),
  ];
}

function costRows(rounds: Round[], maxWritten: number): Row[] {
  return [
    atMost(
      '  bytes written an event (write_bytes)',
      mid(rounds, (round) => round.disk.dirtied),
      maxWritten,
      whole,
    ),
    {
      what: '    handed to write calls, answers included (wchar)',
      measured: whole(mid(rounds, (round) => round.disk.handed)),
    },
    {
      what: '    taken by the disk, from whichever process',
      measured: whole(mid(rounds, (round) => round.disk.device)),
    },
    { what: '  processor time an event', measured: `${mid(rounds, (round) => round.cpuUs).toFixed(0)} µs` },
  ];
}

/** Reads while every sync takes 20 ms longer and 64 cameras post. */
async function slowSync(bench: Bench): Promise<Row[]> {
  const site = await bench.site('slow', { entry: new URL('./slow-site.ts', import.meta.url).pathname });
  const rows: Row[] = [];
  for (const target of ['/healthz', '/api/core/events/list?limit=20']) {
    // The generator does one job at a time: a second one reads while it posts.
    const reads = bench.reader(site.program.port, target, ADMIN, 1_500);
    const load = await bench.post(site, {
      clients: CLIENTS,
      batch: 1,
      keys: 'sequential',
      measureMs: 2_000,
      built: 16_000,
    });
    const read = await reads;
    rows.push(
      atMost(
        `GET ${target.split('?')[0]}, syncs ${SYNC_MS} ms slower, 64 clients at ` +
          `${whole(load.perSecond)}/s: longest`,
        read.max,
        50,
        ms,
      ),
    );
  }
  await site.program.stop();
  return rows;
}
