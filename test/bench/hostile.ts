// The longest stop of the event loop, and the memory, while hostile requests come: beside the same under
// ordinary load.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { type Bench, type CameraSite, CLIENTS } from './bench.ts';
import { unitEnvironment } from './footprint.ts';
import { holdOpen } from './hostile-flood.ts';
import type { HostileResult } from './hostile-load.ts';
import { hostileNeighbour } from './hostile-neighbour.ts';
import type { HostileJob } from './hostile-requests.ts';
import { Worker } from './jobs.ts';
import type { Program } from './program.ts';
import { atMost, mib, ms, type Row, whole } from './table.ts';

const REQUESTS = 1_000;
const AT_ONCE = 8;
const LONGEST_MS = 50;
/**
 * Under the requests: where the unit begins to slow the program down (MemoryHigh). With what is held open
 * beside them: a tenth below where the unit ends it, which is 300 MB for the site and 2 GB for the hub.
 */
const MEMORY = { site: { requests: 240, high: 270 }, hub: { requests: 1_500, high: 1_800 } };
const MEASURE_MS = 4_000;

/** Longest stop, ms. */
export interface Stops {
  /** By the clock, less what the thread waited for a processor that other programs had. */
  longest: number;
  /** By the clock alone. */
  clock: number;
  /** Processor time of the thread. */
  worked: number;
}

interface Watched {
  program: Program;
  cameras: SigningKey[];
  loopFile: string;
}

export async function measureHostile(bench: Bench): Promise<Row[]> {
  const worker = new Worker('./hostile-load.ts');
  const postgres = await startTestPostgres({});
  const database = await createDatabase(postgres.url);
  try {
    const site = await watched(bench, 'hostile-site', { program: 'site', env: unitEnvironment() });
    const rows = await attack(bench, worker, site);
    await site.program.stop();
    const hub = await watched(bench, 'hostile-hub', { program: 'hq', env: { DATABASE_URL: database.url } });
    const siteKey = await hub.program.call<SigningKey>('POST', '/api/core/sites', {
      instance: 'hostile',
      tenants: ['T'],
    });
    rows.push(...(await attack(bench, worker, hub, siteKey)));
    await hub.program.stop();
    rows.push(...(await hostileNeighbour(bench, postgres.url)));
    return rows;
  } finally {
    worker.close();
    await database.drop();
    await postgres.stop();
  }
}

async function watched(
  bench: Bench,
  name: string,
  options: { program: 'site' | 'hq'; env?: Record<string, string> },
): Promise<Watched> {
  const loopFile = path.join(bench.folder(name), 'loop.json');
  const { program, cameras } = await bench.site(name, {
    ...options,
    port: await freePort(),
    nodeFlags: ['--import', path.join(import.meta.dirname, 'loop-watch.ts')],
    env: { ...options.env, BENCH_LOOP_FILE: loopFile },
  });
  return { program, cameras, loopFile };
}

async function attack(
  bench: Bench,
  worker: Worker,
  { program, cameras, loopFile }: Watched,
  siteKey?: SigningKey,
): Promise<Row[]> {
  const key = cameras[0] as SigningKey;
  const name = siteKey ? 'hub' : 'site';
  const job: HostileJob = {
    port: program.port,
    program: siteKey ? 'hq' : 'site',
    key,
    requests: REQUESTS,
    clients: AT_ONCE,
    ...(siteKey ? { siteKey } : {}),
  };
  const memory = MEMORY[name];
  const ordinary = await usual(bench, { program, cameras }, loopFile);
  const before = program.memory().peak;
  const result = await worker.run<HostileResult>(job);
  const hostile = await stops(program, loopFile);
  const requested = program.memory().peak;
  if (bench.options.explain) process.stderr.write(`${JSON.stringify(result.byName, null, 1)}\n`);
  await holdOpen(program.port, key);
  const held = await stops(program, loopFile);
  const { peak } = program.memory();
  return [
    {
      what: `${name}: longest stop of the loop under ordinary load, ${CLIENTS} cameras`,
      measured: ms(ordinary.longest),
    },
    {
      ...atMost(
        `${name}: longest stop of the loop under ${whole(REQUESTS)} hostile requests`,
        hostile.longest,
        LONGEST_MS,
        ms,
      ),
      floor: ms(ordinary.longest),
      ratio: hostile.longest / ordinary.longest,
    },
    atMost('  processor time of the longest stop', hostile.worked, LONGEST_MS, ms),
    {
      what: '  by the clock, with what other programs took of the processors',
      measured: ms(hostile.clock),
      floor: ms(ordinary.clock),
    },
    {
      what: '  answers by status',
      measured: Object.entries(result.answers)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    },
    atMost('  largest answer', result.largest / 1024, 64, (value) => `${value.toFixed(1)} KiB`),
    {
      what: '  while connections and bodies without a proof are held open: longest stop, processor time of it',
      measured: `${ms(held.longest)}, ${ms(held.worked)}`,
    },
    { what: '  peak memory under ordinary load', measured: mib(before) },
    atMost('  peak memory under the hostile requests', requested, memory.requests, mib),
    atMost('  peak memory with the connections and bodies that were held open', peak, memory.high, mib),
  ];
}

async function usual(bench: Bench, site: CameraSite, loopFile: string): Promise<Stops> {
  const load = {
    clients: CLIENTS,
    batch: 1,
    keys: 'sequential',
    measureMs: MEASURE_MS,
    built: 60_000,
  } as const;
  await bench.post(site, load);
  await stops(site.program, loopFile);
  await bench.post(site, load);
  return stops(site.program, loopFile);
}

/** Since the last time. */
export async function stops(program: Program, loopFile: string): Promise<Stops> {
  rmSync(loopFile, { force: true });
  process.kill(program.pid, 'SIGUSR2');
  while (!existsSync(loopFile) || readFileSync(loopFile, 'utf8') === '') await sleep(10);
  return JSON.parse(readFileSync(loopFile, 'utf8')) as Stops;
}
