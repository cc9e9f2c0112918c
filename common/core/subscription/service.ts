import type { Clock } from '../../clock.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, badRequest, conflict, forbidden, notFound } from '../../http/error.ts';
import { faultOf } from '../../http/fault/fault.ts';
import type { AlarmPort } from '../alarm/port.ts';
import type { ConsumerFilter } from '../event/decide.ts';
import type { EventPort } from '../event/port.ts';
import { MAX_TEXT } from '../event/service.ts';
import type { Watermark } from '../event/watermark.ts';
import type { PushPort, PushState } from '../push/port.ts';
import { hostOf } from '../secret/decide.ts';
import type { SecretResolver } from '../secret/resolver.ts';
import { givenBy, merged } from './decide.ts';
import { type Lag, withLags } from './lag.ts';
import type { SubscriptionFilters, SubscriptionPort, SubscriptionRecord } from './port.ts';
import { type Batch, scanEvents } from './scan.ts';
import type { SubscribeInput, SubscriptionChange } from './schema.ts';
import { fault } from './subscription-fault-messages.ts';

export const DEFAULT_BATCH = 200;

export interface SubscriptionServiceOptions {
  subscriptions: SubscriptionPort;
  push: PushPort;
  events: EventPort;
  alarms: Pick<AlarmPort, 'clear'>;
  epoch: () => string;
  watermark: Watermark;
  clock: Clock;
  /** Judges the references that registrations give. */
  secretResolver: Pick<SecretResolver, 'refusal'>;
}

export interface Pull {
  limit: number;
  includeTest: boolean;
  epoch?: string | undefined;
  /** Up to which the consumer has been told already, where that is beyond its cursor. */
  after?: number;
  /** Bytes of event text at most. */
  maxText?: number;
}

/** A batch, the id after which it begins, and by which filters. */
export interface Pulled extends Batch {
  after: number;
  filter: ConsumerFilter;
}

export interface Acknowledge {
  cursor: number;
  epoch?: string | undefined;
  by?: string | undefined;
}

export class SubscriptionService {
  readonly #options: SubscriptionServiceOptions;

  constructor(options: SubscriptionServiceOptions) {
    this.#options = options;
  }

  /**
   * Registers a consumer, or changes what is given (spec 2, "Event subscription"). @throws AppError 400
   * cursor_ahead, cursor_expired
   */
  async register(
    { consumer, start_cursor: start, ...change }: SubscribeInput,
    actor: string,
  ): Promise<{ subscription: SubscriptionRecord; created: boolean }> {
    const given = givenBy(change);
    await this.#checkSecret(merged(await this.#options.subscriptions.get(consumer), given), given);
    const from = await this.#start(start);
    return this.#options.subscriptions.register(consumer, given, from, this.#options.clock.now(), actor);
  }

  /**
   * Changes what is given; with `enabled` alone it pauses a consumer or sets it going.
   * @param tenantCode of whose consumers the caller may change; null: of every one
   * @throws AppError 400, 404
   */
  async change(
    consumer: string,
    { change, by }: { change: SubscriptionChange; by: string },
    tenantCode: string | null,
  ): Promise<SubscriptionRecord> {
    const before = await this.#options.subscriptions.get(consumer);
    if (!before || (tenantCode !== null && before.tenantCode !== tenantCode)) throw unknownConsumer(consumer);
    const given = givenBy(change);
    await this.#checkSecret(merged(before, given), given);
    const after = await this.#options.subscriptions.change(consumer, given, this.#options.clock.now(), by);
    if (!after) throw unknownConsumer(consumer);
    return after;
  }

  /** @throws AppError 404 */
  async remove(consumer: string, actor: string): Promise<void> {
    const now = this.#options.clock.now();
    if (!(await this.#options.subscriptions.remove(consumer, now, actor))) throw unknownConsumer(consumer);
    for (const kind of ['failing', 'missed'])
      await this.#options.alarms.clear(`push_${kind}:${consumer}`, null, now);
  }

  /** @throws AppError 400 where the secret is not for pushes of this tenant to this host */
  async #checkSecret(
    { secretRef: ref, pushUrl: url, tenantCode }: SubscriptionFilters,
    given: Partial<SubscriptionFilters>,
  ): Promise<void> {
    if (ref === null) return;
    if (url === null) throw fault('secret_ref', 'push_address_needed');
    if (!('secretRef' in given || 'pushUrl' in given || 'tenantCode' in given)) return;
    const refusal = await this.#options.secretResolver.refusal(ref, {
      use: 'push',
      tenantCode,
      host: hostOf(url),
    });
    if (refusal !== null) throw badRequest([faultOf('secret_ref', refusal)]);
  }

  /** 0 replays everything that is kept; left out, only what comes after now. */
  async #start(wanted: number | undefined): Promise<number | null> {
    if (wanted === undefined) return null;
    const { oldest, highWaterMark } = await this.#options.events.bounds();
    if (wanted > highWaterMark) throw this.#ahead(highWaterMark, 400);
    if (wanted === 0) return oldest - 1;
    if (wanted < oldest - 1) throw this.#expired(oldest, 400);
    return wanted;
  }

  /**
   * The batch after the consumer's confirmed cursor (spec 2, "Pull rules").
   * @throws AppError 404 unknown consumer; 409 cursor_epoch_changed, cursor_ahead, cursor_expired,
   *   subscription_disabled
   */
  async since(consumer: string, options: Pull, actor: Actor): Promise<Pulled> {
    const subscription = await this.#own(consumer, actor);
    if (!subscription.enabled)
      throw conflict(
        'subscription_disabled',
        `The subscription ${consumer} is disabled; set it going with PATCH ` +
          '/api/core/subscriptions/{consumer}.',
      );
    const { oldest, highWaterMark } = await this.#options.events.bounds();
    this.#checkEpoch(options.epoch);
    const after = Math.max(subscription.cursor, options.after ?? 0);
    if (after > highWaterMark) throw this.#ahead(highWaterMark, 409);
    if (after < oldest - 1) throw this.#expired(oldest, 409);
    const batch = await scanEvents(
      { events: this.#options.events, watermark: this.#options.watermark, clock: this.#options.clock },
      subscription,
      {
        after,
        limit: options.limit,
        includeTest: options.includeTest,
        highWaterMark,
        maxText: options.maxText ?? MAX_TEXT,
      },
    );
    return { ...batch, after, filter: subscription };
  }

  find(consumer: string): Promise<SubscriptionRecord | null> {
    return this.#options.subscriptions.get(consumer);
  }

  /**
   * The only operation that moves the cursor (spec 2, POST /api/core/events/ack).
   * @param by who does it in the consumer's place, for the audit; the consumer itself is not audited
   * @throws AppError 400 cursor_ahead, 404, 409 cursor_epoch_changed
   */
  async ack(
    consumer: string,
    { cursor, epoch, by }: Acknowledge,
    actor: Actor,
  ): Promise<{ cursor: number; moved: boolean }> {
    await this.#own(consumer, actor);
    // The bounds bring the epoch along, which another process may have renewed.
    if (epoch !== undefined) await this.#options.events.bounds();
    this.#checkEpoch(epoch);
    const outcome = await this.#options.subscriptions.ack(consumer, cursor, this.#options.clock.now(), by);
    if (outcome.kind === 'no_subscription') throw unknownConsumer(consumer);
    if (outcome.kind === 'ahead') throw this.#ahead(outcome.head, 400);
    return { cursor: outcome.cursor, moved: outcome.moved };
  }

  /**
   * With the backlog: events after the confirmed cursor that the filters let through.
   * @param tenantCode those of this tenant alone
   */
  async list(tenantCode: string | null): Promise<(SubscriptionRecord & Lag & { push: PushState | null })[]> {
    const states = new Map((await this.#options.push.states()).map((state) => [state.consumer, state]));
    const all = await this.#options.subscriptions.list();
    return (await withLags(this.#options.events, all, tenantCode)).map((one) => ({
      ...one,
      push: one.pushUrl === null ? null : (states.get(one.consumer) ?? null),
    }));
  }

  async #own(consumer: string, actor: Actor): Promise<SubscriptionRecord> {
    if (actor.kind === 'key' && actor.subject !== consumer)
      throw forbidden(`This key is for the consumer ${actor.subject}.`);
    const subscription = await this.#options.subscriptions.get(consumer);
    if (subscription && (actor.tenantCode === null || subscription.tenantCode === actor.tenantCode))
      return subscription;
    if (actor.kind !== 'key' || actor.tenantCode === null) throw unknownConsumer(consumer);
    throw new AppError(
      404,
      'not_found',
      `No subscription ${consumer} is registered for the tenant of this key; have one registered for it.`,
    );
  }

  #checkEpoch(epoch: string | undefined): void {
    if (epoch !== undefined && epoch !== this.#options.epoch()) {
      throw new AppError(
        409,
        'cursor_epoch_changed',
        'The store has another epoch than your cursor: it was restored or made anew. Read the ' +
          'subscription and go on from its cursor.',
        { extra: { epoch: this.#options.epoch() } },
      );
    }
  }

  #ahead(highWaterMark: number, status: number): AppError {
    return new AppError(
      status,
      'cursor_ahead',
      `The cursor is beyond the newest event, ${highWaterMark}; use only cursors that this store gave.`,
      { extra: { head: highWaterMark, epoch: this.#options.epoch() } },
    );
  }

  #expired(oldest: number, status: number): AppError {
    return new AppError(
      status,
      'cursor_expired',
      `Events before ${oldest} are no longer kept; acknowledge ${oldest - 1} to go on from the oldest.`,
      { extra: { oldest, epoch: this.#options.epoch() } },
    );
  }
}

const unknownConsumer = (consumer: string): AppError => notFound(`The consumer ${consumer}`);
