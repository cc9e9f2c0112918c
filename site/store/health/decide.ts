/**
 * What is thought of the storage under the store, and what to do next. Pure.
 *
 *   sound ── a statement fails ──> suspect ── everything is given back, a write is taken ──> sound
 *                                     └── fails to the last look, or cannot be taken apart ──> damaged
 *
 * Invariants: what a disk says once proves nothing; `damaged` is left by salvage alone, at the next start; a
 * disk without room, and one that takes nothing at all, are no damage to the store. A sync that fails says
 * nothing of what is in the file: the group commit ends the process for it, and the next start reads the WAL.
 */
export type HealthState = 'sound' | 'suspect' | 'damaged';

/** `disk`: a page was not given or taken, this time. `structure`: SQLite cannot take it apart. */
export type FaultKind = 'disk' | 'structure';

export interface Health {
  state: HealthState;
  /** The fault found first; null while sound. */
  reason: string | null;
  /** Looks in a row that failed. */
  failures: number;
  /** Suspicions that turned out to be none. */
  cleared: number;
}

export interface Fault {
  fault: FaultKind;
  message: string;
}

export type Observation =
  | ({ kind: 'statement failed' } & Fault)
  /**
   * A block could not be read, a write failed, or rows do not fit. `takesFiles`: the disk takes other files.
   */
  | ({ kind: 'look failed'; takesFiles: boolean } & Fault)
  /** Everything was given back, and a write was taken where one was tried. */
  | { kind: 'look passed' };

export type Next = { do: 'go on' } | { do: 'look'; afterMs: number } | { do: 'give up' };

export interface Decision {
  health: Health;
  next: Next;
}

export interface Rules {
  /** Before the next look at a disk that fails, ms. One that takes no file is asked again at the last. */
  pausesMs: readonly number[];
  /**
   * Whether a statement that finds the structure broken ends the process, so that nobody writes on. It is
   * damage only when a start finds it too: SQLite says "malformed" also of a page that the disk did not give
   * it (SQLITE_IOERR_CORRUPTFS becomes SQLITE_CORRUPT).
   */
  endsAtOnce: boolean;
  /**
   * After this many suspicions that starts have cleared, the store counts as damaged all the same: what keeps
   * ending the program is no passing fault.
   */
  believed: number;
}

export const WHILE_RUNNING: Rules = {
  pausesMs: [1_000, 2_000, 4_000, 8_000, 15_000],
  endsAtOnce: true,
  believed: Infinity,
};
export const AT_START: Rules = { pausesMs: [1_000, 3_000, 6_000], endsAtOnce: false, believed: 3 };
/** Suspicions that starts have cleared are counted together within this long, ms. */
export const TOGETHER_MS = 7 * 86_400_000;

export const SOUND: Health = { state: 'sound', reason: null, failures: 0, cleared: 0 };

/** @param seen the newest observation; what came of earlier ones is in `health` */
export function decide(health: Health, seen: Observation, rules: Rules): Decision {
  if (health.state === 'damaged') return { health, next: { do: 'go on' } };
  if (seen.kind === 'look passed') return passed(health, rules);
  if (seen.fault === 'structure' && (rules.endsAtOnce || seen.kind === 'look failed')) {
    return damaged(health, seen.message);
  }
  if (seen.kind === 'look failed') return failed(health, seen, rules);
  if (health.state === 'suspect') return { health, next: { do: 'go on' } };
  const suspect: Health = { ...health, state: 'suspect', reason: seen.message, failures: 0 };
  return { health: suspect, next: { do: 'look', afterMs: 0 } };
}

function passed(health: Health, { believed }: Rules): Decision {
  const cleared = health.cleared + 1;
  if (cleared >= believed) return damaged(health, health.reason);
  return { health: { ...SOUND, cleared }, next: { do: 'go on' } };
}

function failed(health: Health, seen: Fault & { takesFiles: boolean }, { pausesMs }: Rules): Decision {
  const afterMs = seen.takesFiles ? pausesMs[health.failures] : (pausesMs.at(-1) ?? 0);
  if (afterMs === undefined) return damaged(health, seen.message);
  const failures = seen.takesFiles ? health.failures + 1 : 0;
  return { health: { ...health, failures }, next: { do: 'look', afterMs } };
}

const damaged = (health: Health, reason: string | null): Decision => ({
  health: { ...health, state: 'damaged', reason },
  next: { do: 'give up' },
});
