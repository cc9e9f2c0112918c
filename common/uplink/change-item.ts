// One item of the verdicts channel: an entry of the change log (wire.ts, `ChangeItem`).
import * as z from 'zod/mini';
import { severities, tenantCode } from '../core/event/schema.ts';
import type { VerdictChange } from '../core/verdict/record.ts';
import { verdictValues } from '../core/verdict/schema.ts';
import type { Fault } from '../http/fault/fault.ts';
import { LATEST } from '../time.ts';
import { firstFault, line, storable, told } from './item.ts';

export type ParsedChangeItem = { ok: true; item: UplinkedChange } | { ok: false; fault: Fault };

/** The JSON text of an item. The body is spliced in as it was stored. */
export function renderChangeItem(change: VerdictChange): string {
  return (
    `{"change_no":${change.changeNo},"at":${change.at},"tenant_code":${JSON.stringify(change.tenantCode)}` +
    `,"kind":"${change.kind}","body":${change.body}}`
  );
}

/** Reads an item. Members it does not know are left out; a member of the wrong form refuses the item. */
export function parseChangeItem(value: unknown): ParsedChangeItem {
  const parsed = changeItem.safeParse(value);
  if (!parsed.success) return { ok: false, fault: firstFault(parsed.error) };
  return { ok: true, item: parsed.data };
}

const time = z.int().check(z.minimum(0), z.maximum(LATEST));
const key = line(128).check(z.minLength(1));
const id = z.string().check(z.minLength(1), z.maxLength(128), storable);
const name = line(128).check(z.minLength(1));
const byKind = z._default(z.enum(['human', 'machine']), 'human');
const note = z.string().check(z.maxLength(16_000), storable);
const text = z.optional(z.string());
const confidence = z.optional(z.number());

const judged = z.object({ type: text, confidence, by: text, modelVersion: text, basisVersion: text, text });
const disposition = z.object({
  type: text,
  severity: z.optional(z.enum(severities)),
  channel: text,
  deadline: text,
  message: text,
  taskNo: text,
  summary: text,
});

const head = { change_no: z.int().check(z.minimum(1)), at: time, tenant_code: tenantCode.check(storable) };

/** The members of `ChangeBody`, by kind. */
const changeItem = z.discriminatedUnion('kind', [
  z.object({
    ...head,
    kind: z.literal('verdict'),
    body: z.object({
      event_key: key,
      at: time,
      verdict: z.enum(verdictValues),
      by: name,
      by_kind: byKind,
      note: z.optional(z.nullable(note)),
      merged_into_key: z.optional(z.nullable(key)),
      merged_into_instance: z.optional(z.nullable(name)),
      judged: z.optional(z.nullable(judged)),
      disposition: z.optional(z.nullable(disposition)),
      decision_id: z.optional(z.nullable(id)),
    }),
  }),
  z.object({
    ...head,
    kind: z.literal('correction'),
    body: z.object({
      event_key: key,
      at: time,
      id,
      verdict: z.enum(verdictValues),
      by: name,
      by_kind: byKind,
      note,
      merged_into_key: z.optional(z.nullable(key)),
      merged_into_instance: z.optional(z.nullable(name)),
      decision_id: z.optional(z.nullable(id)),
    }),
  }),
  z.object({
    ...head,
    // A site that keeps the event no longer knows neither its key nor, for certain, its tenant.
    tenant_code: z.string().check(z.maxLength(64), storable),
    kind: z.literal('decision_refused'),
    body: z.object({ event_key: z.string(), at: time, decision_id: id, reason: z._default(note, ''), told }),
  }),
]);

export type UplinkedChange = z.infer<typeof changeItem>;
