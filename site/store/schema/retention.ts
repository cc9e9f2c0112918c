// What retention and a short disk have cost.
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RetentionState } from '../../../common/core/retention/record.ts';

/** What retention has done and what stands in its way: one row, see common/core/retention/record.ts. */
export const retention = sqliteTable('retention', {
  name: text('name').primaryKey(),
  state: text('state', { mode: 'json' }).$type<RetentionState>().notNull(),
});

/** What was deleted because the disk was short: one row, see site/retention/budget.ts. */
export const disk = sqliteTable('disk', {
  name: text('name').primaryKey(),
  state: text('state', { mode: 'json' }).$type<unknown>().notNull(),
});
