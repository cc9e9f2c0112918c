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
  #channel: Channel;
  #hub: Hub;
  #link: Link;
  #settlement: Settlement;
  #mutex: Mutex;
  #draining: () => boolean;
  #head: () => number;
  #epoch: () => string;
  #interval: number;
  #clock: Clock;
  #random: () => number;
  /** Monotonic ms. */
  #restsUntil = -Infinity;

  constructor(options: ChangeSenderOptions) {
    this.#channel = options.channel;
    this.#hub = options.hub;
    this.#link = options.link;
    this.#settlement = options.settlement;
    this.#mutex = options.mutex;
    this.#draining = options.draining;
    this.#head = options.head;
    this.#epoch = options.epoch;
    this.#interval = options.interval;
    this.#clock = options.clock;
    this.#random = options.random;
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
    if (this.#link.attempts.failures > 0) return { again: false };
    const now = this.#now();
    const dueAt = Math.max(this.#channel.dueAt, this.#draining() ? this.#restsUntil : 0);
    if (dueAt > now) return { again: false, pauseMs: Math.max(1, Math.min(dueAt - now, this.#interval)) };
    const due = this.#channel.callAt <= now;
    if (!due && this.#head() <= this.#channel.state.cursor) return { again: false };
    const { batch } = await this.#channel.take(due);
    if (batch.to === batch.after && !due) return { again: false };
    return this.#send(batch, signal);
  }

  async #send(batch: Batch, signal: AbortSignal): Promise<RoundResult> {
    const began = this.#now();
    const outcome = await this.#hub.post(batch, signal);
    const ended = this.#now();
    this.#restsUntil = ended + Math.min(ended - began, LONGEST_REST_MS);
    if (outcome.kind === 'unreachable') {
      if (signal.aborted) return { again: false };
      // The loop of the events finds out, and reports, that the link is down.
      if (outcome.late) this.#channel.shrink(batch);
      this.#channel.attempts.failed(outcome.fault, ended, this.#random());
      return { again: false };
    }
    await this.#mutex.run(async () => {
      // The positions were compared anew meanwhile; what this answer says is of the time before.
      if (batch.epoch !== this.#epoch() || this.#channel.state.cursor !== batch.after) return;
      await this.#settlement.settle(this.#channel, batch, outcome);
    });
    return { again: true };
  }

  #now(): number {
    return this.#clock.monotonic();
  }
}
