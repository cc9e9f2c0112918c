// What headquarters makes of the verdict changes of a site. Pure: from what the store has read to what it is to write.
import { isDeepStrictEqual } from 'node:util';
import type { Stamp } from '../../common/clock.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import { eventKey } from '../../common/core/event/port.ts';
import { reasonOf } from '../../common/core/verdict/decide.ts';
import type { CorrectionRecord, NewChange, VerdictRecord } from '../../common/core/verdict/record.ts';
import type { UplinkedChange } from '../../common/uplink/change-item.ts';
import type { RejectedItem } from '../../common/uplink/wire.ts';
import { tenantNotAllowed } from './decide.ts';
import type { DecisionState } from './port.ts';

/** A decision as far as the rules look at it. */
export interface KnownDecision {
  id: string;
  tenantCode: string;
  eventId: number;
  state: DecisionState;
}

/** What the store has read under the locks of the source, the events and the change counter. */
export interface SeenForChanges {
  instance: string;
  tenants: ReadonlySet<string>;
  /** Ids of the events that the items name, by `eventKey`. */
  events: ReadonlyMap<string, number>;
  /** By event id. */
  verdicts: ReadonlyMap<number, VerdictRecord>;
  /** Known corrections, as `eventKey(tenant, correction id)`. */
  corrections: ReadonlySet<string>;
  /** Decisions for this site that the items or the known verdicts name, by id. */
  decisions: ReadonlyMap<string, KnownDecision>;
}

export interface Settlement {
  decision: KnownDecision;
  state: 'applied' | 'lost';
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
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
}

type VerdictItem = Extract<UplinkedChange, { kind: 'verdict' }>;
type CorrectionItem = Extract<UplinkedChange, { kind: 'correction' }>;
type RefusalItem = Extract<UplinkedChange, { kind: 'decision_refused' }>;

/** @param stamp `now` is the change time, already made monotonic */
export function planChanges(seen: SeenForChanges, items: readonly UplinkedChange[], stamp: Stamp): ChangePlan {
  const planner = new Planner(seen, stamp);
  for (const item of items) planner.take(item);
  return { ...planner.plan, verdicts: [...planner.written.values()] };
}

/** Goes through the items one by one; a later one sees what an earlier one has changed. */
class Planner {
  readonly plan: Omit<ChangePlan, 'verdicts'> = { corrections: [], placed: [], changes: [], audit: [], settled: [], accepted: 0, duplicates: 0, rejected: [] };
  /** By event: should one come twice in a batch, the last one is the one to keep. */
  readonly written = new Map<number, VerdictRecord>();
  #seen: SeenForChanges;
  #stamp: Stamp;
  #verdicts: Map<number, VerdictRecord>;
  #corrections: Set<string>;
  #states = new Map<string, DecisionState>();

  constructor(seen: SeenForChanges, stamp: Stamp) {
    this.#seen = seen;
    this.#stamp = stamp;
    this.#verdicts = new Map(seen.verdicts);
    this.#corrections = new Set(seen.corrections);
  }

  take(item: UplinkedChange): void {
    if (item.kind === 'decision_refused') return this.#refusal(item);
    if (!this.#seen.tenants.has(item.tenant_code)) {
      this.plan.rejected.push(tenantNotAllowed(item.change_no, item.tenant_code));
      return;
    }
    const eventId = this.#seen.events.get(eventKey(item.tenant_code, item.body.event_key));
    if (eventId === undefined) this.#reject(item, 'event_unknown', `headquarters has no event with the key ${item.body.event_key}`);
    else if (item.kind === 'verdict') this.#verdict(item, eventId);
    else this.#correction(item, eventId);
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
    else this.#reject(item, 'verdict_conflict', `headquarters holds the verdict ${prior.verdict} by ${prior.by}; the first one stands`);
  }

  #store(item: VerdictItem, verdict: VerdictRecord, action: string, before: VerdictRecord | null): void {
    this.#verdicts.set(verdict.eventId, verdict);
    this.written.set(verdict.eventId, verdict);
    this.#accept(item, verdict.eventId, { action, before, after: { ...verdict, mergedIntoKey: item.body.merged_into_key ?? null, reason: reasonOf(verdict) } });
  }

  #correction(item: CorrectionItem, eventId: number): void {
    const { body } = item;
    const key = eventKey(item.tenant_code, body.id);
    if (this.#corrections.has(key)) {
      const decision = this.#seen.decisions.get(body.decision_id ?? body.id);
      if (decision && this.#settle(decision, 'applied', null)) this.#place(item, eventId);
      this.plan.duplicates += 1;
      return;
    }
    if (!this.#verdicts.has(eventId)) return this.#reject(item, 'verdict_unknown', 'headquarters has no verdict that this would correct');
    const correction: CorrectionRecord = {
      id: body.id, eventId, tenantCode: item.tenant_code, verdict: body.verdict, by: body.by, byKind: body.by_kind, note: body.note,
      mergedInto: this.#target(item), at: body.at,
    };
    this.#corrections.add(key);
    this.plan.corrections.push({ correction, change: this.plan.changes.length });
    this.#accept(item, eventId, { action: 'verdict.corrected', before: null, after: { ...correction, mergedIntoKey: body.merged_into_key ?? null } });
  }

  /** The site has carried out a correction of ours: it stands where the site put it among its own, at both ends. */
  #place(item: CorrectionItem, eventId: number): void {
    this.plan.placed.push({ tenantCode: item.tenant_code, id: item.body.id, change: this.plan.changes.length });
    this.plan.changes.push({ eventId, tenantCode: item.tenant_code, kind: item.kind, decisionId: null, body: JSON.stringify(item.body) });
  }

  #refusal(item: RefusalItem): void {
    const decision = this.#seen.decisions.get(item.body.decision_id);
    if (!decision || !this.#settle(decision, 'lost', item.body.reason)) {
      this.plan.duplicates += 1;
      return;
    }
    this.#note(decision.eventId, decision.tenantCode, { action: 'decision.refused', before: null, after: { decisionId: decision.id, reason: item.body.reason } });
    this.plan.accepted += 1;
  }

  #accept(item: VerdictItem | CorrectionItem, eventId: number, trace: Trace): void {
    this.plan.changes.push({ eventId, tenantCode: item.tenant_code, kind: item.kind, decisionId: null, body: JSON.stringify(item.body) });
    this.#note(eventId, item.tenant_code, trace);
    this.plan.accepted += 1;
  }

  #note(eventId: number, tenantCode: string, trace: Trace): void {
    this.plan.audit.push({
      id: this.#stamp.newId(), at: this.#stamp.now, actor: `site:${this.#seen.instance}`, subject: `event:${eventId}`, tenantCode, ...trace,
    });
  }

  #reject(item: UplinkedChange, error: string, message: string): void {
    this.plan.rejected.push({ originId: item.change_no, error, message });
  }

  /** False when it was settled before. */
  #settle(decision: KnownDecision, state: 'applied' | 'lost', note: string | null): boolean {
    if (this.#stateOf(decision) !== 'pending') return false;
    this.#states.set(decision.id, state);
    this.plan.settled.push({ decision, state, note });
    return true;
  }

  #stateOf(decision: KnownDecision): DecisionState {
    return this.#states.get(decision.id) ?? decision.state;
  }

  #target(item: VerdictItem | CorrectionItem): number | null {
    const key = item.body.merged_into_key;
    return key === undefined || key === null ? null : this.#seen.events.get(eventKey(item.tenant_code, key)) ?? null;
  }

  #verdictOf(item: VerdictItem, eventId: number): VerdictRecord {
    const { body } = item;
    return {
      eventId, tenantCode: item.tenant_code, verdict: body.verdict, by: body.by, byKind: body.by_kind, note: body.note ?? null,
      mergedInto: this.#target(item), judged: body.judged ?? null, disposition: body.disposition ?? null, at: body.at,
      decisionId: body.decision_id ?? null,
    };
  }
}

type Trace = Pick<AuditEntry, 'action' | 'before' | 'after'>;

/** The event merged into may have become known only since; all else must be equal. */
function sameVerdict(a: VerdictRecord, b: VerdictRecord): boolean {
  return isDeepStrictEqual({ ...a, mergedInto: null }, { ...b, mergedInto: null });
}
