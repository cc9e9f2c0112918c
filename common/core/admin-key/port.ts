import { CONFIGURED } from '../../http/access.ts';

export interface AdminKeyRecord {
  /** Never given out again, also after the key was withdrawn. */
  name: string;
  /** Lowercase hex SHA-256 of the live secret; null for the key of the configuration. */
  secretHash: string | null;
  /** That of the secret before the last rotation, accepted until `previousUntil` (epoch ms). */
  previousHash: string | null;
  previousUntil: number | null;
  createdAt: number;
  /** Who made it, as the audit names them. */
  createdBy: string;
  /** Last use, up to `NOTE_USE_EVERY_MS` old, and the address that it came from. */
  lastUsedAt: number | null;
  lastUsedFrom: string | null;
  removedAt: number | null;
}

/**
 * Changes are audited as `admin_key.added`, `admin_key.rotated` and `admin_key.removed`, without the digests.
 */
export interface AdminKeyPort {
  /** @throws conflict `key_exists` when the name is taken, also by a withdrawn key */
  add(key: AdminKeyRecord, actor: string): Promise<void>;
  /**
   * The key that has this digest now, or had it before its last rotation; the caller judges `previousUntil`.
   * null also for a withdrawn one.
   */
  byHash(hash: string): Promise<AdminKeyRecord | null>;
  /** Those that are not withdrawn, by name. */
  list(): Promise<AdminKeyRecord[]>;
  /**
   * Makes `hash` the live digest and keeps the present one until `previousUntil`. False when no such key can
   * be rotated.
   */
  rotate(name: string, hash: string, previousUntil: number, now: number, actor: string): Promise<boolean>;
  /** False when no such key can be withdrawn. */
  remove(name: string, now: number, actor: string): Promise<boolean>;
  /** Notes a use, also the first one of the key of the configuration. Never moves the time back. */
  used(name: string, now: number, from: string): Promise<void>;
}

/** What the audit shows of a key. */
export function traced(key: AdminKeyRecord | null): object | null {
  if (!key) return null;
  const { name, previousUntil, createdAt, createdBy, removedAt } = key;
  return { name, previousUntil, createdAt, createdBy, removedAt };
}

/** The row under which the uses of the key of the configuration are noted. */
export const configuredRow = (now: number, from: string): AdminKeyRecord => ({
  name: CONFIGURED,
  secretHash: null,
  previousHash: null,
  previousUntil: null,
  createdAt: now,
  createdBy: 'configuration',
  lastUsedAt: now,
  lastUsedFrom: from,
  removedAt: null,
});
