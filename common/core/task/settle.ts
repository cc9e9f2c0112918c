import type { Stamp } from '../../clock.ts';
import type { VerdictRecord } from '../verdict/record.ts';
import { historyOf, movedTo, type TaskWrites } from './decide.ts';
import { appended, auditOf, changeTimeOf } from './entries.ts';
import type { TaskEntry, TaskRecord } from './record.ts';
import type { TaskState } from './schema.ts';

/** What is left of the way of a review, by where it stands. */
const WAY: Partial<Record<TaskState, readonly TaskState[]>> = {
  open: ['taken_over', 'completed', 'closed'],
  taken_over: ['completed', 'closed'],
};

/** States of a review that a verdict on its event settles. */
export const unsettledStates = Object.keys(WAY) as TaskState[];

/** A person has judged the event. A program's verdict was reviewed by nobody. */
export const settlesReviews = ({ byKind }: Pick<VerdictRecord, 'byKind'>): boolean => byKind === 'human';

/**
 * A review asks a person to judge an event. Who does so has taken it over, completed and closed it, in the
 * transaction of the verdict. Pure.
 * @param task a review in one of `unsettledStates`
 * @param actor who called, for the audit
 */
export function settleReview(
  before: TaskRecord,
  { verdict, by, actor }: Pick<VerdictRecord, 'verdict' | 'by'> & { actor: string },
  stamp: Stamp,
): TaskWrites {
  const at = changeTimeOf(before, stamp);
  const resultCode = verdict === 'false_alarm' ? verdict : null;
  const entries: TaskEntry[] = [];
  let task = before;
  for (const to of WAY[before.state] ?? []) {
    const result = to === 'completed' ? resultCode : null;
    const moved = appended(
      movedTo(task, { to, by, resultCode: result }, at),
      at,
      historyOf('transition', task.state, to, { by, note: null, resultCode: result }),
    );
    task = moved.task;
    entries.push(moved.entry);
  }
  const audit = auditOf(
    before,
    'task.moved',
    {
      actor,
      before: { state: before.state, resultCode: before.resultCode },
      after: { state: task.state, resultCode: task.resultCode, by, verdict },
    },
    stamp,
  );
  return { task, entries, audit, feedback: null };
}
