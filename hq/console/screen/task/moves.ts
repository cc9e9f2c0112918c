import { Refused } from '../../api/fault.ts';
import { answerOf, api } from '../../api/client.ts';
import { fetchTask, type Task, type TaskDetail, type TaskState } from './queries.ts';
import type { resultCodes } from './filters.ts';

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

export const sendMove = (
  { id, tenantCode }: Pick<Task, 'id' | 'tenantCode'>,
  move: Move,
  { note = '', resultCode }: MoveInput,
  by: string,
) =>
  answerOf(
    api.POST('/api/core/objects/tasks/{id}/transition', {
      params: { path: { id } },
      body: {
        tenant_code: tenantCode,
        to: TARGET[move],
        by,
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        ...(move === 'complete' && resultCode ? { result_code: resultCode } : {}),
      },
    }),
  );
export type Moved = Awaited<ReturnType<typeof sendMove>>;

/** Who moved a task last, for whoever came second. */
export async function lastMover(id: number): Promise<{ by: string; state: TaskState } | null> {
  const { body, state } = await fetchTask(id);
  const last = body.history.findLast(({ action }) => action === 'transition');
  return last ? { by: last.by, state } : null;
}

/** Whether somebody else was first. */
export const cameSecond = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === 'transition_refused';
