import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import { saying } from '../../http/fault/fault.ts';
import { code, judgedInput, keptJudgement, severities, tenantCode } from '../event/schema.ts';

export const verdictValues = ['confirmed', 'false_alarm', 'merged'] as const;
export type VerdictValue = (typeof verdictValues)[number];

const by = code(128);
/** Left out: `machine` for a consumer's key, which is a program's; `human` otherwise. */
const byKind = z.optional(z.enum(['human', 'machine']));
const note = z.string().check(z.minLength(1), upTo(4000), z.regex(/\S/, saying('blank')));
const dispositionInput = z
  .object({
    type: z.optional(code(128)),
    severity: z.optional(z.enum(severities)),
    channel: z.optional(code(128)),
    deadline: z.optional(z.string().check(z.maxLength(64))),
    message: z.optional(z.string().check(upTo(4000))),
    task_no: z.optional(code(128)),
    summary: z.optional(z.string().check(upTo(8000))),
  })
  .register(described, { id: 'Disposition' });

/**
 * Body of POST /api/core/events/{id}/verdict (spec 2, "Verdict (write-back) fields").
 * The rules between fields are in `decide.ts`.
 */
export const verdictInput = z
  .strictObject({
    verdict: z.enum(verdictValues),
    by,
    by_kind: byKind,
    note: z.optional(note),
    merged_into: z.optional(z.int().check(z.minimum(1))),
    judged_type: z.optional(z.string().check(upTo(128))),
    judged_confidence: judgedInput.shape.confidence,
    judged_by: judgedInput.shape.by,
    judged_model_version: judgedInput.shape.model_version,
    judged_basis_version: judgedInput.shape.basis_version,
    judged_text: judgedInput.shape.text,
    disposition: z.optional(dispositionInput),
    tenant_code: z.optional(tenantCode),
  })
  .register(described, { id: 'NewVerdict' });
export type VerdictInput = z.infer<typeof verdictInput>;

/** Body of POST /api/core/events/{id}/corrections (DESIGN.md, "Verdict"). */
export const correctionInput = z
  .strictObject({
    verdict: z.enum(verdictValues),
    by,
    by_kind: byKind,
    note,
    merged_into: z.optional(z.int().check(z.minimum(1))),
    tenant_code: z.optional(tenantCode),
  })
  .register(described, { id: 'NewCorrection' });
export type CorrectionInput = z.infer<typeof correctionInput>;

const { shape: disposed } = dispositionInput;

/** What is kept of a verdict beside the verdict itself, under the same bounds. */
export const verdictMembers = {
  by,
  note,
  judged: z.extend(keptJudgement, { type: verdictInput.shape.judged_type }),
  disposition: z.object({
    type: disposed.type,
    severity: disposed.severity,
    channel: disposed.channel,
    deadline: disposed.deadline,
    message: disposed.message,
    taskNo: disposed.task_no,
    summary: disposed.summary,
  }),
} as const;
