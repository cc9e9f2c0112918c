import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { stepBackBound } from '../../../common/backoff.ts';
import type { NotificationPort } from '../../../common/core/notification/port.ts';
import type {
  NewNotification,
  NotificationFilter,
  NotificationRecord,
} from '../../../common/core/notification/record.ts';
import { advanceCounter, lockCounter } from '../engine/counters.ts';
import type { Database, Tx } from '../engine/database.ts';
import { notifications } from '../schema/tables.ts';

export class HubNotifications implements NotificationPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claimDue(now: number, leaseMs: number, limit: number): Promise<NotificationRecord[]> {
    return this.#database.read(async (db) => {
      const claimed = await db
        .update(notifications)
        .set({ nextAt: now + leaseMs })
        .where(
          sql`${notifications.id} = any(array(
        select id from notifications where state = 'pending'
          and (next_at <= ${now} or next_at > ${stepBackBound(now)})
        order by next_at, seq limit ${limit} for update skip locked))`,
        )
        .returning();
      return claimed.sort((a, b) => a.seq - b.seq);
    });
  }

  sent(id: string, at: number): Promise<void> {
    return this.#settle(id, { state: 'sent', settledAt: at, lastError: null });
  }

  failed(id: string, error: string, next: { at: number | null; now: number }): Promise<void> {
    return this.#settle(id, {
      lastError: error,
      ...(next.at === null ? { state: 'failed' as const, settledAt: next.now } : { nextAt: next.at }),
    });
  }

  list(filter: NotificationFilter, before: number | null, limit: number): Promise<NotificationRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(notifications)
        .where(and(...conditions(filter), before === null ? undefined : lt(notifications.seq, before)))
        .orderBy(desc(notifications.seq))
        .limit(limit),
    );
  }

  ofEvent(eventId: number, limit: number): Promise<NotificationRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(notifications)
        .where(eq(notifications.eventId, eventId))
        .orderBy(asc(notifications.seq))
        .limit(limit),
    );
  }

  counts(): Promise<{ pending: number; failed: number; oldestPendingAt: number | null }> {
    return this.#database.read(async (db) => {
      const [row] = await db
        .select({
          pending: sql<number>`count(*) filter (where state = 'pending')`.mapWith(Number),
          failed: sql<number>`count(*) filter (where state = 'failed')`.mapWith(Number),
          oldestPendingAt: sql<number | null>`min(created_at) filter (where state = 'pending')`.mapWith(
            (value: unknown) => (value === null ? null : Number(value)),
          ),
        })
        .from(notifications)
        .where(sql`state in ('pending', 'failed')`);
      return row ?? { pending: 0, failed: 0, oldestPendingAt: null };
    });
  }

  #settle(id: string, set: Partial<NotificationRecord>): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db
          .update(notifications)
          .set({ ...set, attempts: sql`${notifications.attempts} + 1` })
          .where(and(eq(notifications.id, id), eq(notifications.state, 'pending')))),
    );
  }
}

/** Within the open transaction. */
export async function addNotifications(tx: Tx, rows: readonly NewNotification[], now: number): Promise<void> {
  if (rows.length === 0) return;
  const counter = await lockCounter(tx, 'notification');
  await tx.db
    .insert(notifications)
    .values(rows.map((row, index) => ({ ...row, seq: counter.value + 1 + index })));
  await advanceCounter(tx, 'notification', { value: counter.value + rows.length, at: now });
}

function conditions(filter: NotificationFilter): (SQL | undefined)[] {
  return [
    filter.tenantCode === null ? undefined : eq(notifications.tenantCode, filter.tenantCode),
    filter.channel === undefined ? undefined : eq(notifications.channel, filter.channel),
    filter.state === undefined ? undefined : eq(notifications.state, filter.state),
    filter.kind === undefined ? undefined : eq(notifications.kind, filter.kind),
    filter.eventId === undefined ? undefined : eq(notifications.eventId, filter.eventId),
    filter.taskId === undefined ? undefined : eq(notifications.taskId, filter.taskId),
    filter.includeTest ? undefined : eq(notifications.isTest, false),
  ];
}
