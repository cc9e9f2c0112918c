// Who changed what.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const audit = sqliteTable(
  'audit',
  {
    at: integer('at').notNull(),
    id: text('id').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    tenantCode: text('tenant_code'),
    before: text('before', { mode: 'json' }).$type<unknown>(),
    after: text('after', { mode: 'json' }).$type<unknown>(),
  },
  (t) => [primaryKey({ columns: [t.at, t.id] }), index('audit_subject').on(t.subject, t.at)],
);
