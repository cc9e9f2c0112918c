import fs from 'node:fs';
import path from 'node:path';

const FILE = 'site.damaged';

/** A durable note that the store is damaged. It stands until what could be read is saved, however often the program is killed meanwhile. */
export interface DamageMarker {
  reason: string;
  /** Name that the damaged file has, or is about to get; null while nothing was done yet. */
  aside: string | null;
}

export function readMarker(dir: string): DamageMarker | null {
  const file = path.join(dir, FILE);
  if (!fs.existsSync(file)) return null;
  const [reason, aside] = fs.readFileSync(file, 'utf8').trim().split('\n');
  return { reason: reason === undefined || reason === '' ? 'the store was found to be damaged' : reason, aside: aside ?? null };
}

/** @throws what the file system does, a full disk above all */
export function writeMarker(dir: string, { reason, aside }: DamageMarker): void {
  const file = path.join(dir, FILE);
  // Whole or not at all: it names the file that everything is saved from.
  fs.writeFileSync(`${file}.new`, `${reason.replaceAll('\n', ' ')}\n${aside === null ? '' : `${aside}\n`}`, { mode: 0o640, flush: true });
  fs.renameSync(`${file}.new`, file);
}

const DOUBTED = 'site.doubted';
/** Findings of damage that turned out to be none are counted together within this long, ms. */
const TOGETHER_MS = 7 * 86_400_000;
/** So many of them are believed in any case: what keeps ending the program is no passing fault. */
const BELIEVED = 3;

/** Counts a finding of damage that turned out to be none. @returns whether it is to be believed all the same */
export function countDoubt(dir: string, now: number): boolean {
  const file = path.join(dir, DOUBTED);
  const [count, at] = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').map(Number) : [];
  const before = count !== undefined && at !== undefined && Math.abs(now - at) < TOGETHER_MS ? count : 0;
  if (before + 1 >= BELIEVED) {
    fs.rmSync(file, { force: true });
    return true;
  }
  fs.writeFileSync(file, `${before + 1}\n${now}\n`, { mode: 0o640, flush: true });
  return false;
}

export const removeMarker = (dir: string): void => fs.rmSync(path.join(dir, FILE), { force: true });
