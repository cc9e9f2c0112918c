// Datasets that headquarters itself serves.
import { index, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import { long, text } from '../../store/schema/columns.ts';

/** Events and verdict changes up to these are in the counts (served-counts.ts). */
export const servedProgress = pgTable('served_progress', {
  name: text('name').primaryKey(),
  eventsUpto: long('events_upto').notNull(),
  changesUpto: long('changes_upto').notNull(),
});

/** Events by instance, site, day, type, severity and verdict. */
export const servedEventCounts = pgTable(
  'served_event_counts',
  {
    tenantCode: text('tenant_code').notNull(),
    id: long('id').notNull().generatedByDefaultAsIdentity(),
    /** Day of occurrence in Beijing time, YYYY-MM-DD. */
    day: text('day').notNull(),
    /** Empty where the events have none. */
    siteRef: text('site_ref').notNull(),
    type: text('type').notNull(),
    severity: text('severity').notNull(),
    verdict: text('verdict').notNull(),
    /** Where the events arose; empty: here. */
    instance: text('instance').notNull(),
    count: long('count').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('served_event_counts_key').on(
      t.tenantCode,
      t.day,
      t.siteRef,
      t.type,
      t.severity,
      t.verdict,
      t.instance,
    ),
    index('served_event_counts_order').on(t.tenantCode, t.updatedAt, t.id),
  ],
);

/** The verdict that a judged event is counted under; it goes with the event. */
export const servedEventVerdicts = pgTable(
  'served_event_verdicts',
  {
    tenantCode: text('tenant_code').notNull(),
    eventId: long('event_id').notNull(),
    verdict: text('verdict').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.eventId] })],
);

/** What is gone of the rows that are served; triggers write it, see by-hand.ts of the hub's schema. */
export const servedDeletions = pgTable(
  'served_deletions',
  {
    tenantCode: text('tenant_code').notNull(),
    dataset: text('dataset').notNull(),
    id: long('id').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.dataset, t.id] }),
    index('served_deletions_order').on(t.tenantCode, t.dataset, t.updatedAt, t.id),
  ],
);

/** Calls of a caller in the window that began with its first. */
export const servedCalls = pgTable('served_calls', {
  caller: text('caller').primaryKey(),
  startedAt: long('started_at').notNull(),
  count: integer('count').notNull(),
});
