import { asc, eq } from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
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
import type { Database, Tx } from '../engine/database.ts';
import { counters, pushStates, subscriptions } from '../schema/tables.ts';
import { appendAudit } from './audit.ts';
import { voidPush } from './push.ts';

export class HubSubscriptions implements SubscriptionPort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  register(
    consumer: string,
    given: Partial<SubscriptionFilters>,
    start: number | null,
    now: number,
    actor: string,
  ): Promise<{ subscription: SubscriptionRecord; created: boolean }> {
    return this.#database.transaction(async (tx) => {
      // Made first, so that of two first registrations at once one waits for the other's row.
      const fresh = registered(consumer, given, start ?? (await eventHead(tx)), now);
      const [made] = await tx.db.insert(subscriptions).values(fresh).onConflictDoNothing().returning();
      const before = made ? null : await locked(tx, consumer);
      if (before) return { subscription: await this.#change(tx, before, given, now, actor), created: false };
      await this.#note(tx, 'subscription.registered', { before: null, after: fresh, now, actor });
      return { subscription: fresh, created: true };
    });
  }

  change(
    consumer: string,
    given: Partial<SubscriptionFilters>,
    now: number,
    actor: string,
  ): Promise<SubscriptionRecord | null> {
    return this.#database.transaction(async (tx) => {
      const before = await locked(tx, consumer);
      return before && this.#change(tx, before, given, now, actor);
    });
  }

  remove(consumer: string, now: number, actor: string): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const before = await locked(tx, consumer);
      if (!before) return false;
      await tx.db.delete(pushStates).where(eq(pushStates.consumer, consumer));
      await tx.db.delete(subscriptions).where(eq(subscriptions.consumer, consumer));
      await this.#note(tx, 'subscription.removed', { before, after: null, now, actor });
      return true;
    });
  }

  async #change(
    tx: Tx,
    before: SubscriptionRecord,
    given: Partial<SubscriptionFilters>,
    now: number,
    actor: string,
  ): Promise<SubscriptionRecord> {
    const { after, voidsPush } = changed(before, given, now);
    const { consumer } = before;
    await tx.db.update(subscriptions).set(after).where(eq(subscriptions.consumer, consumer));
    if (voidsPush) await voidPush(tx, consumer);
    await this.#note(tx, 'subscription.changed', { before, after, now, actor });
    return after;
  }

  async #note(tx: Tx, ...step: Parameters<typeof subscriptionEntry>): Promise<void> {
    await appendAudit(tx, { id: this.#clock.newId(), ...subscriptionEntry(...step) });
  }

  get(consumer: string): Promise<SubscriptionRecord | null> {
    return this.#database.read(
      async (db) =>
        (await db.select().from(subscriptions).where(eq(subscriptions.consumer, consumer)))[0] ?? null,
    );
  }

  list(): Promise<SubscriptionRecord[]> {
    return this.#database.read((db) => db.select().from(subscriptions).orderBy(asc(subscriptions.consumer)));
  }

  ack(consumer: string, cursor: number, now: number, by?: string): Promise<AckOutcome> {
    return this.#database.transaction(async (tx) => {
      const seen = { subscription: await locked(tx, consumer), head: await eventHead(tx) };
      const { outcome, audit } = decideAck(seen, { cursor, now, by });
      if (outcome.kind === 'acked' && outcome.moved)
        await tx.db
          .update(subscriptions)
          .set({ cursor, updatedAt: now })
          .where(eq(subscriptions.consumer, consumer));
      if (audit) await appendAudit(tx, { id: this.#clock.newId(), ...audit });
      return outcome;
    });
  }
}

async function locked(tx: Tx, consumer: string): Promise<SubscriptionRecord | null> {
  const [found] = await tx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.consumer, consumer))
    .for('update');
  return found ?? null;
}

async function eventHead(tx: Tx): Promise<number> {
  const [counter] = await tx.db.select().from(counters).where(eq(counters.name, 'event'));
  return counter?.value ?? 0;
}
