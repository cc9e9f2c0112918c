// Rules, alarm levels and what else a tenant configures for the agent.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RuleKind } from '../../../common/core/rule/schema.ts';

/** Every version of every rule; the newest of a tenant, kind and name is in force. */
export const rules = sqliteTable(
  'rules',
  {
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<RuleKind>().notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    body: text('body', { mode: 'json' }).$type<object>().notNull(),
    by: text('by').notNull(),
    createdAt: integer('created_at').notNull(),
    deleted: integer('deleted', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.kind, t.name, t.version] })],
);
