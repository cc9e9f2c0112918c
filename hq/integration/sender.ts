import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { JobLoop } from '../../common/job-loop.ts';
import type { Logger } from '../../common/log.ts';
import type { RoundResult } from '../../common/loop.ts';
import { hubMessages } from '../hub-messages.ts';
import { decideAttempt, IN_FLIGHT } from './decide.ts';
import type { DeliveryQueuePort, DeliverySignal } from './port.ts';
import type { DeliveryPost } from './post.ts';
import type { ClaimedDelivery, SettleDelivery } from './record.ts';

/** The signal is a hint only; retries come due without one. */
const INTERVAL_MS = 1_000;
/** Longer than an attempt can last, so that a claim runs out only when its process is gone. */
export const LEASE_MS = 30_000;
/** What is under way has this long to end when the hub stops, ms. */
const STOP_WITHIN_MS = 3_000;

export interface SenderOptions {
  queue: DeliveryQueuePort;
  signal: DeliverySignal;
  alarms: AlarmPort;
  post: DeliveryPost;
  clock: Clock;
  log: Logger;
  instance: string;
  random?: () => number;
  /** Told at each point of a delivery at which the process may die. */
  onStep?: ((step: DeliveryStep) => void) | undefined;
}

export type DeliveryStep = 'claimed' | 'answered' | 'settled';

/** Sends what is due to webhooks. Any number of processes do it side by side (spec 1, "Delivery rules"). */
export class DeliverySender extends JobLoop {
  readonly counts = { attempts: 0, delivered: 0, failed: 0, exhausted: 0 };
  readonly #options: SenderOptions;
  #random: () => number;

  constructor(options: SenderOptions) {
    const { clock, log } = options;
    super({
      name: 'webhook deliveries',
      interval: INTERVAL_MS,
      concurrency: IN_FLIGHT.all,
      stopWithinMs: STOP_WITHIN_MS,
      clock,
      log,
      onError: (error, delivery) =>
        log.warn(
          { err: error, delivery },
          'the outcome of a delivery could not be recorded; it is sent again when its claim runs out',
        ),
    });
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  override start(): void {
    super.start();
    this.#options.signal.start(() => this.loop.kick());
  }

  /** Attempts under way may end within STOP_WITHIN_MS; those that do not count as failed. */
  override async stop(): Promise<void> {
    await this.#options.signal.stop();
    await super.stop();
  }

  /** Starts what is due, as far as there is room, and waits for none. */
  override async round(): Promise<RoundResult> {
    const { capacity } = this.inFlight;
    if (capacity === 0) return { again: false };
    const { claimed, more } = await this.#options.queue.claim(
      this.#options.clock.now(),
      this.#options.clock.newId(),
      LEASE_MS,
      capacity,
    );
    for (const delivery of claimed)
      this.inFlight.start(delivery.id, (signal) => this.#attempt(delivery, signal));
    return { again: more && this.inFlight.capacity > 0 };
  }

  async #attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    this.counts.attempts += 1;
    this.#options.onStep?.('claimed');
    const result = await this.#options.post(delivery, signal);
    this.#options.onStep?.('answered');
    const settled = decideAttempt(delivery, result, this.#options.clock.now(), this.#random());
    // Before the record, so that no process can end between a delivery that was given up and the word of it.
    if (settled.status === 'failed' || settled.unsent) await this.#raise(delivery, settled);
    const recorded = await this.#options.queue.settle(settled);
    this.#options.onStep?.('settled');
    if (settled.status === 'success') this.counts.delivered += 1;
    else this.counts.failed += 1;
    if (settled.status === 'failed' && recorded) this.counts.exhausted += 1;
    if (settled.status === 'success' && recorded && delivery.failures > 0)
      await this.#options.alarms.clear(failingAlarm(delivery.webhookId), null, this.#options.clock.now());
    // Its webhook may have more deliveries that waited for this slot.
    this.loop.kick();
  }

  /**
   * One alarm a webhook, from the first delivery that was given up to the next that is taken; upkeep clears
   * what is dealt with otherwise.
   */
  async #raise(
    { webhookId, webhookName, tenantCode }: ClaimedDelivery,
    { lastError, unsent }: SettleDelivery,
  ): Promise<void> {
    this.#options.log.warn(
      { webhook: webhookId, tenant: tenantCode, reason: lastError },
      unsent ? 'a delivery could not be sent' : 'a delivery was given up',
    );
    await this.#options.alarms.raise(
      {
        key: failingAlarm(webhookId),
        instance: this.#options.instance,
        shared: true,
        tenantCode,
        severity: unsent ? 'critical' : 'warning',
        ...alarmText(
          hubMessages,
          {
            code: unsent ? 'webhook_unsigned' : 'webhook_failing',
            params: { webhook: webhookName },
          },
          { webhookId, lastError },
        ),
      },
      this.#options.clock.now(),
    );
  }
}

/** Begins the key of the alarm of one webhook. */
export const FAILING_ALARM = 'webhook.failing:';

export const failingAlarm = (webhookId: string): string => FAILING_ALARM + webhookId;
