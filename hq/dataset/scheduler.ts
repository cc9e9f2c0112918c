import { backoffDelay } from '../../common/backoff.ts';
import type { Clock } from '../../common/clock.ts';
import { JobLoop } from '../../common/job-loop.ts';
import { holdingLease } from '../../common/lease.ts';
import type { Logger } from '../../common/log.ts';
import type { RoundResult } from '../../common/loop.ts';
import type { PullPort } from './port.ts';
import type { Puller } from './puller.ts';
import type { PullLease, Source } from './record.ts';
import { nextRun } from './schedule.ts';

const INTERVAL_MS = 2_000;
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
/** Sources that one process pulls at once. */
const AT_ONCE = 4;
const BACKOFF = { first: 30_000, cap: 900_000, jitter: 0.2 };

export interface PullSchedulerOptions {
  port: PullPort;
  puller: Puller;
  clock: Clock;
  log: Logger;
  random?: () => number;
}

/**
 * Starts pulls when they are due, each under a lease, so that several hub processes never pull one source
 * twice at a time.
 */
export class PullScheduler extends JobLoop {
  readonly #options: PullSchedulerOptions;
  #random: () => number;

  constructor(options: PullSchedulerOptions) {
    const { clock, log } = options;
    super({
      name: 'dataset pull',
      interval: INTERVAL_MS,
      concurrency: AT_ONCE,
      clock,
      log,
      onError: (error, source) =>
        log.warn(
          { err: error, source },
          'a dataset pull could not be recorded; it goes on from its last page',
        ),
    });
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /** Takes the sources that are due, as many as there is room for, and waits for none. */
  override async round(): Promise<RoundResult> {
    while (this.inFlight.capacity > 0) {
      const now = this.#options.clock.now();
      const claim = { token: this.#options.clock.newId(), until: now + LEASE_MS };
      const source = await this.#options.port.claim(claim, now);
      if (!source) break;
      this.inFlight.start(`${source.id} ${claim.token}`, (signal) =>
        this.#pull(source, { sourceId: source.id, ...claim }, signal),
      );
    }
    return { again: false };
  }

  async #pull(source: Source, lease: PullLease, signal: AbortSignal): Promise<void> {
    const extend = (): PullLease => Object.assign(lease, { until: this.#options.clock.now() + LEASE_MS });
    try {
      const { error } = await holdingLease(
        () => this.#options.port.renew(extend()),
        RENEW_MS,
        signal,
        (held) => this.#options.puller.run(source, lease, held),
      );
      await this.#options.port.release(lease, { nextRunAt: this.#next(source, error), error });
    } catch (error) {
      // A stop or a lost lease is no failure of the source's: another process, or this one after its start,
      // goes on at once.
      const stopped = signal.aborted;
      const reason = error instanceof Error ? error.message : String(error);
      await this.#options.port.release(
        lease,
        stopped
          ? { nextRunAt: this.#options.clock.now(), error: source.lastError }
          : { nextRunAt: this.#next(source, reason), error: reason },
      );
      throw error;
    }
  }

  /** Next run by the schedule; after a failure it may be earlier. Epoch ms; null: no further run. */
  #next(source: Source, error: string | null): number | null {
    const now = this.#options.clock.now();
    const scheduled = nextRun(source.schedule, now);
    if (error === null) return scheduled;
    const retry = now + backoffDelay(source.failures + 1, BACKOFF, this.#random());
    return scheduled === null ? retry : Math.min(scheduled, retry);
  }
}
