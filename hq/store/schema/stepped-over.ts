// Rows on which background work over all tenants failed, each alone: they are left out of it, so that it goes
// on, and are tried again from time to time.
import { pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { long, text } from './columns.ts';

export const steppedOver = pgTable(
  'stepped_over',
  {
    /** Name of the work. */
    work: text('work').notNull(),
    tenantCode: text('tenant_code').notNull(),
    /** Id of what it was to work on. */
    rowId: long('row_id').notNull(),
    /** Why it failed last. */
    reason: text('reason').notNull(),
    firstAt: long('first_at').notNull(),
    /** When it is tried again. */
    nextAt: long('next_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.work, t.rowId] })],
);
