// The event index behind lists and statistics: narrow facts of each event, the groups and places that they
// fall into, and counts by hour and by day. It is filled in bulk behind meta 'index_events_upto'; verdicts up
// to meta 'index_changes_upto' are in it.
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { VerdictValue } from '../../../common/core/verdict/schema.ts';

/** There are few groups: an event is in one group and at one place. A null counts as a value of its own. */
export const eventGroups = sqliteTable(
  'event_groups',
  {
    id: integer('id').primaryKey(),
    tenantCode: text('tenant_code').notNull(),
    type: text('type').notNull(),
    kind: text('kind').notNull(),
    source: text('source').notNull(),
    verdict: text('verdict').$type<VerdictValue>(),
    correctedTo: text('corrected_to').$type<VerdictValue>(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    judged: integer('judged', { mode: 'boolean' }).notNull(),
    judgedType: text('judged_type'),
    severity: text('severity').notNull(),
    instance: text('instance'),
  },
  (t) => [
    uniqueIndex('event_groups_key').on(
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
    ),
  ],
);

export const eventPlaces = sqliteTable(
  'event_places',
  {
    id: integer('id').primaryKey(),
    tenantCode: text('tenant_code').notNull(),
    siteRef: text('site_ref'),
    cameraRef: text('camera_ref'),
    instance: text('instance'),
  },
  (t) => [uniqueIndex('event_places_key').on(t.tenantCode, t.siteRef, t.cameraRef, t.instance)],
);

/**
 * Appended in the order of ids, and read in stretches: no index beside the key, since every further one costs
 * random pages. The tenant comes last: a scan seldom needs it.
 */
export const eventFacts = sqliteTable('event_facts', {
  eventId: integer('event_id').primaryKey(),
  groupId: integer('group_id').notNull(),
  placeId: integer('place_id').notNull(),
  occurredAt: integer('occurred_at'),
  tenantCode: text('tenant_code').notNull(),
});

/**
 * Events counted by hour and day of their occurrence, UTC. An event without a time is in no hour, and in a
 * day before all others.
 */
export const eventHours = sqliteTable(
  'event_hours',
  {
    startAt: integer('start_at').notNull(),
    groupId: integer('group_id').notNull(),
    count: integer('count').notNull(),
    tenantCode: text('tenant_code').notNull(),
  },
  (t) => [primaryKey({ columns: [t.startAt, t.groupId] })],
);

export const eventDays = sqliteTable(
  'event_days',
  {
    startAt: integer('start_at').notNull(),
    groupId: integer('group_id').notNull(),
    count: integer('count').notNull(),
    /** The ids of all that ever were counted here lie between these. */
    firstId: integer('first_id').notNull(),
    lastId: integer('last_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
  },
  (t) => [primaryKey({ columns: [t.startAt, t.groupId] })],
);
