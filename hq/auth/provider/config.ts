// The variables of the provider of identities, and what of them goes together.
import * as z from 'zod/mini';
import { ConfigError, httpUrl, pushNetworks, secretReference } from '../../../common/config.ts';
import { tenantCode } from '../../../common/core/event/schema.ts';
import { roles } from '../../../common/http/access.ts';
import { securityLevels } from '../../../common/policy/level.ts';
import { type PasswordLogins, passwordLogins, type ProviderConfig } from './record.ts';

const claimName = (fallback: string) =>
  z._default(z.string().check(z.minLength(1), z.maxLength(128)), fallback);

/** A JSON object from values of a claim to what they give. */
const mapTo = <T extends z.ZodMiniType>(given: T) =>
  z._default(
    z.pipe(
      z.pipe(
        z.string().check(z.refine((text) => isObject(text), 'must be a JSON object')),
        z.transform((text: string) => JSON.parse(text) as unknown),
      ),
      z.record(z.string(), given),
    ),
    {},
  );

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export const providerVariables = {
  CORE_OIDC_ISSUER: z.optional(httpUrl),
  CORE_OIDC_CLIENT_ID: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
  CORE_OIDC_CLIENT_SECRET_REF: z.optional(secretReference),
  CORE_OIDC_NAME: z._default(z.string().check(z.minLength(1), z.maxLength(40)), 'OpenID Connect'),
  CORE_OIDC_SCOPES: z._default(
    z.string().check(z.regex(/(?:^| )openid(?: |$)/, 'must have openid among them'), z.maxLength(512)),
    'openid profile',
  ),
  CORE_OIDC_NETWORKS: pushNetworks,
  CORE_OIDC_NAME_CLAIM: claimName('preferred_username'),
  CORE_OIDC_ROLE_CLAIM: claimName('groups'),
  CORE_OIDC_TENANT_CLAIM: claimName('groups'),
  CORE_OIDC_CLEARANCE_CLAIM: claimName('groups'),
  CORE_OIDC_ROLES: mapTo(z.enum(roles)),
  CORE_OIDC_TENANTS: mapTo(tenantCode),
  CORE_OIDC_CLEARANCES: mapTo(z.record(tenantCode, z.enum(securityLevels))),
  CORE_PASSWORD_LOGIN: z._default(z.enum(passwordLogins), 'all'),
};

type Read = z.infer<z.ZodMiniObject<typeof providerVariables>>;
/** `localhost` could be answered by a name server. */
const THIS_MACHINE = /^(?:127\.\d+\.\d+\.\d+|\[::1\])$/;

/** @param publicUrl of the console @throws ConfigError when what belongs together is not there */
export function providerOf(
  read: Read,
  publicUrl: string | null,
): { provider: ProviderConfig | null; passwords: PasswordLogins } {
  const { CORE_OIDC_ISSUER: issuer, CORE_OIDC_CLIENT_ID: clientId, CORE_PASSWORD_LOGIN: passwords } = read;
  if (issuer === undefined) {
    if (passwords !== 'all') throw new ConfigError(['CORE_PASSWORD_LOGIN needs CORE_OIDC_ISSUER']);
    return { provider: null, passwords };
  }
  if (clientId === undefined || publicUrl === null)
    throw new ConfigError(['CORE_OIDC_ISSUER needs CORE_OIDC_CLIENT_ID and AGENT_LINK_URL']);
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !THIS_MACHINE.test(hostname))
    throw new ConfigError(['CORE_OIDC_ISSUER must be an https:// address']);
  if (Object.keys(read.CORE_OIDC_ROLES).length === 0)
    throw new ConfigError(['CORE_OIDC_ISSUER needs CORE_OIDC_ROLES: without it nobody has a role']);
  const provider = {
    ...{ issuer, clientId, clientSecretRef: read.CORE_OIDC_CLIENT_SECRET_REF ?? null, publicUrl },
    ...{ name: read.CORE_OIDC_NAME, scopes: read.CORE_OIDC_SCOPES, networks: read.CORE_OIDC_NETWORKS },
    mapping: {
      nameClaim: read.CORE_OIDC_NAME_CLAIM,
      roleClaim: read.CORE_OIDC_ROLE_CLAIM,
      tenantClaim: read.CORE_OIDC_TENANT_CLAIM,
      clearanceClaim: read.CORE_OIDC_CLEARANCE_CLAIM,
      roles: read.CORE_OIDC_ROLES,
      tenants: read.CORE_OIDC_TENANTS,
      clearances: read.CORE_OIDC_CLEARANCES,
    },
  };
  return { provider, passwords };
}
