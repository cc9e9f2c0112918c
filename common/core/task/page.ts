import { type Page, pagedList } from '../../cursor.ts';
import type { DuePosition } from './port.ts';
import type { TaskSummary } from './record.ts';

/** In which order tasks are listed: the newest first, or the earliest deadline first and none last. */
export const taskOrderings = ['newest', 'due'] as const;
export type TaskOrdering = (typeof taskOrderings)[number];

export type TaskPage = Page<TaskSummary>;

const NEWEST = pagedList('tasks', ['number']);
const DUE = pagedList('tasks-due', ['number', 'number']);
/** Stands in a cursor for the deadline of a task without one. */
const NO_DEADLINE = Number.MAX_SAFE_INTEGER;

/** @throws AppError 400 for another list's cursor */
export const newestCursor = (cursor: string | undefined): number | null =>
  NEWEST.positionOf(cursor)?.[0] ?? null;

/** @throws AppError 400 for another list's cursor */
export function dueCursor(cursor: string | undefined): DuePosition | null {
  const position = DUE.positionOf(cursor);
  return position && { dueAt: position[0] === NO_DEADLINE ? null : position[0], id: position[1] };
}

/** @param rows one more than `limit`, where there are more */
export const pageOfTasks = (rows: readonly TaskSummary[], order: TaskOrdering, limit: number): TaskPage =>
  order === 'due'
    ? DUE.page(rows, limit, ({ dueAt, id }) => [dueAt ?? NO_DEADLINE, id])
    : NEWEST.page(rows, limit, ({ id }) => [id]);
