// Incident groups and the events in them.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { EventSource, Severity } from '../../../common/core/event/schema.ts';
import type { IncidentLayer, IncidentState } from '../../../common/core/incident/schema.ts';
import { jsonText, long, text } from './columns.ts';

export const incidents = pgTable(
  'incidents',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    /** The site that keeps it, and its id there; null: kept here. */
    instance: text('instance'),
    originId: long('origin_id'),
    sourceKey: text('source_key'),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    siteRef: text('site_ref').notNull(),
    pointRef: text('point_ref'),
    title: text('title'),
    state: text('state').$type<IncidentState>().notNull(),
    stateBefore: text('state_before').$type<IncidentState>(),
    mergedInto: long('merged_into'),
    splitFrom: long('split_from'),
    firstAt: long('first_at').notNull(),
    lastAt: long('last_at').notNull(),
    eventTypes: jsonText<string[]>('event_types').notNull(),
    sources: jsonText<EventSource[]>('sources').notNull(),
    severity: text('severity').$type<Severity>().notNull(),
    memberCount: integer('member_count').notNull(),
    testMemberCount: integer('test_member_count').notNull(),
    isTest: boolean('is_test').notNull(),
    firstEventId: long('first_event_id'),
    firstEventAt: long('first_event_at'),
    firstLocked: boolean('first_locked').notNull(),
    confirmedBy: text('confirmed_by'),
    confirmedAt: long('confirmed_at'),
    closedAt: long('closed_at'),
    clearedCount: integer('cleared_count').notNull(),
    revision: integer('revision').notNull().default(0),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    // A source key is one group of whoever keeps it.
    uniqueIndex('incidents_source').on(t.tenantCode, t.sourceKey, sql`coalesce(instance, '')`),
    index('incidents_id').on(t.id),
    // What the list filters by stands in the index, so that rows are read only for what is shown.
    index('incidents_order').on(
      t.lastAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
      t.isTest,
      t.state,
      t.layer,
      t.siteRef,
    ),
    index('incidents_tenant_order').on(
      t.tenantCode,
      t.lastAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
      t.isTest,
      t.state,
      t.layer,
      t.siteRef,
    ),
    index('incidents_merged')
      .on(t.mergedInto)
      .where(sql`merged_into is not null`),
    index('incidents_updated').on(t.tenantCode, t.updatedAt, t.id),
  ],
);

export const incidentMembers = pgTable(
  'incident_members',
  {
    incidentId: long('incident_id').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    at: long('at').notNull(),
    type: text('type').notNull(),
    source: text('source').$type<EventSource>().notNull(),
    severity: text('severity').$type<Severity>(),
    isTest: boolean('is_test').notNull(),
    live: boolean('live').notNull(),
    addedAt: long('added_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.incidentId, t.eventId] }),
    // An event belongs to one group per layer.
    uniqueIndex('incident_members_live')
      .on(t.tenantCode, t.eventId, t.layer)
      .where(sql`live`),
    index('incident_members_event').on(t.eventId),
  ],
);
