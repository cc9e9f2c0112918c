import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { permissionNames, roles } from '../../http/access.ts';
import { described } from '../../http/described.ts';
import { saying } from '../../http/fault/fault.ts';

/** Login names are told apart without regard to case. */
export const userName = z
  .string()
  .check(upTo(64), z.regex(/^[A-Za-z0-9][A-Za-z0-9._@-]*$/, saying('user_characters')));

/** Checked for its size only: what is wrong with a password is said where one is set. */
export const passwordText = z.string().check(z.minLength(1), z.maxLength(256));

/** Of an authenticator app, or a recovery code, with whatever spaces and dashes it is typed. */
export const secondFactorCode = z.string().check(z.minLength(6), z.maxLength(32));

export const sessionParams = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) });

const identity = {
  name: z.string(),
  role: z.enum(roles),
  tenantCode: z.nullable(z.string()),
  permissions: z.array(z.enum(permissionNames)),
};
export const identityView = z
  .object({ ...identity, expiresAt: z.nullable(z.string()) })
  .register(described, { id: 'Identity' });
export const sessionView = z
  .object({
    id: z.string(),
    ...identity,
    createdAt: z.string(),
    lastSeenAt: z.string(),
    expiresAt: z.string(),
    ip: z.string(),
    userAgent: z.nullable(z.string()),
    current: z.boolean(),
  })
  .register(described, { id: 'Session' });
