import type { Clock } from '../../clock.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, conflict, fault, forbidden, notFound } from '../../http/error.ts';
import type { EventPort } from '../event/port.ts';
import type { Watermark } from '../event/watermark.ts';
import type { SecretResolver } from '../secret/resolver.ts';
import { hostOf } from '../secret/decide.ts';
import { scanEvents, type Batch } from './scan.ts';
import type { SubscribeInput } from './schema.ts';
import type { PushPort, PushState } from '../push/port.ts';
import type { SubscriptionPort, SubscriptionRecord } from './port.ts';

export const DEFAULT_BATCH = 200;
/** Text of one answer at most, characters; a batch of unusually large events ends early, with `hasMore`. */
const MAX_TEXT = 8 * 1024 * 1024;
/** A tenant's own backlog is counted event by event, so only up to here. */
const MAX_TENANT_LAG = 1_000;
const TENANT_LAG_STEP = 100;

export interface SubscriptionServiceOptions {
  subscriptions: SubscriptionPort;
  push: PushPort;
  events: EventPort;
  epoch: () => string;
  watermark: Watermark;
  clock: Clock;
  /** Judges the references that registrations give. */
  secretResolver: Pick<SecretResolver, 'refusal'>;
}

export interface Acknowledge {
  cursor: number;
  epoch?: string | undefined;
  by?: string | undefined;
}

export class SubscriptionService {
  #subscriptions: SubscriptionPort;
  #push: PushPort;
  #events: EventPort;
  #epoch: () => string;
  #watermark: Watermark;
  #clock: Clock;
  #secretResolver: Pick<SecretResolver, 'refusal'>;

  constructor(options: SubscriptionServiceOptions) {
    this.#subscriptions = options.subscriptions;
    this.#push = options.push;
    this.#events = options.events;
    this.#epoch = options.epoch;
    this.#watermark = options.watermark;
    this.#clock = options.clock;
    this.#secretResolver = options.secretResolver;
  }

  /**
   * Registers a consumer (spec 2, "Event subscription"). @throws AppError 400 cursor_ahead, cursor_expired
   */
  async register(
    input: SubscribeInput,
    actor: string,
  ): Promise<{ subscription: SubscriptionRecord; created: boolean }> {
    if (input.secret_ref !== undefined && input.push_url === undefined)
      throw fault('secret_ref', 'signs pushes; give push_url as well');
    await this.#checkSecret(input);
    const start = await this.#start(input.start_cursor);
    return this.#subscriptions.register(
      input.consumer,
      {
        tenantCode: input.tenant_code ?? null,
        eventTypes: input.event_types && input.event_types.length > 0 ? input.event_types : null,
        minSeverity: input.min_severity ?? null,
        pushUrl: input.push_url ?? null,
        secretRef: input.secret_ref ?? null,
        enabled: input.enabled,
      },
      start,
      this.#clock.now(),
      actor,
    );
  }

  /** @throws AppError 400 where the secret is not for pushes of this tenant to this host */
  async #checkSecret({ secret_ref: ref, push_url: url, tenant_code: tenant }: SubscribeInput): Promise<void> {
    if (ref === undefined || url === undefined) return;
    const refusal = await this.#secretResolver.refusal(ref, {
      use: 'push',
      tenantCode: tenant ?? null,
      host: hostOf(url),
    });
    if (refusal !== null) throw fault('secret_ref', refusal);
  }

  /** 0 replays everything that is kept; left out, only what comes after now. */
  async #start(wanted: number | undefined): Promise<number | null> {
    if (wanted === undefined) return null;
    const { oldest, highWaterMark } = await this.#events.bounds();
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
  async since(
    consumer: string,
    options: { limit: number; includeTest: boolean; epoch?: string | undefined },
    actor: Actor,
  ): Promise<Batch & { cursor: number }> {
    const subscription = await this.#own(consumer, actor);
    if (!subscription.enabled)
      throw conflict(
        'subscription_disabled',
        `The subscription ${consumer} is disabled; enable it by registering it again.`,
      );
    const { oldest, highWaterMark } = await this.#events.bounds();
    this.#checkEpoch(options.epoch);
    this.#watermark.observe(highWaterMark, this.#clock.monotonic());
    if (subscription.cursor > highWaterMark) throw this.#ahead(highWaterMark, 409);
    if (subscription.cursor < oldest - 1) throw this.#expired(oldest, 409);
    const batch = await scanEvents(
      { events: this.#events, watermark: this.#watermark, clock: this.#clock },
      subscription,
      {
        after: subscription.cursor,
        limit: options.limit,
        includeTest: options.includeTest,
        maxText: MAX_TEXT,
      },
    );
    return { ...batch, cursor: subscription.cursor };
  }

  find(consumer: string): Promise<SubscriptionRecord | null> {
    return this.#subscriptions.get(consumer);
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
    if (epoch !== undefined) await this.#events.bounds();
    this.#checkEpoch(epoch);
    const outcome = await this.#subscriptions.ack(consumer, cursor, this.#clock.now(), by);
    if (outcome.kind === 'no_subscription') throw unknownConsumer(consumer);
    if (outcome.kind === 'ahead') throw this.#ahead(outcome.head, 400);
    return { cursor: outcome.cursor, moved: outcome.moved };
  }

  /**
   * With the backlog: events after the confirmed cursor, before filters. Other tenants' events do not count
   * where `tenantCode` is given.
   */
  async list(
    tenantCode: string | null,
  ): Promise<(SubscriptionRecord & { lag: number; push: PushState | null })[]> {
    const states = new Map((await this.#push.states()).map((state) => [state.consumer, state]));
    return (await this.#lags(tenantCode)).map((one) => ({
      ...one,
      push: one.pushUrl === null ? null : (states.get(one.consumer) ?? null),
    }));
  }

  async #lags(tenantCode: string | null): Promise<(SubscriptionRecord & { lag: number })[]> {
    const all = await this.#subscriptions.list();
    if (tenantCode !== null)
      return this.#listOf(
        tenantCode,
        all.filter((one) => one.tenantCode === tenantCode),
      );
    const { oldest, highWaterMark } = await this.#events.bounds();
    return all.map((one) => ({ ...one, lag: Math.max(0, highWaterMark - Math.max(one.cursor, oldest - 1)) }));
  }

  async #listOf(
    tenantCode: string,
    own: SubscriptionRecord[],
  ): Promise<(SubscriptionRecord & { lag: number })[]> {
    const lowest = Math.min(...own.map((one) => one.cursor));
    const ids: number[] = [];
    while (own.length > 0 && ids.length < MAX_TENANT_LAG) {
      const rows = await this.#events.list(
        { tenantCode, includeTest: true },
        ids.at(-1) ?? null,
        TENANT_LAG_STEP,
      );
      ids.push(...rows.map((row) => row.id));
      if (rows.length < TENANT_LAG_STEP || (ids.at(-1) ?? 0) <= lowest) break;
    }
    return own.map((one) => ({ ...one, lag: ids.filter((id) => id > one.cursor).length }));
  }

  async #own(consumer: string, actor: Actor): Promise<SubscriptionRecord> {
    if (actor.kind === 'key' && actor.subject !== consumer)
      throw forbidden(`This key is for the consumer ${actor.subject}.`);
    const subscription = await this.#subscriptions.get(consumer);
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
    if (epoch !== undefined && epoch !== this.#epoch()) {
      throw new AppError(
        409,
        'cursor_epoch_changed',
        'The store has another epoch than your cursor: it was restored or made anew. Read the ' +
          'subscription and go on from its cursor.',
        { extra: { epoch: this.#epoch() } },
      );
    }
  }

  #ahead(highWaterMark: number, status: number): AppError {
    return new AppError(
      status,
      'cursor_ahead',
      `The cursor is beyond the newest event, ${highWaterMark}; use only cursors that this store gave.`,
      { extra: { head: highWaterMark, epoch: this.#epoch() } },
    );
  }

  #expired(oldest: number, status: number): AppError {
    return new AppError(
      status,
      'cursor_expired',
      `Events before ${oldest} are no longer kept; acknowledge ${oldest - 1} to go on from the oldest.`,
      { extra: { oldest, epoch: this.#epoch() } },
    );
  }
}

const unknownConsumer = (consumer: string): AppError => notFound(`The consumer ${consumer}`);
