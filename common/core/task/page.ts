import { decodeCursor, encodeCursor } from '../../cursor.ts';
import { fault } from '../../http/error.ts';
import type { DuePosition } from './port.ts';
import type { TaskSummary } from './record.ts';

/** In which order tasks are listed: the newest first, or the earliest deadline first and none last. */
export const taskOrderings = ['newest', 'due'] as const;
export type TaskOrdering = (typeof taskOrderings)[number];

export interface TaskPage {
  items: TaskSummary[];
  nextCursor: string | null;
  hasMore: boolean;
}

const LISTS = { newest: 'tasks', due: 'tasks-due' } as const;
/** Of a task without a deadline, in a cursor. */
const NO_DEADLINE = '';

const foreign = (): Error =>
  fault('cursor', 'is not a cursor of this list; leave it out to start from the beginning');

/** @throws AppError 400 for another list's cursor */
export function newestCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const [id] = decodeCursor(LISTS.newest, cursor);
  if (typeof id !== 'number') throw foreign();
  return id;
}

/** @throws AppError 400 for another list's cursor */
export function dueCursor(cursor: string | undefined): DuePosition | null {
  if (cursor === undefined) return null;
  const [due, id] = decodeCursor(LISTS.due, cursor);
  if (typeof id !== 'number' || (typeof due !== 'number' && due !== NO_DEADLINE)) throw foreign();
  return { dueAt: due === NO_DEADLINE ? null : due, id };
}

/** @param rows one more than `limit`, where there are more */
export function pageOfTasks(rows: readonly TaskSummary[], order: TaskOrdering, limit: number): TaskPage {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  const position = last && (order === 'due' ? [last.dueAt ?? NO_DEADLINE, last.id] : [last.id]);
  return {
    items,
    hasMore: last !== undefined,
    nextCursor: position ? encodeCursor(LISTS[order], position) : null,
  };
}
