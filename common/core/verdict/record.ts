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

/** The first verdict on an event; it is never overwritten (spec 2, "Verdict of an event"). */
export interface VerdictRecord {
  eventId: number;
  tenantCode: string;
  verdict: VerdictValue;
  by: string;
  byKind: 'human' | 'machine';
  note: string | null;
  mergedInto: number | null;
  judged: Judged | null;
  disposition: Disposition | null;
  /** When it was written, at the store where it was written; epoch milliseconds. */
  at: number;
  /** Id of the headquarters decision that this verdict carries out, or that carries it to its site; null otherwise. */
  decisionId: string | null;
}

export interface CorrectionRecord {
  /** Unique wherever it was written, so that it may travel and return without doubling. */
  id: string;
  eventId: number;
  tenantCode: string;
  verdict: VerdictValue;
  by: string;
  byKind: 'human' | 'machine';
  note: string;
  mergedInto: number | null;
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
  /** Set when a site carries out a decision of headquarters. */
  decisionId: string | null;
  actor: string;
}

export type VerdictOutcome =
  | { kind: 'written'; verdict: VerdictRecord; event: EventRecord; feedbackId: string | null; awaitsSite: string | null }
  /** Already judged; `verdict` is the standing one. */
  | { kind: 'unchanged'; verdict: VerdictRecord; event: EventRecord }
  /** A decision of headquarters that was answered before; nothing was written. */
  | { kind: 'answered' }
  | { kind: 'no_event' }
  | { kind: 'tenant_mismatch' }
  /** `merged_into` names the event itself, or none of this tenant. */
  | { kind: 'bad_target' };

export type CorrectionOutcome =
  | { kind: 'written'; correction: CorrectionRecord; event: EventRecord; feedbackId: string | null; awaitsSite: string | null }
  | { kind: 'replayed'; correction: CorrectionRecord; event: EventRecord }
  | { kind: 'answered' }
  | { kind: 'no_event' }
  | { kind: 'tenant_mismatch' }
  /** A correction needs a verdict to correct. */
  | { kind: 'no_verdict' }
  | { kind: 'bad_target' };

/**
 * One entry of the change log that the verdicts channel sends (design §3):
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
