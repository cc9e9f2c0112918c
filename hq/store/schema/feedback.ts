// Verdicts on their way back to the camera that raised the event.
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { FeedbackKind, FeedbackState } from '../../../common/core/feedback/record.ts';
import { long, text } from './columns.ts';

export const feedback = pgTable(
  'feedback',
  {
    id: text('id').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<FeedbackKind>().notNull(),
    url: text('url').notNull(),
    nodeKey: text('node_key'),
    body: text('body').notNull(),
    state: text('state').$type<FeedbackState>().notNull(),
    attempts: integer('attempts').notNull(),
    nextAt: long('next_at').notNull(),
    lastError: text('last_error'),
    createdAt: long('created_at').notNull(),
    deliveredAt: long('delivered_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('feedback_id').on(t.id),
    index('feedback_event').on(t.eventId),
    index('feedback_due')
      .on(t.nextAt)
      .where(sql`state = 'pending'`),
    index('feedback_expired')
      .on(t.state)
      .where(sql`state = 'expired'`),
  ],
);

/** Messages that sites send to their own cameras, as they last told. */
export const siteFeedback = pgTable(
  'site_feedback',
  {
    id: text('id').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<FeedbackKind>().notNull(),
    state: text('state').$type<FeedbackState>().notNull(),
    lastError: text('last_error'),
    createdAt: long('created_at').notNull(),
    deliveredAt: long('delivered_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] }), index('site_feedback_event').on(t.eventId)],
);
