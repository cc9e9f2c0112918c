import { isDeepStrictEqual } from 'node:util';
import type { Stamp } from '../../clock.ts';
import { translate } from '../../message.ts';
import { refusalMessages } from '../../uplink/refusal-messages.ts';
import type { ChangeBody } from '../../uplink/wire.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { EventRecord } from '../event/record.ts';
import { messageToCamera } from '../feedback/decide.ts';
import type { FeedbackKind, FeedbackRecord } from '../feedback/record.ts';
import { intoTarget, mergeOf } from './merge.ts';
import type {
  MergeTarget,
  NewChange,
  RefuseDecision,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from './record.ts';
import { type DecisionRefusal, judgedBefore } from './refusal-messages.ts';

/** What the store has read, inside the transaction and under the lock, before it asks. */
export interface SeenForVerdict {
  event: EventRecord | null;
  prior: VerdictRecord | null;
  /** The event that `mergedInto` names; null when there is none or none was named. */
  target: EventRecord | null;
  /** Whether a change entry already answers `command.decisionId`. */
  answered: boolean;
}

/** Rows to write beside the verdict or correction itself. */
export interface Companions {
  change: NewChange;
  audit: AuditEntry;
  feedback: FeedbackRecord | null;
  /** At headquarters, for an event that arose at a site: what that site is to be told. */
  toSite: { instance: string; decisionId: string; body: string } | null;
}

export type VerdictDecision =
  | ({ kind: 'written'; verdict: VerdictRecord } & Companions)
  | { kind: 'unchanged'; verdict: VerdictRecord; audit: AuditEntry | null; change: NewChange | null }
  | { kind: 'answered' }
  | { kind: 'no_event'; change: NewChange | null }
  | { kind: 'tenant_mismatch' }
  | { kind: 'bad_target'; change: NewChange | null };

/**
 * First write wins (spec 2, "Verdict of an event"). `stamp.now` is the change
 * time that the store has already made monotonic.
 */
export function decideVerdict(seen: SeenForVerdict, command: WriteVerdict, stamp: Stamp): VerdictDecision {
  if (seen.answered) return { kind: 'answered' };
  const { event, prior } = seen;
  if (!event) return { kind: 'no_event', change: refusal(command, null, EVENT_GONE, stamp) };
  if (command.tenantCode !== null && command.tenantCode !== event.tenantCode)
    return { kind: 'tenant_mismatch' };
  if (prior) return unchanged(event, prior, command, stamp);
  const merge = mergeOf({ event, target: seen.target }, command);
  if (!merge) return { kind: 'bad_target', change: refusal(command, event, NO_TARGET, stamp) };
  return written(event, merge, command, stamp);
}

function unchanged(
  event: EventRecord,
  prior: VerdictRecord,
  command: WriteVerdict,
  stamp: Stamp,
): VerdictDecision {
  const said = { standing: prior.verdict, refused: command.verdict, by: command.by };
  return {
    kind: 'unchanged',
    verdict: prior,
    audit: saysTheSame(prior, command) ? null : auditOf(command, event, 'verdict.refused', said, stamp),
    change: refusal(command, event, judgedBefore(prior), stamp),
  };
}

function written(
  event: EventRecord,
  merge: MergeTarget,
  command: WriteVerdict,
  stamp: Stamp,
): VerdictDecision {
  const toSiteId = event.instance === null ? null : stamp.newId();
  const verdict: VerdictRecord = {
    eventId: event.id,
    tenantCode: event.tenantCode,
    verdict: command.verdict,
    by: command.by,
    byKind: command.byKind,
    note: command.note,
    ...merge,
    judged: command.judged,
    disposition: command.disposition,
    at: stamp.now,
    decisionId: command.decisionId ?? toSiteId,
  };
  const body: ChangeBody = {
    event_key: event.idempotencyKey,
    at: verdict.at,
    verdict: verdict.verdict,
    by: verdict.by,
    by_kind: verdict.byKind,
    note: verdict.note,
    ...mergeBody(merge),
    judged: verdict.judged,
    disposition: verdict.disposition,
    decision_id: verdict.decisionId,
  };
  return {
    kind: 'written',
    verdict,
    change: changeOf(event, 'verdict', command.decisionId, body),
    audit: auditOf(command, event, 'verdict.written', { ...verdict, reason: reasonOf(verdict) }, stamp),
    feedback: feedbackOf(event, 'verdict', verdict, stamp),
    toSite: toSiteOf(event, toSiteId, { kind: 'verdict', body }),
  };
}

/**
 * The sentence that the audit keeps as the reason of a verdict, whatever becomes of the note later (spec 2,
 * "Basis rules").
 */
export function reasonOf(judged: Pick<VerdictRecord, 'verdict' | 'by' | 'note'> & MergeTarget): string {
  const { verdict, by, note } = judged;
  return note ?? `${by} judged it ${verdict}${intoTarget(judged)}, without a note`;
}

/** The standing verdict sent once more, as after an answer that was lost. */
function saysTheSame(prior: VerdictRecord, command: WriteVerdict): boolean {
  const { verdict, by, byKind, note, mergedInto, judged, disposition } = prior;
  return isDeepStrictEqual(
    { verdict, by, byKind, note, mergedInto, judged, disposition },
    {
      verdict: command.verdict,
      by: command.by,
      byKind: command.byKind,
      note: command.note,
      mergedInto: command.mergedInto,
      judged: command.judged,
      disposition: command.disposition,
    },
  );
}

export const NO_TARGET: DecisionRefusal = { code: 'decision_no_target', params: {} };
export const EVENT_GONE: DecisionRefusal = { code: 'decision_event_gone', params: {} };

/** The instance is null where the target arose at the store that writes this. */
export const mergeBody = (
  merge: MergeTarget,
): Pick<ChangeBody, 'merged_into_key' | 'merged_into_instance'> => ({
  merged_into_key: merge.mergedIntoKey,
  ...(merge.mergedIntoKey === null ? {} : { merged_into_instance: merge.mergedIntoInstance }),
});

export function changeOf(
  event: EventRecord,
  kind: NewChange['kind'],
  decisionId: string | null,
  body: ChangeBody,
): NewChange {
  return { eventId: event.id, tenantCode: event.tenantCode, kind, decisionId, body: JSON.stringify(body) };
}

/** A site answers each decision of headquarters, also the ones it cannot carry out. */
export function refusal(
  command: WriteVerdict | WriteCorrection,
  event: EventRecord | null,
  reason: DecisionRefusal,
  stamp: Stamp,
): NewChange | null {
  const { decisionId } = command;
  if (decisionId === null) return null;
  const tenantCode = event?.tenantCode ?? command.tenantCode ?? '';
  return {
    ...refusalOf({ decisionId, tenantCode, eventKey: event?.idempotencyKey ?? '', reason }, stamp),
    eventId: event?.id ?? 0,
  };
}

/** The change entry that tells headquarters that its decision is not carried out, and why. */
export function refusalOf(
  { decisionId, tenantCode, eventKey, reason }: RefuseDecision,
  stamp: Stamp,
): NewChange {
  const body: ChangeBody = {
    event_key: eventKey,
    at: stamp.now,
    decision_id: decisionId,
    reason: translate(refusalMessages, reason, 'en') ?? reason.code,
    told: reason,
  };
  return { eventId: 0, tenantCode, kind: 'decision_refused', decisionId, body: JSON.stringify(body) };
}

export function auditOf(
  command: { actor: string },
  event: EventRecord,
  action: string,
  after: unknown,
  stamp: Stamp,
): AuditEntry {
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor: command.actor,
    action,
    subject: `event:${event.id}`,
    tenantCode: event.tenantCode,
    before: null,
    after,
  };
}

export function feedbackOf(
  event: EventRecord,
  kind: FeedbackKind,
  judged: { verdict: string; by: string; note: string | null },
  stamp: Stamp,
): FeedbackRecord | null {
  return messageToCamera(event, kind, { verdict: judged.verdict, by: judged.by, reason: judged.note }, stamp);
}

export function toSiteOf(
  event: EventRecord,
  decisionId: string | null,
  { kind, body }: { kind: string; body: ChangeBody },
): Companions['toSite'] {
  if (event.instance === null || decisionId === null) return null;
  return {
    instance: event.instance,
    decisionId,
    body: JSON.stringify({ kind, tenant_code: event.tenantCode, ...body }),
  };
}
