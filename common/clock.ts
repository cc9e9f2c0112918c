import { randomUUID } from 'node:crypto';

/**
 * The only source of time and identifiers. Injected everywhere, so that tests
 * can step the wall clock without touching the monotonic one.
 */
export interface Clock {
  /** Wall clock, epoch milliseconds. May step in either direction. */
  now: () => number;
  /** Milliseconds that never step; meaningful only as differences within one process. */
  monotonic: () => number;
  newId: () => string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  newId: () => randomUUID(),
};

/** What one decision needs of the outside: the time it was taken and fresh ids. */
export interface Stamp {
  now: number;
  newId: () => string;
}

/** The moment of one command, and where its ids come from, so that what decides on it reads no clock. */
export function stampOf(clock: Clock): Stamp {
  return { now: clock.now(), newId: () => clock.newId() };
}
