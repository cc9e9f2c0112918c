import type { Permission, Role } from '../../http/access.ts';

/** A login that stands. Times are epoch milliseconds. */
export interface SessionRecord {
  id: string;
  /** Lowercase hex SHA-256 of the token; the token itself is only in the browser. */
  tokenHash: string;
  userName: string;
  role: Role;
  /** The tenant that it is limited to; null: every tenant (operator). */
  tenantCode: string | null;
  /** null: what the role has. */
  permissions: Permission[] | null;
  createdAt: number;
  /** Last use, up to `TOUCH_EVERY_MS` old. */
  lastSeenAt: number;
  /** It ends then, however much it is used. */
  expiresAt: number;
  ip: string;
  userAgent: string | null;
}

/** A session before its user is known. */
export type SessionDraft = Pick<
  SessionRecord,
  'id' | 'tokenHash' | 'createdAt' | 'lastSeenAt' | 'expiresAt' | 'ip' | 'userAgent'
>;

/** Attempts to log in under one scope: a name from an address, an address, or a browser known to the user. */
export interface AttemptRow {
  /** Hashed where it names a user, so that the table holds nothing that was typed. */
  scope: string;
  failures: number;
  lastAt: number;
  /** No further attempt before; 0: none is held up. */
  blockedUntil: number;
}

export interface AttemptScope {
  scope: string;
  /** Failures without delay. */
  free: number;
  /** Longest delay, milliseconds; at most `FORGET_ATTEMPTS_MS`. */
  longestMs: number;
}
