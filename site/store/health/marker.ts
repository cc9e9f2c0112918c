import fs from 'node:fs';
import path from 'node:path';
import { syncDirectory } from '../engine/folder.ts';
import type { HealthState } from './decide.ts';

const FILE = 'site.health';

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

export function readMarker(dir: string): HealthMarker {
  const file = path.join(dir, FILE);
  return fs.existsSync(file) ? parse(fs.readFileSync(file, 'utf8')) : { ...UNMARKED };
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
}

/** The next start is to look the store through. @throws what the file system does, a full disk above all */
export function markSuspect(dir: string, reason: string): void {
  const marker = readMarker(dir);
  // While a store is being salvaged, the name of the one that was set aside must stay.
  if (marker.state !== 'damaged') writeMarker(dir, { ...marker, state: 'suspect', reason });
}

export function removeMarker(dir: string): void {
  fs.rmSync(path.join(dir, FILE), { force: true });
}
