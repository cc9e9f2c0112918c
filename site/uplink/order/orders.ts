import { type Clock, stampOf } from '../../../common/clock.ts';
import type { FeedbackPort } from '../../../common/core/feedback/port.ts';
import type { TryResult } from '../../../common/core/feedback/sender.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import type { OrderPort, OrdersUnderWay, SentOrder } from './port.ts';

export interface OrdersOptions {
  orders: OrderPort;
  feedback: Pick<FeedbackPort, 'get'>;
  /** Tells the camera now. */
  firstTry: (feedbackId: string, reader: { tenantCode: string | null }) => Promise<TryResult>;
  clock: Clock;
  log: Logger;
}

/** Messages to cameras that one round tries. */
const TRIES = 16;
const INTERVAL_MS = 3_000;

/**
 * Tells the cameras what orders of headquarters have for them (DESIGN.md, "The inbox down"), in rounds of its
 * own, so that one that hangs does not hold the inbox; a message that was to be tried when the program ended
 * is tried after the next start.
 */
export class Orders {
  readonly loop: Loop;
  readonly #options: OrdersOptions;

  constructor(options: OrdersOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'uplink orders',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  /** Those whose message to the camera is yet to be tried. */
  get underWay(): OrdersUnderWay {
    return this.#options.orders.underWay();
  }

  /** Tells the cameras, and notes what came of it. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    const sent = this.#options.orders.sent(TRIES);
    for (const order of sent) {
      if (signal.aborted) return { again: false };
      const pushed = await this.#tell(order);
      await this.#options.orders.settle(order.orderId, pushed, stampOf(this.#options.clock));
    }
    return { again: sent.length === TRIES };
  }

  /** A message that the background rounds have tried meanwhile, as after a start, is not tried again here. */
  async #tell({ feedbackId, tenantCode }: SentOrder): Promise<TryResult> {
    const message = await this.#options.feedback.get(feedbackId);
    if (message?.state === 'delivered') return { delivered: true, error: null };
    const { delivered, error } = await this.#options.firstTry(feedbackId, { tenantCode });
    if (error === null) return { delivered, error };
    // It stands beside an order that is done: the camera's refusal must not be taken for that of the order.
    const goesOn = (await this.#options.feedback.get(feedbackId))?.state === 'pending';
    const then = goesOn ? 'the site tries again for up to 7 days' : 'it is not tried again';
    return { delivered, error: `the camera did not hear of it at the first try (${error}); ${then}` };
  }
}
