// What the programs of a soak take, looked at again and again.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../../support/postgres.ts';
import type { Program } from '../../support/process.ts';
import type { Stage } from './stage.ts';

const EVERY_MS = 5_000;
const MB = 1_000_000;

export interface Look {
  /** Since the beginning, ms. */
  at: number;
  program: string;
  /** MB; of the console what its scripts hold. */
  memory: number;
  /** Open files and connections; of the console the nodes of its page. */
  handles: number;
  /** MB of its folder, of the hub with its database; null: it has none. */
  disk: number | null;
  /** How long the list of its newest events took, ms; null: it has none, or was away. */
  answerMs: number | null;
}

/** Looks until it is told to stop. A program that is away between two lives is left out. */
export async function watch(
  { hub, sites, console, databaseUrl }: Stage,
  signal: AbortSignal,
): Promise<Look[]> {
  const looks: Look[] = [];
  const began = performance.now();
  const client = clientOf(databaseUrl);
  await client.connect();
  const ofDatabase = async (): Promise<number> => {
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database()) bytes',
    );
    return Number(rows[0]?.bytes) / MB;
  };
  const named = [...sites.map(({ name, program }) => [name, program] as const), ['hub', hub] as const];
  while (!signal.aborted) {
    const at = performance.now() - began;
    for (const [name, program] of named) {
      const taken = takenBy(program);
      if (taken === null) continue;
      const more = program === hub ? await ofDatabase() : 0;
      const disk = folderBytes(program.options.dataDir) / MB + more;
      looks.push({ at, program: name, ...taken, disk, answerMs: await answerOf(program) });
    }
    const { metrics } = await console.send('Performance.getMetrics');
    const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
    const page = { memory: of('JSHeapUsedSize') / MB, handles: of('Nodes') };
    looks.push({ at, program: 'console', ...page, disk: null, answerMs: null });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  await client.end();
  return looks;
}

/** null: it is being killed or started. */
function takenBy(program: Program): Pick<Look, 'memory' | 'handles'> | null {
  try {
    const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
    const memory = (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / MB;
    return { memory, handles: readdirSync(`/proc/${program.pid}/fd`).length };
  } catch (error) {
    if (program.running && (error as { code?: string }).code !== 'ENOENT') throw error;
    return null;
  }
}

async function answerOf(program: Program): Promise<number | null> {
  const began = performance.now();
  const answer = await program.api('GET', '/api/core/events/list?limit=20').catch(() => null);
  return answer?.status === 200 ? performance.now() - began : null;
}

/** Of all files that are there; one that is deleted meanwhile counts nothing. */
function folderBytes(dir: string): number {
  return readdirSync(dir, { recursive: true }).reduce<number>((sum, name) => {
    const stat = statSync(path.join(dir, String(name)), { throwIfNoEntry: false });
    return sum + (stat?.isFile() ? stat.size : 0);
  }, 0);
}
