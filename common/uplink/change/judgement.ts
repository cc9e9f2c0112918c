// Verdicts, corrections and refused decisions on the way up: each entry of the history of verdicts goes.
import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import type { Judged } from '../../core/event/record.ts';
import { code, idempotencyKey, tenantCode } from '../../core/event/schema.ts';
import type { Disposition, VerdictChange } from '../../core/verdict/record.ts';
import { verdictMembers, verdictValues } from '../../core/verdict/schema.ts';
import { clockTime, line, told } from '../item.ts';
import { id } from './names.ts';

/** Characters of the sentence with which a site refuses. */
const MAX_REASON = 4_000;

/**
 * The JSON text of an item. The body is spliced in as it was stored.
 * @param changeNo its number on the way up
 */
export function renderJudgement(change: VerdictChange, changeNo: number): string {
  return (
    `{"change_no":${changeNo},"at":${change.at},"tenant_code":${JSON.stringify(change.tenantCode)}` +
    `,"kind":"${change.kind}","body":${change.body}}`
  );
}

const name = z.string().check(z.minLength(1), z.maxLength(128));
const instance = code(128);
const byKind = z._default(z.enum(['human', 'machine']), 'human');
const { by, note } = verdictMembers;
// Every member of them, or it does not compile.
const judged = z.object(verdictMembers.judged.shape satisfies Record<keyof Judged, z.ZodMiniType>);
const disposition = z.object(
  verdictMembers.disposition.shape satisfies Record<keyof Disposition, z.ZodMiniType>,
);

const head = { change_no: id, at: clockTime, tenant_code: tenantCode };

/** The members of `ChangeBody`, by kind. */
export const judgementItem = z.discriminatedUnion('kind', [
  z.object({
    ...head,
    kind: z.literal('verdict'),
    body: z.object({
      event_key: idempotencyKey,
      at: clockTime,
      verdict: z.enum(verdictValues),
      by,
      by_kind: byKind,
      note: z.optional(z.nullable(note)),
      merged_into_key: z.optional(z.nullable(idempotencyKey)),
      merged_into_instance: z.optional(z.nullable(instance)),
      judged: z.optional(z.nullable(judged)),
      disposition: z.optional(z.nullable(disposition)),
      decision_id: z.optional(z.nullable(name)),
    }),
  }),
  z.object({
    ...head,
    kind: z.literal('correction'),
    body: z.object({
      event_key: idempotencyKey,
      at: clockTime,
      id: name,
      verdict: z.enum(verdictValues),
      by,
      by_kind: byKind,
      note,
      merged_into_key: z.optional(z.nullable(idempotencyKey)),
      merged_into_instance: z.optional(z.nullable(instance)),
      decision_id: z.optional(z.nullable(name)),
    }),
  }),
  z.object({
    ...head,
    // A site that keeps the event no longer knows neither its key nor, for certain, its tenant.
    tenant_code: z.string().check(upTo(64)),
    kind: z.literal('decision_refused'),
    body: z.object({
      event_key: z.string().check(upTo(128)),
      at: clockTime,
      decision_id: name,
      reason: z._default(line(MAX_REASON), ''),
      told,
    }),
  }),
]);

export type JudgementItem = z.infer<typeof judgementItem>;
