// Faults of the installation that people are told of.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const alarms = sqliteTable(
  'alarms',
  {
    instance: text('instance').notNull(),
    key: text('key').notNull(),
    tenantCode: text('tenant_code'),
    severity: text('severity').$type<'warning' | 'critical'>().notNull(),
    message: text('message').notNull(),
    details: text('details', { mode: 'json' }).$type<unknown>(),
    raisedAt: integer('raised_at').notNull(),
    count: integer('count').notNull(),
    lastAt: integer('last_at').notNull(),
    clearedAt: integer('cleared_at'),
    takenBy: text('taken_by'),
    takenAt: integer('taken_at'),
  },
  (t) => [primaryKey({ columns: [t.instance, t.key] })],
);
