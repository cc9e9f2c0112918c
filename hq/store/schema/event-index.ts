// The event index behind lists and statistics: narrow facts of each event, the groups and places that they
// fall into, and counts by hour and by day, kept up by a background round with the events, verdict changes
// and tasks up to those of event_index_progress. What is later is read from the rows themselves.
import { boolean, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import type { EventSource } from '../../../common/core/event/schema.ts';
import { long, text } from './columns.ts';

export const eventIndexProgress = pgTable('event_index_progress', {
  name: text('name').primaryKey(),
  eventsUpto: long('events_upto').notNull(),
  changesUpto: long('changes_upto').notNull(),
  tasksUpto: long('tasks_upto').notNull(),
});

/** Few: an event is in one group and at one place. A null counts as a value of its own. */
export const eventGroups = pgTable(
  'event_groups',
  {
    tenantCode: text('tenant_code').notNull(),
    id: integer('id').notNull().generatedByDefaultAsIdentity(),
    type: text('type').notNull(),
    kind: text('kind').notNull(),
    source: text('source').notNull(),
    verdict: text('verdict'),
    isTest: boolean('is_test').notNull(),
    judged: boolean('judged').notNull(),
    judgedType: text('judged_type'),
    severity: text('severity').notNull(),
    instance: text('instance'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('event_groups_key')
      .on(
        t.tenantCode,
        t.type,
        t.kind,
        t.source,
        t.verdict,
        t.isTest,
        t.judged,
        t.judgedType,
        t.severity,
        t.instance,
      )
      .nullsNotDistinct(),
  ],
);

export const eventPlaces = pgTable(
  'event_places',
  {
    tenantCode: text('tenant_code').notNull(),
    id: integer('id').notNull().generatedByDefaultAsIdentity(),
    siteRef: text('site_ref'),
    cameraRef: text('camera_ref'),
    instance: text('instance'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('event_places_key').on(t.tenantCode, t.siteRef, t.cameraRef, t.instance).nullsNotDistinct(),
  ],
);

/** Its key and indexes carry columns beside: see by-hand.ts. */
export const eventFacts = pgTable('event_facts', {
  eventId: long('event_id').notNull(),
  occurredAt: long('occurred_at'),
  groupId: integer('group_id').notNull(),
  placeId: integer('place_id').notNull(),
  tenantCode: text('tenant_code').notNull(),
});

/**
 * Events by time of occurrence, in hours and in days, UTC: in tables of their own, so that a window lies
 * close together.
 */
export const eventHours = pgTable(
  'event_hours',
  {
    tenantCode: text('tenant_code').notNull(),
    startAt: long('start_at').notNull(),
    groupId: integer('group_id').notNull(),
    count: long('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.startAt, t.groupId] })],
);

export const eventDays = pgTable(
  'event_days',
  {
    tenantCode: text('tenant_code').notNull(),
    startAt: long('start_at').notNull(),
    groupId: integer('group_id').notNull(),
    count: long('count').notNull(),
    /** The ids of all that ever were counted here lie between these. */
    firstId: long('first_id').notNull(),
    lastId: long('last_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.startAt, t.groupId] })],
);

/** Of the event that a task is on, as long as it is kept. */
export const taskFacts = pgTable(
  'task_facts',
  {
    tenantCode: text('tenant_code').notNull(),
    taskId: long('task_id').notNull(),
    eventSource: text('event_source').$type<EventSource>().notNull(),
    eventTest: boolean('event_test').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.taskId] })],
);
