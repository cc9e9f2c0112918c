// Secrets that the API gave, sealed.
import { pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { SecretUse } from '../../../common/core/secret/record.ts';
import { long, text } from './columns.ts';

/** tenant_code is empty for a secret of no tenant. */
export const secrets = pgTable(
  'secrets',
  {
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    use: text('use').$type<SecretUse>().notNull(),
    host: text('host').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.name] })],
);
