// A task of a site on the way up: as it stands when it is sent, not what changed.
import * as z from 'zod/mini';
import { code } from '../../core/event/schema.ts';
import {
  keptBody,
  resultCodes,
  stepInput,
  stepKinds,
  taskInput,
  taskStates,
  taskTexts,
  taskTypes,
} from '../../core/task/schema.ts';
import { clockTime, givenTime, line, orNull } from '../item.ts';
import { count, eventName, id, subjectHead } from './names.ts';

const historyDoc = z.object({
  action: z.enum(['created', 'transition', 'refused', 'escalated', 'notified']),
  from: z.nullable(z.enum(taskStates)),
  to: z.enum(taskStates),
  by: code(128),
  note: z.nullable(taskTexts.note),
  resultCode: z.nullable(z.enum(resultCodes)),
});
const stepDoc = z.object({
  kind: z.enum(stepKinds),
  text: taskTexts.step,
  by: stepInput.shape.by,
  at: givenTime,
  taskState: z.enum(taskStates),
});
const noteDoc = z.object({
  text: taskTexts.edgeNote,
  by: code(128),
  pushedToEdge: z.boolean(),
  pushSkipped: z.nullable(z.enum(['non_disposal', 'not_on_event'])),
  pushError: z.nullable(line(4_000)),
});
const entry = { seq: id, at: clockTime };
const taskEntry = z.discriminatedUnion('kind', [
  z.object({ ...entry, kind: z.literal('history'), doc: historyDoc }),
  z.object({ ...entry, kind: z.literal('step'), doc: stepDoc }),
  z.object({ ...entry, kind: z.literal('edge_note'), doc: noteDoc }),
]);

/** The longest history of a task is bounded where it is written (`MAX_REFUSALS`, `MAX_STEPS`). */
const MAX_ENTRIES = 5_000;

const task = z.object({
  type: z.enum(taskTypes),
  state: z.enum(taskStates),
  title: taskInput.shape.title,
  severity: taskInput.shape.severity,
  assignee_org: orNull(code(128)),
  due_at: orNull(givenTime),
  suppressed: z.boolean(),
  escalated_at: orNull(clockTime),
  result_code: orNull(z.enum(resultCodes)),
  body: keptBody,
  created_by: code(128),
  updated_at: clockTime,
  taken_over_at: orNull(clockTime),
  completed_at: orNull(clockTime),
  closed_at: orNull(clockTime),
  cancelled_at: orNull(clockTime),
  entry_count: count,
  step_count: count,
  note_count: count,
  refusal_count: count,
  entries: z.array(taskEntry).check(z.maxLength(MAX_ENTRIES)),
});

export const taskItem = z.object({
  ...subjectHead,
  kind: z.literal('task'),
  /** The order of headquarters that had it made. */
  order_id: orNull(z.string().check(z.maxLength(128))),
  event: orNull(eventName),
  task,
});
export type TaskItem = z.infer<typeof taskItem>;
