// Orders of headquarters on tasks of the site, by the rules of tasks. Pure.
import type { Stamp } from '../../../common/clock.ts';
import { decideMove, type Decided, type SeenTask } from '../../../common/core/task/decide.ts';
import { decideBody, decideSendNote, decideStep } from '../../../common/core/task/evidence.ts';
import type { BodyOutcome, MoveOutcome, NoteOutcome, StepOutcome } from '../../../common/core/task/port.ts';
import type { TaskRecord } from '../../../common/core/task/record.ts';
import type { Order, OrderBody } from '../../../common/uplink/order.ts';

export type ChangeBody = Exclude<OrderBody, { kind: 'create' }>;
type ChangeOutcome = MoveOutcome | StepOutcome | BodyOutcome | NoteOutcome;

/** How the audit names headquarters. */
export const ACTOR = 'hq';

/** Decides a change by the rules of tasks, as the person at headquarters who ordered it. */
export function decideOrder(
  seen: SeenTask,
  taskId: number,
  { by, tenant_code: tenantCode }: Order,
  body: ChangeBody,
  stamp: Stamp,
): Decided<ChangeOutcome> {
  const common = { taskId, tenantCode, by, actor: ACTOR };
  switch (body.kind) {
    case 'transition':
      return decideMove(
        seen,
        { ...common, to: body.to, note: body.note, resultCode: body.result_code },
        stamp,
      );
    case 'step':
      return decideStep(seen, { ...common, kind: body.step, text: body.text, at: body.at }, stamp);
    case 'edge_note':
      return decideSendNote(seen, { ...common, text: body.text }, stamp);
    case 'body':
      return decideBody(seen, { ...common, body: body.body }, stamp);
  }
}

/** Why it was not carried out; null: it was. */
export function reasonOf(outcome: ChangeOutcome, body: ChangeBody): string | null {
  switch (outcome.kind) {
    case 'refused':
      return body.kind === 'transition' ? refusal(outcome.task, body.to) : 'the task refused it';
    case 'too_large':
      return outcome.message;
    case 'too_many_steps':
    case 'too_many_edge_notes':
      return 'the task holds as many of them as it can';
    case 'non_disposal':
      return 'only disposal and rectification tasks are pushed to the field';
    case 'no_task':
    case 'tenant_mismatch':
      return 'the site has no such task';
    default:
      return null;
  }
}

const refusal = ({ state }: TaskRecord, to: TaskRecord['state']): string =>
  `the task is ${state} there, from where it does not go to ${to}`;
