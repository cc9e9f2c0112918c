// Memory, start and size of a site that holds 100,000 events.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, CLIENTS, STORED } from './bench.ts';
import { ROOT } from './program.ts';
import { atMost, median, mib, ms, type Row, whole } from './table.ts';

const STARTS = 5;
/** Long enough for the site to notice that it is at rest, and to give memory back. */
const REST_MS = 25_000;

/** What the unit gives the installed site: how its allocator returns memory is part of what is measured. */
export function unitEnvironment(): Record<string, string> {
  const lines = readFileSync(`${ROOT}/systemd/fieldline-site.service`, 'utf8').matchAll(
    /^Environment=(.+)$/gm,
  );
  const pairs = [...lines]
    .flatMap(([, values = '']) => values.split(' '))
    .map((pair) => pair.split('=') as [string, string]);
  if (pairs.length === 0) throw new Error('the unit sets no environment');
  return Object.fromEntries(pairs);
}

export async function measureFootprint(bench: Bench): Promise<Row[]> {
  const dir = await bench.storedCopy('footprint');
  const env = unitEnvironment();
  const starts: number[] = [];
  for (let index = 0; index < STARTS; index += 1) {
    const site = await bench.start({ program: 'site', dir, env });
    starts.push(site.readyMs);
    await site.stop();
  }
  const program = await bench.start({ program: 'site', dir, env });
  await sleep(REST_MS);
  const idle = program.memory().now;
  const load = await bench.post(
    { program, cameras: await bench.storedCameras() },
    { clients: CLIENTS, batch: 1, keys: 'sequential', measureMs: 4_000, built: 60_000 },
  );
  const { peak } = program.memory();
  await sleep(REST_MS);
  const after = program.memory().now;
  await program.stop();
  return [
    atMost(`start to ready, ${whole(STORED)} events stored`, median(starts), 400, ms),
    atMost('resident memory, idle', idle, 85, mib),
    atMost(`  peak under intake of ${whole(load.perSecond)} events/s`, peak, 120, mib),
    { what: '  at rest again', measured: mib(after) },
  ];
}
