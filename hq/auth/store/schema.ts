// The accounts of headquarters.
import { pgTable } from 'drizzle-orm/pg-core';
import type { Permission, Role } from '../../../common/http/access.ts';
import { jsonText, long, text } from '../../store/schema/columns.ts';

export const users = pgTable('users', {
  /** In lower case: names are told apart without regard to case. */
  name: text('name').primaryKey(),
  role: text('role').$type<Role>().notNull(),
  tenantCode: text('tenant_code'),
  permissions: jsonText<Permission[]>('permissions'),
  passwordHash: text('password_hash').notNull(),
  disabledAt: long('disabled_at'),
  lastSeenAt: long('last_seen_at'),
  createdAt: long('created_at').notNull(),
  updatedAt: long('updated_at').notNull(),
});
