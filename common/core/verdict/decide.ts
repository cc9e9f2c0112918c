import type { Stamp } from '../../clock.ts';
import type { ChangeBody } from '../../uplink/wire.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { EventRecord } from '../event/record.ts';
import { messageToCamera } from '../feedback/decide.ts';
import type { FeedbackRecord } from '../feedback/port.ts';
import type {
  CorrectionRecord, NewChange, VerdictRecord, WriteCorrection, WriteVerdict,
} from './record.ts';

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
  | { kind: 'unchanged'; verdict: VerdictRecord; audit: AuditEntry; change: NewChange | null }
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
  if (!event) return { kind: 'no_event', change: refusal(command, null, 'the event is not kept here', stamp) };
  if (command.tenantCode !== null && command.tenantCode !== event.tenantCode) return { kind: 'tenant_mismatch' };
  if (prior) {
    return {
      kind: 'unchanged',
      verdict: prior,
      audit: auditOf(command, event, 'verdict.refused', { standing: prior.verdict, refused: command.verdict, by: command.by }, stamp),
      change: refusal(command, event, `already judged ${prior.verdict} by ${prior.by}`, stamp),
    };
  }
  if (badTarget(seen, command)) return { kind: 'bad_target', change: refusal(command, event, NO_TARGET, stamp) };
  const toSiteId = event.instance === null ? null : stamp.newId();
  const verdict: VerdictRecord = {
    eventId: event.id, tenantCode: event.tenantCode, verdict: command.verdict, by: command.by, byKind: command.byKind,
    note: command.note, mergedInto: command.mergedInto, judged: command.judged, disposition: command.disposition,
    at: stamp.now, decisionId: command.decisionId ?? toSiteId,
  };
  const body: ChangeBody = {
    event_key: event.idempotencyKey, at: verdict.at, verdict: verdict.verdict, by: verdict.by, by_kind: verdict.byKind,
    note: verdict.note, merged_into_key: seen.target?.idempotencyKey ?? null, judged: verdict.judged,
    disposition: verdict.disposition, decision_id: verdict.decisionId,
  };
  return {
    kind: 'written',
    verdict,
    change: changeOf(event, 'verdict', command.decisionId, body),
    audit: auditOf(command, event, 'verdict.written', { ...verdict, reason: reasonOf(verdict) }, stamp),
    feedback: feedbackOf(event, 'verdict', verdict, stamp),
    toSite: toSiteOf(event, toSiteId, 'verdict', body),
  };
}

/** The sentence that the audit keeps as the reason of a verdict, whatever becomes of the note later (spec 2, "Basis rules"). */
export function reasonOf({ verdict, by, note, mergedInto }: Pick<VerdictRecord, 'verdict' | 'by' | 'note' | 'mergedInto'>): string {
  if (note !== null) return note;
  return `${by} judged it ${verdict}${mergedInto === null ? '' : ` into event ${mergedInto}`}, without a note`;
}

export interface SeenForCorrection {
  event: EventRecord | null;
  prior: VerdictRecord | null;
  /** A correction with the same id. */
  same: CorrectionRecord | null;
  target: EventRecord | null;
  answered: boolean;
}

export type CorrectionDecision =
  | ({ kind: 'written'; correction: CorrectionRecord } & Companions)
  | { kind: 'replayed'; correction: CorrectionRecord }
  | { kind: 'answered' }
  | { kind: 'no_event'; change: NewChange | null }
  | { kind: 'tenant_mismatch' }
  | { kind: 'no_verdict'; change: NewChange | null }
  | { kind: 'bad_target'; change: NewChange | null };

/** A correction stands beside the first verdict and never replaces it (design §6, "Verdict"). */
export function decideCorrection(seen: SeenForCorrection, command: WriteCorrection, stamp: Stamp): CorrectionDecision {
  if (seen.answered) return { kind: 'answered' };
  const { event } = seen;
  if (!event) return { kind: 'no_event', change: refusal(command, null, 'the event is not kept here', stamp) };
  if (command.tenantCode !== null && command.tenantCode !== event.tenantCode) return { kind: 'tenant_mismatch' };
  if (seen.same) return { kind: 'replayed', correction: seen.same };
  if (!seen.prior) {
    return { kind: 'no_verdict', change: refusal(command, event, 'there is no verdict to correct', stamp) };
  }
  if (badTarget(seen, command)) return { kind: 'bad_target', change: refusal(command, event, NO_TARGET, stamp) };
  const correction: CorrectionRecord = {
    id: command.id, eventId: event.id, tenantCode: event.tenantCode, verdict: command.verdict, by: command.by,
    byKind: command.byKind, note: command.note, mergedInto: command.mergedInto, at: stamp.now,
  };
  const toSiteId = event.instance === null ? null : correction.id;
  const body: ChangeBody = {
    event_key: event.idempotencyKey, at: correction.at, id: correction.id, verdict: correction.verdict,
    by: correction.by, by_kind: correction.byKind, note: correction.note,
    merged_into_key: seen.target?.idempotencyKey ?? null, decision_id: command.decisionId ?? toSiteId,
  };
  return {
    kind: 'written',
    correction,
    change: changeOf(event, 'correction', command.decisionId, body),
    audit: auditOf(command, event, 'verdict.corrected', correction, stamp),
    feedback: feedbackOf(event, 'correction', correction, stamp),
    toSite: toSiteOf(event, toSiteId, 'correction', body),
  };
}

const NO_TARGET = 'the event that it was to be merged into is not kept here';

function badTarget(seen: { event: EventRecord | null; target: EventRecord | null }, command: { verdict: string; mergedInto: number | null }): boolean {
  if (command.verdict !== 'merged') return false;
  const { event, target } = seen;
  return !event || !target || target.id === event.id || target.tenantCode !== event.tenantCode;
}

function changeOf(event: EventRecord, kind: NewChange['kind'], decisionId: string | null, body: ChangeBody): NewChange {
  return { eventId: event.id, tenantCode: event.tenantCode, kind, decisionId, body: JSON.stringify(body) };
}

/** A site answers each decision of headquarters, also the ones it cannot carry out. */
function refusal(
  command: WriteVerdict | WriteCorrection, event: EventRecord | null, reason: string, stamp: Stamp,
): NewChange | null {
  if (command.decisionId === null) return null;
  const body: ChangeBody = {
    event_key: event?.idempotencyKey ?? '', at: stamp.now, decision_id: command.decisionId, reason,
  };
  return {
    eventId: event?.id ?? 0,
    tenantCode: event?.tenantCode ?? command.tenantCode ?? '',
    kind: 'decision_refused',
    decisionId: command.decisionId,
    body: JSON.stringify(body),
  };
}

function auditOf(
  command: { actor: string }, event: EventRecord, action: string, after: unknown, stamp: Stamp,
): AuditEntry {
  return {
    id: stamp.newId(), at: stamp.now, actor: command.actor, action, subject: `event:${event.id}`,
    tenantCode: event.tenantCode, before: null, after,
  };
}

function feedbackOf(
  event: EventRecord, kind: string, judged: { verdict: string; by: string; note: string | null }, stamp: Stamp,
): FeedbackRecord | null {
  return messageToCamera(event, kind, { verdict: judged.verdict, by: judged.by, reason: judged.note }, stamp);
}

function toSiteOf(event: EventRecord, decisionId: string | null, kind: string, body: ChangeBody): Companions['toSite'] {
  if (event.instance === null || decisionId === null) return null;
  return { instance: event.instance, decisionId, body: JSON.stringify({ kind, tenant_code: event.tenantCode, ...body }) };
}
