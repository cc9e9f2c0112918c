// The accounts of headquarters.
import { boolean, index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Permission, Role } from '../../../common/http/access.ts';
import { jsonText, long, text } from '../../store/schema/columns.ts';

export const users = pgTable(
  'users',
  {
    /** In lower case: names are told apart without regard to case. */
    name: text('name').primaryKey(),
    role: text('role').$type<Role>().notNull(),
    tenantCode: text('tenant_code'),
    permissions: jsonText<Permission[]>('permissions'),
    passwordHash: text('password_hash'),
    issuer: text('issuer'),
    subject: text('subject'),
    withdrawnAt: long('withdrawn_at'),
    emergency: boolean('emergency').notNull().default(false),
    secondFactorSince: long('second_factor_since'),
    disabledAt: long('disabled_at'),
    lastSeenAt: long('last_seen_at'),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [uniqueIndex('users_person').on(t.issuer, t.subject)],
);

/** Sign-ins that were sent to the provider of identities, each good for one answer. */
export const signIns = pgTable(
  'sign_ins',
  {
    id: text('id').primaryKey(),
    browserHash: text('browser_hash').notNull(),
    sealed: text('sealed').notNull(),
    expiresAt: long('expires_at').notNull(),
  },
  (t) => [index('sign_ins_expiry').on(t.expiresAt)],
);

/** Of authenticator apps; one without `since` was not proved yet. */
export const totpFactors = pgTable('totp_factors', {
  userName: text('user_name').primaryKey(),
  sealed: text('sealed').notNull(),
  lastStep: long('last_step').notNull(),
  since: long('since'),
});

/** Those that were not used. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { userName: text('user_name').notNull(), codeHash: text('code_hash').notNull() },
  (t) => [primaryKey({ columns: [t.userName, t.codeHash] })],
);

/** Public keys; one signs for the host that it was made for alone. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userName: text('user_name').notNull(),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull(),
    publicKey: text('public_key').notNull(),
    counter: long('counter').notNull(),
    transports: jsonText<string[]>('transports').notNull(),
    rpId: text('rp_id').notNull(),
    createdAt: long('created_at').notNull(),
    lastUsedAt: long('last_used_at'),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialId), index('passkeys_user').on(t.userName)],
);

/** What browsers were asked, each good for one answer. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    id: text('id').primaryKey(),
    boundTo: text('bound_to').notNull(),
    expiresAt: long('expires_at').notNull(),
  },
  (t) => [
    index('passkey_challenges_expiry').on(t.expiresAt),
    index('passkey_challenges_bound').on(t.boundTo),
  ],
);
