import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import type { Batch } from '../batch/batch.ts';
import type { Channel } from '../channel.ts';
import type { Hub } from '../hub.ts';
import type { Link } from '../link.ts';
import type { Mutex } from '../mutex.ts';
import type { Settlement } from '../settlement.ts';

export interface WorkSenderOptions {
  channel: Channel;
  hub: Hub;
  link: Link;
  settlement: Settlement;
  /** Held while an answer is processed, so that no position changes during a round of another sender. */
  mutex: Mutex;
  /** Whether the channels of events and verdicts have a backlog to send. */
  draining: () => boolean;
  epoch: () => string;
  interval: number;
  clock: Clock;
  log: Logger;
  random: () => number;
}

/**
 * While events and verdicts have a backlog, tasks and groups send one small request per this interval, ms.
 */
const TURN_MS = 2_000;

/**
 * Sends tasks and incident groups beside the channels of events and verdicts (DESIGN.md, "Beside the two
 * channels"), in requests of its own that those never wait for.
 */
export class WorkSender {
  readonly loop: Loop;
  #channel: Channel;
  #hub: Hub;
  #link: Link;
  #settlement: Settlement;
  #mutex: Mutex;
  #draining: () => boolean;
  #epoch: () => string;
  #interval: number;
  #clock: Clock;
  #random: () => number;
  #sentAt = -Infinity;

  constructor(options: WorkSenderOptions) {
    this.#channel = options.channel;
    this.#hub = options.hub;
    this.#link = options.link;
    this.#settlement = options.settlement;
    this.#mutex = options.mutex;
    this.#draining = options.draining;
    this.#epoch = options.epoch;
    this.#interval = options.interval;
    this.#clock = options.clock;
    this.#random = options.random;
    this.loop = new Loop({
      name: 'uplink work',
      interval: options.interval,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
      random: options.random,
    });
  }

  /** Makes one request when one is due. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    if (this.#link.state !== 'up' || this.#link.backingOff) return { again: false };
    const now = this.#now();
    const dueAt = Math.max(this.#channel.dueAt, this.#draining() ? this.#sentAt + TURN_MS : 0);
    if (dueAt > now) return { again: false, pauseMs: Math.max(1, Math.min(dueAt - now, this.#interval)) };
    const { batch } = await this.#channel.take(this.#channel.callAt <= now);
    if (batch.to === batch.after && this.#channel.callAt > now) return { again: false };
    return this.#send(batch, signal);
  }

  async #send(batch: Batch, signal: AbortSignal): Promise<RoundResult> {
    this.#sentAt = this.#now();
    const outcome = await this.#hub.post(batch, signal);
    if (outcome.kind === 'unreachable') {
      if (signal.aborted) return { again: false };
      // The loop of the events channel finds out, and reports, that the link is down.
      if (outcome.late) this.#channel.shrink(batch);
      this.#channel.attempts.failed(outcome.fault, this.#now(), this.#random());
      return { again: false };
    }
    await this.#mutex.run(async () => {
      // The positions were compared anew meanwhile; what this answer says is of the time before.
      if (batch.epoch !== this.#epoch() || this.#channel.state.cursor !== batch.after) return;
      await this.#settlement.settle(this.#channel, batch, outcome);
    });
    return { again: outcome.kind === 'answered' && batch.to > batch.after };
  }

  #now(): number {
    return this.#clock.monotonic();
  }
}
