// Events, and which key belongs to which of them; see key-index/.
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** No index beside the key: every further one would add a page to each intake sync. */
export const events = sqliteTable('events', {
  id: integer('id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  idempotencyKey: text('idempotency_key').notNull(),
  type: text('type').notNull(),
  kind: text('kind').notNull(),
  source: text('source').notNull(),
  severity: text('severity'),
  occurredAt: integer('occurred_at'),
  receivedAt: integer('received_at').notNull(),
  isTest: integer('is_test', { mode: 'boolean' }).notNull(),
  nodeKey: text('node_key'),
  instance: text('instance'),
  originId: integer('origin_id'),
  originReceivedAt: integer('origin_received_at'),
  doc: text('doc').notNull(),
});

/** The idempotency keys of events up to meta 'keys_upto', as sorted runs of (hash, event id). */
export const keyRuns = sqliteTable('key_runs', {
  run: integer('run').primaryKey(),
  level: integer('level').notNull(),
  keys: integer('keys').notNull(),
  fences: blob('fences', { mode: 'buffer' }).notNull(),
  bloom: blob('bloom', { mode: 'buffer' }).notNull(),
});

export const keyChunks = sqliteTable('key_chunks', {
  id: integer('id').primaryKey(),
  data: blob('data', { mode: 'buffer' }).notNull(),
});

/**
 * Idempotency keys of deleted events, which stay one event for ever: the hash by which the key index knows
 * them, and a digest to tell keys of the same hash apart.
 */
export const forgottenKeys = sqliteTable('forgotten_keys', {
  eventId: integer('event_id').primaryKey(),
  hash: integer('hash').notNull(),
  digest: blob('digest', { mode: 'buffer' }).notNull(),
});
