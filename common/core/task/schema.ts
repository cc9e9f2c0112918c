import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import { BEIJING_OFFSET_MINUTES, parseTime } from '../../time.ts';
import { boundedObject, code, severities, tenantCode, zonedTime } from '../event/schema.ts';
import { saying } from './task-fault-messages.ts';

/** The wire form of tasks (spec 2, "Task step record"; DESIGN.md, "Tasks"). */

export const taskTypes = ['disposal', 'review', 'rectification', 'postmortem_request'] as const;
export type TaskType = (typeof taskTypes)[number];
export const taskStates = ['open', 'taken_over', 'completed', 'closed', 'cancelled'] as const;
export type TaskState = (typeof taskStates)[number];
export const stepKinds = ['arrive', 'measure', 'result', 'handover', 'note'] as const;
export type StepKind = (typeof stepKinds)[number];
export const resultCodes = ['eliminated', 'controlled', 'false_alarm', 'to_hazard', 'other'] as const;
export type ResultCode = (typeof resultCodes)[number];
/** Disposition evidence: members of the body that only the service writes. */
export const protectedMembers = ['history', 'steps', 'result_code', 'edge_notes'] as const;

/** Largest body, bytes of its JSON text in UTF-8, and its deepest nesting. */
export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_BODY_DEPTH = 32;
export const MAX_STEPS = 200;
/** How far the time of a step may lie ahead, milliseconds. */
export const MAX_AHEAD_MS = 5 * 60_000;

const sentence = (max: number) => z.string().check(z.minLength(1), upTo(max), z.regex(/\S/, saying('blank')));
const by = code(128);
/** The texts of a task, wherever they were written. */
export const taskTexts = {
  title: sentence(512),
  note: sentence(4000),
  step: sentence(2000),
  edgeNote: sentence(2000),
} as const;
const note = z.optional(taskTexts.note);
const freeBody = z.record(z.string(), z.unknown());
const eventId = z.int().check(z.minimum(1));
const beijingTime = z
  .string()
  .check(z.refine((value) => parseTime(value, BEIJING_OFFSET_MINUTES) !== null, saying('beijing_time')));

export const taskInput = z
  .strictObject({
    tenant_code: tenantCode,
    type: z.enum(taskTypes),
    event_id: z.optional(eventId),
    title: taskTexts.title,
    severity: z.enum(severities),
    assignee_org: z.optional(code(128)),
    due_at: z.optional(zonedTime),
    body: z.optional(freeBody),
  })
  .register(described, { id: 'NewTask' });
export type TaskInput = z.infer<typeof taskInput>;

const change = { to: z.enum(taskStates), by, note, result_code: z.optional(z.enum(resultCodes)) };

export const transitionInput = z
  .strictObject({ tenant_code: tenantCode, ...change })
  .register(described, { id: 'TaskTransition' });
export type TransitionInput = z.infer<typeof transitionInput>;

export const batchTransitionInput = z
  .strictObject({ tenant_code: tenantCode, event_id: eventId, ...change })
  .register(described, { id: 'TaskBatchTransition' });
export type BatchTransitionInput = z.infer<typeof batchTransitionInput>;

export const stepInput = z
  .strictObject({
    tenant_code: tenantCode,
    kind: z.enum(stepKinds),
    text: taskTexts.step,
    at: z.optional(beijingTime),
    by: code(64),
  })
  .register(described, { id: 'NewTaskStep' });
export type StepInput = z.infer<typeof stepInput>;

export const bodyInput = z
  .strictObject({ tenant_code: tenantCode, body: freeBody, by })
  .register(described, { id: 'NewTaskBody' });
export type BodyInput = z.infer<typeof bodyInput>;

export const edgeNoteInput = z
  .strictObject({ tenant_code: tenantCode, text: taskTexts.edgeNote, by })
  .register(described, { id: 'NewTaskNote' });
export type EdgeNoteInput = z.infer<typeof edgeNoteInput>;

const namesProtected = (body: Record<string, unknown>): boolean =>
  protectedMembers.some((name) => Object.hasOwn(body, name));

/** The body of a task as it is kept: what `bodyFaults` finds nothing wrong with. */
export const keptBody = boundedObject(MAX_BODY_DEPTH, MAX_BODY_BYTES).check(
  z.refine((body) => !namesProtected(body), saying('only_service_writes')),
);

/** What headquarters may order of a site that keeps a task. */
export const orderKinds = ['create', 'transition', 'step', 'edge_note', 'body'] as const;
export type OrderKind = (typeof orderKinds)[number];
/**
 * `pending`: the site has not answered yet. `unclear`: it has, but its answer cannot be read here, and is
 * parked there; what a later one says counts.
 */
export const orderStates = ['pending', 'done', 'refused', 'unclear'] as const;
export type OrderState = (typeof orderStates)[number];
