import { desc, eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { FeedbackRecord } from '../../../common/core/feedback/record.ts';
import { type FeedbackItem, MAX_MESSAGES } from '../../../common/uplink/change/feedback.ts';
import { feedback } from '../schema/tables.ts';

/** The newest messages to the camera of an event, oldest first. */
export function newestMessages(orm: BetterSQLite3Database, eventId: number, limit: number): FeedbackRecord[] {
  return orm
    .select()
    .from(feedback)
    .where(eq(feedback.eventId, eventId))
    .orderBy(desc(feedback.createdAt), desc(feedback.id))
    .limit(limit)
    .all()
    .reverse();
}

/** What goes up of the messages; null: retention has deleted them. */
export function feedbackItemOf(
  orm: BetterSQLite3Database,
  row: { changeNo: number; subjectId: number; eventKey: string | null },
): FeedbackItem | null {
  const messages = newestMessages(orm, row.subjectId, MAX_MESSAGES);
  const [first] = messages;
  if (!first) return null;
  return {
    change_no: row.changeNo,
    tenant_code: first.tenantCode,
    kind: 'feedback',
    event: { key: row.eventKey, id: row.subjectId },
    messages: messages.map(({ id, kind, state, lastError, createdAt, deliveredAt }) => ({
      id,
      kind,
      state,
      error: lastError,
      created_at: createdAt,
      delivered_at: deliveredAt,
    })),
  };
}
