// All sites of a fleet call at once, as after a restart of the hub, each until it was answered.
import type { Bench } from '../bench.ts';
import type { Program } from '../program.ts';
import { atMost, ms, type Row, whole } from '../table.ts';
import type { ContactJob } from './load.ts';
import type { FleetSite } from './site.ts';

const WITHIN_MS = 120_000;
/** All sites are to have been answered after this, ms. */
const TARGET_MS = 10_000;

/** @param hub that was started anew, and that no site has called yet */
export async function measureContact(bench: Bench, hub: Program, sites: FleetSite[]): Promise<Row[]> {
  const job = (port: number): ContactJob => ({ kind: 'contact', port, sites, withinMs: WITHIN_MS });
  const floor = await bench.fleet(job((await bench.fleetEcho()).port));
  const { p50, p99, lastDone, refused } = await bench.fleet(job(hub.port));
  const [took, bare] = [lastDone * 1000, floor.lastDone * 1000];
  const what = `${whole(sites.length)} sites call at once after the hub's restart, all are answered after`;
  return [
    { ...atMost(what, took, TARGET_MS, ms), floor: ms(bare), ratio: took / bare },
    { what: '  a call', measured: `p50 ${ms(p50)}, p99 ${ms(p99)}` },
    ...Object.entries(refused).map(([status, count]) => ({
      what: status === '0' ? '  calls whose connection broke' : `  answers ${status}`,
      measured: whole(count),
    })),
  ];
}
