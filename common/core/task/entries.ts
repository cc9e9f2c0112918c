import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { TaskMissing } from './port.ts';
import type { EntryContent, TaskEntry, TaskRecord } from './record.ts';

/** The time of a change: never before the last one of the same task. */
export const changeTimeOf = (task: TaskRecord, stamp: Stamp): number => Math.max(stamp.now, task.updatedAt);

/** Numbers an entry of a task. */
export function appended(
  task: TaskRecord,
  at: number,
  content: EntryContent,
): { task: TaskRecord; entry: TaskEntry } {
  const seq = task.entryCount + 1;
  return { task: { ...task, entryCount: seq }, entry: { seq, at, ...content } };
}

export function auditOf(
  task: TaskRecord,
  action: string,
  what: Pick<AuditEntry, 'actor' | 'before' | 'after'>,
  stamp: Stamp,
): AuditEntry {
  return {
    id: stamp.newId(),
    at: stamp.now,
    action,
    subject: `task:${task.id}`,
    tenantCode: task.tenantCode,
    ...what,
  };
}

/** The columns that a change touches; an index whose columns stay is left alone. */
export function changedMembers(before: TaskRecord, after: TaskRecord): Partial<TaskRecord> {
  const was = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => was.get(name) !== value));
}

/** null: the task is there, and the tenant's. */
export function missingTask(task: TaskRecord | null, tenantCode: string): TaskMissing | null {
  if (!task) return { kind: 'no_task' };
  return task.tenantCode === tenantCode ? null : { kind: 'tenant_mismatch' };
}

/** The task of a decision that was answered earlier when there is none. */
export function requireTask(task: TaskRecord | null): TaskRecord {
  if (task === null) throw new Error('a change was decided without its task');
  return task;
}
