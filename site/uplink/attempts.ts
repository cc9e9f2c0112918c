import { backoffDelay } from '../../common/backoff.ts';
import type { LinkFault } from '../site-messages.ts';

/** The first and the longest wait after a failure, ms; see DESIGN.md, "Uplink". */
const BACKOFF = { first: 500, cap: 120_000, jitter: 0.2 };

/** Failures in a row of a channel or of the link, and when the next attempt is due. */
export class Attempts {
  failures = 0;
  lastFault: LinkFault | null = null;
  /** Monotonic ms before which no attempt is made. */
  nextAt = 0;

  /** @param leastMs wait at least this long @returns the wait, ms */
  failed(fault: LinkFault, now: number, random: number, leastMs = 0): number {
    this.failures += 1;
    this.lastFault = fault;
    const wait = Math.max(backoffDelay(this.failures, BACKOFF, random), leastMs);
    this.nextAt = now + wait;
    return wait;
  }

  succeeded(): void {
    this.failures = 0;
    this.lastFault = null;
    this.nextAt = 0;
  }

  /** The next attempt is due now; the count of failures stays. */
  hasten(): void {
    this.nextAt = 0;
  }
}
