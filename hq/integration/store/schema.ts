// The tables of the open interface and its webhooks; only the hub has them.
import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { EventType } from '../business-event.ts';
import type { DeliveryStatus, Status, Subscribed } from '../record.ts';
import { long } from '../../store/schema/columns.ts';

export const openClients = pgTable(
  'open_clients',
  {
    tenantCode: text('tenant_code').notNull(),
    clientId: text('client_id').notNull(),
    name: text('name').notNull(),
    secretSha256: text('secret_sha256').notNull(),
    previousSha256: text('previous_sha256'),
    previousUntil: long('previous_until'),
    status: text('status').$type<Status>().notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.clientId] })],
);

export const openTokens = pgTable(
  'open_tokens',
  {
    tenantCode: text('tenant_code').notNull(),
    sha256: text('sha256').notNull(),
    clientId: text('client_id').notNull(),
    expiresAt: long('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.sha256] })],
);

export const openFailures = pgTable('open_failures', {
  scope: text('scope').primaryKey(),
  failures: integer('failures').notNull(),
  since: long('since').notNull(),
});

export const webhooks = pgTable(
  'webhooks',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    events: text('events').$type<Subscribed>().notNull(),
    status: text('status').$type<Status>().notNull(),
    secretRef: text('secret_ref').notNull(),
    previousRef: text('previous_ref'),
    previousUntil: long('previous_until'),
    failures: integer('failures').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    removedAt: long('removed_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const businessEvents = pgTable(
  'business_events',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    event: text('event').$type<EventType>().notNull(),
    body: text('body').notNull(),
    coreEventId: long('core_event_id'),
    at: long('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    webhookId: text('webhook_id').notNull(),
    eventId: text('event_id').notNull(),
    event: text('event').$type<EventType>().notNull(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    attempts: integer('attempts').notNull(),
    responseCode: integer('response_code'),
    responseBody: text('response_body'),
    lastError: text('last_error'),
    nextAt: long('next_at').notNull(),
    claim: text('claim'),
    claimedUntil: long('claimed_until'),
    createdAt: long('created_at').notNull(),
    lastAttemptAt: long('last_attempt_at'),
    settledAt: long('settled_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);
