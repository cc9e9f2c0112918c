// What the store is asked to do for an input. Pure.
import { fault } from '../../http/error.ts';
import { BEIJING_OFFSET_MINUTES, parseTime } from '../../time.ts';
import type { CreateTask } from './record.ts';
import {
  type BatchTransitionInput,
  MAX_AHEAD_MS,
  type StepInput,
  type TaskInput,
  type TransitionInput,
} from './schema.ts';

/** @param by who creates it, as the task shows it @param actor the same, as the audit names it */
export function creation(input: TaskInput, by: string, actor: string): CreateTask {
  return {
    tenantCode: input.tenant_code,
    type: input.type,
    eventId: input.event_id ?? null,
    title: input.title,
    severity: input.severity,
    assigneeOrg: input.assignee_org ?? null,
    dueAt: input.due_at === undefined ? null : parseTime(input.due_at),
    suppressed: false,
    body: input.body ?? {},
    by,
    actor,
  };
}

/** @param now epoch ms @throws AppError 400 when the step lies too far ahead */
export function stepOf(input: StepInput, now: number, actor: string) {
  const at = input.at === undefined ? null : parseTime(input.at, BEIJING_OFFSET_MINUTES);
  if (at !== null && at > now + MAX_AHEAD_MS) throw fault('at', 'time_ahead');
  return { tenantCode: input.tenant_code, kind: input.kind, text: input.text, by: input.by, at, actor };
}

export function changeOf(input: TransitionInput | BatchTransitionInput, actor: string) {
  return {
    tenantCode: input.tenant_code,
    to: input.to,
    by: input.by,
    note: input.note ?? null,
    resultCode: input.result_code ?? null,
    actor,
  };
}

/** A result code counts for a completion only. */
export const codeIgnored = (input: TransitionInput | BatchTransitionInput): boolean =>
  input.result_code !== undefined && input.to !== 'completed';
