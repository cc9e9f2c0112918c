import fs from 'node:fs';
import path from 'node:path';
import { syncDirectory } from '../engine/folder.ts';
import type { HealthState } from './decide.ts';

const FILE = 'site.health';
/** Of earlier versions: damage that was found, and the name that the store got, in lines. */
const DAMAGED = 'site.damaged';
/** Of earlier versions: how often damage had turned out to be none, and when last, epoch ms, in lines. */
const DOUBTED = 'site.doubted';

/**
 * What one process leaves to the next about the health of the storage, durable, whenever either is killed.
 * `suspect`: the next start looks the store through. `damaged`: it is being salvaged.
 */
export interface HealthMarker {
  state: HealthState;
  /** Null while sound. */
  reason: string | null;
  /** Name that the damaged file has, or is about to get; null unless damaged. */
  aside: string | null;
  /** Suspicions that starts have cleared, and when the last one was, epoch ms. */
  cleared: { count: number; at: number };
}

const UNMARKED: HealthMarker = { state: 'sound', reason: null, aside: null, cleared: { count: 0, at: 0 } };

/** One of an earlier version is newer than ours, since every start of this version removes it. */
export function readMarker(dir: string): HealthMarker {
  const [own, damaged, doubted] = [FILE, DAMAGED, DOUBTED].map((name) => {
    const file = path.join(dir, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : null;
  });
  const marker = typeof own === 'string' ? parse(own) : { ...UNMARKED };
  const [count = NaN, at = NaN] = (doubted ?? '').split('\n').map(Number);
  if (count > 0 && at > 0) marker.cleared = { count, at };
  if (typeof damaged !== 'string') return marker;
  const [reason, aside = null] = damaged.split('\n');
  const state = aside === null ? 'suspect' : 'damaged';
  return { ...marker, state, reason: reason || 'the store was found to be damaged', aside };
}

function parse(text: string): HealthMarker {
  try {
    return { ...UNMARKED, ...(JSON.parse(text) as Partial<HealthMarker>) };
  } catch (error) {
    return { ...UNMARKED, state: 'suspect', reason: `${FILE} cannot be read: ${(error as Error).message}` };
  }
}

/** In the place of all that was noted before. @throws what the file system does, a full disk above all */
export function writeMarker(dir: string, marker: Partial<HealthMarker>): void {
  const file = path.join(dir, FILE);
  const text = `${JSON.stringify({ ...UNMARKED, ...marker })}\n`;
  // Whole or not at all: it names the file that everything is saved from.
  fs.writeFileSync(`${file}.new`, text, { mode: 0o640, flush: true });
  fs.renameSync(`${file}.new`, file);
  syncDirectory(dir);
  for (const name of [DAMAGED, DOUBTED]) fs.rmSync(path.join(dir, name), { force: true });
}

/** The next start is to look the store through. @throws what the file system does, a full disk above all */
export function markSuspect(dir: string, reason: string): void {
  const marker = readMarker(dir);
  // While a store is being salvaged, the name of the one that was set aside must stay.
  if (marker.state !== 'damaged') writeMarker(dir, { ...marker, state: 'suspect', reason });
}

export function removeMarker(dir: string): void {
  for (const name of [FILE, DAMAGED, DOUBTED]) fs.rmSync(path.join(dir, name), { force: true });
}
