// Moving tasks from state to state.
import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { idParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { callerOf, errors, KEPT, ORDERED, writing } from './access.ts';
import { batchTransitionInput, taskStates, taskTypes, transitionInput } from './schema.ts';
import type { TaskService } from './service.ts';
import { flagsOf, ordered, orderView, pushFlags, taskView, viewOrder, viewTask } from './view.ts';

const moved = z
  .extend(taskView, { changed: z.boolean(), resultCodeIgnored: z.boolean(), ...pushFlags })
  .register(described, { id: 'MovedTask' });
const batchItem = z
  .object({
    taskId: z.int(),
    type: z.enum(taskTypes),
    state: z.enum(taskStates),
    changed: z.boolean(),
    reason: z.nullable(
      z.enum(['postmortem_request', 'already_in_state', 'transition_refused', 'ordered', 'site_outdated']),
    ),
    /** What the site that keeps the task was ordered. */
    order: z.optional(orderView),
    ...pushFlags,
  })
  .register(described, { id: 'BatchMovedTask' });
const batchReply = z
  .object({
    eventId: z.int(),
    to: z.enum(taskStates),
    changed: z.int(),
    skipped: z.int(),
    resultCodeIgnored: z.boolean(),
    items: z.array(batchItem),
  })
  .register(described, { id: 'BatchMovedTasks' });

/** @param now epoch ms, for what is overdue */
export function transitionRoutes(service: TaskService, now: () => number): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/batch_transition',
      ...writing,
      body: batchTransitionInput,
      summary: 'Move every task of an event that may go there, all or none',
      description:
        'As duty staff do who confirm a real alarm or rule a false alarm. Postmortem requests are left ' +
        'out; `reason` says why a task was passed over. At headquarters a task that a site keeps is ' +
        '`ordered` of the site, or passed over as `site_outdated`, where its version takes no orders.',
      replies: { 200: { description: 'What became of each task of the event, by id', schema: batchReply } },
      errors,
      handle: async (call) => {
        const { items, resultCodeIgnored } = await service.transitionAll(call.body, callerOf(call));
        const changed = items.filter((item) => item.changed).length;
        return {
          body: {
            eventId: call.body.event_id,
            to: call.body.to,
            changed,
            skipped: items.length - changed,
            resultCodeIgnored,
            items: items.map((item) => ({
              taskId: item.task.id,
              type: item.task.type,
              state: item.task.state,
              changed: item.changed,
              reason: item.reason,
              ...(item.order ? { order: viewOrder(item.order) } : {}),
              ...flagsOf(item),
            })),
          },
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/transition',
      ...writing,
      params: idParam,
      body: transitionInput,
      summary:
        'Move a task: open → taken_over → completed → closed, open or taken_over → cancelled, and a ' +
        'completed rectification back to taken_over',
      description:
        'The first of several writers wins, the others get 409 `transition_refused` with the present ' +
        '`state`: read the task again, do not resend. `result_code` is ' +
        'recorded on completion only; with another target `resultCodeIgnored` is true. Every ' +
        'transition is pushed to the field, also cancelling and closing. ' +
        '`pushSkipped` says why a task is never pushed (`non_disposal`, `not_on_event`), `pushError` ' +
        'why a push failed.' +
        KEPT,
      replies: {
        200: { description: 'The task as it is now', schema: moved },
        202: { description: ORDERED, schema: z.extend(moved, ordered) },
      },
      errors: {
        ...errors,
        409: 'transition_refused, site_outdated (at headquarters, where the site takes no orders)',
      },
      handle: async (call) => {
        const result = await service.transition(call.params.id, call.body, callerOf(call));
        const { order, resultCodeIgnored } = result;
        const body = {
          ...viewTask(result.task, now()),
          changed: order === null,
          resultCodeIgnored,
          ...flagsOf(result),
        };
        return order ? { status: 202, body: { ...body, order: viewOrder(order) } } : { body };
      },
    }),
  ];
}
