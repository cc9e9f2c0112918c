// Consumers: what they subscribe to, and how far events have been pushed to them.
import { boolean, integer, pgTable } from 'drizzle-orm/pg-core';
import type { Severity } from '../../../common/core/event/schema.ts';
import { jsonText, long, text } from './columns.ts';

export const subscriptions = pgTable('subscriptions', {
  consumer: text('consumer').primaryKey(),
  tenantCode: text('tenant_code'),
  eventTypes: jsonText<string[]>('event_types'),
  minSeverity: text('min_severity').$type<Severity>(),
  pushUrl: text('push_url'),
  secretRef: text('secret_ref'),
  enabled: boolean('enabled').notNull(),
  cursor: long('cursor').notNull(),
  pushCursor: long('push_cursor').notNull(),
  createdAt: long('created_at').notNull(),
  updatedAt: long('updated_at').notNull(),
});

export const pushStates = pgTable('push_states', {
  consumer: text('consumer').primaryKey(),
  failures: integer('failures').notNull(),
  nextAt: long('next_at').notNull(),
  lastError: text('last_error'),
  lastSuccessAt: long('last_success_at'),
  receiptFaults: integer('receipt_faults').notNull(),
  lastReceiptFault: text('last_receipt_fault'),
  /** Token of the process that pushes now. */
  lease: text('lease'),
  leasedUntil: long('leased_until').notNull(),
});
