import { availableParallelism } from 'node:os';

/** A sync that takes longer than this is slept through, ms. */
const SYNC_MS = 0.25;
/** A caller that waits for each answer has its next request here within this, ms. */
const RETURN_MS = 0.1;
/** Writes that lie further apart than this, ms, are not one caller's in a row: nothing is spent on them. */
const ROW_MS = 1;

/**
 * Keeps the event loop turning, without blocking it, through the short waits of a caller that sends one write after
 * another, such as a camera that sends what it kept while the network was away. A thread that sleeps instead wakes up
 * twice an event, in a cold processor: a third of the time that such a caller waits. It costs nothing where
 * writes are more than a millisecond apart or share their syncs, or where the disk is slow.
 */
export class Vigil {
  #now: () => number;
  #processors: number;
  #began = -Infinity;
  #ended = -Infinity;
  #lastSync = Infinity;
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
    this.#inRow = this.#began - this.#ended < ROW_MS && this.#lastSync < SYNC_MS;
    if (this.#inRow) this.#keep(this.#began + SYNC_MS);
  }

  /** It is durable, and its caller is being answered. */
  syncEnded(): void {
    this.#ended = this.#now();
    this.#lastSync = this.#ended - this.#began;
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
