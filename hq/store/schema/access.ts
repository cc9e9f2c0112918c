// Who may call: keys, sessions, attempts to log in.
import { boolean, index, integer, pgTable } from 'drizzle-orm/pg-core';
import type { KeyPurpose, Permission, Role, Scope } from '../../../common/http/access.ts';
import { jsonText, long, text } from './columns.ts';

export const keys = pgTable('keys', {
  keyId: text('key_id').primaryKey(),
  purpose: text('purpose').$type<KeyPurpose>().notNull(),
  tenantCode: text('tenant_code'),
  subject: text('subject').notNull(),
  scopes: jsonText<Scope[]>('scopes'),
  secretRef: text('secret_ref').notNull(),
  previousRef: text('previous_ref'),
  previousUntil: long('previous_until'),
  createdAt: long('created_at').notNull(),
  removedAt: long('removed_at'),
});

/** The key of the configuration has a row without a digest, for its last use. */
export const adminKeys = pgTable('admin_keys', {
  name: text('name').primaryKey(),
  secretHash: text('secret_hash').unique(),
  previousHash: text('previous_hash'),
  previousUntil: long('previous_until'),
  createdAt: long('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  lastUsedAt: long('last_used_at'),
  lastUsedFrom: text('last_used_from'),
  removedAt: long('removed_at'),
});

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    userName: text('user_name').notNull(),
    role: text('role').$type<Role>().notNull(),
    tenantCode: text('tenant_code'),
    permissions: jsonText<Permission[]>('permissions'),
    createdAt: long('created_at').notNull(),
    lastSeenAt: long('last_seen_at').notNull(),
    expiresAt: long('expires_at').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent'),
    /** It has no permissions until its user has set a second factor. */
    waits: boolean('waits').notNull().default(false),
    /** Of the provider of identities that let its user in, sealed: for the logout there. */
    idToken: text('id_token'),
  },
  (t) => [index('sessions_user').on(t.userName), index('sessions_expiry').on(t.expiresAt)],
);

export const loginAttempts = pgTable(
  'login_attempts',
  {
    scope: text('scope').primaryKey(),
    failures: integer('failures').notNull(),
    lastAt: long('last_at').notNull(),
    blockedUntil: long('blocked_until').notNull(),
  },
  (t) => [index('login_attempts_last').on(t.lastAt)],
);
