/**
 * Orders of headquarters on incident groups of a site (DESIGN.md, "The inbox down"). They come with its inbox
 * (inbox.ts); what became of them goes up with the log as that of orders on tasks does (change/order.ts).
 */
import * as z from 'zod/mini';
import { MAX_EVENTS, MAX_MERGED } from '../core/incident/schema.ts';

const text = z.string().check(z.minLength(1));
const note = z._default(z.nullable(z.string()), null);

/**
 * A group by its id at the site and the time of its making, and its revision as the person saw it: whoever
 * decided on it there meanwhile has the first word.
 */
const group = z.object({ id: z.int(), created_at: z.int(), revision: z.int() });
export type OrderedGroup = z.infer<typeof group>;

/** What is to be done. */
const body = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirm'), note }),
  z.object({
    kind: z.literal('split'),
    note,
    /** Idempotency keys of the events that leave. */
    event_keys: z.array(text).check(z.minLength(1), z.maxLength(MAX_EVENTS)),
  }),
  z.object({
    kind: z.literal('merge'),
    note,
    /** Groups whose members move in. */
    others: z.array(group).check(z.minLength(1), z.maxLength(MAX_MERGED)),
  }),
  z.object({ kind: z.literal('unmerge'), note }),
]);
export type GroupOrderBody = z.infer<typeof body>;

export const groupOrderForm = z.object({
  order_id: text.check(z.maxLength(128)),
  tenant_code: text,
  by: text,
  at: z.int(),
  group,
  body,
});
export type GroupOrderItem = z.infer<typeof groupOrderForm>;
