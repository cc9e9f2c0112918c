import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { long, text } from './columns.ts';

/** Requests that came with an `Idempotency-Key`, and what they were answered. */
export const retriedRequests = pgTable(
  'retried_requests',
  {
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    at: long('at').notNull(),
    /** null: no answer is known yet. */
    status: integer('status'),
    /** null: it is not kept. */
    body: text('body'),
  },
  (t) => [primaryKey({ columns: [t.caller, t.key] }), index('retried_requests_at').on(t.at)],
);
