// Faults of the installations that people are told of.
import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { jsonText, long, text } from './columns.ts';

export const alarms = pgTable(
  'alarms',
  {
    key: text('key').notNull(),
    instance: text('instance').notNull(),
    tenantCode: text('tenant_code'),
    severity: text('severity').$type<'warning' | 'critical'>().notNull(),
    message: text('message').notNull(),
    details: jsonText<unknown>('details'),
    raisedAt: long('raised_at').notNull(),
    count: integer('count').notNull(),
    lastAt: long('last_at').notNull(),
    clearedAt: long('cleared_at'),
    takenBy: text('taken_by'),
    takenAt: long('taken_at'),
  },
  (t) => [primaryKey({ columns: [t.instance, t.key] })],
);
