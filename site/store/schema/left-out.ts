// Rows on which background work over all tenants failed, each alone: they are left out of it, so that it goes
// on, and are tried again from time to time.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AgentWork } from '../../../common/core/left-out/record.ts';

export const steppedOver = sqliteTable(
  'stepped_over',
  {
    /** Name of the work. */
    work: text('work').$type<AgentWork>().notNull(),
    tenantCode: text('tenant_code').notNull(),
    /** Id of what it was to work on. */
    rowId: integer('row_id').notNull(),
    /** Why it failed last. */
    reason: text('reason').notNull(),
    firstAt: integer('first_at').notNull(),
    /** When it is tried again. */
    nextAt: integer('next_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.work, t.rowId] })],
);
