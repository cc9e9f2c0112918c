// What became of an order of headquarters, on the way up.
import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import type { Fault } from '../../http/fault/fault.ts';
import type { Message } from '../../message.ts';
import { clockTime, line, orNull, told } from '../item.ts';
import { orderPush } from '../order.ts';
import { id } from './names.ts';

/** `id` and `created_at` are of the task, where there is one. */
export const orderItem = z.object({
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

export type OrderItem = z.infer<typeof orderItem>;

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
  { fault, told: wrong }: { fault: Fault; told: Message },
): UnreadAnswer | null {
  const { data } = namedOrder.safeParse(value);
  return data ? { ...data, kind: 'unread', message: `${fault.path}: ${fault.message}`, told: wrong } : null;
}
