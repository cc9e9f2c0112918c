// The tables of the open interface and its webhooks; only the hub has them.
import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { Message } from '../../../common/message.ts';
import { long, text, textArray } from '../../store/schema/columns.ts';
import type { EventType } from '../business-event.ts';
import type { DeliveryStatus, Status, Subscribed } from '../record.ts';

export const openClients = pgTable(
  'open_clients',
  {
    tenantCode: text('tenant_code').notNull(),
    clientId: text('client_id').notNull(),
    name: text('name').notNull(),
    secretSha256: text('secret_sha256').notNull(),
    /** The secret before the last rotation, accepted until previous_until. */
    previousSha256: text('previous_sha256'),
    previousUntil: long('previous_until'),
    status: text('status').$type<Status>().notNull(),
    scopes: textArray('scopes').notNull().default([]),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    /** Of a token or a snapshot; null: never. */
    lastUsedAt: long('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.clientId] }),
    index('open_clients_list').on(t.createdAt.desc().nullsFirst(), t.clientId.desc().nullsFirst()),
    index('open_clients_id').on(t.clientId),
  ],
);

export const openTokens = pgTable(
  'open_tokens',
  {
    tenantCode: text('tenant_code').notNull(),
    sha256: text('sha256').notNull(),
    clientId: text('client_id').notNull(),
    expiresAt: long('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.sha256] }),
    foreignKey({
      name: 'open_tokens_client_fk',
      columns: [t.tenantCode, t.clientId],
      foreignColumns: [openClients.tenantCode, openClients.clientId],
    }).onDelete('cascade'),
    index('open_tokens_sha256').on(t.sha256),
    index('open_tokens_client').on(t.tenantCode, t.clientId),
    index('open_tokens_expiry').on(t.expiresAt),
  ],
);

/** Failed token requests, by client and address and by address alone. */
export const openFailures = pgTable(
  'open_failures',
  {
    scope: text('scope').primaryKey(),
    failures: integer('failures').notNull(),
    since: long('since').notNull(),
  },
  (t) => [index('open_failures_since').on(t.since)],
);

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
    /** Attempts that failed in a row. */
    failures: integer('failures').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
    removedAt: long('removed_at'),
    /** Since when, by whom and why it is disabled; null while it is enabled. */
    disabledAt: long('disabled_at'),
    disabledBy: text('disabled_by'),
    disabledReason: text('disabled_reason'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('webhooks_id').on(t.id),
    index('webhooks_list')
      .on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`removed_at is null`),
  ],
);

export const businessEvents = pgTable(
  'business_events',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    event: text('event').$type<EventType>().notNull(),
    /** The bytes that are signed and sent, as they were first written. */
    body: text('body').notNull(),
    coreEventId: long('core_event_id'),
    at: long('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('business_events_time').on(t.tenantCode, t.at),
    index('business_events_age').on(t.at),
    index('business_events_core')
      .on(t.coreEventId)
      .where(sql`core_event_id is not null`),
  ],
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
    /** `last_error` as messages, one after another; null where an older version wrote it. */
    lastErrorTold: jsonb('last_error_told').$type<Message[]>(),
    /** When the next attempt is due, while pending. */
    nextAt: long('next_at').notNull(),
    /** Who is sending it, and until when that is believed. */
    claim: text('claim'),
    claimedUntil: long('claimed_until'),
    createdAt: long('created_at').notNull(),
    lastAttemptAt: long('last_attempt_at'),
    settledAt: long('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    foreignKey({
      name: 'webhook_deliveries_event_fk',
      columns: [t.tenantCode, t.eventId],
      foreignColumns: [businessEvents.tenantCode, businessEvents.id],
    }).onDelete('cascade'),
    index('webhook_deliveries_id').on(t.id),
    index('webhook_deliveries_event').on(t.tenantCode, t.eventId),
    index('webhook_deliveries_recent').on(
      t.tenantCode,
      t.webhookId,
      t.createdAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index('webhook_deliveries_due')
      .on(t.tenantCode, t.webhookId, t.nextAt)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_overdue')
      .on(t.nextAt)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_settled')
      .on(t.settledAt)
      .where(sql`settled_at is not null`),
    index('webhook_deliveries_claimed')
      .on(t.tenantCode, t.webhookId, t.claimedUntil)
      .where(sql`status = 'pending' and claimed_until is not null`),
  ],
);

/** What came of each attempt of a delivery; one whose process ended before it knew has no row. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    tenantCode: text('tenant_code').notNull(),
    deliveryId: text('delivery_id').notNull(),
    /** From 1. */
    attempt: integer('attempt').notNull(),
    at: long('at').notNull(),
    responseCode: integer('response_code'),
    responseBody: text('response_body'),
    error: text('error'),
    /** `error` as messages. */
    errorTold: jsonb('error_told').$type<Message[]>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.deliveryId, t.attempt] }),
    foreignKey({
      name: 'webhook_attempts_delivery_fk',
      columns: [t.tenantCode, t.deliveryId],
      foreignColumns: [webhookDeliveries.tenantCode, webhookDeliveries.id],
    }).onDelete('cascade'),
  ],
);
