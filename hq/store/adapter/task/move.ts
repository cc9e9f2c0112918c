import type { Stamp } from '../../../../common/clock.ts';
import type { EventRecord } from '../../../../common/core/event/record.ts';
import type { TaskRecord } from '../../../../common/core/task/record.ts';
import type { Tx } from '../../engine/database.ts';

/** A task before and after a move, with the event that it is about. */
export interface TaskMove {
  before: TaskRecord;
  after: TaskRecord;
  event: EventRecord | null;
}

/** Runs in the transaction that moves a task, so that its effects commit with the move. */
export type TaskMoveHook = (tx: Tx, move: TaskMove, stamp: Stamp) => Promise<void>;
