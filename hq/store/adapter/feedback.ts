import { and, desc, eq, sql } from 'drizzle-orm';
import { stepBackBound } from '../../../common/backoff.ts';
import type { FeedbackPort } from '../../../common/core/feedback/port.ts';
import type { CameraMessage, FeedbackRecord } from '../../../common/core/feedback/record.ts';
import type { Database, Db } from '../engine/database.ts';
import { feedback, siteFeedback } from '../schema/tables.ts';

export class HubFeedback implements FeedbackPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claimDue(now: number, leaseMs: number, limit: number): Promise<FeedbackRecord[]> {
    return this.#database.read(async (db) => {
      const claimed = await db
        .update(feedback)
        .set({ nextAt: now + leaseMs })
        .where(
          sql`${feedback.id} = any(array(
        select id from feedback where state = 'pending'
          and (next_at <= ${now} or next_at > ${stepBackBound(now)})
        order by next_at, created_at, id limit ${limit} for update skip locked))`,
        )
        .returning();
      return claimed.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    });
  }

  get(id: string): Promise<FeedbackRecord | null> {
    return this.#database.read(
      async (db) => (await db.select().from(feedback).where(eq(feedback.id, id)))[0] ?? null,
    );
  }

  delivered(id: string, at: number): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db
          .update(feedback)
          .set({
            state: 'delivered',
            deliveredAt: at,
            attempts: sql`${feedback.attempts} + 1`,
            lastError: null,
          })
          .where(and(eq(feedback.id, id), eq(feedback.state, 'pending')))),
    );
  }

  failed(id: string, error: string, nextAt: number | null): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db
          .update(feedback)
          .set({
            attempts: sql`${feedback.attempts} + 1`,
            lastError: error,
            ...(nextAt === null ? { state: 'expired' } : { nextAt }),
          })
          .where(and(eq(feedback.id, id), eq(feedback.state, 'pending')))),
    );
  }

  ofEvent(eventId: number, limit: number): Promise<CameraMessage[]> {
    const newest = (db: Db, table: typeof feedback | typeof siteFeedback) =>
      db
        .select({
          id: table.id,
          eventId: table.eventId,
          tenantCode: table.tenantCode,
          kind: table.kind,
          state: table.state,
          lastError: table.lastError,
          createdAt: table.createdAt,
          deliveredAt: table.deliveredAt,
        })
        .from(table)
        .where(eq(table.eventId, eventId))
        .orderBy(desc(table.createdAt), desc(table.id))
        .limit(limit);
    // An event arose here or at a site, so that one of the two has nothing.
    return this.#database.read(async (db) => {
      const own = await newest(db, feedback);
      return (own.length > 0 ? own : await newest(db, siteFeedback)).reverse();
    });
  }

  counts(): Promise<{ pending: number; expired: number; oldestPendingAt: number | null }> {
    return this.#database.read(async (db) => {
      const [row] = await db
        .select({
          pending: sql<number>`count(*) filter (where state = 'pending')`.mapWith(Number),
          expired: sql<number>`count(*) filter (where state = 'expired')`.mapWith(Number),
          oldestPendingAt: sql<number | null>`min(created_at) filter (where state = 'pending')`.mapWith(
            (value: unknown) => (value === null ? null : Number(value)),
          ),
        })
        .from(feedback)
        .where(sql`state in ('pending', 'expired')`);
      return row ?? { pending: 0, expired: 0, oldestPendingAt: null };
    });
  }
}
