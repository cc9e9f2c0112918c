// What is recorded on a task without moving it: steps, members of its body, reminders to the field.
import * as z from 'zod/mini';
import { route, type Route } from '../../http/route.ts';
import { idParam } from '../event/routes.ts';
import { callerOf, errors, writing } from './access.ts';
import { bodyInput, edgeNoteInput, stepInput } from './schema.ts';
import type { TaskService } from './service.ts';
import {
  edgeNoteView,
  flagsOf,
  pushFlags,
  stepView,
  taskDetailView,
  taskView,
  viewDetail,
  viewNote,
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
      ...writing,
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
      ...writing,
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
