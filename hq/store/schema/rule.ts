// Rules, alarm levels and what else a tenant configures for the agent.
import { boolean, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { RuleKind } from '../../../common/core/rule/schema.ts';
import { jsonText, long, text } from './columns.ts';

/** Every version of every rule; the newest of a tenant, kind and name is in force. */
export const rules = pgTable(
  'rules',
  {
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<RuleKind>().notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    body: jsonText<object>('body').notNull(),
    by: text('by').notNull(),
    createdAt: long('created_at').notNull(),
    deleted: boolean('deleted').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.kind, t.name, t.version] })],
);
