import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { AppError } from '../error.ts';

/** The store is asked so often for what is new while somebody waits, ms: so late may that be. */
const LOOK_MS = 50;
/** With nobody waiting it is not asked; whoever begins to wait wakes the loop. */
const IDLE_MS = 3_600_000;
/** Calls of one caller that wait at a time: those of its processes, and of one that was started anew. */
const MOST_OF_ONE = 4;

/** What is new behind a position: up to where, and for whom. */
export interface News<W> {
  through: number;
  isFor: (who: W) => boolean;
}

export interface WaitingCallOptions<W> {
  /** Of the loop that looks. */
  name: string;
  /** null: nothing is new. */
  look: (from: number) => Promise<News<W> | null>;
  /** Calls that wait at a time, of all callers: each keeps a connection. */
  most: number;
  log: Logger;
}

type WaitFor = (after: number, ms: number, gone: AbortSignal) => Promise<void>;

interface Waiter<W> {
  who: W;
  /** Up to where it has looked, or was found to have nothing. */
  after: number;
  wake: () => void;
}

/**
 * Tells calls that wait of what is new in a numbered order. One look serves all who wait, and wakes those
 * that something is for. Invariant: after `close` nobody waits, and nobody will.
 */
export class WaitingCalls<W> {
  readonly loop: Loop;
  closed = false;
  readonly #options: WaitingCallOptions<W>;
  readonly #waiting = new Set<Waiter<W>>();
  readonly #calls = new Map<string, number>();
  #held = 0;
  /** Whoever waits has looked up to here, or is woken. */
  #through = 0;

  constructor(options: WaitingCallOptions<W>) {
    this.#options = options;
    this.loop = new Loop({
      name: options.name,
      interval: LOOK_MS,
      backoff: { first: LOOK_MS, cap: 2_000, jitter: 0.2 },
      log: options.log,
      round: () => this.#look(),
    });
  }

  /** Calls that are held. */
  get held(): number {
    return this.#held;
  }

  /**
   * Takes a call in that waits, also between two of its waits. @returns to be called once, when it is over
   * @throws AppError 429 of a caller that waits often enough; 503 where too many wait
   */
  enter(caller: string): () => void {
    const own = this.#calls.get(caller) ?? 0;
    if (own >= MOST_OF_ONE)
      throw new AppError(
        429,
        'too_many_waits',
        `${MOST_OF_ONE} calls of ${caller} wait already; read their answers, or end them.`,
        { retryAfterSeconds: 5 },
      );
    if (this.#held >= this.#options.most)
      throw new AppError(
        503,
        'overloaded',
        'As many calls wait here as there is room for. Ask without waiting, or wait again later.',
        { retryAfterSeconds: 5 },
      );
    this.#calls.set(caller, own + 1);
    this.#held += 1;
    return () => {
      this.#held -= 1;
      const left = (this.#calls.get(caller) ?? 1) - 1;
      if (left === 0) this.#calls.delete(caller);
      else this.#calls.set(caller, left);
    };
  }

  /**
   * Waits until there is something to look for, for `ms` at most, or until the caller has gone.
   * Whoever is woken looks from where it last looked itself: what is for it may be another thing by now.
   * @param after up to where it has looked
   */
  async news(who: W, after: number, ms: number, gone: AbortSignal): Promise<void> {
    if (this.closed || gone.aborted || ms <= 0) return;
    // The others were told of more already.
    if (this.#waiting.size > 0 && after < this.#through) return;
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const waiter = { who, after, wake };
    const timer = setTimeout(wake, ms);
    gone.addEventListener('abort', wake);
    if (this.#waiting.size === 0) this.#through = after;
    this.#waiting.add(waiter);
    if (this.#waiting.size === 1) this.loop.kick();
    await woken;
    clearTimeout(timer);
    gone.removeEventListener('abort', wake);
    this.#waiting.delete(waiter);
  }

  /** For one who waits. @param who may be another after each look */
  of(who: () => W): { readonly closed: boolean; waitFor: WaitFor } {
    const calls = this;
    return {
      get closed() {
        return calls.closed;
      },
      waitFor: (after, ms, gone) => calls.news(who(), after, ms, gone),
    };
  }

  /** Ends every wait, so that the calls are answered before the connections are closed. */
  close(): void {
    this.closed = true;
    for (const { wake } of this.#waiting) wake();
  }

  async #look(): Promise<RoundResult> {
    if (this.#waiting.size === 0) return { again: false, pauseMs: IDLE_MS };
    const from = this.#through;
    const news = await this.#options.look(from);
    if (news && news.through > from) {
      this.#through = news.through;
      for (const waiter of this.#waiting) {
        if (waiter.after >= news.through) continue;
        // Whoever began to wait during the look may have looked less far than where it began.
        if (waiter.after < from || news.isFor(waiter.who)) waiter.wake();
        else waiter.after = news.through;
      }
    }
    return { again: false };
  }
}
