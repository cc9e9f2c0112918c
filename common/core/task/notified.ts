import type { Stamp } from '../../clock.ts';
import type { TaskWrites } from './decide.ts';
import { appended, auditOf, changeTimeOf } from './entries.ts';
import type { TaskRecord } from './record.ts';

/** A line of the history that says which way a notification of the task went. Pure. */
export function decideNotified(
  before: TaskRecord,
  { by, note }: { by: string; note: string },
  stamp: Stamp,
): TaskWrites {
  const at = changeTimeOf(before, stamp);
  const { task, entry } = appended({ ...before, updatedAt: at }, at, {
    kind: 'history',
    doc: { action: 'notified', from: before.state, to: before.state, by, note, resultCode: null },
  });
  const audit = auditOf(task, 'task.notified', { actor: by, before: null, after: { note } }, stamp);
  return { task, entries: [entry], audit, feedback: null };
}
