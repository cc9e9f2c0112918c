// Verdicts on their way back to the camera that raised the event.
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { FeedbackKind, FeedbackState } from '../../../common/core/feedback/record.ts';

export const feedback = sqliteTable(
  'feedback',
  {
    id: text('id').primaryKey(),
    eventId: integer('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<FeedbackKind>().notNull(),
    url: text('url').notNull(),
    nodeKey: text('node_key'),
    body: text('body').notNull(),
    state: text('state').$type<FeedbackState>().notNull(),
    attempts: integer('attempts').notNull(),
    nextAt: integer('next_at').notNull(),
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
    deliveredAt: integer('delivered_at'),
  },
  (t) => [
    index('feedback_due')
      .on(t.nextAt)
      .where(sql`state = 'pending'`),
    index('feedback_event').on(t.eventId),
    index('feedback_expired')
      .on(t.id)
      .where(sql`state = 'expired'`),
  ],
);
