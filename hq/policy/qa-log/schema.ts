import * as z from 'zod/mini';
import { code, tenantCode, zonedTime } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { saying } from '../policy-fault-messages.ts';
import { cursor, flag, limit, sentence, sha256 } from '../schema.ts';

export const answerInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    subject: z.optional(code(128)),
    question: sentence(8000),
    answer: z.optional(sentence(64_000)),
    refusal_reason: z.optional(sentence(2000)),
    citations: z._default(
      z
        .array(z.strictObject({ chunk_id: z.int().check(z.minimum(1)), sha256: z.optional(sha256) }))
        .check(z.maxLength(100)),
      [],
    ),
    basis_version: z.optional(sentence(256)),
    index_version: z.optional(sentence(256)),
    duration_ms: z.optional(z.int().check(z.minimum(0), z.maximum(86_400_000))),
  })
  .check(
    z.refine((input) => (input.answer === undefined) !== (input.refusal_reason === undefined), {
      path: ['answer'],
      ...saying('answer_or_refusal'),
    }),
  )
  .register(described, { id: 'NewPolicyAnswer' });
/** With who asked, of which tenant. */
export type AnswerInput = z.infer<typeof answerInput> & { tenant_code: string; subject: string };

export const answersQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  asker: z.optional(code(128)),
  feedback: z.optional(z.enum(['useful', 'wrong'])),
  since: z.optional(zonedTime),
  until: z.optional(zonedTime),
  all_levels: flag,
  limit: limit(100, 500),
  cursor,
});
export const answerQuery = z.strictObject({ tenant_code: z.optional(tenantCode), all_levels: flag });
export const feedbackInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    subject: z.optional(code(128)),
    feedback: z.enum(['useful', 'wrong']),
    note: z.optional(sentence(2000)),
  })
  .register(described, { id: 'PolicyFeedback' });
