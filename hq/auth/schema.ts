import * as z from 'zod/mini';
import { tenantCode } from '../../common/core/event/schema.ts';
import { passwordText, secondFactorCode, userName } from '../../common/core/session/schema.ts';
import { forCustomers, permissionNames, roles } from '../../common/http/access.ts';
import { described } from '../../common/http/described.ts';
import { passkeyAnswer } from './passkey/schema.ts';
import { saying } from './user-fault-messages.ts';

const permissions = z.array(z.enum(permissionNames)).check(z.maxLength(permissionNames.length));

/** Body of a login. */
export const passwordLogin = z
  .strictObject({
    tenant: z.optional(tenantCode),
    name: z.string().check(z.minLength(1), z.maxLength(64)),
    password: passwordText,
    code: z.optional(secondFactorCode),
    passkey: z.optional(passkeyAnswer),
  })
  .register(described, { id: 'PasswordLogin' });

/** Body of POST /api/core/users. The rules between fields are in decide.ts. */
export const userInput = z
  .strictObject({
    name: userName,
    role: z.enum(roles),
    tenant_code: z.optional(tenantCode),
    permissions: z.optional(z.nullable(permissions)),
    password: passwordText,
  })
  .register(described, { id: 'NewUser' });
export type UserInput = z.infer<typeof userInput>;

/** Body of PATCH /api/core/users/{name}; permissions null: what the role has. */
export const userPatch = z
  .strictObject({
    disabled: z.optional(z.boolean()),
    permissions: z.optional(z.nullable(permissions)),
    password: z.optional(passwordText),
    emergency: z.optional(z.boolean()),
  })
  .check(
    z.refine((body) => Object.values(body).some((value) => value !== undefined), saying('user_unchanged')),
  )
  .register(described, { id: 'UserChange' });
export type UserPatch = z.infer<typeof userPatch>;

export const permissionView = z
  .object({ name: z.enum(permissionNames), customers: z.enum(forCustomers) })
  .register(described, { id: 'Permission' });

export const ownPasswordInput = z
  .strictObject({
    current_password: passwordText,
    new_password: passwordText,
  })
  .register(described, { id: 'NewPassword' });
export const userParams = z.strictObject({ name: userName });
export const userView = z
  .object({
    name: z.string(),
    role: z.enum(roles),
    tenantCode: z.nullable(z.string()),
    permissions: z.array(z.enum(permissionNames)),
    limited: z.boolean(),
    secondFactorSince: z.nullable(z.string()),
    emergency: z.boolean(),
    ofProvider: z.boolean(),
    disabledAt: z.nullable(z.string()),
    lastSeenAt: z.nullable(z.string()),
    createdAt: z.string(),
  })
  .register(described, { id: 'User' });
