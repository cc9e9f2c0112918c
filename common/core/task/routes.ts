import * as z from 'zod/mini';
import type { Call } from '../../http/route.ts';
import { route, type Route } from '../../http/route.ts';
import { idParam, limitParam, pageOf, tenantFor } from '../event/routes.ts';
import { code, tenantCode } from '../event/schema.ts';
import { actorOf } from '../key/routes.ts';
import {
  batchTransitionInput,
  bodyInput,
  edgeNoteInput,
  stepInput,
  taskInput,
  taskStates,
  taskTypes,
  transitionInput,
} from './schema.ts';
import type { Caller, Pushed, TaskService } from './service.ts';
import {
  edgeNoteView,
  pushFlags,
  stepView,
  taskDetailView,
  taskView,
  viewDetail,
  viewNote,
  viewStep,
  viewTask,
} from './view.ts';

const access = ['admin', 'session', 'consumer'] as const;
const permission = 'tasks.manage';
const scopes = ['tasks.write'] as const;
const reading = ['tasks.read', 'tasks.write'] as const;
const tag = 'Tasks';
const errors = { 403: 'tenant_mismatch', 404: 'not_found' };

const listQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  type: z.optional(z.enum(taskTypes)),
  state: z.optional(z.enum(taskStates)),
  event_id: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  overdue: z.optional(z.enum(['true', 'false'])),
  assignee_org: z.optional(code(128)),
  limit: limitParam(100, 1000),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});

const moved = z.extend(taskView, { changed: z.boolean(), resultCodeIgnored: z.boolean(), ...pushFlags });
const batchItem = z.object({
  taskId: z.int(),
  type: z.enum(taskTypes),
  state: z.enum(taskStates),
  changed: z.boolean(),
  reason: z.nullable(z.enum(['postmortem_request', 'already_in_state', 'transition_refused'])),
  ...pushFlags,
});
const batchReply = z.object({
  eventId: z.int(),
  to: z.enum(taskStates),
  changed: z.int(),
  skipped: z.int(),
  resultCodeIgnored: z.boolean(),
  items: z.array(batchItem),
});

const callerOf = (call: Pick<Call, 'actor' | 'ip'>): Caller => ({ actor: call.actor, text: actorOf(call) });
const flagsOf = ({ pushedToEdge, pushSkipped, pushError }: Pushed): Pushed => ({
  pushedToEdge,
  pushSkipped,
  pushError,
});

/**
 * Tasks and their disposition record (spec 2, "Tasks and disposition"). @param now epoch ms, for what is
 * overdue
 */
export function taskRoutes(service: TaskService, now: () => number): Route[] {
  return [...objectRoutes(service, now), ...transitionRoutes(service, now), ...evidenceRoutes(service, now)];
}

function objectRoutes(service: TaskService, now: () => number): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/objects/tasks',
      tag,
      access,
      permission,
      scopes,
      body: taskInput,
      summary: 'Create a task, on an event or on none',
      description:
        '`body` is free but for `history`, `steps`, `result_code` and `edge_notes`, which only the ' +
        'service writes; it is at most 64 KiB as JSON and 32 levels deep.',
      replies: { 201: { description: 'The task', schema: taskDetailView } },
      errors: { 403: 'tenant_mismatch' },
      handle: async (call) => ({
        status: 201,
        body: viewDetail(await service.create(call.body, callerOf(call)), now()),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/core/objects/tasks',
      tag,
      access,
      permission,
      scopes: reading,
      query: listQuery,
      summary:
        'List tasks, newest first, without their bodies; overdue=true: the deadline has passed and ' +
        'nobody has taken the task over',
      replies: { 200: { description: 'A page of tasks', schema: pageOf(taskView) } },
      handle: async ({ actor, query }) => {
        const page = await service.list(
          {
            tenantCode: tenantFor(actor, query.tenant_code),
            ...(query.type === undefined ? {} : { type: query.type }),
            ...(query.state === undefined ? {} : { state: query.state }),
            ...(query.event_id === undefined ? {} : { eventId: query.event_id }),
            ...(query.overdue === undefined ? {} : { overdue: query.overdue === 'true' }),
            ...(query.assignee_org === undefined ? {} : { assigneeOrg: query.assignee_org }),
          },
          query.cursor,
          query.limit,
        );
        const at = now();
        return { body: { ...page, items: page.items.map((task) => viewTask(task, at)) } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/objects/tasks/{id}',
      tag,
      access,
      permission,
      scopes: reading,
      params: idParam,
      query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
      summary: 'One task with its body: what callers wrote, and history, steps, result_code and edge_notes',
      replies: { 200: { description: 'The task', schema: taskDetailView } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params, query }) => ({
        body: viewDetail(await service.get(params.id, actor.tenantCode ?? query.tenant_code ?? null), now()),
      }),
    }),
  ];
}

function transitionRoutes(service: TaskService, now: () => number): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/batch_transition',
      tag,
      access,
      permission,
      scopes,
      body: batchTransitionInput,
      summary: 'Move every task of an event that may go there, all or none',
      description:
        'As duty staff do who confirm a real alarm or rule a false alarm. Postmortem requests are left ' +
        'out; `reason` says why a task was passed over.',
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
              ...flagsOf(item),
            })),
          },
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/transition',
      tag,
      access,
      permission,
      scopes,
      params: idParam,
      body: transitionInput,
      summary:
        'Move a task: open → taken_over → completed → closed, open or taken_over → cancelled, and a ' +
        'completed rectification back to taken_over',
      description:
        'The first of several writers wins, the others get 409 `transition_refused` with the present ' +
        '`state`: read the task again, do not resend. `result_code` is ' +
        'recorded on completion only; with another target `resultCodeIgnored` is true. Takeover and ' +
        'completion are pushed to the field, cancelling and closing are not. ' +
        '`pushSkipped` says why a task is never pushed (`non_disposal`, `not_on_event`), `pushError` ' +
        'why a push failed.',
      replies: { 200: { description: 'The task as it is now', schema: moved } },
      errors: {
        ...errors,
        409: 'transition_refused, task_of_site (at headquarters, for a task that a site keeps)',
      },
      handle: async (call) => {
        const result = await service.transition(call.params.id, call.body, callerOf(call));
        return {
          body: {
            ...viewTask(result.task, now()),
            changed: true,
            resultCodeIgnored: result.resultCodeIgnored,
            ...flagsOf(result),
          },
        };
      },
    }),
  ];
}

function evidenceRoutes(service: TaskService, now: () => number): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/steps',
      tag,
      access,
      permission,
      scopes,
      params: idParam,
      body: stepInput,
      summary: 'Append a disposition step, also afterwards; the state of the task stays as it is',
      description:
        '`at` is when it happened: now when left out, at most 5 minutes ahead; without a zone it is ' +
        'Beijing time. `receivedAt` and `taskState` are of the moment of ' +
        'recording, so that a step that was filled in later shows. A task holds at most 200 steps.',
      replies: {
        201: { description: 'The task and the step', schema: z.extend(taskView, { step: stepView }) },
      },
      errors: { ...errors, 409: 'too_many_steps' },
      handle: async (call) => {
        const { task, step, receivedAt } = await service.addStep(call.params.id, call.body, callerOf(call));
        return { status: 201, body: { ...viewTask(task, now()), step: viewStep(step, receivedAt) } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/body',
      tag,
      access,
      permission,
      scopes,
      params: idParam,
      body: bodyInput,
      summary: 'Lay members over the body of a task; history, steps, result_code and edge_notes are refused',
      replies: { 200: { description: 'The task', schema: taskDetailView } },
      errors,
      handle: async (call) => ({
        body: viewDetail(await service.changeBody(call.params.id, call.body, callerOf(call)), now()),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/edge_note',
      tag,
      access,
      permission,
      scopes,
      params: idParam,
      body: edgeNoteInput,
      summary: 'Push a reminder to the field now; it is then appended to edge_notes with what came of it',
      description: 'Only for disposal and rectification tasks; on others 400 `non_disposal`.',
      replies: {
        201: {
          description: 'The task and the note',
          schema: z.extend(taskView, { note: edgeNoteView, ...pushFlags }),
        },
      },
      errors: { ...errors, 400: 'validation_failed, non_disposal', 409: 'too_many_edge_notes' },
      handle: async (call) => {
        const { task, note, at } = await service.edgeNote(call.params.id, call.body, callerOf(call));
        return {
          status: 201,
          body: { ...viewTask(task, now()), note: viewNote(note, at), ...flagsOf(note) },
        };
      },
    }),
  ];
}
