// The records that the verdict changes of a site become.
import { isDeepStrictEqual } from 'node:util';
import { eventKey } from '../../common/core/event/port.ts';
import type { CorrectionRecord, MergeTarget, VerdictRecord } from '../../common/core/verdict/record.ts';
import type { CorrectionItem, SeenForJudgements, VerdictItem } from './judgement-plan.ts';

export function verdictOf(item: VerdictItem, eventId: number, seen: SeenForJudgements): VerdictRecord {
  const { body } = item;
  return {
    eventId,
    tenantCode: item.tenant_code,
    verdict: body.verdict,
    by: body.by,
    byKind: body.by_kind,
    note: body.note ?? null,
    ...targetOf(item, seen),
    judged: body.judged ?? null,
    disposition: body.disposition ?? null,
    at: body.at,
    decisionId: body.decision_id ?? null,
  };
}

export function correctionOf(
  item: CorrectionItem,
  eventId: number,
  seen: SeenForJudgements,
): CorrectionRecord {
  const { body } = item;
  return {
    id: body.id,
    eventId,
    tenantCode: item.tenant_code,
    verdict: body.verdict,
    by: body.by,
    byKind: body.by_kind,
    note: body.note,
    ...targetOf(item, seen),
    at: body.at,
  };
}

/** The event merged into; an event of another instance under the same key is not the one that was meant. */
function targetOf(item: VerdictItem | CorrectionItem, seen: SeenForJudgements): MergeTarget {
  const { merged_into_key: key = null, merged_into_instance: from = seen.instance } = item.body;
  if (key === null) return { mergedInto: null, mergedIntoKey: null, mergedIntoInstance: null };
  const found = seen.events.get(eventKey(item.tenant_code, key));
  const own = from === seen.instance && found && found.instance !== null && seen.owned.has(found.instance);
  const meant = found && (found.instance === from || own) ? found : null;
  return {
    mergedInto: meant?.id ?? null,
    mergedIntoKey: key,
    mergedIntoInstance: meant ? meant.instance : from,
  };
}

/**
 * Whether two verdicts say the same. The event merged into may have become known only since, and what
 * an older site sent is without its key; all else must be equal.
 */
export function sameVerdict(a: VerdictRecord, b: VerdictRecord): boolean {
  const bare: MergeTarget = { mergedInto: null, mergedIntoKey: null, mergedIntoInstance: null };
  const sameTarget =
    a.mergedIntoKey === null || b.mergedIntoKey === null || a.mergedIntoKey === b.mergedIntoKey;
  return sameTarget && isDeepStrictEqual({ ...a, ...bare }, { ...b, ...bare });
}
