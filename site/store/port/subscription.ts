import { asc, eq, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { sameFilters } from '../../../common/core/push/decide.ts';
import { acknowledgement } from '../../../common/core/subscription/decide.ts';
import type {
  AckOutcome,
  SubscriptionFilters,
  SubscriptionPort,
  SubscriptionRecord,
} from '../../../common/core/subscription/port.ts';
import type { SiteAudit } from './audit.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { SiteEvents } from './event.ts';
import { voidPush } from './push.ts';
import { subscriptions } from '../schema/tables.ts';

export class SiteSubscriptions implements SubscriptionPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #events: SiteEvents;
  #audit: SiteAudit;
  #newId: () => string;
  #byConsumer: ReturnType<typeof prepareByConsumer>;

  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    events: SiteEvents,
    audit: SiteAudit,
    newId: () => string,
  ) {
    this.#group = group;
    this.#orm = orm;
    this.#events = events;
    this.#audit = audit;
    this.#newId = newId;
    this.#byConsumer = prepareByConsumer(orm);
  }

  register(
    consumer: string,
    filters: SubscriptionFilters,
    start: number | null,
    now: number,
    actor: string,
  ): Promise<{ subscription: SubscriptionRecord; created: boolean }> {
    return this.#group.write(() => {
      const prior = this.#read(consumer);
      const cursor = prior?.cursor ?? start ?? this.#events.highWaterMark;
      const subscription: SubscriptionRecord = {
        consumer,
        ...pick(filters),
        cursor,
        pushCursor: prior?.pushCursor ?? cursor,
        createdAt: prior?.createdAt ?? now,
        updatedAt: now,
      };
      this.#orm
        .insert(subscriptions)
        .values(subscription)
        .onConflictDoUpdate({ target: subscriptions.consumer, set: subscription })
        .run();
      if (prior && !sameFilters(prior, filters)) voidPush(this.#orm, consumer);
      this.#audit.insert({
        id: this.#newId(),
        at: now,
        actor,
        action: prior ? 'subscription.changed' : 'subscription.registered',
        subject: `subscription:${consumer}`,
        tenantCode: filters.tenantCode,
        before: prior,
        after: subscription,
      });
      return { subscription, created: prior === null };
    });
  }

  async get(consumer: string): Promise<SubscriptionRecord | null> {
    return this.#read(consumer);
  }

  async list(): Promise<SubscriptionRecord[]> {
    return this.all();
  }

  /** Also what the open transaction has written. */
  all(): SubscriptionRecord[] {
    return this.#orm.select().from(subscriptions).orderBy(asc(subscriptions.consumer)).all();
  }

  ack(consumer: string, cursor: number, now: number, by?: string): Promise<AckOutcome> {
    return this.#group.write((): AckOutcome => {
      const subscription = this.#read(consumer);
      if (!subscription) return { kind: 'no_subscription' };
      if (cursor > this.#events.highWaterMark) return { kind: 'ahead', head: this.#events.highWaterMark };
      if (cursor <= subscription.cursor) return { kind: 'acked', cursor: subscription.cursor, moved: false };
      this.#orm
        .update(subscriptions)
        .set({ cursor, updatedAt: now })
        .where(eq(subscriptions.consumer, consumer))
        .run();
      if (by !== undefined)
        this.#audit.insert({ id: this.#newId(), ...acknowledgement(subscription, { cursor, now, by }) });
      return { kind: 'acked', cursor, moved: true };
    });
  }

  #read(consumer: string): SubscriptionRecord | null {
    return this.#byConsumer.get({ consumer }) ?? null;
  }
}

/** Asked by every pull. */
const prepareByConsumer = (orm: BetterSQLite3Database) =>
  orm
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.consumer, sql.placeholder('consumer')))
    .prepare();

function pick({
  tenantCode,
  eventTypes,
  minSeverity,
  pushUrl,
  secretRef,
  enabled,
}: SubscriptionFilters): SubscriptionFilters {
  return { tenantCode, eventTypes, minSeverity, pushUrl, secretRef, enabled };
}
