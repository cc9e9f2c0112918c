import { availableParallelism } from 'node:os';

/**
 * A disk whose syncs take longer than this, as a rule, is slept through; of one that is faster the first so
 * many ms are stayed awake for.
 */
const SYNC_MS = 0.4;
/**
 * What the last sync weighs in the rule. Among fast ones there are always a few that are several times
 * slower.
 */
const WEIGHT = 0.1;
/** A caller that waits for each answer has its next request here within this, ms. */
const RETURN_MS = 0.2;
/** Writes that lie further apart than this, ms, are not one caller's in a row: nothing is spent on them. */
const ROW_MS = 1;

/**
 * Keeps the event loop turning, without blocking it, through the short waits of a caller that sends one write
 * after another, such as a camera that sends what it kept while the network was away. A thread that sleeps
 * instead wakes up twice an event, in a cold processor: a third of the time that such a caller waits. It
 * costs nothing where writes are more than a millisecond apart or share their syncs, or where the disk is
 * slow.
 */
export class Vigil {
  #now: () => number;
  #processors: number;
  #began = -Infinity;
  #ended = -Infinity;
  /** A running mean, ms. */
  #usual: number | null = null;
  #inRow = false;
  #until = -Infinity;
  #turning = false;

  /** @param now monotonic milliseconds; it must go on */
  constructor(now: () => number = () => performance.now(), processors = availableParallelism()) {
    this.#now = now;
    this.#processors = processors;
  }

  /** The sync of a single write begins. */
  syncBegins(): void {
    this.#began = this.#now();
    this.#inRow = this.#began - this.#ended < ROW_MS && this.#usual !== null && this.#usual < SYNC_MS;
    if (this.#inRow) this.#keep(this.#began + SYNC_MS);
  }

  /** It is durable, and its caller is being answered. */
  syncEnded(): void {
    this.#ended = this.#now();
    const took = this.#ended - this.#began;
    this.#usual = this.#usual === null ? took : this.#usual + (took - this.#usual) * WEIGHT;
    if (this.#inRow) this.#keep(this.#ended + RETURN_MS);
  }

  #keep(until: number): void {
    // The thread that syncs would wait for the only processor.
    if (this.#processors < 2) return;
    this.#until = until;
    if (this.#turning) return;
    this.#turning = true;
    const turn = (): void => {
      if (this.#now() < this.#until) setImmediate(turn);
      else this.#turning = false;
    };
    setImmediate(turn);
  }
}
