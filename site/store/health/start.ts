import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import type { ReadLayer } from '../engine/sync.ts';
import { AT_START, decide, type Health, type Observation, type Rules, SOUND, TOGETHER_MS } from './decide.ts';
import { faultKind, StoreDamaged } from './fault.ts';
import { type HealthMarker, removeMarker, writeMarker } from './marker.ts';
import { readClosedStore } from './reader.ts';

export interface StartParts {
  dir: string;
  /** As the last process left it. */
  marker: HealthMarker;
  clock: Clock;
  log: Logger;
  reads: ReadLayer;
  /** For tests. */
  pausesMs?: readonly number[] | undefined;
}

/**
 * Opens a store that may be suspect, by what the last process has left or by what opening comes upon; then
 * it is looked through before it is opened again.
 * @param open leaves no connection open when it throws. `passed`: what was found, and is no damage
 * @throws StoreDamaged when the store must be given up; what `open` throws that says nothing of the storage
 */
export async function openSound<S>(parts: StartParts, open: (passed: string | null) => S): Promise<S> {
  const { dir, marker, clock, log } = parts;
  let { at } = marker.cleared;
  const cleared = Math.abs(clock.now() - at) < TOGETHER_MS ? marker.cleared.count : 0;
  let health: Health = { ...SOUND, state: marker.state, reason: marker.reason, cleared };
  let passed: string | null = null;
  for (;;) {
    if (health.state !== 'sound') {
      passed = health.reason;
      log.error(
        { reason: passed },
        'the store is looked through; it is damaged, or the disk failed for a moment',
      );
      health = await examine(health, parts);
      if (health.state === 'damaged') throw new StoreDamaged(health.reason ?? 'nobody knows by what');
      at = clock.now();
      // Until it is open it stays suspect, should this process be killed.
      note(parts, { state: 'suspect', reason: passed, cleared: { count: health.cleared, at } });
    }
    try {
      const store = open(passed);
      if (health.cleared === 0) removeMarker(dir);
      else note(parts, { cleared: { count: health.cleared, at } });
      return store;
    } catch (error) {
      const fault = faultKind(error);
      if (fault === null || error instanceof StoreDamaged) throw error;
      const { message } = error as Error;
      health = decide(health, { kind: 'statement failed', fault, message }, AT_START).health;
    }
  }
}

/** Examines the store until its state is decided. @returns sound or damaged */
async function examine(health: Health, { dir, reads, pausesMs }: StartParts): Promise<Health> {
  const rules: Rules = { ...AT_START, pausesMs: pausesMs ?? AT_START.pausesMs };
  for (;;) {
    const fault = await readClosedStore(dir, reads);
    const seen: Observation =
      fault === null ? { kind: 'look passed' } : { kind: 'look failed', ...fault, takesFiles: true };
    const decision = decide(health, seen, rules);
    if (decision.next.do !== 'look') return decision.health;
    health = decision.health;
    await pause(decision.next.afterMs);
  }
}

/** If the note cannot be written, the next start examines the store once more. */
function note({ dir, log }: StartParts, marker: Partial<HealthMarker>): void {
  try {
    writeMarker(dir, marker);
  } catch (error) {
    log.warn({ err: error }, 'the health of the store could not be noted, and may be looked at again');
  }
}
