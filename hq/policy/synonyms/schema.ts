import * as z from 'zod/mini';
import { tenantCode } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { saying } from '../policy-fault-messages.ts';

export const MAX_GROUPS = 500;
export const MAX_WORDS = 20;
/** Characters; one character alone says too little to stand for others. */
const word = z
  .string()
  .check(
    z.trim(),
    z.minLength(2),
    z.maxLength(32),
    z.regex(
      /^(?=.*(?:\p{L}{2}|\p{L}.*\p{N}|\p{N}.*\p{L}))[\p{L}\p{N}\p{M} \-_.\/]*$/u,
      saying('synonym_letters'),
    ),
  );

/** Body of PUT /api/core/kb/synonyms. */
export const synonymsInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    groups: z
      .array(z.array(word).check(z.minLength(2), z.maxLength(MAX_WORDS)))
      .check(z.maxLength(MAX_GROUPS)),
    shipped: z._default(z.boolean(), true),
    expected_revision: z.optional(z.nullable(z.int().check(z.minimum(0)))),
  })
  .register(described, { id: 'PolicySynonymsInput' });

export const synonymsQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });

export const synonymsView = z
  .object({
    tenantCode: z.string(),
    revision: z.int(),
    shipped: z.boolean(),
    groups: z.array(z.array(z.string())),
    /** What is shipped, whether or not it holds for the tenant. */
    shippedGroups: z.array(z.array(z.string())),
    setBy: z.nullable(z.string()),
    setAt: z.nullable(z.string()),
  })
  .register(described, { id: 'PolicySynonyms' });
