import type { Stamp } from '../../clock.ts';
import type { ChangeBody } from '../../uplink/wire.ts';
import type { EventRecord } from '../event/record.ts';
import {
  auditOf,
  changeOf,
  type Companions,
  EVENT_GONE,
  feedbackOf,
  mergeBody,
  NO_TARGET,
  refusal,
  toSiteOf,
} from './decide.ts';
import { mergeOf } from './merge.ts';
import type { CorrectionRecord, NewChange, VerdictRecord, WriteCorrection } from './record.ts';

export interface SeenForCorrection {
  event: EventRecord | null;
  prior: VerdictRecord | null;
  /** A correction with the same id. */
  same: CorrectionRecord | null;
  target: EventRecord | null;
  answered: boolean;
}

type CorrectionDecision =
  | ({ kind: 'written'; correction: CorrectionRecord } & Companions)
  | { kind: 'replayed'; correction: CorrectionRecord }
  | { kind: 'answered' }
  | { kind: 'no_event'; change: NewChange | null }
  | { kind: 'tenant_mismatch' }
  | { kind: 'no_verdict'; change: NewChange | null }
  | { kind: 'bad_target'; change: NewChange | null };

/** A correction stands beside the first verdict and never replaces it (DESIGN.md, "Verdict"). */
export function decideCorrection(
  seen: SeenForCorrection,
  command: WriteCorrection,
  stamp: Stamp,
): CorrectionDecision {
  if (seen.answered) return { kind: 'answered' };
  const { event } = seen;
  if (!event) return { kind: 'no_event', change: refusal(command, null, EVENT_GONE, stamp) };
  if (command.tenantCode !== null && command.tenantCode !== event.tenantCode)
    return { kind: 'tenant_mismatch' };
  if (seen.same) return { kind: 'replayed', correction: seen.same };
  if (!seen.prior) {
    const reason = { code: 'decision_no_verdict', params: {} } as const;
    return { kind: 'no_verdict', change: refusal(command, event, reason, stamp) };
  }
  const merge = mergeOf({ event, target: seen.target }, command);
  if (!merge) return { kind: 'bad_target', change: refusal(command, event, NO_TARGET, stamp) };
  const correction: CorrectionRecord = {
    id: command.id,
    eventId: event.id,
    tenantCode: event.tenantCode,
    verdict: command.verdict,
    by: command.by,
    byKind: command.byKind,
    note: command.note,
    ...merge,
    at: stamp.now,
  };
  const toSiteId = event.instance === null ? null : correction.id;
  const body: ChangeBody = {
    event_key: event.idempotencyKey,
    at: correction.at,
    id: correction.id,
    verdict: correction.verdict,
    by: correction.by,
    by_kind: correction.byKind,
    note: correction.note,
    ...mergeBody(merge),
    decision_id: command.decisionId ?? toSiteId,
  };
  return {
    kind: 'written',
    correction,
    change: changeOf(event, 'correction', command.decisionId, body),
    audit: auditOf(command, event, 'verdict.corrected', correction, stamp),
    feedback: feedbackOf(event, 'correction', correction, stamp),
    toSite: toSiteOf(event, toSiteId, { kind: 'correction', body }),
  };
}
