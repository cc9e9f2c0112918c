// Rotas, what people chose, the devices that they are called on, calls, and what was sent of them.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Severity } from '../../../common/core/event/schema.ts';
import { jsonText, long, text, textArray } from '../../store/schema/columns.ts';
import type { CallState, CallSubject, SendingReason, SendingState } from '../call/record.ts';
import type { CallChoice, CallWay } from '../person/record.ts';
import type { Exception, Rota, Shift } from '../rota/record.ts';

export const dutyRotas = pgTable(
  'duty_rotas',
  {
    id: text('id').primaryKey(),
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    sites: textArray('sites'),
    siteGroups: textArray('site_groups').notNull(),
    from: text('from_severity').$type<Severity>().notNull(),
    alarms: text('alarms').$type<Rota['alarms']>().notNull(),
    zone: text('zone').notNull(),
    firstWeek: text('first_week').notNull(),
    shifts: jsonText<Shift[]>('shifts').notNull(),
    exceptions: jsonText<Exception[]>('exceptions').notNull(),
    nextAfterMinutes: integer('next_after_minutes').notNull(),
    enabled: boolean('enabled').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [uniqueIndex('duty_rotas_name').on(t.tenantCode, t.name)],
);

export const dutyPeople = pgTable('duty_people', {
  userName: text('user_name').primaryKey(),
  choice: jsonText<CallChoice>('choice').notNull(),
  consoleUrl: text('console_url'),
  updatedAt: long('updated_at').notNull(),
});

export const dutyDevices = pgTable(
  'duty_devices',
  {
    id: text('id').primaryKey(),
    userName: text('user_name').notNull(),
    endpointHash: text('endpoint_hash').notNull(),
    host: text('host').notNull(),
    sealed: text('sealed').notNull(),
    label: text('label').notNull(),
    createdAt: long('created_at').notNull(),
    lastSentAt: long('last_sent_at'),
    lastError: text('last_error'),
  },
  (t) => [uniqueIndex('duty_devices_endpoint').on(t.endpointHash), index('duty_devices_user').on(t.userName)],
);

/** One row: up to which event it was looked for whom to call. */
export const dutyCursor = pgTable('duty_cursor', {
  only: boolean('only').primaryKey(),
  eventId: long('event_id').notNull(),
});

export const dutyCalls = pgTable(
  'duty_calls',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<CallSubject['kind']>().notNull(),
    eventId: long('event_id'),
    alarmKey: text('alarm_key'),
    instance: text('instance'),
    tenantCode: text('tenant_code'),
    severity: text('severity').$type<Severity>().notNull(),
    type: text('type'),
    title: text('title'),
    titleZh: text('title_zh'),
    camera: text('camera'),
    place: text('place'),
    at: long('at').notNull(),
    state: text('state').$type<CallState>().notNull(),
    rotaId: text('rota_id'),
    round: integer('round').notNull(),
    called: textArray('called').notNull(),
    nextAt: long('next_at'),
    events: integer('events').notNull(),
    lastEventAt: long('last_event_at').notNull(),
    takenBy: text('taken_by'),
    takenAt: long('taken_at'),
    createdAt: long('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('duty_calls_alarm')
      .on(t.instance, t.alarmKey, t.at)
      .where(sql`kind = 'alarm'`),
    index('duty_calls_due')
      .on(t.nextAt)
      .where(sql`state = 'calling'`),
    index('duty_calls_open')
      .on(t.lastEventAt)
      .where(sql`kind = 'event'`),
  ],
);

/** Which events a call is about. */
export const dutyCallEvents = pgTable(
  'duty_call_events',
  { eventId: long('event_id').notNull(), callId: text('call_id').notNull() },
  (t) => [primaryKey({ columns: [t.eventId] }), index('duty_call_events_call').on(t.callId)],
);

export const dutySendings = pgTable(
  'duty_sendings',
  {
    id: text('id').primaryKey(),
    callId: text('call_id').notNull(),
    userName: text('user_name').notNull(),
    way: text('way').$type<CallWay>().notNull(),
    deviceId: text('device_id'),
    reason: text('reason').$type<SendingReason>().notNull(),
    state: text('state').$type<SendingState>().notNull(),
    attempts: integer('attempts').notNull(),
    nextAt: long('next_at').notNull(),
    lastError: text('last_error'),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
    shownAt: long('shown_at'),
    openedAt: long('opened_at'),
  },
  (t) => [
    index('duty_sendings_call').on(t.callId, t.createdAt),
    index('duty_sendings_due')
      .on(t.nextAt)
      .where(sql`state = 'pending'`),
  ],
);
