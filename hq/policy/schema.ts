import * as z from 'zod/mini';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { described } from '../../common/http/described.ts';
import { securityLevels } from '../../common/policy/level.ts';
import { textUpTo } from '../knowledge/schema.ts';
import { MAX_ORIGINAL } from './original/original.ts';
import { saying } from './policy-fault-messages.ts';
import { shownStates } from './record.ts';
import { beijingDay } from './validity.ts';

/** The wire form of the policy library (spec 3, "Policy library"; DESIGN.md, "Policy library"). */

export const MAX_CHUNKS = 5_000;
export const MAX_CHUNK_TEXT = 20_000;
/** `parse_note` is cut, not refused, above this. */
export const MAX_PARSE_NOTE = 1_000;
/** Body of a chunk submission, bytes: a full set of ordinary clauses with their vectors. */
export const MAX_CHUNKS_BODY = 128 * 1024 * 1024;
export const MAX_EMBED = 500;
const MAX_DIM = 4_096;

export const sentence = (max: number) =>
  z.string().check(z.minLength(1), z.maxLength(max), z.regex(/\S/, saying('blank')));
const by = code(128);
export const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, saying('hexadecimal_64')));
const day = z.string().check(z.refine((text) => beijingDay(text) !== null, saying('beijing_day')));
const fileName = code(255).check(
  z.regex(/^[^/\\]+$/, saying('file_name')),
  z.refine((name) => name !== '.' && name !== '..', saying('file_name')),
);
const contentType = z
  .string()
  .check(
    z.maxLength(128),
    z.regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/, saying('media_type', { example: 'application/pdf' })),
  );

const registered = {
  tenant_code: tenantCode,
  src_system: code(64),
  src_key: code(256),
  title: sentence(512),
  doc_no: z.optional(sentence(128)),
  version: code(64),
  effective_date: z.optional(day),
  expiry_date: z.optional(day),
  security_level: z.optional(z.enum(securityLevels)),
};
const inOrder = z.refine<{ effective_date?: string | undefined; expiry_date?: string | undefined }>(
  (input) =>
    input.effective_date === undefined ||
    input.expiry_date === undefined ||
    input.effective_date <= input.expiry_date,
  { path: ['expiry_date'], ...saying('expiry_before') },
);

export const registerInput = z
  .strictObject({
    ...registered,
    file_name: z.optional(fileName),
    content_type: z.optional(contentType),
    size: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_ORIGINAL))),
    sha256: z.optional(sha256),
    supersedes: z.optional(z.int().check(z.minimum(1))),
  })
  .check(
    z.refine((input) => (input.size === undefined) === (input.sha256 === undefined), {
      path: ['sha256'],
      ...saying('sha256_with_size'),
    }),
    inOrder,
  )
  .register(described, { id: 'NewPolicyDocument' });
/** The texts of a form that brings the original itself: what describes the file is taken from it. */
export const registerForm = z
  .strictObject({
    ...registered,
    supersedes: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  })
  .check(inOrder);
export type RegisterInput = z.infer<typeof registerInput>;

const vector = z.array(z.number()).check(
  z.minLength(1),
  z.maxLength(MAX_DIM),
  z.refine((values) => values.some((value) => value !== 0), saying('vector_zero')),
);
const chunk = z
  .strictObject({
    clause_path: z.optional(z.nullable(z.string().check(z.maxLength(512)))),
    page: z.optional(z.nullable(z.int().check(z.minimum(1)))),
    text: textUpTo(MAX_CHUNK_TEXT).check(z.regex(/\S/, saying('blank'))),
    embedding: z.optional(z.nullable(vector)),
    embed_model: z.optional(z.nullable(code(128))),
  })
  .check(
    z.refine((one) => !one.embedding === !one.embed_model, {
      path: ['embed_model'],
      ...saying('model_with_vector'),
    }),
  )
  .register(described, { id: 'NewPolicyChunk' });

export const chunksInput = z
  .strictObject({
    tenant_code: tenantCode,
    parse_note: z.optional(z.nullable(z.string())),
    chunks: z.array(chunk).check(z.maxLength(MAX_CHUNKS)),
  })
  .check(
    z.refine((input) => input.chunks.length > 0 || (input.parse_note ?? '').trim() !== '', {
      path: ['parse_note'],
      ...saying('why_no_chunks'),
    }),
  )
  .register(described, { id: 'NewPolicyChunks' });
export type ChunksInput = z.infer<typeof chunksInput>;

export const embedInput = z
  .strictObject({
    tenant_code: tenantCode,
    embed_model: code(128),
    items: z
      .array(z.strictObject({ chunk_id: z.int().check(z.minimum(1)), sha256, embedding: vector }))
      .check(
        z.minLength(1),
        z.maxLength(MAX_EMBED),
        z.refine(
          (items) => new Set(items.map(({ chunk_id: id }) => id)).size === items.length,
          saying('chunks_once'),
        ),
        z.refine(
          (items) => new Set(items.map(({ embedding }) => embedding.length)).size <= 1,
          saying('vector_dimensions'),
        ),
      ),
  })
  .register(described, { id: 'NewPolicyVectors' });
export type EmbedInput = z.infer<typeof embedInput>;

export const stateInput = z
  .strictObject({
    tenant_code: tenantCode,
    state: z.enum(['effective', 'withdrawn', 'superseded']),
    by,
    expect_chunks_sha256: z.optional(sha256),
    accept_missing_numbers: z.optional(z.boolean()),
    reason: z.optional(sentence(2000)),
  })
  .check(
    z.refine((input) => input.state !== 'effective' || input.expect_chunks_sha256 !== undefined, {
      path: ['expect_chunks_sha256'],
      ...saying('fingerprint_needed'),
    }),
    z.refine((input) => input.state !== 'withdrawn' || input.reason !== undefined, {
      path: ['reason'],
      ...saying('why_withdrawn'),
    }),
  )
  .register(described, { id: 'PolicyDocumentTransition' });
export type StateInput = z.infer<typeof stateInput>;

export const limit = (standard: number, max: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(max)), standard);
export const cursor = z.optional(z.string().check(z.maxLength(512)));
export const flag = z.optional(z.enum(['0', '1']));

export const documentsQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  status: z.optional(z.enum(shownStates)),
  scheduled: z.optional(z.enum(['true', 'false'])),
  src_system: z.optional(code(64)),
  src_key_prefix: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  all_levels: flag,
  limit: limit(100, 500),
  cursor,
});
export const documentQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  all_levels: flag,
  fields: z.optional(z.literal('meta')),
});
export const originalQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  all_levels: flag,
  asker: z.optional(code(128)),
  inline: flag,
  presign: flag,
});
export const pendingQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  peek: flag,
  limit: limit(10, 100),
});

export const grantInput = z
  .strictObject({
    tenant_code: tenantCode,
    subject: code(128),
    level: z.enum(securityLevels),
  })
  .register(described, { id: 'NewPolicyClearance' });
export const grantsQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  limit: limit(100, 1000),
  cursor,
});

const acceptMissing = z._default(z.int().check(z.minimum(0)), 0);
export const deletionPreviewInput = z
  .strictObject({
    tenant_code: tenantCode,
    accept_missing: acceptMissing,
  })
  .register(described, { id: 'TenantDeletionPreview' });
export const deletionInput = z
  .strictObject({ tenant_code: tenantCode, confirm: tenantCode, accept_missing: acceptMissing })
  .check(
    z.refine((input) => input.confirm === input.tenant_code, {
      path: ['confirm'],
      ...saying('tenant_again'),
    }),
  )
  .register(described, { id: 'TenantDeletion' });
export const scopesQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });
export const scopeInput = z
  .strictObject({
    tenant_code: tenantCode,
    scope: z.literal('qa_log'),
    days: z.int().check(z.minimum(1), z.maximum(36_500)),
  })
  .register(described, { id: 'NewRetentionScope' });
export const scopeClearInput = z.strictObject({ tenant_code: tenantCode, scope: z.literal('qa_log') });
