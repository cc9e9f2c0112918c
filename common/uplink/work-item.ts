/**
 * One item of the work channel: a task or an incident group of a site, or what a camera was told of an event,
 * as it stands when it is sent, not what changed. Sending it again does no harm, and what changed meanwhile
 * goes with the next number. A task or group is named by its id at the site and the time of its making, since
 * a site that was put back gives ids a second time.
 */
import * as z from 'zod/mini';
import { upTo } from '../characters.ts';
import {
  code,
  eventSources,
  eventType,
  idempotencyKey,
  severities,
  tenantCode,
} from '../core/event/schema.ts';
import { feedbackKinds, feedbackStates } from '../core/feedback/record.ts';
import { incidentLayers, incidentStates, MAX_EVENTS, upsertInput } from '../core/incident/schema.ts';
import {
  keptBody,
  resultCodes,
  stepInput,
  stepKinds,
  taskInput,
  taskStates,
  taskTexts,
  taskTypes,
} from '../core/task/schema.ts';
import type { Message } from '../message.ts';
import { clockTime, givenTime, itemReader, line, orNull, type Read, told } from './item.ts';
import { orderPush } from './order.ts';

const id = z.int().check(z.minimum(1));
const count = z.int().check(z.minimum(0));

/** An event of the site: its idempotency key, null where the site keeps it no more, and its id there. */
const eventName = z.object({ key: orNull(idempotencyKey), id });
export type EventName = z.infer<typeof eventName>;

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
const MAX_MEMBERS = 100_000;

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

const member = z.object({
  event: eventName,
  at: givenTime,
  type: eventType,
  source: z.enum(eventSources),
  severity: orNull(z.enum(severities)),
  is_test: z.boolean(),
  live: z.boolean(),
  added_at: clockTime,
});

const { shape: placed } = upsertInput;
const group = z.object({
  source_key: orNull(placed.source_key),
  layer: z.enum(incidentLayers),
  site_ref: placed.site_ref,
  point_ref: orNull(code(128)),
  title: orNull(z.string().check(z.minLength(1), upTo(512))),
  state: z.enum(incidentStates),
  state_before: orNull(z.enum(incidentStates)),
  /** Ids at the site. */
  merged_into: orNull(id),
  split_from: orNull(id),
  first_at: givenTime,
  last_at: givenTime,
  event_types: z.array(eventType).check(z.maxLength(MAX_EVENTS)),
  sources: z.array(z.enum(eventSources)).check(z.maxLength(10)),
  severity: z.enum(severities),
  member_count: count,
  test_member_count: count,
  is_test: z.boolean(),
  first_event: orNull(eventName),
  first_event_at: orNull(givenTime),
  first_locked: z.boolean(),
  confirmed_by: orNull(code(128)),
  confirmed_at: orNull(clockTime),
  closed_at: orNull(clockTime),
  cleared_count: count,
  updated_at: clockTime,
  /**
   * `members` are those that were added since this change, which headquarters has stored; null: all. Only for
   * a headquarters that knows `GROUP_ADDITIONS` (wire.ts).
   */
  since: orNull(id),
  /** The rest of the members follows in an item that stands on this one. */
  more: z._default(z.boolean(), false),
  members: z.array(member).check(z.maxLength(MAX_MEMBERS)),
});

const head = { change_no: id, tenant_code: tenantCode, id, created_at: clockTime };
const taskItem = z.object({
  ...head,
  kind: z.literal('task'),
  /** The order of headquarters that had it made. */
  order_id: orNull(z.string().check(z.maxLength(128))),
  event: orNull(eventName),
  task,
});
const groupItem = z.object({ ...head, kind: z.literal('group'), group });
/** What became of an order of headquarters; `id` and `created_at` are of the task, where there is one. */
const orderItem = z.object({
  change_no: id,
  tenant_code: z.string().check(upTo(64)),
  kind: z.literal('order'),
  order_id: z.string().check(z.minLength(1), z.maxLength(128)),
  state: z.enum(['done', 'refused']),
  reason: orNull(line(4_000)),
  told,
  task: orNull(z.object({ id, created_at: clockTime })),
  result: orNull(orderPush),
});

/** Messages of one item at most; of more the newest go up. */
export const MAX_MESSAGES = 1_000;
/** All that the camera of an event was told, and what came of each message. */
const feedbackItem = z.object({
  change_no: id,
  tenant_code: tenantCode,
  kind: z.literal('feedback'),
  event: eventName,
  messages: z
    .array(
      z.object({
        id: z.string().check(z.minLength(1), z.maxLength(64)),
        kind: z.enum(feedbackKinds),
        state: z.enum(feedbackStates),
        /** Why the last try failed; null: none has, or it was delivered. */
        error: orNull(line(4_000)),
        created_at: clockTime,
        delivered_at: orNull(clockTime),
      }),
    )
    .check(z.maxLength(MAX_MESSAGES)),
});
const workItem = z.discriminatedUnion('kind', [taskItem, groupItem, orderItem, feedbackItem]);

/** Reads an item. Members it does not know are left out; what breaks a bound refuses the item. */
export const parseWorkItem: (value: unknown) => Read<z.infer<typeof workItem>> = itemReader(workItem);

export type TaskItem = z.infer<typeof taskItem>;
export type GroupItem = z.infer<typeof groupItem>;
export type OrderItem = z.infer<typeof orderItem>;
export type FeedbackItem = z.infer<typeof feedbackItem>;
export type WorkItem = z.infer<typeof workItem>;
export type WorkKind = WorkItem['kind'];
/** What can be made out of an answer to an order that is refused for its form. */
export interface UnreadAnswer {
  kind: 'unread';
  change_no: number;
  order_id: string;
  /** What is wrong with it, in English and as a message. */
  message: string;
  told: Message;
}

const namedOrder = z.object({ kind: z.literal('order'), change_no: id, order_id: orderItem.shape.order_id });

/** The order that a refused item answers; null: it is no answer, or does not say to what. */
export function readUnreadAnswer(
  value: unknown,
  { fault, told: wrong }: Extract<Read<WorkItem>, { ok: false }>,
): UnreadAnswer | null {
  const { data } = namedOrder.safeParse(value);
  return data ? { ...data, kind: 'unread', message: `${fault.path}: ${fault.message}`, told: wrong } : null;
}
/** What headquarters keeps a row of its own of. */
export type SubjectItem = TaskItem | GroupItem;
export type SubjectKind = SubjectItem['kind'];
