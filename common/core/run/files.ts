// What the folder of the data knows of the runs of the program, beside the store: it is there also when the
// store is damaged, restored or at another machine.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { endKinds, type Found, type UnplannedEnd } from './record.ts';

/** Stands while the program runs, and goes with an orderly end: for that a full disk has room. */
const RUNNING = 'running';
/** Written by the unit after each end (`packaging/deb/backoff.sh`): one word, its SERVICE_RESULT. */
const LAST_END = 'last-end';
const ENDS = 'unplanned-ends.json';
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const MOST_BYTES = 200;

const endsFile = z.array(z.object({ at: z.int(), kind: z.enum(endKinds) }));

/** Stands for the time since the machine was switched on; '' where it does not say. */
export const bootOfMachine = (): string => textOf(BOOT_ID)?.trim() ?? '';

/** Reads what the last run left, and takes away what is of that run alone. */
export function takeFound(dir: string): Found {
  const unended = textOf(path.join(dir, RUNNING));
  const file = path.join(dir, LAST_END);
  const result = textOf(file)?.trim() ?? '';
  const at = result === '' ? null : fs.statSync(file).mtimeMs;
  fs.rmSync(file, { force: true });
  return { unended, seen: at === null ? null : { at: Math.round(at), result } };
}

export function markRunning(dir: string, boot: string): void {
  fs.writeFileSync(path.join(dir, RUNNING), boot);
}

export function markEnded(dir: string): void {
  fs.rmSync(path.join(dir, RUNNING), { force: true });
}

/** @throws Error for a file that cannot be read */
export function readEnds(dir: string): UnplannedEnd[] {
  const file = path.join(dir, ENDS);
  return fs.existsSync(file) ? endsFile.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : [];
}

/** In one step: who is stopped in between has those of before. */
export function writeEnds(dir: string, ends: readonly UnplannedEnd[]): void {
  const file = path.join(dir, ENDS);
  fs.writeFileSync(`${file}.new`, JSON.stringify(ends), { flush: true });
  fs.renameSync(`${file}.new`, file);
}

function textOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8').slice(0, MOST_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
