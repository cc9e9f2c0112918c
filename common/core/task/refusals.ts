import type { Actor } from '../../http/actor.ts';
import { AppError, notFound } from '../../http/error.ts';
import type { TaskMissing } from './port.ts';
import type { TaskRecord } from './record.ts';
import type { TaskState } from './schema.ts';
import { nextStates } from './states.ts';

export function mismatch(actor: Actor, what: string): AppError {
  return actor.tenantCode !== null
    ? notFound(what)
    : new AppError(403, 'tenant_mismatch', `tenant_code is not the tenant of ${what.toLowerCase()}.`);
}

/** To a caller bound to one tenant nothing of another exists, whatever it claims. @throws AppError 404 */
export function bound(actor: Actor, claimed: string, what: string): void {
  if (actor.tenantCode !== null && claimed !== actor.tenantCode) throw notFound(what);
}

export function missing(outcome: TaskMissing, actor: Actor, what: string): AppError {
  return outcome.kind === 'no_task' ? notFound(what) : mismatch(actor, what);
}

export function transitionRefused(task: TaskRecord, to: TaskState): AppError {
  const next = nextStates(task.type, task.state);
  const may = next.length === 0 ? 'that is its end' : `from there it goes to ${next.join(' or ')}`;
  return new AppError(
    409,
    'transition_refused',
    `The task is ${task.state}; ${may}, not to ${to}. Read it again before you go on.`,
    {
      retryable: false,
      extra: { state: task.state },
    },
  );
}
