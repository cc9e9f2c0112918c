import { availableParallelism } from 'node:os';

/** Syncs longer than this, by their running mean, are not waited for in a busy loop, ms. */
const FAST_SYNC_MS = 0.4;
/**
 * Weight of the last sync in the running mean: among fast ones there are always a few that are far slower.
 */
const WEIGHT = 0.1;
/** A caller that waits for each answer sends its next request within this, ms. */
const NEXT_REQUEST_MS = 0.2;
/** Writes further apart than this do not count as a sequence of one caller, ms. */
const IN_A_ROW_MS = 1;

/**
 * A busy-wait for the short syncs of a caller that sends one write after another, such as a camera that sends
 * what it kept while the network was away: the event loop goes on turning for a moment instead of sleeping. A
 * thread that sleeps wakes up twice per event on a cold processor, which is a third of the time that such a
 * caller waits. Nothing is spent where writes are more than a millisecond apart or share their syncs, or
 * where the disk is slow.
 */
export class SpinWindow {
  #now: () => number;
  #processors: number;
  #began = -Infinity;
  #ended = -Infinity;
  /** Running mean of the syncs, ms; null before the first. */
  #meanSync: number | null = null;
  #inRow = false;
  #until = -Infinity;
  #spinning = false;

  /** @param now monotonic milliseconds; it must advance */
  constructor(now: () => number = () => performance.now(), processors = availableParallelism()) {
    this.#now = now;
    this.#processors = processors;
  }

  /** The sync of a single write begins. */
  syncBegins(): void {
    this.#began = this.#now();
    this.#inRow =
      this.#began - this.#ended < IN_A_ROW_MS && this.#meanSync !== null && this.#meanSync < FAST_SYNC_MS;
    if (this.#inRow) this.#spinUntil(this.#began + FAST_SYNC_MS);
  }

  /** The sync has ended, and its caller is being answered. */
  syncEnded(): void {
    this.#ended = this.#now();
    const took = this.#ended - this.#began;
    this.#meanSync = this.#meanSync === null ? took : this.#meanSync + (took - this.#meanSync) * WEIGHT;
    if (this.#inRow) this.#spinUntil(this.#ended + NEXT_REQUEST_MS);
  }

  #spinUntil(until: number): void {
    // The thread that syncs would have to wait for the only processor.
    if (this.#processors < 2) return;
    this.#until = until;
    if (this.#spinning) return;
    this.#spinning = true;
    const turn = (): void => {
      if (this.#now() < this.#until) setImmediate(turn);
      else this.#spinning = false;
    };
    setImmediate(turn);
  }
}
