// What headquarters makes of the verdict changes of a site. Pure: from what the store has read to what it is
// to write.
import type { Stamp } from '../../common/clock.ts';
import { eventKey } from '../../common/core/event/port.ts';
import { reasonOf } from '../../common/core/verdict/decide.ts';
import type { VerdictRecord } from '../../common/core/verdict/record.ts';
import { type DecisionRefusal, judgedBefore } from '../../common/core/verdict/refusal-messages.ts';
import type { JudgementItem } from '../../common/uplink/change/judgement.ts';
import { EVENT_OF_ANOTHER } from '../../common/uplink/wire.ts';
import { tenantNotAllowed } from './decide.ts';
import {
  type CorrectionItem,
  DraftPlan,
  type JudgementPlan,
  type KnownEvent,
  type SeenForJudgements,
  type VerdictItem,
} from './judgement-plan.ts';
import { correctionOf, sameVerdict, verdictOf } from './judgement-record.ts';

/** @param stamp `now` is the change time, already made monotonic */
export function planJudgements(
  seen: SeenForJudgements,
  items: readonly JudgementItem[],
  stamp: Stamp,
): JudgementPlan {
  const planner = new Planner(seen, stamp);
  for (const item of items) planner.take(item);
  return planner.draft.finished();
}

/** Goes through the items one by one; a later one sees what an earlier one has changed. */
class Planner {
  readonly draft: DraftPlan;
  #seen: SeenForJudgements;
  #verdicts: Map<number, VerdictRecord>;
  #corrections: Map<string, number>;

  constructor(seen: SeenForJudgements, stamp: Stamp) {
    this.draft = new DraftPlan(seen, stamp);
    this.#seen = seen;
    this.#verdicts = new Map(seen.verdicts);
    this.#corrections = new Map(seen.corrections);
  }

  take(item: JudgementItem): void {
    if (item.kind === 'decision_refused') return this.draft.refusal(item);
    if (!this.#seen.tenants.has(item.tenant_code))
      return this.draft.rejected(tenantNotAllowed(item.change_no, item.tenant_code));
    const { event_key: key } = item.body;
    const event = this.#seen.events.get(eventKey(item.tenant_code, key));
    if (event === undefined)
      this.draft.reject(item, 'event_unknown', { code: 'answer_event_unknown', params: { key } });
    else if (event.instance === null || !this.#seen.owned.has(event.instance)) this.#foreign(item, event);
    else if (item.kind === 'verdict') this.#verdict(item, event.id);
    else this.#correction(item, event.id);
  }

  /**
   * A site's key writes only on events that arose at that site. An item that repeats what is stored does no
   * harm, as after a site was set up again under another name.
   */
  #foreign(item: VerdictItem | CorrectionItem, event: KnownEvent): void {
    if (this.#saysNothingNew(item, event)) return this.draft.duplicate();
    const { event_key: key, verdict, by } = item.body;
    const owner = event.instance ?? { code: 'headquarters_itself', params: {} };
    this.draft.reject(item, EVENT_OF_ANOTHER, { code: 'answer_of_another', params: { key, owner } });
    this.draft.foreign({
      eventId: event.id,
      tenantCode: item.tenant_code,
      key,
      heldBy: event.instance,
      kind: item.kind,
      verdict,
      by,
    });
  }

  #saysNothingNew(item: VerdictItem | CorrectionItem, { id }: KnownEvent): boolean {
    if (item.kind === 'correction')
      return this.#corrections.get(eventKey(item.tenant_code, item.body.id)) === id;
    const prior = this.#verdicts.get(id);
    return prior !== undefined && sameVerdict(prior, verdictOf(item, id, this.#seen));
  }

  #verdict(item: VerdictItem, eventId: number): void {
    const incoming = verdictOf(item, eventId, this.#seen);
    const prior = this.#verdicts.get(eventId);
    if (!prior) return this.#store(item, incoming, null);
    const decision = prior.decisionId === null ? undefined : this.#seen.decisions.get(prior.decisionId);
    if (decision && prior.decisionId === incoming.decisionId) {
      this.draft.settle(decision, 'applied', null);
      this.draft.duplicate();
    } else if (decision && this.draft.stateOf(decision) !== 'applied') {
      this.draft.settle(decision, 'lost', judgedBefore(incoming));
      this.#store(item, incoming, prior);
    } else if (sameVerdict(prior, incoming)) this.draft.duplicate();
    else
      this.draft.reject(item, 'verdict_conflict', {
        code: 'answer_verdict_conflict',
        params: { verdict: { code: `verdict_${prior.verdict}`, params: {} }, by: prior.by },
      });
  }

  #store(item: VerdictItem, verdict: VerdictRecord, before: VerdictRecord | null): void {
    this.#verdicts.set(verdict.eventId, verdict);
    this.draft.verdict(item, verdict, {
      action: before ? 'verdict.replaced_by_site' : 'verdict.written',
      before,
      after: { ...verdict, reason: reasonOf(verdict) },
    });
  }

  #correction(item: CorrectionItem, eventId: number): void {
    const { body } = item;
    const key = eventKey(item.tenant_code, body.id);
    const standing = this.#corrections.get(key);
    if (standing === undefined) return this.#newCorrection(item, eventId, key);
    if (standing !== eventId)
      return this.draft.reject(item, 'correction_conflict', plain('answer_correction_conflict'));
    const decision = this.#seen.decisions.get(body.decision_id ?? body.id);
    if (decision && this.draft.settle(decision, 'applied', null)) this.draft.placed(item, eventId);
    this.draft.duplicate();
  }

  #newCorrection(item: CorrectionItem, eventId: number, key: string): void {
    if (!this.#verdicts.has(eventId))
      return this.draft.reject(item, 'verdict_unknown', plain('answer_verdict_unknown'));
    this.#corrections.set(key, eventId);
    this.draft.correction(item, correctionOf(item, eventId, this.#seen));
  }
}

const plain = (code: 'answer_correction_conflict' | 'answer_verdict_unknown'): DecisionRefusal => ({
  code,
  params: {},
});
