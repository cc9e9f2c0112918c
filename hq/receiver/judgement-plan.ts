// What the verdict changes of a site are judged by, and what is to be written for them.
import type { Stamp } from '../../common/clock.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { CorrectionRecord, NewChange, VerdictRecord } from '../../common/core/verdict/record.ts';
import { type DecisionRefusal, decisionRefusalMessages } from '../../common/core/verdict/refusal-messages.ts';
import { type Message, say, translate } from '../../common/message.ts';
import type { JudgementItem } from '../../common/uplink/change/judgement.ts';
import { refusalMessages } from '../../common/uplink/refusal-messages.ts';
import type { RejectedItem } from '../../common/uplink/wire.ts';
import type { DecisionState, ForeignChange, RefusedDecision } from './port.ts';

/** The part of a decision that the rules read. */
export interface KnownDecision {
  id: string;
  tenantCode: string;
  eventId: number;
  state: DecisionState;
}

/** The part of an event that the rules read. */
export interface KnownEvent {
  id: number;
  /** Where it arose; null: at headquarters. */
  instance: string | null;
}

/** What the store has read under the locks of the source, the events and the change counter. */
export interface SeenForJudgements {
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
  /** What `note` says, as a message. */
  told: Message | null;
}

/** What to write, in the order of the items. */
export interface JudgementPlan {
  /** Each takes the place of the verdict of its event, if there is one. */
  verdicts: VerdictRecord[];
  /** `change` is the index of its entry in `changes`. */
  corrections: { correction: CorrectionRecord; change: number }[];
  /**
   * Corrections by headquarters that the site has carried out; `change` is the index of their entry in
   * `changes`.
   */
  placed: { tenantCode: string; id: string; change: number }[];
  changes: NewChange[];
  audit: AuditEntry[];
  settled: Settlement[];
  /**
   * Decisions that the site does not carry out, also where it said so before: the earlier answer may have
   * been lost.
   */
  refused: RefusedDecision[];
  /** What was refused because the event is not the site's. */
  foreign: ForeignChange[];
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
}

export type VerdictItem = Extract<JudgementItem, { kind: 'verdict' }>;
export type CorrectionItem = Extract<JudgementItem, { kind: 'correction' }>;
export type RefusalItem = Extract<JudgementItem, { kind: 'decision_refused' }>;

/** What the audit says of a step, beside who took it and when. */
export type Trace = Pick<AuditEntry, 'action' | 'before' | 'after'>;

/** @param said in English, by a site that tells no message, or one that is not known here */
const sayRefusal = (told: Message | null, said: string): string =>
  translate(refusalMessages, told, 'en') ?? said;

/** The plan while it is drawn up. */
export class DraftPlan {
  readonly #plan: JudgementPlan = {
    verdicts: [],
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
  readonly #seen: SeenForJudgements;
  readonly #stamp: Stamp;
  /** By event id: of two verdicts on one event in a batch the last one is written. */
  readonly #verdicts = new Map<number, VerdictRecord>();
  /** Decisions that this batch has settled, by id. */
  readonly #states = new Map<string, DecisionState>();

  constructor(seen: SeenForJudgements, stamp: Stamp) {
    this.#seen = seen;
    this.#stamp = stamp;
  }

  finished(): JudgementPlan {
    return { ...this.#plan, verdicts: [...this.#verdicts.values()] };
  }

  verdict(item: VerdictItem, verdict: VerdictRecord, trace: Trace): void {
    this.#verdicts.set(verdict.eventId, verdict);
    this.#accept(item, verdict.eventId, trace);
  }

  correction(item: CorrectionItem, correction: CorrectionRecord): void {
    this.#plan.corrections.push({ correction, change: this.#plan.changes.length });
    this.#accept(item, correction.eventId, {
      action: 'verdict.corrected',
      before: null,
      after: correction,
    });
  }

  /**
   * The site has carried out a correction by headquarters: at both ends it now stands in the order in which
   * the site placed it among its own.
   */
  placed(item: CorrectionItem, eventId: number): void {
    const change = this.#plan.changes.length;
    this.#plan.placed.push({ tenantCode: item.tenant_code, id: item.body.id, change });
    this.#change(item, eventId);
  }

  duplicate(): void {
    this.#plan.duplicates += 1;
  }

  rejected(item: RejectedItem): void {
    this.#plan.rejected.push(item);
  }

  /**
   * Refuses an item. If it answers a decision by headquarters, the site has carried out what cannot be stored
   * here; the decision is settled as refused, since a pending one would be sent down for ever.
   */
  reject(item: VerdictItem | CorrectionItem, error: string, fault: DecisionRefusal): void {
    const message = say(decisionRefusalMessages, fault, 'en');
    this.rejected({ originId: item.change_no, error, message });
    const decision = this.#seen.decisions.get(item.body.decision_id ?? '');
    if (decision && this.stateOf(decision) === 'pending')
      this.#refuse(decision, { code: 'decision_answer_not_taken', params: { fault } });
  }

  /** A change of an event that is not the site's. */
  foreign(change: ForeignChange): void {
    this.#plan.foreign.push(change);
    this.#note(change.eventId, change.tenantCode, {
      action: 'verdict.refused_foreign',
      before: null,
      after: change,
    });
  }

  /** The site reports that it does not carry out a decision by headquarters. */
  refusal({ body }: RefusalItem): void {
    const decision = this.#seen.decisions.get(body.decision_id);
    if (decision && this.#refuse(decision, body.told, body.reason)) this.#plan.accepted += 1;
    else this.duplicate();
  }

  /**
   * Settles a decision; a refused one is settled once more if the site carries it out after all. False when
   * it was settled before.
   */
  settle(decision: KnownDecision, state: Settlement['state'], told: Message | null, said = ''): boolean {
    const before = this.stateOf(decision);
    if (before !== 'pending' && (before !== 'refused' || state === 'refused')) return false;
    this.#states.set(decision.id, state);
    const note = state === 'applied' ? null : sayRefusal(told, said);
    this.#plan.settled.push({ decision, state, note, told });
    return true;
  }

  stateOf(decision: KnownDecision): DecisionState {
    return this.#states.get(decision.id) ?? decision.state;
  }

  /** False when it was settled before. */
  #refuse(decision: KnownDecision, told: Message | null, said = ''): boolean {
    const { id, eventId, tenantCode } = decision;
    const fresh = this.settle(decision, 'refused', told, said);
    const reason = sayRefusal(told, said);
    if (this.stateOf(decision) === 'refused') this.#plan.refused.push({ eventId, tenantCode, reason, told });
    if (fresh) {
      this.#note(eventId, tenantCode, {
        action: 'decision.refused',
        before: null,
        after: { decisionId: id, reason },
      });
    }
    return fresh;
  }

  #accept(item: VerdictItem | CorrectionItem, eventId: number, trace: Trace): void {
    this.#change(item, eventId);
    this.#note(eventId, item.tenant_code, trace);
    this.#plan.accepted += 1;
  }

  #change(item: VerdictItem | CorrectionItem, eventId: number): void {
    this.#plan.changes.push({
      eventId,
      tenantCode: item.tenant_code,
      kind: item.kind,
      decisionId: null,
      body: JSON.stringify(item.body),
    });
  }

  #note(eventId: number, tenantCode: string, trace: Trace): void {
    this.#plan.audit.push({
      id: this.#stamp.newId(),
      at: this.#stamp.now,
      actor: `site:${this.#seen.instance}`,
      subject: `event:${eventId}`,
      tenantCode,
      ...trace,
    });
  }
}
