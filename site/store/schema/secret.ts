// Secrets that the API gave, sealed.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SecretUse } from '../../../common/core/secret/record.ts';

/** tenant_code is empty for a secret of no tenant. */
export const secrets = sqliteTable(
  'secrets',
  {
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    use: text('use').$type<SecretUse>().notNull(),
    host: text('host').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.name] })],
);
