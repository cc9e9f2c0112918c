/**
 * Orders of headquarters on tasks of a site (DESIGN.md, "The inbox down"). They come with its inbox
 * (inbox.ts); what became of them goes up with the log.
 */
import * as z from 'zod/mini';
import { severities } from '../core/event/schema.ts';
import { resultCodes, stepKinds, taskStates, taskTypes } from '../core/task/schema.ts';

const text = z.string().check(z.minLength(1));
const textOrNull = z._default(z.nullable(z.string()), null);
const timeOrNull = z._default(z.nullable(z.int()), null);

/** The reply flags of spec 2, "Transition reply flags", as they were at the site. */
export const orderPush = z.object({
  pushed_to_edge: z.boolean(),
  push_skipped: z._default(z.nullable(z.enum(['non_disposal', 'not_on_event'])), null),
  push_error: z._default(z.nullable(z.string().check(z.maxLength(8_000))), null),
});
export type OrderPush = z.infer<typeof orderPush>;

/** What is to be done. */
const body = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('create'),
    /** Idempotency key of the event that it is on. */
    event_key: text,
    type: z.enum(taskTypes),
    title: text,
    severity: z.enum(severities),
    assignee_org: textOrNull,
    due_at: timeOrNull,
    body: z.record(z.string(), z.unknown()),
  }),
  z.object({
    kind: z.literal('transition'),
    to: z.enum(taskStates),
    note: textOrNull,
    result_code: z._default(z.nullable(z.enum(resultCodes)), null),
  }),
  z.object({ kind: z.literal('step'), step: z.enum(stepKinds), text, at: timeOrNull }),
  z.object({ kind: z.literal('edge_note'), text }),
  z.object({ kind: z.literal('body'), body: z.record(z.string(), z.unknown()) }),
]);
export type OrderBody = z.infer<typeof body>;

/** The task by its id at the site and the time of its making. */
const task = z.object({ id: z.int(), created_at: z.int() });

export const orderForm = z.object({
  order_id: text,
  tenant_code: text,
  by: text,
  at: z.int(),
  task: z._default(z.nullable(task), null),
  /** The order that has the task made, of a task that headquarters ordered. */
  made_by: textOrNull,
  body,
});
export type Order = z.infer<typeof orderForm>;
