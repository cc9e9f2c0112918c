import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { scopes } from '../../http/access.ts';
import { described } from '../../http/described.ts';
import { saying } from '../../http/fault/fault.ts';
import { code, tenantCode } from '../event/schema.ts';

export const keyIdText = z
  .string()
  .check(upTo(64), z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, saying('name_characters')));

/** Body of POST /api/core/nodes: a camera or other edge node that may post events. */
export const nodeInput = z
  .strictObject({
    tenant_code: tenantCode,
    name: code(128),
    key_id: z.optional(keyIdText),
  })
  .register(described, { id: 'NewNode' });

/** Body of POST /api/core/consumers/{consumer}/keys. */
export const consumerKeyInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    key_id: z.optional(keyIdText),
    scopes: z.optional(z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length))),
  })
  .register(described, { id: 'NewConsumerKey' });

/** Body of a rotation: how long the old secret goes on working. 0 ends it at once. */
export const rotateInput = z
  .strictObject({
    overlap_hours: z._default(z.number().check(z.minimum(0), z.maximum(24 * 30)), 24),
  })
  .register(described, { id: 'KeyRotation' });

export const keyParams = z.strictObject({ key_id: keyIdText });
