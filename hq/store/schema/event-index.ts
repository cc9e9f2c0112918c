// The event index: narrow facts of each event, the groups they fall into, and counts by hour and by day.
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { EventSource } from '../../../common/core/event/schema.ts';
import { long } from './columns.ts';

export const eventIndexProgress = pgTable('event_index_progress', {
  name: text('name').primaryKey(),
  eventsUpto: long('events_upto').notNull(),
  changesUpto: long('changes_upto').notNull(),
  tasksUpto: long('tasks_upto').notNull(),
});

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

export const eventGroups = pgTable(
  'event_groups',
  {
    tenantCode: text('tenant_code').notNull(),
    id: integer('id').notNull(),
    type: text('type').notNull(),
    kind: text('kind').notNull(),
    source: text('source').notNull(),
    verdict: text('verdict'),
    isTest: boolean('is_test').notNull(),
    judged: boolean('judged').notNull(),
    judgedType: text('judged_type'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const eventPlaces = pgTable(
  'event_places',
  {
    tenantCode: text('tenant_code').notNull(),
    id: integer('id').notNull(),
    siteRef: text('site_ref'),
    cameraRef: text('camera_ref'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const eventFacts = pgTable(
  'event_facts',
  {
    eventId: long('event_id').notNull(),
    occurredAt: long('occurred_at'),
    groupId: integer('group_id').notNull(),
    placeId: integer('place_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.eventId] })],
);

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
    firstId: long('first_id').notNull(),
    lastId: long('last_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.startAt, t.groupId] })],
);
