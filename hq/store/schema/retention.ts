// What retention has done.
import { pgTable } from 'drizzle-orm/pg-core';
import type { RetentionState } from '../../../common/core/retention/record.ts';
import { jsonText, text } from './columns.ts';

/** What retention has done and what stands in its way: one row, see common/core/retention/record.ts. */
export const retention = pgTable('retention', {
  name: text('name').primaryKey(),
  state: jsonText<RetentionState>('state').notNull(),
});
