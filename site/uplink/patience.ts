/** So long an answer is waited for at least, ms: one hub of two that is frozen is left within 10 s. */
const LEAST_MS = 7_000;
const MOST_MS = 60_000;
/** Bytes a second that a slow line brings across at least: what is handed to the system is not there yet. */
const SLOWEST = 32 * 1024;

/**
 * How long headquarters may be silent before a call is given up and goes again by a new connection. Where it
 * is alive and slow, it is given more time, so that it is not asked the same again and again.
 */
export class Patience {
  #ms = LEAST_MS;

  forBody(bytes: number): number {
    return Math.min(MOST_MS, this.#ms + Math.ceil((bytes * 1000) / SLOWEST));
  }

  /** @param tookMs the whole call */
  answered(tookMs: number): void {
    this.#ms = Math.min(MOST_MS, Math.max(LEAST_MS, 2 * tookMs));
  }

  failed(): void {
    this.#ms = Math.min(MOST_MS, 2 * this.#ms);
  }
}
