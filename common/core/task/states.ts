import type { TaskSummary } from './record.ts';
import type { TaskState, TaskType } from './schema.ts';

const GRAPH: Record<TaskState, readonly TaskState[]> = {
  open: ['taken_over', 'cancelled'],
  taken_over: ['completed', 'cancelled'],
  completed: ['closed'],
  closed: [],
  cancelled: [],
};

/** The states that a task may go to. A completed rectification waits for acceptance and may be sent back. */
export function nextStates(type: TaskType, from: TaskState): readonly TaskState[] {
  return type === 'rectification' && from === 'completed' ? ['closed', 'taken_over'] : GRAPH[from];
}

export const mayMove = (type: TaskType, from: TaskState, to: TaskState): boolean =>
  nextStates(type, from).includes(to);

/** A deadline that passed before anyone took the task over. A fact of the moment, not a state. */
export function isOverdue(task: Pick<TaskSummary, 'state' | 'dueAt'>, now: number): boolean {
  return task.state === 'open' && task.dueAt !== null && task.dueAt < now;
}
