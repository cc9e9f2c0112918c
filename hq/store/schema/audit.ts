// Who changed what.
import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { jsonText, long, text } from './columns.ts';

export const audit = pgTable(
  'audit',
  {
    id: text('id').notNull(),
    at: long('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    tenantCode: text('tenant_code'),
    before: jsonText<unknown>('before'),
    after: jsonText<unknown>('after'),
  },
  (t) => [
    primaryKey({ columns: [t.at, t.id] }),
    index('audit_subject').on(t.subject, t.at),
    index('audit_tenant').on(t.tenantCode, t.at),
  ],
);
