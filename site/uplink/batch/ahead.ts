import { backoffDelay } from '../../../common/backoff.ts';
import type { Outcome } from '../answer.ts';
import type { Unreachable } from '../hub.ts';
import type { Batch } from './batch.ts';

/** The first and the longest time for which none is sent ahead after one was not taken, ms. */
const BACKOFF = { first: 1_000, cap: 120_000, jitter: 0.2 };

/** A batch that was sent while the one before it was on its way. */
export interface Sent {
  readonly outcome: Promise<Outcome | Unreachable>;
  readonly abort: AbortController;
}

export interface Next {
  readonly batch: Batch;
  /** null: it was not sent yet. */
  readonly sent: Sent | null;
}

/**
 * Whether `next` may leave while `current` is on its way. Headquarters can put in order only what joins, and
 * nothing may be sent on a guess: while it is being found out what a batch was refused for, or after whatever
 * went wrong, batches go one at a time.
 */
export const mayGoAhead = (current: Batch, next: Batch, confirmed: number): boolean =>
  current.marks.length > 0 &&
  next.marks.length > 0 &&
  current.withheld.length + next.withheld.length === 0 &&
  current.after === confirmed &&
  current.epoch === next.epoch &&
  next.after === current.to &&
  next.from === next.after;

/**
 * What follows the batch of a channel that is on its way: kept ready, or sent ahead of its answer.
 * Invariants: the outcome of a batch that was sent ahead is looked at after that of the one before, and only
 * when all of that one was taken; nothing but its being taken is believed of it, so that whatever else it met
 * with is met again by a batch with nothing before it.
 */
export class Ahead {
  #next: Next | null = null;
  /** The last batch was taken whole, and nothing has gone wrong since. */
  #inStride = false;
  #failures = 0;
  /** Monotonic ms before which nothing is sent ahead. */
  #pausedUntil = -Infinity;

  get isEmpty(): boolean {
    return this.#next === null;
  }

  keep(batch: Batch): void {
    this.drop();
    this.#next = { batch, sent: null };
  }

  /**
   * Sends what is kept ready, if it may leave now. @param current is on its way
   * @param confirmed position that headquarters has answered @param now monotonic ms
   */
  send(
    { current, confirmed, now }: { current: Batch; confirmed: number; now: number },
    post: (batch: Batch, signal: AbortSignal) => Promise<Outcome | Unreachable>,
  ): void {
    const { batch, sent } = this.#next ?? { batch: null, sent: null };
    if (!batch || sent || !this.#inStride || now < this.#pausedUntil) return;
    if (!mayGoAhead(current, batch, confirmed)) return;
    const abort = new AbortController();
    const outcome = post(batch, abort.signal);
    // Whoever takes it hears of a failure; of one that was given up nobody needs to.
    outcome.catch(() => abort.abort());
    this.#next = { batch, sent: { outcome, abort } };
  }

  /** What stands after `cursor`; null: nothing does, and what does not fit is given up. */
  take(cursor: number, epoch: string): Next | null {
    const next = this.#next;
    if (next?.batch.after !== cursor || next.batch.epoch !== epoch) {
      this.drop();
      return null;
    }
    this.#next = null;
    return next;
  }

  /** A batch was answered. @param whole all of it was taken */
  settled(whole: boolean): void {
    this.#inStride = whole;
  }

  /** A batch that was sent ahead was taken. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** A batch that was sent ahead was not taken. @param now monotonic ms @returns for how long none is, ms */
  failed(outcome: Outcome | Unreachable, now: number, random: number): number {
    this.#failures += 1;
    const asked = outcome.kind === 'failed' ? outcome.retryAfterMs : 0;
    const pause = Math.max(backoffDelay(this.#failures, BACKOFF, random), asked);
    this.#pausedUntil = now + pause;
    return pause;
  }

  /** Gives up what is ready and what was sent. */
  drop(): void {
    this.#next?.sent?.abort.abort();
    this.#next = null;
  }

  /** Something went wrong: what comes next goes alone. */
  halt(): void {
    this.drop();
    this.#inStride = false;
  }
}
