// When a file is tried again, and when it is given up. Pure.
import { PARSING_TIMEOUT_MS } from '../document/decide.ts';
import type { ClaimTimes } from './port.ts';

/** A reading whose hub does not say for so long that it is at it is begun anew, ms. */
export const LEASE_MS = 30_000;
/** What a program uploads may be followed by its clauses, which are not to be read here meanwhile, ms. */
const LEFT_MS = 5 * 60_000;
/** So often a file is begun; what ends each of them is the file. */
export const MOST_ATTEMPTS = 3;
/** Longer after each attempt, so that other files are read meanwhile, ms. */
const AGAIN_MS = 30_000;

export const claimTimes = (now: number): ClaimTimes => ({
  leasedUntil: now + LEASE_MS,
  staleBefore: now - PARSING_TIMEOUT_MS,
  leftBefore: now - LEFT_MS,
});

/** Whether a file was begun as often as it may be, and ended its readers each time. */
export const isGivenUp = ({ attempts }: { attempts: number }): boolean => attempts > MOST_ATTEMPTS;

export const againAt = ({ attempts }: { attempts: number }, now: number): number => now + AGAIN_MS * attempts;
