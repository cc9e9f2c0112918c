import * as z from 'zod/mini';
import { tenantFor } from '../../http/caller.ts';
import { severalOf } from '../../http/fault/several.ts';
import { idParam, keptBy, limitParam, pageOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { code, tenantCode } from '../event/schema.ts';
import { callerOf, reading, writing } from './access.ts';
import { dispositionRoutes } from './disposition-routes.ts';
import { taskOrderings } from './page.ts';
import { taskInput, taskStates, taskTypes } from './schema.ts';
import type { TaskService } from './service.ts';
import { transitionRoutes } from './transition-routes.ts';
import { orderedTaskView, taskDetailView, taskView, viewDetail, viewOrder, viewTask } from './view.ts';

const types = severalOf(taskTypes, 'what_types');
const states = severalOf(taskStates, 'what_states');

const listQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  type: z.optional(types.form),
  state: z.optional(states.form),
  instance: z.optional(code(128)),
  origin_id: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  taken_over_by: z.optional(code(128)),
  event_id: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  overdue: z.optional(z.enum(['true', 'false'])),
  assignee_org: z.optional(code(128)),
  order: z._default(z.enum(taskOrderings), 'newest'),
  limit: limitParam(100, 1000),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});

/**
 * Tasks and their disposition record (spec 2, "Tasks and disposition"). @param now epoch ms, for what is
 * overdue
 * @param self name of this instance
 */
export function taskRoutes(service: TaskService, now: () => number, self: string): Route[] {
  return [
    ...objectRoutes(service, now, self),
    ...transitionRoutes(service, now),
    ...dispositionRoutes(service, now),
  ];
}

function objectRoutes(service: TaskService, now: () => number, self: string): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/objects/tasks',
      ...writing,
      body: taskInput,
      summary: 'Create a task, on an event or on none',
      description:
        '`body` is free but for `history`, `steps`, `result_code` and `edge_notes`, which only the ' +
        'service writes; it is at most 64 KiB as JSON and 32 levels deep. At headquarters a task on an ' +
        'event of a site is made by the site, which tells its camera of it: 202 with the `order`. A site ' +
        'of an older version takes no orders; then the task is one of headquarters alone.',
      replies: {
        201: { description: 'The task', schema: taskDetailView },
        202: {
          description: 'At headquarters: the task as the site is ordered to make it',
          schema: orderedTaskView,
        },
      },
      errors: { 403: 'tenant_mismatch' },
      handle: async (call) => {
        const made = await service.create(call.body, callerOf(call));
        const body = viewDetail(made, now());
        return made.order
          ? { status: 202, body: { ...body, order: viewOrder(made.order) } }
          : { status: 201, body };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/objects/tasks',
      ...reading,
      query: listQuery,
      summary: 'List tasks without their bodies',
      description:
        '`state` and `type` name one or several, separated by commas. `overdue=true`: the deadline has ' +
        'passed and nobody has taken the task over. `instance`: those that this site keeps, or ' +
        'headquarters itself. `origin_id`: the one that has this number at its site. `order=due`: the ' +
        'earliest deadline first, tasks without one last; otherwise the newest first. A cursor goes on in ' +
        'the order that it came from.',
      replies: { 200: { description: 'A page of tasks', schema: pageOf(taskView) } },
      handle: async ({ actor, query }) => {
        const page = await service.list(
          {
            tenantCode: tenantFor(actor, query.tenant_code),
            ...(query.type === undefined ? {} : { types: types.read(query.type) }),
            ...(query.state === undefined ? {} : { states: states.read(query.state) }),
            ...(query.taken_over_by === undefined ? {} : { takenOverBy: query.taken_over_by }),
            ...(query.event_id === undefined ? {} : { eventId: query.event_id }),
            ...(query.overdue === undefined ? {} : { overdue: query.overdue === 'true' }),
            ...(query.assignee_org === undefined ? {} : { assigneeOrg: query.assignee_org }),
            ...(query.origin_id === undefined ? {} : { originId: query.origin_id }),
            ...keptBy(query.instance, self),
          },
          query,
        );
        const at = now();
        return { body: { ...page, items: page.items.map((task) => viewTask(task, at)) } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/objects/tasks/{id}',
      ...reading,
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
