import type { Clock } from '../../clock.ts';
import { AppError } from '../../http/error.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { gauge, type Metric } from '../../metrics.ts';
import { type ConsumerFilter, consumerSees } from '../event/decide.ts';
import type { EventPort } from '../event/port.ts';
import type { Watermark } from '../event/watermark.ts';
import { servedThrough } from './scan.ts';

/** The store is asked so often for new events while somebody waits, ms: so late may they be. */
const LOOK_MS = 50;
/** With nobody waiting it is not asked; whoever begins to wait wakes the loop. */
const IDLE_MS = 3_600_000;
/** New events that are told apart in one look; of more everybody looks for himself. */
const MOST_TALLIED = 20_000;
/** Calls of one consumer that wait at a time: those of its processes, and of one that was started anew. */
const MOST_OF_ONE = 4;

export interface ArrivalOptions {
  events: EventPort;
  watermark: Watermark;
  clock: Clock;
  log: Logger;
  /** Calls that wait at a time, of all consumers: each keeps a connection. */
  most: number;
}

/** Whoever waits: what it is to see, and the id that it has looked up to. */
export interface Awaited {
  filter: ConsumerFilter;
  includeTest: boolean;
  after: number;
}

interface Waiter extends Awaited {
  wake: () => void;
}

/**
 * Tells waiting calls of events that have become servable (spec 2, "Pull rules" 4). One look serves all who
 * wait, and wakes those whose filters let something through. Invariant: after `close` nobody waits, and
 * nobody will.
 */
export class Arrivals {
  readonly loop: Loop;
  closed = false;
  readonly #options: ArrivalOptions;
  readonly #waiting = new Set<Waiter>();
  readonly #calls = new Map<string, number>();
  #held = 0;
  /** Whoever waits has looked up to here, or is woken. */
  #through = 0;

  constructor(options: ArrivalOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'waiting pulls',
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
   * @throws AppError 429 of a consumer that waits often enough; 503 where too many wait
   */
  enter(consumer: string): () => void {
    const own = this.#calls.get(consumer) ?? 0;
    if (own >= MOST_OF_ONE)
      throw new AppError(
        429,
        'too_many_waits',
        `${MOST_OF_ONE} calls of the consumer ${consumer} wait already; read their answers, or end them.`,
        { retryAfterSeconds: 5 },
      );
    if (this.#held >= this.#options.most)
      throw new AppError(
        503,
        'overloaded',
        'As many calls are waiting here as there is room for. Pull without waiting, or wait again later.',
        { retryAfterSeconds: 5 },
      );
    this.#calls.set(consumer, own + 1);
    this.#held += 1;
    return () => {
      this.#held -= 1;
      const left = (this.#calls.get(consumer) ?? 1) - 1;
      if (left === 0) this.#calls.delete(consumer);
      else this.#calls.set(consumer, left);
    };
  }

  /**
   * Waits until there is something to look for, for `ms` at most, or until the caller has gone.
   * @returns the id up to which nothing is for this consumer
   */
  async news(awaited: Awaited, ms: number, gone: AbortSignal): Promise<number> {
    if (this.closed || gone.aborted || ms <= 0 || awaited.after < this.#through) return awaited.after;
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const waiter: Waiter = { ...awaited, wake };
    const timer = setTimeout(wake, ms);
    gone.addEventListener('abort', wake);
    if (this.#waiting.size === 0) this.#through = awaited.after;
    this.#waiting.add(waiter);
    if (this.#waiting.size === 1) this.loop.kick();
    await woken;
    clearTimeout(timer);
    gone.removeEventListener('abort', wake);
    this.#waiting.delete(waiter);
    return waiter.after;
  }

  /** Ends every wait, so that the calls are answered before the connections are closed. */
  close(): void {
    this.closed = true;
    for (const { wake } of this.#waiting) wake();
  }

  async #look(): Promise<RoundResult> {
    if (this.#waiting.size === 0) return { again: false, pauseMs: IDLE_MS };
    const { events } = this.#options;
    const { highWaterMark } = await events.bounds();
    const from = this.#through;
    const through = await servedThrough(this.#options, { after: from, highWaterMark });
    if (through > from) {
      const found = through - from > MOST_TALLIED ? null : await events.tally(from, through - from);
      this.#through = through;
      for (const waiter of this.#waiting) {
        if (waiter.after >= through) continue;
        const some = found?.some((event) => consumerSees(waiter.filter, event, waiter.includeTest)) ?? true;
        if (some) waiter.wake();
        else waiter.after = through;
      }
    }
    return { again: false };
  }
}

export const arrivalMetrics = (arrivals: Arrivals): Metric[] => [
  gauge(
    'fieldline_pulls_waiting',
    'Calls of consumers that are held until there are events for them',
    () => arrivals.held,
  ),
];
