import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import type { Batch } from '../batch/batch.ts';
import type { Channel } from '../channel.ts';
import type { Hub } from '../hub.ts';
import type { Link } from '../link.ts';
import type { Mutex } from '../mutex.ts';
import type { Settlement } from '../settlement.ts';

export interface ChangeSenderOptions {
  channel: Channel;
  hub: Hub;
  link: Link;
  settlement: Settlement;
  /** Held while an answer is processed, so that no position changes during a round of the events. */
  mutex: Mutex;
  /** Whether events have a backlog to send. */
  draining: () => boolean;
  /** Newest number of the log; it is asked for often, and costs nothing. */
  head: () => number;
  epoch: () => string;
  interval: number;
  clock: Clock;
  log: Logger;
  random: () => number;
}

/** Longest rest between two requests while events have a backlog, ms. */
const LONGEST_REST_MS = 2_000;

/**
 * Sends the log of changes beside the channel of events (DESIGN.md, "One log up"), one small request at a
 * time, so that neither waits for the other. While events have a backlog it rests after each request for as
 * long as that took: half of the line and of headquarters is theirs at least.
 */
export class ChangeSender {
  readonly loop: Loop;
  readonly #options: ChangeSenderOptions;
  /** Monotonic ms. */
  #restsUntil = -Infinity;

  constructor(options: ChangeSenderOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'uplink changes',
      interval: options.interval,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
      random: options.random,
    });
  }

  /** Makes one request when one is due. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    // Whether headquarters can be reached is found out by the events.
    if (this.#options.link.attempts.failures > 0) return { again: false };
    const now = this.#now();
    const dueAt = Math.max(this.#options.channel.dueAt, this.#options.draining() ? this.#restsUntil : 0);
    if (dueAt > now)
      return { again: false, pauseMs: Math.max(1, Math.min(dueAt - now, this.#options.interval)) };
    const due = this.#options.channel.callAt <= now;
    if (!due && this.#options.head() <= this.#options.channel.state.cursor) return { again: false };
    const { batch } = await this.#options.channel.take(due);
    if (batch.to === batch.after && !due) return { again: false };
    return this.#send(batch, signal);
  }

  async #send(batch: Batch, signal: AbortSignal): Promise<RoundResult> {
    const began = this.#now();
    const outcome = await this.#options.hub.post(batch, signal);
    const ended = this.#now();
    this.#restsUntil = ended + Math.min(ended - began, LONGEST_REST_MS);
    if (outcome.kind === 'unreachable') {
      if (signal.aborted) return { again: false };
      // The loop of the events finds out, and reports, that the link is down.
      if (outcome.late) this.#options.channel.shrink(batch);
      this.#options.channel.attempts.failed(outcome.fault, ended, this.#options.random());
      return { again: false };
    }
    await this.#options.mutex.run(async () => {
      // The positions were compared anew meanwhile; what this answer says is of the time before.
      if (batch.epoch !== this.#options.epoch() || this.#options.channel.state.cursor !== batch.after) return;
      await this.#options.settlement.settle(this.#options.channel, batch, outcome);
    });
    return { again: true };
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}
