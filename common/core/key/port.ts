import type { KeyPurpose, Scope } from '../../http/access.ts';

export interface KeyRecord {
  keyId: string;
  purpose: KeyPurpose;
  /**
   * Tenant of a node; null for a site (its tenants are in the site registry) and for an operator's consumer.
   */
  tenantCode: string | null;
  /** Name of the camera node, instance of the site, or consumer. */
  subject: string;
  /** What a consumer's key is for; null for other keys. */
  scopes: Scope[] | null;
  /** Reference to the live secret (`vault:` or `sealed:`), never the secret. */
  secretRef: string;
  /** The secret before the last rotation, accepted until `previousUntil` (epoch ms). */
  previousRef: string | null;
  previousUntil: number | null;
  createdAt: number;
  removedAt: number | null;
}

/** Tells which keys are changed, by whichever process. */
export interface KeyNews {
  /** Whether all changes are told now, but for those of the last two seconds. */
  current(): boolean;
  /** @param told with the id of the key; null: news may have been missed, and any key may have changed */
  onKey(told: (keyId: string | null) => void): void;
}

/**
 * Changes are audited as `key.added`, `key.rotated` and `key.removed`, with the records before and after but
 * for their references to secrets.
 */
export interface KeyPort {
  /** @throws conflict `key_exists` when the key id is taken, also by a removed key */
  add(key: KeyRecord, actor: string): Promise<void>;
  get(keyId: string): Promise<KeyRecord | null>;
  /** Live keys only, by purpose, ordered by key id. */
  list(purpose: KeyPurpose): Promise<KeyRecord[]>;
  /**
   * Makes `secretRef` the live secret and keeps the present one until `previousUntil`. False when there is no
   * such live key.
   */
  rotate(
    keyId: string,
    secretRef: string,
    previousUntil: number,
    now: number,
    actor: string,
  ): Promise<boolean>;
  /** False when there is no such live key. */
  remove(keyId: string, now: number, actor: string): Promise<boolean>;
}
