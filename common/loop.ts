import { backoffDelay, type BackoffOptions } from './backoff.ts';
import type { Logger } from './log.ts';
import { SecretError } from './secret/secret.ts';

/** What a round says about the next one: at once, otherwise after `pauseMs`, otherwise after the interval. */
export type RoundResult = { again: boolean; pauseMs?: number };

export interface LoopOptions {
  name: string;
  /** Pause between rounds, milliseconds. */
  interval: number;
  /** Whether a round lasts as long as a connection, which its own watch ends; a long one is then no hang. */
  lasting?: boolean;
  backoff?: BackoffOptions;
  log: Logger;
  round: (signal: AbortSignal) => Promise<RoundResult | void>;
  random?: () => number;
  /** Monotonic milliseconds, for the age of a failure and the watchdog. */
  monotonic?: () => number;
}

const DEFAULT_BACKOFF: BackoffOptions = { first: 250, cap: 120_000, jitter: 0.2 };
/** A loop that has failed for longer than this logs at error instead of warn. */
const LOUD_AFTER_MS = 60_000;

/** Loops of this process that were started and not stopped. */
const running = new Set<Loop>();

/** Names of the loops whose round has been under way for longer than `afterMs`. */
export function stuckLoops(afterMs: number, monotonic: () => number = () => performance.now()): string[] {
  return [...running]
    .filter(
      ({ lasting, roundSince }) => !lasting && roundSince !== null && monotonic() - roundSince > afterMs,
    )
    .map(({ name }) => name);
}

/**
 * The one shape of background work: rounds one after another, jittered
 * backoff after a failure, reset on success. Invariants: at most one round
 * runs; after `stop()` has returned none runs and none will.
 */
export class Loop {
  readonly name: string;
  readonly lasting: boolean;
  consecutiveFailures = 0;
  lastError: string | null = null;
  /** Monotonic time at which a round last ended, in whichever way. */
  lastFinishedAt: number;
  /** When the round that runs began, by the process's own clock; null between rounds. */
  roundSince: number | null = null;
  /** Monotonic time before which no round is due; Infinity while a round runs. */
  nextDueAt: number;
  #interval: number;
  #backoff: BackoffOptions | undefined;
  #log: Logger;
  #round: (signal: AbortSignal) => Promise<RoundResult | void>;
  #random: (() => number) | undefined;
  #abort = new AbortController();
  #running: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #kicked = false;
  #failingSince: number | null = null;
  #monotonic: () => number;

  constructor(options: LoopOptions) {
    this.#interval = options.interval;
    this.#backoff = options.backoff;
    this.#log = options.log;
    this.#round = options.round;
    this.#random = options.random;
    this.name = options.name;
    this.lasting = options.lasting ?? false;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.lastFinishedAt = this.#monotonic();
    this.nextDueAt = this.lastFinishedAt;
  }

  start(): void {
    if (this.#running || this.#abort.signal.aborted) return;
    running.add(this);
    this.#running = this.#run();
  }

  /** Runs the next round at once, also out of a backoff. */
  kick(): void {
    this.#kicked = true;
    this.#wake?.();
  }

  /** Aborts the running round, waits for it to end, and never re-arms. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#wake?.();
    await this.#running;
    running.delete(this);
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      this.nextDueAt = Infinity;
      this.roundSince = performance.now();
      const pause = await this.#once(signal);
      this.roundSince = null;
      this.lastFinishedAt = this.#monotonic();
      this.nextDueAt = this.lastFinishedAt + pause;
      if (pause > 0) await this.#sleep(pause);
      this.#kicked = false;
    }
  }

  async #once(signal: AbortSignal): Promise<number> {
    try {
      const result = await this.#round(signal);
      this.consecutiveFailures = 0;
      this.lastError = null;
      this.#failingSince = null;
      return result?.again ? 0 : (result?.pauseMs ?? this.#interval);
    } catch (error) {
      if (signal.aborted) return 0;
      return this.#failed(error);
    }
  }

  #failed(error: unknown): number {
    this.consecutiveFailures += 1;
    this.lastError = error instanceof Error ? error.message : String(error);
    this.#failingSince ??= this.#monotonic();
    const pause = backoffDelay(
      this.consecutiveFailures,
      this.#backoff ?? DEFAULT_BACKOFF,
      (this.#random ?? Math.random)(),
    );
    const level = this.#monotonic() - this.#failingSince > LOUD_AFTER_MS ? 'error' : 'warn';
    this.#log[level](
      {
        loop: this.name,
        ...(error instanceof SecretError ? { reason: error.message } : { err: error }),
        failures: this.consecutiveFailures,
        retryInMs: pause,
      },
      'round failed',
    );
    return pause;
  }

  #sleep(ms: number): Promise<void> {
    if (this.#kicked || this.#abort.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const self = this;
      function done(): void {
        clearTimeout(timer);
        self.#wake = null;
        resolve();
      }
      this.#wake = done;
    });
  }
}
