import type { Message } from '../../message.ts';
import type { EventRecord, Judged } from '../event/record.ts';
import type { Severity } from '../event/schema.ts';
import type { VerdictValue } from './schema.ts';

export interface Disposition {
  type?: string;
  severity?: Severity;
  channel?: string;
  deadline?: string;
  message?: string;
  taskNo?: string;
  summary?: string;
}

/** An event by its identity, whether or not its row is kept here. */
export interface EventIdentity {
  key: string;
  /** Instance where it arose; null: at this one, or not told. */
  instance: string | null;
}

/** The event that one was merged into. All null unless the verdict is `merged`. */
export interface MergeTarget {
  /** Its id here; null where its row is not kept here. */
  mergedInto: number | null;
  /** Its idempotency key; null on what an older site sent without it. */
  mergedIntoKey: string | null;
  /** Instance where it arose; null: at this one, or not known. */
  mergedIntoInstance: string | null;
}

/** The first verdict on an event; it is never overwritten (spec 2, "Verdict of an event"). */
export interface VerdictRecord extends MergeTarget {
  eventId: number;
  tenantCode: string;
  verdict: VerdictValue;
  by: string;
  byKind: 'human' | 'machine';
  note: string | null;
  judged: Judged | null;
  disposition: Disposition | null;
  /** When it was written, at the store where it was written; epoch milliseconds. */
  at: number;
  /**
   * Id of the headquarters decision that this verdict carries out, or that carries it to its site; null
   * otherwise.
   */
  decisionId: string | null;
}

/** Who gave a verdict, and when (epoch milliseconds). */
export type GivenVerdict = Pick<VerdictRecord, 'by' | 'byKind' | 'at'>;

export interface CorrectionRecord extends MergeTarget {
  /** Unique wherever it was written, so that it may travel and return without doubling. */
  id: string;
  eventId: number;
  tenantCode: string;
  verdict: VerdictValue;
  by: string;
  byKind: 'human' | 'machine';
  note: string;
  at: number;
}

/** A request to judge, checked for form, not yet for what the store holds. */
export interface WriteVerdict {
  eventId: number;
  /** Tenant that the caller is limited to or claims; null: not checked. */
  tenantCode: string | null;
  verdict: VerdictValue;
  by: string;
  byKind: 'human' | 'machine';
  note: string | null;
  mergedInto: number | null;
  /**
   * With a decision of headquarters: the event to merge into by its identity, for when `mergedInto` finds
   * none.
   */
  target?: EventIdentity | null;
  judged: Judged | null;
  disposition: Disposition | null;
  /** Set when a site carries out a decision of headquarters. */
  decisionId: string | null;
  /** Who called and from where, for the audit. */
  actor: string;
}

export interface WriteCorrection {
  /** Fresh at the place of writing; kept when the correction travels. */
  id: string;
  eventId: number;
  tenantCode: string | null;
  verdict: VerdictValue;
  by: string;
  byKind: 'human' | 'machine';
  note: string;
  mergedInto: number | null;
  /** As in `WriteVerdict`. */
  target?: EventIdentity | null;
  /** Set when a site carries out a decision of headquarters. */
  decisionId: string | null;
  actor: string;
}

/** A decision of headquarters that is not carried out, and why, for a person. */
export interface RefuseDecision {
  decisionId: string;
  tenantCode: string;
  eventKey: string;
  reason: Message;
}

export type VerdictOutcome =
  | {
      kind: 'written';
      verdict: VerdictRecord;
      event: EventRecord;
      feedbackId: string | null;
      awaitsSite: string | null;
    }
  /** Already judged; `verdict` is the standing one. */
  | { kind: 'unchanged'; verdict: VerdictRecord; event: EventRecord }
  /** A decision of headquarters that was answered before; nothing was written. */
  | { kind: 'answered' }
  | { kind: 'no_event' }
  | { kind: 'tenant_mismatch' }
  /** `merged_into` names the event itself, or none of this tenant. */
  | { kind: 'bad_target' };

export type CorrectionOutcome =
  | {
      kind: 'written';
      correction: CorrectionRecord;
      event: EventRecord;
      feedbackId: string | null;
      awaitsSite: string | null;
    }
  | { kind: 'replayed'; correction: CorrectionRecord; event: EventRecord }
  | { kind: 'answered' }
  | { kind: 'no_event' }
  | { kind: 'tenant_mismatch' }
  /** A correction needs a verdict to correct. */
  | { kind: 'no_verdict' }
  | { kind: 'bad_target' };

/**
 * One entry of the change log that the verdicts channel sends (DESIGN.md, "Two stores"):
 * numbered without gaps in commit order, `at` never falling.
 */
export interface VerdictChange {
  changeNo: number;
  /** Epoch milliseconds, raised to that of the entry before when the clock has stepped back. */
  at: number;
  /** 0 when the event is no longer kept (a refused decision). */
  eventId: number;
  tenantCode: string;
  kind: 'verdict' | 'correction' | 'decision_refused';
  /** The headquarters decision that it answers; at most one entry per decision. */
  decisionId: string | null;
  /** JSON text of `ChangeBody` in common/uplink/wire.ts; events are named by idempotency key. */
  body: string;
}

export type NewChange = Omit<VerdictChange, 'changeNo' | 'at'>;
