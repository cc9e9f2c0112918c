import type { Stamp } from '../../clock.ts';
import type {
  CorrectionOutcome,
  CorrectionRecord,
  GivenVerdict,
  RefuseDecision,
  VerdictChange,
  VerdictOutcome,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from './record.ts';

export interface VerdictPort {
  /**
   * First write wins. In one transaction: the verdict, its change entry, its
   * audit entry and, where the event names a feedback address or arose at a
   * site, the feedback row or the decision for that site.
   */
  write(command: WriteVerdict, stamp: Stamp): Promise<VerdictOutcome>;

  /**
   * Adds a correction beside the first verdict, with the same companions. The same id again is `replayed`.
   */
  correct(command: WriteCorrection, stamp: Stamp): Promise<CorrectionOutcome>;

  /** Answers a decision of headquarters that cannot be carried out. False when it was answered before. */
  refuse(refusal: RefuseDecision, stamp: Stamp): Promise<boolean>;

  get(eventId: number): Promise<VerdictRecord | null>;
  /** Who gave the first verdict on each of these events; the unjudged are absent. */
  givenOn(eventIds: readonly number[]): Promise<Map<number, GivenVerdict>>;
  corrections(eventId: number): Promise<CorrectionRecord[]>;

  /** Durable changes with number > `after`, ascending, at most `limit`. */
  changes(after: number, limit: number): Promise<VerdictChange[]>;
  /** Largest durable change number, 0 for none. */
  newestChangeNo(): Promise<number>;
}
