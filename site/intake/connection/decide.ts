// When a connection is tried again.
import { backoffDelay, type BackoffOptions } from '../../../common/backoff.ts';
import type { Condition } from '../record.ts';

/**
 * After five to seven wrong passwords in half an hour cameras lock the account, for every program that uses
 * it.
 */
const SELDOM: BackoffOptions = { first: 900_000, cap: 3_600_000, jitter: 0.1 };
/** As long as a device is left alone at most that refused a password, ms. */
export const LONGEST_REFUSED_MS = SELDOM.cap * (1 + (SELDOM.jitter ?? 0));
const SOON: BackoffOptions = { first: 1_000, cap: 60_000, jitter: 0.2 };
/** What somebody has to mend in the device. */
const LATER: BackoffOptions = { first: 5_000, cap: 300_000, jitter: 0.2 };

const PAUSES: Readonly<Record<Condition, BackoffOptions>> = {
  connecting: SOON,
  connected: SOON,
  silent: SOON,
  unreachable: SOON,
  not_stored: SOON,
  refused: SELDOM,
  tls: LATER,
  clock: LATER,
  broken: LATER,
};

/** A connection that stood so long, ms, was a good one: what ended it is the first failure again. */
export const STOOD_MS = 30_000;

/**
 * Pause before the next try, ms.
 * @param failures in a row, this one too
 * @param random a number in [0, 1)
 */
export const pauseAfter = (condition: Condition, failures: number, random: number): number =>
  backoffDelay(failures, PAUSES[condition], random);
