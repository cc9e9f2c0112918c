/**
 * What it is for: signing pushes or dataset pulls, what a channel sends with, a channel's whole address, or
 * the password of a camera that is connected to.
 */
export const secretUses = ['push', 'dataset', 'channel', 'channel_address', 'device'] as const;
export type SecretUse = (typeof secretUses)[number];

/** The only thing that a secret may be used for. */
export interface SecretBinding {
  use: SecretUse;
  /**
   * Tenant of the channel, source or subscription; null: a subscription to every tenant,
   * or a channel of the operators.
   */
  tenantCode: string | null;
  /** As `hostOf` writes it. */
  host: string;
}

/** A secret that was given through the API, once. */
export interface NamedSecret extends SecretBinding {
  /** Unique among the secrets of its tenant. */
  name: string;
  /** The secret, sealed for its name and binding. */
  sealed: string;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** Key of the alarm that stands while secrets that are kept here cannot be opened. */
export const UNREADABLE_ALARM = 'secrets_unreadable';
