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

export const removeMarker = (dir: string): void => fs.rmSync(path.join(dir, FILE), { force: true });
