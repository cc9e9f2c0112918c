// How often models were called for tenants, by day.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ModelCallKind } from '../../../common/core/model-call/record.ts';

export const modelCalls = sqliteTable(
  'model_calls',
  {
    tenantCode: text('tenant_code').notNull(),
    /** `YYYY-MM-DD`, of Beijing. */
    day: text('day').notNull(),
    kind: text('kind').$type<ModelCallKind>().notNull(),
    calls: integer('calls').notNull(),
    tokens: integer('tokens').notNull(),
    /** Most calls of the day. */
    most: integer('most').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.day, t.kind] })],
);
