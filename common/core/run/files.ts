// What the folder of the data knows of the runs of the program, beside the store: it is there also when the
// store is damaged, restored or at another machine.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { endKinds, type Found, type Stall, type UnplannedEnd } from './record.ts';

/** Stands while the program runs, and goes with an orderly end: for that a full disk has room. */
const RUNNING = 'running';
/** Written by the unit after each end (`packaging/deb/backoff.sh`): one word, its SERVICE_RESULT. */
const LAST_END = 'last-end';
const ENDS = 'unplanned-ends.json';
const STALLS = 'stalls.json';
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const MOST_BYTES = 200;

const endsFile = z.array(z.object({ at: z.int(), kind: z.enum(endKinds) }));
const stallsFile = z.array(z.object({ at: z.int(), ms: z.int(), busy: z.boolean() }));

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
export const readEnds = (dir: string): UnplannedEnd[] => readList(path.join(dir, ENDS), endsFile);
export const writeEnds = (dir: string, ends: readonly UnplannedEnd[]): void =>
  writeList(path.join(dir, ENDS), ends);

/** @throws Error for a file that cannot be read */
export const readStalls = (dir: string): Stall[] => readList(path.join(dir, STALLS), stallsFile);
export const writeStalls = (dir: string, stalls: readonly Stall[]): void =>
  writeList(path.join(dir, STALLS), stalls);

function readList<T>(file: string, form: z.ZodMiniType<T[]>): T[] {
  return fs.existsSync(file) ? form.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : [];
}

/** In one step: who is stopped in between has those of before. */
function writeList(file: string, list: readonly unknown[]): void {
  fs.writeFileSync(`${file}.new`, JSON.stringify(list), { flush: true });
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
