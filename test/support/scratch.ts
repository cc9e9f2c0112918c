// Where a run keeps its files: in memory, where there is room. The tests make and remove hundreds of
// databases and stores; on a disk that takes a quarter of the processor time. Nothing they prove hangs on the
// disk: a process that is killed loses nothing that it has handed to the kernel.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';
import { alive } from '../../hq/store/embedded/process.ts';
import { sweepAbandoned } from './postgres.ts';

const IN_MEMORY = '/dev/shm';
const PREFIX = 'fieldline-run-';
/** What must be free there, and of the machine's memory, bytes: three times what a whole run has at once. */
const ROOM = 3 * 1024 ** 3;

/**
 * Lets os.tmpdir() of this process and its workers be a folder in memory. Without enough room, or where
 * programs must not be run from, all stays as it is.
 *
 * @returns what removes it
 */
export async function takeScratch(): Promise<() => void> {
  if (process.env.TMPDIR !== undefined || !roomy()) return () => undefined;
  await sweepRuns();
  const dir = mkdtempSync(path.join(IN_MEMORY, `${PREFIX}${process.pid}-`));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  // Postgres runs under another account when the tests run as root, and must be able to pass.
  chmodSync(dir, 0o711);
  if (!runsPrograms(dir)) {
    remove();
    return () => undefined;
  }
  process.env.TMPDIR = dir;
  return remove;
}

function roomy(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM;
  } catch {
    return false; // not there
  }
}

function runsPrograms(dir: string): boolean {
  const probe = path.join(dir, 'probe');
  try {
    writeFileSync(probe, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(probe);
    return true;
  } catch {
    return false; // mounted noexec
  } finally {
    rmSync(probe, { force: true });
  }
}

// A run that was killed leaves its folder behind, perhaps with a server in it.
async function sweepRuns(): Promise<void> {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    const dir = path.join(IN_MEMORY, name);
    if (!pid || alive(pid) || statSync(dir).uid !== process.getuid?.()) continue;
    await sweepAbandoned(dir);
    rmSync(dir, { recursive: true, force: true });
  }
}
