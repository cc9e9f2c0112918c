import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  lte,
  max,
  min,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { stepBackBound } from '../../../common/backoff.ts';
import type { NotificationPort } from '../../../common/core/notification/port.ts';
import type {
  NewNotification,
  NotificationFilter,
  NotificationRecord,
} from '../../../common/core/notification/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { type Insert, prepareInsert } from '../engine/insert.ts';
import type { Meta } from '../engine/meta.ts';
import { notifications } from '../schema/tables.ts';

// Written out, so that the partial indexes are used.
const waiting = sql`${notifications.state} = 'pending'`;
const failed = sql`${notifications.state} = 'failed'`;

/** Notifications and their outbox on SQLite. */
export class SiteNotifications implements NotificationPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #insert: Insert<typeof notifications>;
  #meta: Meta;
  #newest;
  #dueRows: ReturnType<typeof prepareDue>;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, meta: Meta) {
    this.#group = group;
    this.#orm = orm;
    this.#insert = prepareInsert(group.sqlite, notifications);
    this.#dueRows = prepareDue(orm);
    this.#meta = meta;
    this.#newest = orm
      .select({ seq: max(notifications.seq) })
      .from(notifications)
      .prepare();
  }

  /** Within the open transaction. */
  add(rows: readonly NewNotification[]): void {
    if (rows.length === 0) return;
    let seq = Math.max(this.#newest.get()?.seq ?? 0, this.#meta.number('last_notification_seq'));
    for (const row of rows) this.#insert({ ...row, seq: (seq += 1) });
  }

  /** Within the open transaction. @returns rows */
  forgetEvents(eventIds: readonly number[]): number {
    return this.#orm
      .delete(notifications)
      .where(inArray(notifications.eventId, [...eventIds]))
      .run().changes;
  }

  async claimDue(now: number, leaseMs: number, limit: number): Promise<NotificationRecord[]> {
    // Most rounds find nothing, and then write nothing.
    if (this.#due(now, 1).length === 0) return [];
    return this.#group.write(() => {
      const due = this.#due(now, limit);
      const nextAt = now + leaseMs;
      this.#orm
        .update(notifications)
        .set({ nextAt })
        .where(
          inArray(
            notifications.id,
            due.map(({ id }) => id),
          ),
        )
        .run();
      return due.map((row) => ({ ...row, nextAt }));
    });
  }

  #due(now: number, limit: number): NotificationRecord[] {
    return this.#dueRows.all({ now, bound: stepBackBound(now), limit });
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

  #settle(id: string, set: Partial<NotificationRecord>): Promise<void> {
    return this.#group.write(() => {
      this.#orm
        .update(notifications)
        .set({ ...set, attempts: sql`${notifications.attempts} + 1` })
        .where(and(eq(notifications.id, id), waiting))
        .run();
    });
  }

  async list(
    filter: NotificationFilter,
    before: number | null,
    limit: number,
  ): Promise<NotificationRecord[]> {
    return this.#orm
      .select()
      .from(notifications)
      .where(and(...conditions(filter), before === null ? undefined : lt(notifications.seq, before)))
      .orderBy(desc(notifications.seq))
      .limit(limit)
      .all();
  }

  async ofEvent(eventId: number, limit: number): Promise<NotificationRecord[]> {
    return this.#orm
      .select()
      .from(notifications)
      .where(eq(notifications.eventId, eventId))
      .orderBy(asc(notifications.seq))
      .limit(limit)
      .all();
  }

  async counts(): Promise<{ pending: number; failed: number; oldestPendingAt: number | null }> {
    const pending = this.#orm
      .select({ rows: count(), oldest: min(notifications.createdAt) })
      .from(notifications)
      .where(waiting)
      .get();
    const ended = this.#orm.select({ rows: count() }).from(notifications).where(failed).get();
    return {
      pending: pending?.rows ?? 0,
      failed: ended?.rows ?? 0,
      oldestPendingAt: pending?.oldest ?? null,
    };
  }
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

/** Asked every second, so prepared once. */
const prepareDue = (orm: BetterSQLite3Database) =>
  orm
    .select()
    .from(notifications)
    .where(
      and(
        waiting,
        isNull(notifications.handover),
        or(
          lte(notifications.nextAt, sql.placeholder('now')),
          gt(notifications.nextAt, sql.placeholder('bound')),
        ),
      ),
    )
    .orderBy(asc(notifications.nextAt), asc(notifications.seq))
    .limit(sql.placeholder('limit'))
    .prepare();
