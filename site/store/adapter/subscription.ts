import { asc, eq, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import {
  changed,
  decideAck,
  registered,
  subscriptionEntry,
} from '../../../common/core/subscription/decide.ts';
import type {
  AckOutcome,
  SubscriptionFilters,
  SubscriptionPort,
  SubscriptionRecord,
} from '../../../common/core/subscription/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { pushStates, subscriptions } from '../schema/tables.ts';
import type { SiteAudit } from './audit.ts';
import type { SiteEvents } from './event.ts';
import { voidPush } from './push.ts';

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
    given: Partial<SubscriptionFilters>,
    start: number | null,
    now: number,
    actor: string,
  ): Promise<{ subscription: SubscriptionRecord; created: boolean }> {
    return this.#group.write(() => {
      const prior = this.#read(consumer);
      if (prior) return { subscription: this.#change(prior, given, now, actor), created: false };
      const subscription = registered(consumer, given, start ?? this.#events.highWaterMark, now);
      this.#orm.insert(subscriptions).values(subscription).run();
      this.#note('subscription.registered', { before: null, after: subscription, now, actor });
      return { subscription, created: true };
    });
  }

  change(
    consumer: string,
    given: Partial<SubscriptionFilters>,
    now: number,
    actor: string,
  ): Promise<SubscriptionRecord | null> {
    return this.#group.write(() => {
      const before = this.#read(consumer);
      return before && this.#change(before, given, now, actor);
    });
  }

  remove(consumer: string, now: number, actor: string): Promise<boolean> {
    return this.#group.write(() => {
      const before = this.#read(consumer);
      if (!before) return false;
      this.#orm.delete(pushStates).where(eq(pushStates.consumer, consumer)).run();
      this.#orm.delete(subscriptions).where(eq(subscriptions.consumer, consumer)).run();
      this.#note('subscription.removed', { before, after: null, now, actor });
      return true;
    });
  }

  #change(
    before: SubscriptionRecord,
    given: Partial<SubscriptionFilters>,
    now: number,
    actor: string,
  ): SubscriptionRecord {
    const { after, voidsPush } = changed(before, given, now);
    this.#orm.update(subscriptions).set(after).where(eq(subscriptions.consumer, before.consumer)).run();
    if (voidsPush) voidPush(this.#orm, before.consumer);
    this.#note('subscription.changed', { before, after, now, actor });
    return after;
  }

  #note(...step: Parameters<typeof subscriptionEntry>): void {
    this.#audit.insert({ id: this.#newId(), ...subscriptionEntry(...step) });
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
      const seen = { subscription: this.#read(consumer), head: this.#events.highWaterMark };
      const { outcome, audit } = decideAck(seen, { cursor, now, by });
      if (outcome.kind === 'acked' && outcome.moved)
        this.#orm
          .update(subscriptions)
          .set({ cursor, updatedAt: now })
          .where(eq(subscriptions.consumer, consumer))
          .run();
      if (audit) this.#audit.insert({ id: this.#newId(), ...audit });
      return outcome;
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
