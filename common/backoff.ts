export interface BackoffOptions {
  /** First delay in milliseconds. */
  first: number;
  /** Longest delay in milliseconds. */
  cap: number;
  /** Share of the delay that is random, 0 to 1. */
  jitter: number;
}

/** No wait of anything that is sent again is longer, ms. */
export const LONGEST_WAIT_MS = 600_000;

/** A next try after this time was set before the wall clock stepped back, and is due. */
export const stepBackBound = (now: number): number => now + 2 * LONGEST_WAIT_MS;

/**
 * Delay before the next try after `failures` failures in a row (1 or more),
 * doubling from `first` up to `cap`, spread by ±`jitter`.
 * @param random a number in [0, 1)
 */
export function backoffDelay(failures: number, options: BackoffOptions, random: number): number {
  const doubled = options.first * 2 ** Math.min(Math.max(failures, 1) - 1, 30);
  const spread = 1 + options.jitter * (2 * random - 1);
  return Math.round(Math.min(options.cap, Math.min(doubled, options.cap) * spread));
}
