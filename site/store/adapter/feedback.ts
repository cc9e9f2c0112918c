import { and, asc, count, eq, gt, inArray, lte, min, or, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { stepBackBound } from '../../../common/backoff.ts';
import type { FeedbackPort } from '../../../common/core/feedback/port.ts';
import type { FeedbackRecord } from '../../../common/core/feedback/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { feedback } from '../schema/tables.ts';
import { newestMessages } from './feedback-rows.ts';
import type { ChangeLog } from './uplink/change-log.ts';

// Written out, so that the partial index over waiting rows is used.
const waiting = sql`${feedback.state} = 'pending'`;

export class SiteFeedback implements FeedbackPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #changes: ChangeLog;
  #dueRows: ReturnType<typeof prepareDue>;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, changes: ChangeLog) {
    this.#group = group;
    this.#orm = orm;
    this.#changes = changes;
    this.#dueRows = prepareDue(orm);
  }

  async claimDue(now: number, leaseMs: number, limit: number): Promise<FeedbackRecord[]> {
    // Most rounds find nothing, and then write nothing.
    if (this.#due(now, 1).length === 0) return [];
    return this.#group.write(() => {
      const due = this.#due(now, limit);
      const nextAt = now + leaseMs;
      this.#orm
        .update(feedback)
        .set({ nextAt })
        .where(
          inArray(
            feedback.id,
            due.map(({ id }) => id),
          ),
        )
        .run();
      return due.map((row) => ({ ...row, nextAt }));
    });
  }

  #due(now: number, limit: number): FeedbackRecord[] {
    return this.#dueRows.all({ now, bound: stepBackBound(now), limit });
  }

  async get(id: string): Promise<FeedbackRecord | null> {
    return this.#read(id);
  }

  #read(id: string): FeedbackRecord | null {
    return this.#orm.select().from(feedback).where(eq(feedback.id, id)).get() ?? null;
  }

  delivered(id: string, at: number): Promise<void> {
    return this.#group.write(() =>
      this.#settle(id, { state: 'delivered', deliveredAt: at, lastError: null }, at),
    );
  }

  failed(id: string, error: string, nextAt: number | null, at: number): Promise<void> {
    const outcome = nextAt === null ? { state: 'expired' as const } : { nextAt };
    return this.#group.write(() => this.#settle(id, { lastError: error, ...outcome }, at));
  }

  /** Only what is new for headquarters goes up, not each try. */
  #settle(
    id: string,
    outcome: Partial<Pick<FeedbackRecord, 'state' | 'deliveredAt' | 'lastError' | 'nextAt'>>,
    at: number,
  ): void {
    const before = this.#read(id);
    if (before?.state !== 'pending') return;
    this.#orm
      .update(feedback)
      .set({ ...outcome, attempts: before.attempts + 1 })
      .where(eq(feedback.id, id))
      .run();
    const after = { ...before, ...outcome };
    if (after.state !== before.state || after.lastError !== before.lastError)
      this.#changes.told(before.eventId, at);
  }

  async ofEvent(eventId: number, limit: number): Promise<FeedbackRecord[]> {
    return newestMessages(this.#orm, eventId, limit);
  }

  async counts(): Promise<{ pending: number; expired: number; oldestPendingAt: number | null }> {
    const pending = this.#orm
      .select({ rows: count(), oldest: min(feedback.createdAt) })
      .from(feedback)
      .where(waiting)
      .get();
    const expired = this.#orm
      .select({ rows: count() })
      .from(feedback)
      .where(sql`${feedback.state} = 'expired'`)
      .get();
    return {
      pending: pending?.rows ?? 0,
      expired: expired?.rows ?? 0,
      oldestPendingAt: pending?.oldest ?? null,
    };
  }
}

/** Asked every second, so prepared once. */
const prepareDue = (orm: BetterSQLite3Database) =>
  orm
    .select()
    .from(feedback)
    .where(
      and(
        waiting,
        or(lte(feedback.nextAt, sql.placeholder('now')), gt(feedback.nextAt, sql.placeholder('bound'))),
      ),
    )
    .orderBy(asc(feedback.nextAt), asc(feedback.createdAt), asc(feedback.id))
    .limit(sql.placeholder('limit'))
    .prepare();
