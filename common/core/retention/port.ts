import type { Stamp } from '../../clock.ts';
import type {
  ConfirmOutcome,
  Counts,
  DeletedSlice,
  DropEvents,
  DropRecords,
  EventSurvey,
  GuardedKind,
  Refusal,
  RetentionState,
  RoundEnd,
} from './record.ts';

/**
 * What is to happen outside the store once events were deleted from it: files, groups and the like go too.
 * Called after the deletion was committed, and again when it fails.
 */
export interface RetentionHook {
  name: string;
  /** @param eventIds ascending; every event up to the last is gone @returns what it deleted */
  forget(eventIds: readonly number[], stamp: Stamp): Promise<Counts>;
}

/**
 * Deletion by age, in slices. Each slice counts itself in its own transaction,
 * so that what was deleted is known whatever stops the round.
 */
export interface RetentionPort {
  state(): Promise<RetentionState>;

  /**
   * Takes or renews the lease; false while another process has it. A site has one process, which always gets
   * it.
   */
  claim(holder: string, now: number, leaseMs: number): Promise<boolean>;
  release(holder: string): Promise<void>;

  /** @param before epoch ms @param holdUnsent whether an uplink is to have sent an event before it goes */
  survey(before: number, holdUnsent: boolean): Promise<EventSurvey>;

  /**
   * Deletes the oldest events without a gap, at most `limit`, with their verdicts, corrections and settled
   * decisions. Their idempotency keys stay known, ids and receipt times go on where they were. What is held
   * is decided in the same transaction. Fewer than one event: no more may go.
   */
  dropEvents(command: DropEvents): Promise<DeletedSlice>;

  /**
   * Deletes at most `limit` rows, oldest first. `changes`: entries of the change log whose events are
   * deleted, and which were sent, without a gap. `feedback`: messages about deleted events that are not
   * pending. `evidence_jobs`: settled ones. `alarms`: cleared ones.
   */
  dropRecords(command: DropRecords): Promise<number>;

  /** Audit entries older and not older than a time, each counted up to `cap`. */
  surveyAudit(before: number, cap: number): Promise<{ expired: number; kept: number }>;

  /** Deleted events for which the retention hooks have not run to their end, ascending. */
  awaitingHooks(limit: number): Promise<number[]>;
  /** Every retention hook has run for the deleted events up to this id. */
  hooksDone(through: number, counts: Counts, now: number): Promise<void>;

  /** Notes what was refused for this kind, or that nothing is any more. True when that changed. */
  guard(kind: GuardedKind, refusal: Refusal | null, now: number): Promise<boolean>;
  /** A person lets a refused deletion go; audited as `retention.confirmed` on `retention:<kind>`. */
  confirm(
    kind: GuardedKind,
    by: { actor: string; note: string | null },
    stamp: Stamp,
  ): Promise<ConfirmOutcome>;

  /** Ends the run with its audit entry, `retention.deleted` by `system`. */
  finishRound(stamp: Stamp): Promise<RoundEnd>;
  /** The consumer's alarm has reported this many lost events. */
  lossReported(consumer: string, events: number): Promise<void>;
}
