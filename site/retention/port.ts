import type { Stamp } from '../../common/clock.ts';
import type { EvidenceRecord } from '../../common/core/evidence/port.ts';
import type { DiskState } from './budget.ts';

export interface DropApart {
  observationsOnly: boolean;
  /** Id to go on from. */
  after: number;
  limit: number;
  /** Epoch ms. */
  now: number;
}

/**
 * What the ladder of a short disk needs of the store: evidence, observations and events that headquarters
 * holds, and at last evidence that it does not.
 */
export interface EvictionPort {
  state(): DiskState;
  change(change: (state: DiskState) => DiskState): Promise<void>;
  kept(): { evidence: number; events: number };
  /** Files that headquarters holds and that no consumer still waits for, oldest first. */
  evidence(limit: number): EvidenceRecord[];
  /**
   * Files that exist nowhere else, of events that headquarters holds, and that no consumer waits for: the
   * least severe first, and of these the oldest.
   */
  onlyHere(limit: number): EvidenceRecord[];
  /** Has every file offered that headquarters does not hold. @returns how many it was not offered yet */
  offerAll(): Promise<number>;
  /**
   * Takes them out of the store, but for those that a consumer has asked for since.
   * @param kind `lost`: they existed nowhere else
   * @returns how many, and the files that no record names any more
   */
  forgetEvidence(
    records: readonly EvidenceRecord[],
    now: number,
    kind: 'evidence' | 'lost',
  ): Promise<{ dropped: number; files: EvidenceRecord[] }>;
  /**
   * Deletes the oldest events that headquarters holds, observations alone or all, with their verdicts, from
   * among those that stay: the parked, those whose verdict headquarters lacks or has refused, and those whose
   * evidence is here. Looks at a bounded stretch of events.
   * @returns the ids, ascending, and where the next slice begins; null when nothing further has been sent
   */
  dropApart(command: DropApart): Promise<{ ids: number[]; next: number | null }>;
  /**
   * Deletes the oldest events up to the first that headquarters does not hold whole with its evidence, or
   * whose evidence a consumer waits for. @returns how many
   */
  dropEvents(limit: number, now: number): Promise<number>;
  /** Lets another half go, audited. False when nothing was refused. */
  confirm(by: { actor: string; note: string | null }, stamp: Stamp): Promise<boolean>;
}
