import { answerOf, api } from '../../api/client.ts';
import { Refused } from '../../api/fault.ts';
import type { resultCodes } from './filters.ts';
import { fetchTask, type Task, type TaskDetail, type TaskState } from './queries.ts';

/** What a person does to a task, by the word for it. */
export type Move = 'takeOver' | 'complete' | 'accept' | 'sendBack' | 'close' | 'cancelTask';

export const moves = ['takeOver', 'complete', 'accept', 'sendBack', 'close', 'cancelTask'] as const;

/** Where each leads. */
export const TARGET: Record<Move, TaskState> = {
  takeOver: 'taken_over',
  complete: 'completed',
  accept: 'closed',
  sendBack: 'taken_over',
  close: 'closed',
  cancelTask: 'cancelled',
};

/** What may be done to a task in its state; a completed rectification is accepted or sent back. */
export function movesOf({ type, state }: Pick<Task, 'type' | 'state'>): readonly Move[] {
  switch (state) {
    case 'open':
      return ['takeOver', 'cancelTask'];
    case 'taken_over':
      return ['complete', 'cancelTask'];
    case 'completed':
      return type === 'rectification' ? ['accept', 'sendBack'] : ['close'];
    case 'closed':
    case 'cancelled':
      return [];
  }
}

/** Whether its site still has to answer a move, so that nobody orders another before. */
export const isMoving = ({ orders = [] }: Pick<TaskDetail, 'orders'>): boolean =>
  orders.some(({ kind, state }) => kind === 'transition' && state === 'pending');

export interface MoveInput {
  note?: string | undefined;
  resultCode?: (typeof resultCodes)[number] | undefined;
}

/** Somebody moved the task since it was shown: what was meant for its former state is not sent. */
export class MovedMeanwhile extends Error {
  readonly task: TaskDetail;

  constructor(task: TaskDetail) {
    super(`task ${task.id} is ${task.state} now`);
    this.name = 'MovedMeanwhile';
    this.task = task;
  }
}

/**
 * Moves a task as it was shown: the same target means another thing in another state, since taking over and
 * sending back both lead to `taken_over`.
 * @param task as it was when the person decided
 * @throws MovedMeanwhile when it is in another state, and what `answerOf` throws
 */
export async function sendMove(
  { id, tenantCode, state }: Pick<Task, 'id' | 'tenantCode' | 'state'>,
  move: Move,
  { note = '', resultCode }: MoveInput,
  by: string,
) {
  const now = await fetchTask(id);
  if (now.state !== state) throw new MovedMeanwhile(now);
  const said = note.trim();
  const body = {
    tenant_code: tenantCode,
    to: TARGET[move],
    by,
    ...(said === '' ? {} : { note: said }),
    ...(move === 'complete' && resultCode ? { result_code: resultCode } : {}),
  };
  const moving = api.POST('/api/core/objects/tasks/{id}/transition', { params: { path: { id } }, body });
  try {
    return await answerOf(moving);
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'transition_refused')) throw error;
    const after = await fetchTask(id);
    throw after.state === state ? error : new MovedMeanwhile(after);
  }
}
export type Moved = Awaited<ReturnType<typeof sendMove>>;

/** Who moved a task last. */
export const lastMover = ({ body: { history } }: TaskDetail): string | undefined =>
  history.findLast(({ action }) => action === 'transition')?.by;
