import type { Stamp } from '../../../../common/clock.ts';
import {
  decideFinish,
  withHooksDone,
  withLease,
  withLossReported,
} from '../../../../common/core/retention/decide.ts';
import { decideConfirm, withGuard } from '../../../../common/core/retention/guard.ts';
import type { RetentionPort } from '../../../../common/core/retention/port.ts';
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
} from '../../../../common/core/retention/record.ts';
import type { Database } from '../../engine/database.ts';
import type { EventIndex } from '../../event-index/event-index.ts';
import { dropOldest, dropRecords, survey } from './delete.ts';
import { change, lockState, readState, write, writeState } from './state.ts';

/**
 * Retention on Postgres. The row of its state is locked by each change; lock order: that row, then event rows
 * in id order. Here nothing waits for an uplink, so that `holdUnsent` holds nothing.
 */
export class HubRetention implements RetentionPort {
  #database: Database;
  #eventIndex: EventIndex;

  constructor(database: Database, eventIndex: EventIndex) {
    this.#database = database;
    this.#eventIndex = eventIndex;
  }

  state(): Promise<RetentionState> {
    return this.#database.read((db) => readState(db));
  }

  claim(holder: string, now: number, leaseMs: number): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const claimed = withLease(await lockState(tx), { holder, until: now + leaseMs }, now);
      if (claimed) await writeState(tx, claimed);
      return claimed !== null;
    });
  }

  release(holder: string): Promise<void> {
    return change(this.#database, (state) =>
      state.lease?.holder === holder ? { ...state, lease: null } : state,
    );
  }

  survey(before: number): Promise<EventSurvey> {
    return survey(this.#database, before);
  }

  dropEvents(command: DropEvents): Promise<DeletedSlice> {
    return dropOldest(this.#database, command, this.#eventIndex);
  }

  dropRecords(command: DropRecords): Promise<number> {
    return this.#database.transaction((tx) => dropRecords(tx, command));
  }

  surveyAudit(before: number, cap: number): Promise<{ expired: number; kept: number }> {
    return this.#database.read(async (_db, pool) => {
      const {
        rows: [row],
      } = await pool.query<{ expired: number; kept: number }>(
        `select (select count(*) from (select 1 from audit where at < $1 limit $2) a) as expired,
           (select count(*) from (select 1 from audit where at >= $1 limit $2) b) as kept`,
        [before, cap],
      );
      return row ?? { expired: 0, kept: 0 };
    });
  }

  awaitingHooks(limit: number): Promise<number[]> {
    return this.#database.read(async (db) => {
      // Ids are given out without a gap, and retention leaves none behind.
      const { followedUpto, deletedUpto } = await readState(db);
      const count = Math.max(0, Math.min(limit, deletedUpto - followedUpto));
      return Array.from({ length: count }, (_, index) => followedUpto + 1 + index);
    });
  }

  hooksDone(through: number, counts: Counts, now: number): Promise<void> {
    return change(this.#database, (state) => withHooksDone(state, through, counts, now));
  }

  guard(kind: GuardedKind, refusal: Refusal | null, now: number): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const before = await lockState(tx);
      const after = withGuard(before, kind, refusal, now);
      if (after) await writeState(tx, after);
      return after !== null && (before.guards[kind] === undefined) !== (refusal === null);
    });
  }

  confirm(
    kind: GuardedKind,
    by: { actor: string; note: string | null },
    stamp: Stamp,
  ): Promise<ConfirmOutcome> {
    return this.#database.transaction(async (tx) => {
      const { outcome, ...next } = decideConfirm(await lockState(tx), kind, by, stamp);
      if (outcome.kind === 'confirmed') await write(tx, next);
      return outcome;
    });
  }

  finishRound(stamp: Stamp): Promise<RoundEnd> {
    return this.#database.transaction(async (tx) => {
      const { end, ...next } = decideFinish(await lockState(tx), stamp);
      await write(tx, next);
      return end;
    });
  }

  lossReported(consumer: string, events: number): Promise<void> {
    return change(this.#database, (state) => withLossReported(state, consumer, events));
  }
}
