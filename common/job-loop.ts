import type { Clock } from './clock.ts';
import { InFlightJobs } from './in-flight-jobs.ts';
import type { Logger } from './log.ts';
import { Loop, type RoundResult } from './loop.ts';

export interface JobLoopOptions {
  name: string;
  /** Pause between rounds, milliseconds. */
  interval: number;
  /** Pieces of work under way at once. */
  concurrency: number;
  /**
   * What is under way has this long to end of itself when the loop stops, milliseconds; otherwise it is
   * aborted at once.
   */
  stopWithinMs?: number;
  clock: Clock;
  log: Logger;
  /** Told of what a piece of work throws, also while it is being aborted, unless it is the abort itself. */
  onError: (error: unknown, key: string) => void;
}

/**
 * Background work that goes on side by side: a round starts what is due and waits for none of it. After
 * `stop()` nothing runs.
 */
export abstract class JobLoop {
  readonly loop: Loop;
  protected readonly inFlight: InFlightJobs;
  readonly #stopWithinMs: number;

  constructor({
    name,
    interval,
    concurrency: atOnce,
    stopWithinMs = 0,
    clock,
    log,
    onError,
  }: JobLoopOptions) {
    this.inFlight = new InFlightJobs(atOnce, onError);
    this.#stopWithinMs = stopWithinMs;
    this.loop = new Loop({
      name,
      interval,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.round(),
    });
  }

  /** Starts what is due, as far as there is room. */
  abstract round(): Promise<RoundResult>;

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.inFlight.stop(this.#stopWithinMs);
  }

  /** Resolves when what was under way has ended. */
  settled(): Promise<void> {
    return this.inFlight.settled();
  }
}
