// The event index behind lists and statistics: narrow facts of each event, the groups and places that they
// fall into, and counts by hour and by day, kept up by a background round with the events and verdict changes
// up to those of event_index_progress. What is later is read from the rows themselves; so are tasks that are
// marked in task_stale.
import { boolean, index, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import { long, text } from './columns.ts';

export const eventIndexProgress = pgTable('event_index_progress', {
  name: text('name').primaryKey(),
  eventsUpto: long('events_upto').notNull(),
  changesUpto: long('changes_upto').notNull(),
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
    correctedTo: text('corrected_to'),
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
        t.correctedTo,
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
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.startAt, t.groupId] }),
    // For lists of all tenants.
    index('event_days_start').on(t.startAt),
  ],
);

/** As what a task is counted. Its index carries columns beside: see by-hand.ts. */
export const taskFacts = pgTable(
  'task_facts',
  {
    tenantCode: text('tenant_code').notNull(),
    taskId: long('task_id').notNull(),
    createdAt: long('created_at').notNull(),
    /** Of an open task. */
    dueAt: long('due_at'),
    /** What tasks are counted by, as JSON (event-index/task-counts.ts). */
    groupKey: text('group_key').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.taskId] }),
    index('task_facts_created').on(t.tenantCode, t.createdAt),
  ],
);

/** Tasks by day of creation, UTC. */
export const taskDays = pgTable(
  'task_days',
  {
    tenantCode: text('tenant_code').notNull(),
    startAt: long('start_at').notNull(),
    groupKey: text('group_key').notNull(),
    count: long('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.startAt, t.groupKey] })],
);

/** Tasks that are to be counted anew; triggers mark them. */
export const taskStale = pgTable(
  'task_stale',
  {
    tenantCode: text('tenant_code').notNull(),
    taskId: long('task_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.taskId] })],
);
