// Consumers: what they subscribe to, and how far events have been pushed to them.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Severity } from '../../../common/core/event/schema.ts';

export const subscriptions = sqliteTable('subscriptions', {
  consumer: text('consumer').primaryKey(),
  tenantCode: text('tenant_code'),
  eventTypes: text('event_types', { mode: 'json' }).$type<string[]>(),
  minSeverity: text('min_severity').$type<Severity>(),
  pushUrl: text('push_url'),
  secretRef: text('secret_ref'),
  enabled: integer('enabled', { mode: 'boolean' }).notNull(),
  cursor: integer('cursor').notNull(),
  pushCursor: integer('push_cursor').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const pushStates = sqliteTable('push_states', {
  consumer: text('consumer').primaryKey(),
  failures: integer('failures').notNull(),
  nextAt: integer('next_at').notNull(),
  lastError: text('last_error'),
  lastSuccessAt: integer('last_success_at'),
  receiptFaults: integer('receipt_faults').notNull(),
  lastReceiptFault: text('last_receipt_fault'),
  /** Token of the process that pushes now. */
  lease: text('lease'),
  leasedUntil: integer('leased_until').notNull(),
});
