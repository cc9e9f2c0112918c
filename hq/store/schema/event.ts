// Events, the keys of all that there ever were, and where those arose that are no longer kept. An event is
// never changed: verdicts and corrections stand in tables of their own.
import { boolean, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import type { EventKind, EventSource, Severity } from '../../../common/core/event/schema.ts';
import { long, text } from './columns.ts';

export const events = pgTable(
  'events',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    type: text('type').notNull(),
    kind: text('kind').$type<EventKind>().notNull(),
    source: text('source').$type<EventSource>().notNull(),
    severity: text('severity').$type<Severity>(),
    occurredAt: long('occurred_at'),
    receivedAt: long('received_at').notNull(),
    isTest: boolean('is_test').notNull(),
    nodeKey: text('node_key'),
    instance: text('instance'),
    originId: long('origin_id'),
    originReceivedAt: long('origin_received_at'),
    doc: text('doc').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('events_id').on(t.id),
    index('events_origin').on(t.instance, t.originId),
  ],
);

/** The idempotency key of each event is one event for ever, also when retention has deleted the event. */
export const eventKeys = pgTable(
  'event_keys',
  {
    eventId: long('event_id').notNull(),
    /** By `keyHash` (port/event-key.ts). */
    keyHash: uuid('key_hash').notNull(),
    tenantCode: text('tenant_code').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.keyHash] })],
);

/** Events that retention deleted. Of headquarters' own the instance is ''; null where it is not known. */
export const forgottenEvents = pgTable(
  'forgotten_events',
  {
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    instance: text('instance'),
    originId: long('origin_id'),
    originReceivedAt: long('origin_received_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.eventId] }),
    index('forgotten_events_origin').on(t.instance, t.originId),
  ],
);
