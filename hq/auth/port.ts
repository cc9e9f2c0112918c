import type { SessionDraft, SessionRecord } from '../../common/core/session/record.ts';
import type { Permission, Role } from '../../common/http/access.ts';
import type { Proof } from './factor/port.ts';

export interface UserRecord {
  /** In lower case. */
  name: string;
  role: Role;
  /** Of a customer; null of an operator. */
  tenantCode: string | null;
  /** null: what the role has. */
  permissions: Permission[] | null;
  /** With its parameters; see password.ts. null: the provider alone lets this user in. */
  passwordHash: string | null;
  /** Whom the provider of identities means; null: nobody, it is an account of this hub. */
  issuer: string | null;
  subject: string | null;
  /** Since when the provider gives this user nothing; it is disabled until it does. */
  withdrawnAt: number | null;
  /** It logs in with its password also where others may not, and that is an alarm. */
  emergency: boolean;
  /** When a second factor was set; null: there is none. */
  secondFactorSince: number | null;
  disabledAt: number | null;
  /** When a session of theirs was last used, to five minutes; null: never since this is kept. */
  lastSeenAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** What is absent stays. */
export interface UserChange {
  disabled?: boolean;
  permissions?: Permission[] | null;
  emergency?: boolean;
  passwordHash?: string;
  /** Changes nothing when the password is another by now. */
  ifPasswordHash?: string;
  /** Id of the session that a new password leaves standing. */
  keepSession?: string;
}

/** What of the users is asked for. */
export interface UserFilter {
  /** A part of the name or the tenant, in either case; null: every user. */
  text: string | null;
}

/**
 * Users of the hub. Names are given in lower case. Each method is one transaction; the audit never shows a
 * password hash.
 */
export interface UserPort {
  /** @throws conflict `user_exists` */
  add(user: UserRecord, actor: string): Promise<void>;
  get(name: string): Promise<UserRecord | null>;
  /** By name. @param after the name behind which it begins; null: from the first */
  list(filter: UserFilter, after: string | null, limit: number): Promise<UserRecord[]>;
  /**
   * Disabling a user, or a new password, ends the sessions; new permissions hold for them at once. null:
   * there is no such user.
   */
  change(name: string, change: UserChange, now: number, actor: string): Promise<UserRecord | null>;
  /** Replaces the hash of the same password, unless it was changed meanwhile. */
  rehash(name: string, from: string, to: string): Promise<void>;
  /**
   * Starts a session of a user whose credentials were found right, with the role and permissions of this
   * moment, and uses the proof up. null when the user was disabled or has another password or second factor
   * since, or the proof was used meanwhile.
   */
  startSession(login: ProvedLogin, draft: SessionDraft, actor: string): Promise<SessionRecord | null>;
}

export interface ProvedLogin {
  name: string;
  /** That was right; null: a passkey stands in its place. */
  passwordHash: string | null;
  /** null: no second factor was asked for. */
  proof: Proof | null;
  /** The session may do nothing but set a second factor. */
  waits: boolean;
}
