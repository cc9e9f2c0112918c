// Who may call: keys, sessions, attempts to log in.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { KeyPurpose, Permission, Role, Scope } from '../../../common/http/access.ts';

export const keys = sqliteTable('keys', {
  keyId: text('key_id').primaryKey(),
  purpose: text('purpose').$type<KeyPurpose>().notNull(),
  tenantCode: text('tenant_code'),
  subject: text('subject').notNull(),
  scopes: text('scopes', { mode: 'json' }).$type<Scope[]>(),
  secretRef: text('secret_ref').notNull(),
  previousRef: text('previous_ref'),
  previousUntil: integer('previous_until'),
  createdAt: integer('created_at').notNull(),
  removedAt: integer('removed_at'),
});

/** The key of the configuration has a row without a digest, for its last use. */
export const adminKeys = sqliteTable('admin_keys', {
  name: text('name').primaryKey(),
  secretHash: text('secret_hash').unique(),
  previousHash: text('previous_hash'),
  previousUntil: integer('previous_until'),
  createdAt: integer('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  lastUsedAt: integer('last_used_at'),
  lastUsedFrom: text('last_used_from'),
  removedAt: integer('removed_at'),
});

export const sessions = sqliteTable('sessions', {
  id: text('id').primaryKey(),
  tokenHash: text('token_hash').notNull().unique(),
  userName: text('user_name').notNull(),
  role: text('role').$type<Role>().notNull(),
  tenantCode: text('tenant_code'),
  permissions: text('permissions', { mode: 'json' }).$type<Permission[]>(),
  createdAt: integer('created_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  ip: text('ip').notNull(),
  userAgent: text('user_agent'),
});

export const loginAttempts = sqliteTable('login_attempts', {
  scope: text('scope').primaryKey(),
  failures: integer('failures').notNull(),
  lastAt: integer('last_at').notNull(),
  blockedUntil: integer('blocked_until').notNull(),
});
