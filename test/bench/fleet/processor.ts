// Processor time and memory of a program and of the Postgres beside it, as the system counts them: they hold
// also on a machine that others load.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { findRunning } from '../../../hq/store/embedded/process.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import type { Program } from '../program.ts';

const TICK_MS = 10;

/** The fields of /proc/PID/stat from the state on; null: there is no such process any more. */
function statOf(pid: number | string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}

/** Fields, counted from the state on (proc(5)). */
const [PARENT, USER, SYSTEM, REAPED_USER, REAPED_SYSTEM] = [1, 11, 12, 13, 14] as const;

const sum = (fields: string[], which: readonly number[]): number =>
  which.reduce((total, index) => total + Number(fields[index]) * TICK_MS, 0);

/** @returns pid of the server's first process */
export async function postmasterOf({ dir }: TestPostgres): Promise<number> {
  const running = await findRunning(await realpath(path.join(dir, 'postgres', 'data')));
  if (!running) throw new Error('the Postgres of the bench does not run');
  return running.pid;
}

/** All processes of a Postgres so far, those that have ended included, milliseconds. */
function postgresMs(postmaster: number): number {
  const own = statOf(postmaster);
  if (!own) throw new Error('the Postgres of the bench has ended');
  let total = sum(own, [USER, SYSTEM, REAPED_USER, REAPED_SYSTEM]);
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields && Number(fields[PARENT]) === postmaster) total += sum(fields, [USER, SYSTEM]);
  }
  return total;
}

export interface Spent {
  hubMs: number;
  postgresMs: number;
  seconds: number;
}

/** What a hub and its Postgres spend while `work` runs. */
export async function spentBy<T>(
  { hub, postmaster }: { hub: Program; postmaster: number },
  work: () => Promise<T>,
): Promise<{ result: T; spent: Spent }> {
  const [began, hubBefore, postgresBefore] = [performance.now(), hub.cpuMs(), postgresMs(postmaster)];
  const result = await work();
  return {
    result,
    spent: {
      hubMs: hub.cpuMs() - hubBefore,
      postgresMs: postgresMs(postmaster) - postgresBefore,
      seconds: (performance.now() - began) / 1000,
    },
  };
}

/** The next peak of memory is the one from now on. */
export function resetPeak(program: Program): void {
  writeFileSync(`/proc/${program.pid}/clear_refs`, '5');
}
