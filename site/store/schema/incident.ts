// Incident groups and the events in them.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { EventSource, Severity } from '../../../common/core/event/schema.ts';
import type { IncidentLayer, IncidentState } from '../../../common/core/incident/schema.ts';

/** An id is never given again, also after the newest group was deleted. */
export const incidents = sqliteTable(
  'incidents',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    tenantCode: text('tenant_code').notNull(),
    /** These two are headquarters'; a site keeps its own groups only. */
    instance: text('instance'),
    originId: integer('origin_id'),
    sourceKey: text('source_key'),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    siteRef: text('site_ref').notNull(),
    pointRef: text('point_ref'),
    title: text('title'),
    state: text('state').$type<IncidentState>().notNull(),
    stateBefore: text('state_before').$type<IncidentState>(),
    mergedInto: integer('merged_into'),
    splitFrom: integer('split_from'),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
    eventTypes: text('event_types', { mode: 'json' }).$type<string[]>().notNull(),
    sources: text('sources', { mode: 'json' }).$type<EventSource[]>().notNull(),
    severity: text('severity').$type<Severity>().notNull(),
    memberCount: integer('member_count').notNull(),
    testMemberCount: integer('test_member_count').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    firstEventId: integer('first_event_id'),
    firstEventAt: integer('first_event_at'),
    firstLocked: integer('first_locked', { mode: 'boolean' }).notNull(),
    confirmedBy: text('confirmed_by'),
    confirmedAt: integer('confirmed_at'),
    closedAt: integer('closed_at'),
    clearedCount: integer('cleared_count').notNull(),
    revision: integer('revision').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('incidents_source')
      .on(t.tenantCode, t.sourceKey)
      .where(sql`source_key is not null`),
    // What the list filters by stands in the index, so that rows are read only for what is shown.
    index('incidents_order').on(t.lastAt, t.id, t.isTest, t.state, t.layer, t.tenantCode, t.siteRef),
    index('incidents_merged')
      .on(t.mergedInto)
      .where(sql`merged_into is not null`),
  ],
);

export const incidentMembers = sqliteTable(
  'incident_members',
  {
    incidentId: integer('incident_id').notNull(),
    eventId: integer('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    at: integer('at').notNull(),
    type: text('type').notNull(),
    source: text('source').$type<EventSource>().notNull(),
    severity: text('severity').$type<Severity>(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    live: integer('live', { mode: 'boolean' }).notNull(),
    addedAt: integer('added_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.incidentId, t.eventId] }),
    // An event belongs to one group per layer.
    uniqueIndex('incident_members_live')
      .on(t.eventId, t.layer)
      .where(sql`live = 1`),
    index('incident_members_former')
      .on(t.eventId)
      .where(sql`live = 0`),
  ],
);
