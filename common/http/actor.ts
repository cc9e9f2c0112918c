import type { KeyPurpose, Permission, Role } from './access.ts';

/** Who calls. `tenantCode` limits what the caller may see; null is every tenant. */
export type Actor =
  | { kind: 'public'; name: 'public'; tenantCode: null }
  | { kind: 'admin'; name: string; tenantCode: null }
  | SessionActor
  | {
      kind: 'key';
      name: string;
      tenantCode: string | null;
      purpose: KeyPurpose;
      keyId: string;
      subject: string;
      /** What a consumer's key, or a client's token, opens. */
      scopes: readonly string[];
    };

/**
 * Whether the caller may see what a permission is for, on a route that is about something else; only sessions
 * are limited by permissions.
 */
export const may = (actor: Actor, permission: Permission): boolean =>
  actor.kind !== 'session' || actor.permissions.includes(permission);

/**
 * The account whose clearance limits what knowledge the caller sees: of a session its user, of a consumer's
 * key the consumer, of an access token the client; no user can be called like these. null: nothing limits an
 * admin key.
 */
export function accountOf(actor: Actor): string | null {
  if (actor.kind === 'session') return actor.userName;
  return actor.kind === 'key' ? actor.name : null;
}

/** A login session that stands. */
export interface SessionActor {
  kind: 'session';
  /** `user:<name>`, as the audit names it. */
  name: string;
  tenantCode: string | null;
  userName: string;
  role: Role;
  permissions: readonly Permission[];
  sessionId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}
