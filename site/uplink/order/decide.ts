// Orders of headquarters on tasks of the site, by the rules of tasks. Pure.
import type { Stamp } from '../../../common/clock.ts';
import { type Decided, decideMove, type SeenTask } from '../../../common/core/task/decide.ts';
import { decideBody, decideSendNote, decideStep } from '../../../common/core/task/evidence.ts';
import type { BodyOutcome, MoveOutcome, NoteOutcome, StepOutcome } from '../../../common/core/task/port.ts';
import type { TaskRecord } from '../../../common/core/task/record.ts';
import type { orderRefusalMessages } from '../../../common/core/task/refusal-messages.ts';
import type { MessageOf } from '../../../common/message.ts';
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

/** Why an order was not carried out. */
export type OrderRefusal = MessageOf<typeof orderRefusalMessages>;

/** null: it was carried out. */
export function reasonOf(outcome: ChangeOutcome, body: ChangeBody): OrderRefusal | null {
  switch (outcome.kind) {
    case 'refused':
      return body.kind === 'transition'
        ? wrongState(outcome.task.state, body.to)
        : plain('order_task_refused');
    case 'too_large':
      return { code: 'order_body_refused', params: { fault: outcome.fault } };
    case 'too_many_steps':
    case 'too_many_edge_notes':
      return plain('order_too_many');
    case 'non_disposal':
      return plain('order_not_pushed');
    case 'no_task':
    case 'tenant_mismatch':
      return plain('order_no_task');
    default:
      return null;
  }
}

type Plain = 'order_task_refused' | 'order_too_many' | 'order_not_pushed' | 'order_no_task';
const plain = (code: Plain): OrderRefusal => ({ code, params: {} });

/** @param from null: not known any more */
export const wrongState = (from: TaskRecord['state'] | null, to: TaskRecord['state']): OrderRefusal =>
  from === null
    ? plain('order_task_refused')
    : {
        code: 'order_wrong_state',
        params: {
          state: { code: `task_state_${from}`, params: {} },
          to: { code: `task_state_${to}`, params: {} },
        },
      };
