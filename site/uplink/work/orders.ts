import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../common/clock.ts';
import { eventKey, type EventPort } from '../../../common/core/event/port.ts';
import type { FeedbackPort } from '../../../common/core/feedback/port.ts';
import type { TryResult } from '../../../common/core/feedback/sender.ts';
import { bodyFault } from '../../../common/core/task/body.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import type { Message } from '../../../common/message.ts';
import { toldFault } from '../../../common/uplink/fault.ts';
import { type Order, orderForm } from '../../../common/uplink/order.ts';
import type { OrderRefusal } from './decide.ts';
import type { Carried, OrderPort, OrdersUnderWay, SentOrder } from './port.ts';

export interface OrdersOptions {
  orders: OrderPort;
  events: Pick<EventPort, 'byKeys'>;
  feedback: Pick<FeedbackPort, 'get'>;
  /** Tells the camera now. */
  firstTry: (feedbackId: string, reader: { tenantCode: string | null }) => Promise<TryResult>;
  clock: Clock;
  log: Logger;
}

/** Messages to cameras that one round tries. */
const TRIES = 16;
const INTERVAL_MS = 3_000;

/** What is needed to refuse an order whose form this version does not know. */
const nameForm = z.object({
  order_id: z.string().check(z.minLength(1), z.maxLength(128)),
  tenant_code: z._default(z.string().check(z.maxLength(64)), ''),
});
/** The members that tell which orders concern the same task. */
const placeForm = z.object({
  order_id: z.string(),
  made_by: z._default(z.nullable(z.string()), null),
  task: z._default(z.nullable(z.object({ id: z.int() })), null),
});

/**
 * Carries out the orders of headquarters on tasks, each once, as its answers bring them (design §6, "Beside
 * the two channels"). The camera is told in rounds of their own, so that one that hangs does not hold the
 * uplink; a message that was to be tried when the program ended is tried after the next start.
 */
export class Orders {
  readonly loop: Loop;
  /** Since the start. */
  readonly counts = { carriedOut: 0, refused: 0, failed: 0 };
  /** Of the last answer of headquarters: those that could not be carried out and come again. */
  failing = { count: 0, since: null as number | null, reason: null as string | null };
  #orders: OrderPort;
  #events: Pick<EventPort, 'byKeys'>;
  #feedback: Pick<FeedbackPort, 'get'>;
  #firstTry: (feedbackId: string, reader: { tenantCode: string | null }) => Promise<TryResult>;
  #clock: Clock;
  #log: Logger;

  constructor(options: OrdersOptions) {
    this.#orders = options.orders;
    this.#events = options.events;
    this.#feedback = options.feedback;
    this.#firstTry = options.firstTry;
    this.#clock = options.clock;
    this.#log = options.log;
    this.loop = new Loop({
      name: 'uplink orders',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  /**
   * Headquarters repeats an order until it is answered, so one that failed comes again; later orders on the
   * same task wait for it.
   */
  async take(orders: readonly unknown[]): Promise<void> {
    const failed = new Set<string>();
    let held = 0;
    let reason: string | null = null;
    for (const value of orders) {
      const named = placeForm.safeParse(value).data;
      const task = named && (named.task?.id.toString() ?? named.made_by ?? named.order_id);
      if (task !== undefined && failed.has(task)) {
        held += 1;
        continue;
      }
      try {
        const carried = await this.#carry(value);
        if (carried === 'carried_out') this.counts.carriedOut += 1;
        if (carried === 'refused') this.counts.refused += 1;
      } catch (error) {
        if (task !== undefined) failed.add(task);
        this.counts.failed += 1;
        held += 1;
        reason = (error as Error).message;
        this.#log.error(
          { err: error, orderId: named?.order_id },
          'an order of headquarters could not be carried out',
        );
      }
    }
    const since = held === 0 ? null : (this.failing.since ?? this.#clock.now());
    this.failing = { count: held, since, reason };
    if (orders.length > 0) this.loop.kick();
  }

  /** Those whose message to the camera is yet to be tried. */
  get underWay(): OrdersUnderWay {
    return this.#orders.underWay();
  }

  /** Tells the cameras, and notes what came of it. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    const sent = this.#orders.sent(TRIES);
    for (const order of sent) {
      if (signal.aborted) return { again: false };
      const pushed = await this.#tell(order);
      await this.#orders.settle(order.orderId, pushed, stampOf(this.#clock));
    }
    return { again: sent.length === TRIES };
  }

  /** @throws Error for an order without a usable id, which therefore cannot be answered */
  async #carry(value: unknown): Promise<Carried> {
    const parsed = orderForm.safeParse(value);
    if (!parsed.success)
      return this.#refuse(value, {
        code: 'order_not_understood',
        params: { where: toldFault(parsed.error, value) },
      });
    const fault = faultOf(parsed.data);
    if (fault !== null) return this.#refuse(value, { code: 'order_body_refused', params: { fault } });
    return this.#orders.carry(parsed.data, await this.#eventOf(parsed.data), stampOf(this.#clock));
  }

  async #refuse(value: unknown, reason: OrderRefusal): Promise<Carried> {
    const { order_id: orderId, tenant_code: tenantCode } = nameForm.parse(value);
    return (await this.#orders.refuse({ orderId, tenantCode, reason }, stampOf(this.#clock)))
      ? 'refused'
      : 'answered';
  }

  async #eventOf({ body, tenant_code: tenantCode }: Order): Promise<number | null> {
    if (body.kind !== 'create') return null;
    const idempotencyKey = body.event_key;
    const found = await this.#events.byKeys([{ tenantCode, idempotencyKey }]);
    return found.get(eventKey(tenantCode, idempotencyKey))?.id ?? null;
  }

  /** A message that the background rounds have tried meanwhile, as after a start, is not tried again here. */
  async #tell({ feedbackId, tenantCode }: SentOrder): Promise<TryResult> {
    const message = await this.#feedback.get(feedbackId);
    if (message?.state === 'delivered') return { delivered: true, error: null };
    const { delivered, error } = await this.#firstTry(feedbackId, { tenantCode });
    if (error === null) return { delivered, error };
    // It stands beside an order that is done: the camera's refusal must not be taken for that of the order.
    const goesOn = (await this.#feedback.get(feedbackId))?.state === 'pending';
    const then = goesOn ? 'the site tries again for up to 7 days' : 'it is not tried again';
    return { delivered, error: `the camera did not hear of it at the first try (${error}); ${then}` };
  }
}

const faultOf = ({ body }: Order): Message | null =>
  body.kind === 'create' || body.kind === 'body' ? bodyFault(body.body) : null;
