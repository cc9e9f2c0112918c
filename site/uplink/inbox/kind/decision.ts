import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../../common/clock.ts';
import { eventKey, type EventPort } from '../../../../common/core/event/port.ts';
import type { Judged } from '../../../../common/core/event/record.ts';
import type { VerdictPort } from '../../../../common/core/verdict/port.ts';
import type {
  CorrectionOutcome,
  Disposition,
  EventIdentity,
  VerdictOutcome,
} from '../../../../common/core/verdict/record.ts';
import type { DecisionRefusal } from '../../../../common/core/verdict/refusal-messages.ts';
import { verdictValues } from '../../../../common/core/verdict/schema.ts';
import { toldFault } from '../../../../common/uplink/fault.ts';
import type { InboxDriver } from '../inbox.ts';
import type { Carried } from '../port.ts';

const text = z.string().check(z.minLength(1));
const decisionForm = z.object({
  decision_id: text,
  kind: z.enum(['verdict', 'correction']),
  tenant_code: text,
  event_key: text,
  verdict: z.enum(verdictValues),
  by: text,
  by_kind: z.enum(['human', 'machine']),
  note: z.nullable(z.string()),
  merged_into_key: z.nullable(z.string()),
  merged_into_instance: z.optional(z.nullable(z.string())),
  judged: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
  disposition: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
  at: z.int(),
});
type KnownDecision = z.infer<typeof decisionForm>;

/** What is needed to refuse a decision whose form this version does not know. */
const nameForm = z.object({
  decision_id: text.check(z.maxLength(128)),
  tenant_code: z._default(z.string().check(z.maxLength(64)), ''),
  event_key: z._default(z.string(), ''),
});

export interface DecisionOptions {
  events: EventPort;
  verdicts: VerdictPort;
  clock: Clock;
  /** Name of this site. */
  instance: string;
  /** Called with the feedback row of each verdict written, so that it is sent to the camera at once. */
  onWritten: (feedbackId: string) => void;
}

/**
 * Verdicts and corrections of headquarters on events of this site (DESIGN.md, "The inbox down"). The first
 * write wins here as everywhere. The outcome returns on the verdicts channel, because the store records a
 * refusal too. One without a usable id cannot be answered, and fails.
 */
export const decisionDriver = (options: DecisionOptions): InboxDriver => ({
  subjectOf: (body) => {
    const named = nameForm.safeParse(body).data;
    return named ? eventKey(named.tenant_code, named.event_key) : null;
  },
  carryOut: (body) => carryOut(options, body),
});

async function carryOut(options: DecisionOptions, body: unknown): Promise<Carried> {
  const { verdicts, clock } = options;
  const parsed = decisionForm.safeParse(body);
  if (!parsed.success) {
    const named = nameForm.parse(body);
    const where = toldFault(parsed.error, body);
    const reason: DecisionRefusal = { code: 'decision_not_understood', params: { where } };
    const fresh = await verdicts.refuse(
      { decisionId: named.decision_id, tenantCode: named.tenant_code, eventKey: named.event_key, reason },
      stampOf(clock),
    );
    return fresh ? 'refused' : 'answered';
  }
  const outcome = await write(verdicts, parsed.data, await idsOf(options, parsed.data), clock);
  if (outcome.kind === 'answered') return 'answered';
  if (outcome.kind !== 'written') return 'refused';
  if (outcome.feedbackId !== null) options.onWritten(outcome.feedbackId);
  return 'carried_out';
}

interface Ids {
  eventId: number;
  mergedInto: number | null;
  target: EventIdentity | null;
}

/** An event of another instance is not looked up, since an event of this site may have the same key. */
async function idsOf({ events, instance }: DecisionOptions, decision: KnownDecision): Promise<Ids> {
  const {
    tenant_code: tenantCode,
    event_key: key,
    merged_into_key: targetKey,
    merged_into_instance: from = null,
  } = decision;
  const ours = from === null || from === instance;
  const keys = [key, ...(targetKey !== null && ours ? [targetKey] : [])];
  const found = await events.byKeys(keys.map((idempotencyKey) => ({ tenantCode, idempotencyKey })));
  const idOf = (idempotencyKey: string): number | null =>
    found.get(eventKey(tenantCode, idempotencyKey))?.id ?? null;
  return {
    eventId: idOf(key) ?? 0,
    mergedInto: targetKey !== null && ours ? idOf(targetKey) : null,
    target: targetKey === null ? null : { key: targetKey, instance: ours ? null : from },
  };
}

function write(
  verdicts: VerdictPort,
  decision: KnownDecision,
  ids: Ids,
  clock: Clock,
): Promise<VerdictOutcome | CorrectionOutcome> {
  const common = {
    ...ids,
    tenantCode: decision.tenant_code,
    verdict: decision.verdict,
    by: decision.by,
    byKind: decision.by_kind,
    decisionId: decision.decision_id,
    actor: 'hq',
  };
  if (decision.kind === 'correction') {
    return verdicts.correct(
      { ...common, id: decision.decision_id, note: decision.note ?? '' },
      stampOf(clock),
    );
  }
  return verdicts.write(
    {
      ...common,
      note: decision.note,
      judged: decision.judged as Judged | null,
      disposition: decision.disposition as Disposition | null,
    },
    stampOf(clock),
  );
}
