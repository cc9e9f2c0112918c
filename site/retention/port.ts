import type { EvidenceRecord } from '../../common/core/evidence/port.ts';
import type { Stamp } from '../../common/clock.ts';
import type { DiskState, ShedCounts } from './budget.ts';

/** What the ladder of a short disk needs of the store. Nothing that headquarters does not hold is ever in reach. */
export interface ShedPort {
  state(): DiskState;
  change(change: (state: DiskState) => DiskState): Promise<void>;
  kept(): { evidence: number; events: number };
  /** Files of events that headquarters holds and that no consumer still waits for, oldest first. */
  evidence(limit: number): EvidenceRecord[];
  /** The files are gone. */
  forgetEvidence(records: readonly EvidenceRecord[], now: number): Promise<void>;
  /**
   * Deletes the oldest observations that headquarters holds, with their verdicts; those whose verdict it lacks or that are parked stay.
   * @param after id to go on from @returns the ids, ascending, and where the next slice begins; null at the end
   */
  dropObservations(after: number, limit: number, now: number): Promise<{ ids: number[]; next: number | null }>;
  /** Counts what `RetentionPort.dropEvents` has deleted for want of room. */
  note(shed: Partial<ShedCounts>): Promise<void>;
  /** Lets another half go, audited. False when nothing was refused. */
  confirm(by: { actor: string; note: string | null }, stamp: Stamp): Promise<boolean>;
}

