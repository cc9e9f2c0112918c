import type { Role } from '../../../common/http/access.ts';
import type { Networks } from '../../../common/http/outbound/address.ts';
import type { SecurityLevel } from '../../../common/policy/level.ts';

/** How rights follow from what the provider says of a person: by values of its claims. */
export interface RightsMapping {
  /** Claims by name; a dot leads into an object. */
  nameClaim: string;
  roleClaim: string;
  tenantClaim: string;
  clearanceClaim: string;
  roles: Readonly<Record<string, Role>>;
  /** Of customers. */
  tenants: Readonly<Record<string, string>>;
  /** Levels by tenant. Empty: clearances are given here alone. */
  clearances: Readonly<Record<string, Readonly<Record<string, SecurityLevel>>>>;
}

/** The OpenID Connect provider of the company. */
export interface ProviderConfig {
  issuer: string;
  clientId: string;
  /** null: a public client, by PKCE alone. */
  clientSecretRef: string | null;
  /** What people call it: on the button. */
  name: string;
  scopes: string;
  networks: Networks;
  /** Address of the console in browsers, without a slash at its end. */
  publicUrl: string;
  mapping: RightsMapping;
}

/** Who may log in with a password: all who have one, or emergency accounts alone. */
export const passwordLogins = ['all', 'emergency'] as const;
export type PasswordLogins = (typeof passwordLogins)[number];

/** What a person may do by their claims. */
export interface Rights {
  name: string;
  role: Role;
  tenantCode: string | null;
  /** By tenant; null: clearances are given here alone. */
  clearances: Readonly<Record<string, SecurityLevel>> | null;
}

export const rightsFaults = ['no_name', 'no_role', 'no_tenant', 'several_tenants'] as const;
export type RightsFault = (typeof rightsFaults)[number];
