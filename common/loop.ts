import { backoffDelay, type BackoffOptions } from './backoff.ts';
import type { Logger } from './log.ts';
import { SecretError } from './secret/secret.ts';

/** What a round says about the next one: at once, otherwise after `pauseMs`, otherwise after the interval. */
export type RoundResult = { again: boolean; pauseMs?: number };

export interface LoopOptions {
  /** What it does. All that do the same have the same one, and are counted together. */
  name: string;
  /** Which of those that do the same, where there are several. */
  about?: string;
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

/** A loop that fails as often, and for as long, does not get better by itself. */
const FAILING = { rounds: 5, ms: 120_000 } as const;

/** Loops of this process that were started and not stopped. */
const running = new Set<Loop>();
/** Rounds of all loops of a name since this process began. */
const counts = new Map<string, { runs: number; failures: number }>();
/** Told when a loop has begun to fail for good, or works again. */
const watchers = new Set<() => void>();

/** Rounds of the loops of this process, and how many of them failed, by name. */
export const loopCounts = (): ReadonlyMap<string, Readonly<{ runs: number; failures: number }>> => counts;

export interface FailingLoop {
  name: string;
  about: string | null;
  failures: number;
  forMs: number;
  error: string;
}

/** The loops of this process that fail for good, whoever made them. */
export const failingLoops = (): FailingLoop[] => [...running].flatMap((loop) => loop.failing() ?? []);

/** Every loop that has failed tries again now: what they all failed of may be over. */
export function retryFailed(): void {
  for (const loop of running) if (loop.consecutiveFailures > 0) loop.kick();
}

/** Every loop that rests runs its next round now: for tests, where time passes that nobody waits for. */
export function runAll(): void {
  for (const loop of running) loop.kick();
}

/** @param told when the loops that fail for good are others @returns ends it */
export function watchLoops(told: () => void): () => void {
  watchers.add(told);
  return () => void watchers.delete(told);
}

/** Names of the loops whose round has been under way for longer than `afterMs`. */
export function stuckLoops(afterMs: number, monotonic: () => number = () => performance.now()): string[] {
  return [...running]
    .filter(
      ({ lasting, roundSince }) => !lasting && roundSince !== null && monotonic() - roundSince > afterMs,
    )
    .map(({ name, about }) => (about === null ? name : `${name} ${about}`));
}

/**
 * The one shape of background work: rounds one after another, jittered
 * backoff after a failure, reset on success. Invariants: at most one round
 * runs; after `stop()` has returned none runs and none will.
 */
export class Loop {
  readonly name: string;
  readonly about: string | null;
  readonly lasting: boolean;
  consecutiveFailures = 0;
  lastError: string | null = null;
  /** Monotonic time at which a round last ended, in whichever way. */
  lastFinishedAt: number;
  /** When the round that runs began, by the process's own clock; null between rounds. */
  roundSince: number | null = null;
  /** Monotonic time before which no round is due; Infinity while a round runs. */
  nextDueAt: number;
  readonly #options: LoopOptions;
  #abort = new AbortController();
  #running: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #kicked = false;
  #failingSince: number | null = null;
  /** Whether those who watch were told that it fails for good. */
  #told = false;
  #counts: { runs: number; failures: number };
  #monotonic: () => number;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.name = options.name;
    this.about = options.about ?? null;
    this.#counts = counts.get(options.name) ?? { runs: 0, failures: 0 };
    counts.set(options.name, this.#counts);
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

  /** What it fails of for good; null where it works, or may get better by itself. */
  failing(): FailingLoop | null {
    const { name, about, consecutiveFailures: failures } = this;
    if (this.#failingSince === null) return null;
    const forMs = this.#monotonic() - this.#failingSince;
    if (failures < FAILING.rounds || forMs < FAILING.ms) return null;
    return { name, about, failures, forMs, error: this.lastError ?? '' };
  }

  #tell(failing: boolean): void {
    if (this.#told === failing) return;
    this.#told = failing;
    for (const told of watchers) told();
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
    this.#counts.runs += 1;
    try {
      const result = await this.#options.round(signal);
      this.consecutiveFailures = 0;
      this.lastError = null;
      this.#failingSince = null;
      this.#tell(false);
      return result?.again ? 0 : (result?.pauseMs ?? this.#options.interval);
    } catch (error) {
      if (signal.aborted) return 0;
      return this.#failed(error);
    }
  }

  #failed(error: unknown): number {
    this.consecutiveFailures += 1;
    this.#counts.failures += 1;
    this.lastError = error instanceof Error ? error.message : String(error);
    this.#failingSince ??= this.#monotonic();
    if (this.failing()) this.#tell(true);
    const pause = backoffDelay(
      this.consecutiveFailures,
      this.#options.backoff ?? DEFAULT_BACKOFF,
      (this.#options.random ?? Math.random)(),
    );
    const level = this.#monotonic() - this.#failingSince > LOUD_AFTER_MS ? 'error' : 'warn';
    this.#options.log[level](
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
