// What is recorded on a task without moving it: steps, members of its body, reminders to the field.
import * as z from 'zod/mini';
import { idParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { callerOf, errors, KEPT, ORDERED, writing } from './access.ts';
import { waiting } from './field-push.ts';
import { bodyInput, edgeNoteInput, stepInput } from './schema.ts';
import type { TaskService } from './service.ts';
import {
  edgeNoteView,
  flagsOf,
  ordered,
  orderedTaskView,
  pushFlags,
  stepView,
  taskDetailView,
  taskView,
  viewDetail,
  viewNote,
  viewOrder,
  viewStep,
  viewTask,
} from './view.ts';

/** @param now epoch ms, for what is overdue */
export function dispositionRoutes(service: TaskService, now: () => number): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/steps',
      ...writing,
      params: idParam,
      body: stepInput,
      summary: 'Append a disposition step, also afterwards; the state of the task stays as it is',
      description:
        '`at` is when it happened: now when left out, at most 5 minutes ahead; without a zone it is ' +
        'Beijing time. `receivedAt` and `taskState` are of the moment of ' +
        'recording, so that a step that was filled in later shows. A task holds at most 200 steps.' +
        KEPT,
      replies: {
        201: { description: 'The task and the step', schema: z.extend(taskView, { step: stepView }) },
        202: { description: ORDERED, schema: z.extend(taskView, ordered) },
      },
      errors: { ...errors, 409: 'too_many_steps, site_outdated' },
      handle: async (call) => {
        const added = await service.addStep(call.params.id, call.body, callerOf(call));
        if ('order' in added)
          return { status: 202, body: { ...viewTask(added.task, now()), order: viewOrder(added.order) } };
        const { task, step, receivedAt } = added;
        return { status: 201, body: { ...viewTask(task, now()), step: viewStep(step, receivedAt) } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/body',
      ...writing,
      params: idParam,
      body: bodyInput,
      summary: 'Lay members over the body of a task; history, steps, result_code and edge_notes are refused',
      description: 'Members that are left out stay as they are.' + KEPT,
      replies: {
        200: { description: 'The task', schema: taskDetailView },
        202: { description: ORDERED, schema: orderedTaskView },
      },
      errors: { ...errors, 409: 'site_outdated' },
      handle: async (call) => {
        const changed = await service.changeBody(call.params.id, call.body, callerOf(call));
        const body = viewDetail(changed, now());
        return changed.order ? { status: 202, body: { ...body, order: viewOrder(changed.order) } } : { body };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/objects/tasks/{id}/edge_note',
      ...writing,
      params: idParam,
      body: edgeNoteInput,
      summary: 'Push a reminder to the field now; it is then appended to edge_notes with what came of it',
      description: 'Only for disposal and rectification tasks; on others 400 `non_disposal`.' + KEPT,
      replies: {
        202: { description: ORDERED, schema: z.extend(taskView, { ...ordered, ...pushFlags }) },
        201: {
          description: 'The task and the note',
          schema: z.extend(taskView, { note: edgeNoteView, ...pushFlags }),
        },
      },
      errors: {
        ...errors,
        400: 'validation_failed, non_disposal',
        409: 'too_many_edge_notes, site_outdated',
      },
      handle: async (call) => {
        const told = await service.edgeNote(call.params.id, call.body, callerOf(call));
        if ('order' in told) {
          const { task, order } = told;
          const body = { ...viewTask(task, now()), ...waiting(task, order), order: viewOrder(order) };
          return { status: 202, body };
        }
        const { task, note, at } = told;
        return {
          status: 201,
          body: { ...viewTask(task, now()), note: viewNote(note, at), ...flagsOf(note) },
        };
      },
    }),
  ];
}
