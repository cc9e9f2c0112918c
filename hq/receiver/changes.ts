// What headquarters makes of the verdict changes of a site. Pure: from what the store has read to what it is
// to write.
import { isDeepStrictEqual } from 'node:util';
import type { Stamp } from '../../common/clock.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import { eventKey } from '../../common/core/event/port.ts';
import { reasonOf } from '../../common/core/verdict/decide.ts';
import type {
  CorrectionRecord,
  MergeTarget,
  NewChange,
  VerdictRecord,
} from '../../common/core/verdict/record.ts';
import type { UplinkedChange } from '../../common/uplink/change-item.ts';
import { EVENT_OF_ANOTHER, type RejectedItem } from '../../common/uplink/wire.ts';
import { tenantNotAllowed } from './decide.ts';
import type { DecisionState, ForeignChange, RefusedDecision } from './port.ts';

/** A decision as far as the rules look at it. */
export interface KnownDecision {
  id: string;
  tenantCode: string;
  eventId: number;
  state: DecisionState;
}

/** An event as far as the rules look at it. */
export interface KnownEvent {
  id: number;
  /** Where it arose; null: at headquarters. */
  instance: string | null;
}

/** What the store has read under the locks of the source, the events and the change counter. */
export interface SeenForChanges {
  instance: string;
  /** The instances on whose events this site may write: itself, and those that it continues. */
  owned: ReadonlySet<string>;
  tenants: ReadonlySet<string>;
  /** The events that the items name, by `eventKey`. */
  events: ReadonlyMap<string, KnownEvent>;
  /** By event id. */
  verdicts: ReadonlyMap<number, VerdictRecord>;
  /**
   * Ids of the events that have the corrections that the items name, by `eventKey(tenant, correction id)`.
   */
  corrections: ReadonlyMap<string, number>;
  /** Decisions for this site that the items or the known verdicts name, by id. */
  decisions: ReadonlyMap<string, KnownDecision>;
}

export interface Settlement {
  decision: KnownDecision;
  state: Exclude<DecisionState, 'pending'>;
  note: string | null;
}

/** What to write, in the order of the items. */
export interface ChangePlan {
  /** Each takes the place of the verdict of its event, if there is one. */
  verdicts: VerdictRecord[];
  /** `change` is the place of its entry in `changes`. */
  corrections: { correction: CorrectionRecord; change: number }[];
  /** Corrections of ours that the site has carried out; they take their place at that entry of `changes`. */
  placed: { tenantCode: string; id: string; change: number }[];
  changes: NewChange[];
  audit: AuditEntry[];
  settled: Settlement[];
  /**
   * Decisions that the site does not carry out, also those that it said so of before: the answer to that may
   * have been lost.
   */
  refused: RefusedDecision[];
  /** What was refused because the event is not the site's. */
  foreign: ForeignChange[];
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
}

type VerdictItem = Extract<UplinkedChange, { kind: 'verdict' }>;
type CorrectionItem = Extract<UplinkedChange, { kind: 'correction' }>;
type RefusalItem = Extract<UplinkedChange, { kind: 'decision_refused' }>;

/** @param stamp `now` is the change time, already made monotonic */
export function planChanges(
  seen: SeenForChanges,
  items: readonly UplinkedChange[],
  stamp: Stamp,
): ChangePlan {
  const planner = new Planner(seen, stamp);
  for (const item of items) planner.take(item);
  return { ...planner.plan, verdicts: [...planner.written.values()] };
}

/** Goes through the items one by one; a later one sees what an earlier one has changed. */
class Planner {
  readonly plan: Omit<ChangePlan, 'verdicts'> = {
    corrections: [],
    placed: [],
    changes: [],
    audit: [],
    settled: [],
    refused: [],
    foreign: [],
    accepted: 0,
    duplicates: 0,
    rejected: [],
  };
  /** By event: should one come twice in a batch, the last one is the one to keep. */
  readonly written = new Map<number, VerdictRecord>();
  #seen: SeenForChanges;
  #stamp: Stamp;
  #verdicts: Map<number, VerdictRecord>;
  #corrections: Map<string, number>;
  #states = new Map<string, DecisionState>();

  constructor(seen: SeenForChanges, stamp: Stamp) {
    this.#seen = seen;
    this.#stamp = stamp;
    this.#verdicts = new Map(seen.verdicts);
    this.#corrections = new Map(seen.corrections);
  }

  take(item: UplinkedChange): void {
    if (item.kind === 'decision_refused') return this.#refusal(item);
    if (!this.#seen.tenants.has(item.tenant_code)) {
      this.plan.rejected.push(tenantNotAllowed(item.change_no, item.tenant_code));
      return;
    }
    const event = this.#seen.events.get(eventKey(item.tenant_code, item.body.event_key));
    if (event === undefined)
      this.#reject(item, 'event_unknown', `headquarters has no event with the key ${item.body.event_key}`);
    else if (event.instance === null || !this.#seen.owned.has(event.instance)) this.#foreign(item, event);
    else if (item.kind === 'verdict') this.#verdict(item, event.id);
    else this.#correction(item, event.id);
  }

  /**
   * A site's key writes only on what arose at that site; what says nothing new does no harm, as where a site
   * was set up again under another name.
   */
  #foreign(item: VerdictItem | CorrectionItem, event: KnownEvent): void {
    const prior = this.#verdicts.get(event.id);
    const known =
      item.kind === 'verdict'
        ? prior !== undefined && sameVerdict(prior, this.#verdictOf(item, event.id))
        : this.#corrections.get(eventKey(item.tenant_code, item.body.id)) === event.id;
    if (known) return void (this.plan.duplicates += 1);
    const { event_key: key, verdict, by } = item.body;
    const heldBy = event.instance === null ? 'headquarters itself' : event.instance;
    this.#reject(
      item,
      EVENT_OF_ANOTHER,
      `at headquarters the event with the key ${key} arose at ${heldBy}, and only that may judge it; ` +
        `if this site was ${heldBy}, have headquarters say so: fieldline-hq site continue`,
    );
    const change: ForeignChange = {
      eventId: event.id,
      tenantCode: item.tenant_code,
      key,
      heldBy: event.instance,
      kind: item.kind,
      verdict,
      by,
    };
    this.plan.foreign.push(change);
    this.#note(event.id, item.tenant_code, {
      action: 'verdict.refused_foreign',
      before: null,
      after: change,
    });
  }

  #verdict(item: VerdictItem, eventId: number): void {
    const incoming = this.#verdictOf(item, eventId);
    const prior = this.#verdicts.get(eventId);
    if (!prior) return this.#store(item, incoming, 'verdict.written', null);
    const decision = prior.decisionId === null ? undefined : this.#seen.decisions.get(prior.decisionId);
    if (decision && prior.decisionId === incoming.decisionId) {
      this.#settle(decision, 'applied', null);
      this.plan.duplicates += 1;
    } else if (decision && this.#stateOf(decision) !== 'applied') {
      this.#settle(decision, 'lost', `the site had judged ${incoming.verdict} by ${incoming.by}`);
      this.#store(item, incoming, 'verdict.replaced_by_site', prior);
    } else if (sameVerdict(prior, incoming)) this.plan.duplicates += 1;
    else
      this.#reject(
        item,
        'verdict_conflict',
        `headquarters holds the verdict ${prior.verdict} by ${prior.by}; the first one stands`,
      );
  }

  #store(item: VerdictItem, verdict: VerdictRecord, action: string, before: VerdictRecord | null): void {
    this.#verdicts.set(verdict.eventId, verdict);
    this.written.set(verdict.eventId, verdict);
    this.#accept(item, verdict.eventId, { action, before, after: { ...verdict, reason: reasonOf(verdict) } });
  }

  #correction(item: CorrectionItem, eventId: number): void {
    const { body } = item;
    const key = eventKey(item.tenant_code, body.id);
    const standing = this.#corrections.get(key);
    if ((standing ?? eventId) !== eventId)
      return this.#reject(
        item,
        'correction_conflict',
        'headquarters holds a correction of another event under this id',
      );
    if (standing !== undefined) {
      const decision = this.#seen.decisions.get(body.decision_id ?? body.id);
      if (decision && this.#settle(decision, 'applied', null)) this.#place(item, eventId);
      this.plan.duplicates += 1;
      return;
    }
    if (!this.#verdicts.has(eventId))
      return this.#reject(item, 'verdict_unknown', 'headquarters has no verdict that this would correct');
    const correction: CorrectionRecord = {
      id: body.id,
      eventId,
      tenantCode: item.tenant_code,
      verdict: body.verdict,
      by: body.by,
      byKind: body.by_kind,
      note: body.note,
      ...this.#target(item),
      at: body.at,
    };
    this.#corrections.set(key, eventId);
    this.plan.corrections.push({ correction, change: this.plan.changes.length });
    this.#accept(item, eventId, { action: 'verdict.corrected', before: null, after: correction });
  }

  /**
   * The site has carried out a correction of ours: it stands where the site put it among its own, at both
   * ends.
   */
  #place(item: CorrectionItem, eventId: number): void {
    this.plan.placed.push({
      tenantCode: item.tenant_code,
      id: item.body.id,
      change: this.plan.changes.length,
    });
    this.plan.changes.push({
      eventId,
      tenantCode: item.tenant_code,
      kind: item.kind,
      decisionId: null,
      body: JSON.stringify(item.body),
    });
  }

  #refusal({ body }: RefusalItem): void {
    const decision = this.#seen.decisions.get(body.decision_id);
    this.plan[decision && this.#refused(decision, body.reason) ? 'accepted' : 'duplicates'] += 1;
  }

  /** False when it was settled before. */
  #refused(decision: KnownDecision, reason: string): boolean {
    const fresh = this.#settle(decision, 'refused', reason);
    if (this.#stateOf(decision) === 'refused')
      this.plan.refused.push({ eventId: decision.eventId, tenantCode: decision.tenantCode, reason });
    if (fresh)
      this.#note(decision.eventId, decision.tenantCode, {
        action: 'decision.refused',
        before: null,
        after: { decisionId: decision.id, reason },
      });
    return fresh;
  }

  #accept(item: VerdictItem | CorrectionItem, eventId: number, trace: Trace): void {
    this.plan.changes.push({
      eventId,
      tenantCode: item.tenant_code,
      kind: item.kind,
      decisionId: null,
      body: JSON.stringify(item.body),
    });
    this.#note(eventId, item.tenant_code, trace);
    this.plan.accepted += 1;
  }

  #note(eventId: number, tenantCode: string, trace: Trace): void {
    this.plan.audit.push({
      id: this.#stamp.newId(),
      at: this.#stamp.now,
      actor: `site:${this.#seen.instance}`,
      subject: `event:${eventId}`,
      tenantCode,
      ...trace,
    });
  }

  /**
   * Where it answers a decision of ours the site has carried out what cannot be taken here: without an end
   * the decision would go down for ever.
   */
  #reject(item: VerdictItem | CorrectionItem, error: string, message: string): void {
    this.plan.rejected.push({ originId: item.change_no, error, message });
    const decision = this.#seen.decisions.get(item.body.decision_id ?? '');
    if (decision && this.#stateOf(decision) === 'pending')
      this.#refused(decision, `the answer of the site could not be taken: ${message}`);
  }

  /**
   * One that was refused is settled once more when the site has come round. False when it was settled before.
   */
  #settle(decision: KnownDecision, state: Settlement['state'], note: string | null): boolean {
    const before = this.#stateOf(decision);
    if (before !== 'pending' && (before !== 'refused' || state === 'refused')) return false;
    this.#states.set(decision.id, state);
    this.plan.settled.push({ decision, state, note });
    return true;
  }

  #stateOf(decision: KnownDecision): DecisionState {
    return this.#states.get(decision.id) ?? decision.state;
  }

  /** An event of another instance under the same key is not the one that was meant. */
  #target(item: VerdictItem | CorrectionItem): MergeTarget {
    const { merged_into_key: key = null, merged_into_instance: from = this.#seen.instance } = item.body;
    if (key === null) return { mergedInto: null, mergedIntoKey: null, mergedIntoInstance: null };
    const found = this.#seen.events.get(eventKey(item.tenant_code, key));
    const own =
      from === this.#seen.instance &&
      found !== undefined &&
      found.instance !== null &&
      this.#seen.owned.has(found.instance);
    const meant = found && (found.instance === from || own) ? found : null;
    return {
      mergedInto: meant?.id ?? null,
      mergedIntoKey: key,
      mergedIntoInstance: meant ? meant.instance : from,
    };
  }

  #verdictOf(item: VerdictItem, eventId: number): VerdictRecord {
    const { body } = item;
    return {
      eventId,
      tenantCode: item.tenant_code,
      verdict: body.verdict,
      by: body.by,
      byKind: body.by_kind,
      note: body.note ?? null,
      ...this.#target(item),
      judged: body.judged ?? null,
      disposition: body.disposition ?? null,
      at: body.at,
      decisionId: body.decision_id ?? null,
    };
  }
}

type Trace = Pick<AuditEntry, 'action' | 'before' | 'after'>;

/**
 * The event merged into may have become known only since, and older records are without its key; all else
 * must be equal.
 */
function sameVerdict(a: VerdictRecord, b: VerdictRecord): boolean {
  const bare: MergeTarget = { mergedInto: null, mergedIntoKey: null, mergedIntoInstance: null };
  const sameTarget =
    a.mergedIntoKey === null || b.mergedIntoKey === null || a.mergedIntoKey === b.mergedIntoKey;
  return sameTarget && isDeepStrictEqual({ ...a, ...bare }, { ...b, ...bare });
}
