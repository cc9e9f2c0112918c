import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../../common/clock.ts';
import { eventKey, type EventPort } from '../../../../common/core/event/port.ts';
import { bodyFault } from '../../../../common/core/task/body.ts';
import type { Message } from '../../../../common/message.ts';
import { toldFault } from '../../../../common/uplink/fault.ts';
import { type Order, orderForm } from '../../../../common/uplink/order.ts';
import type { OrderRefusal } from '../../order/decide.ts';
import type { OrderPort } from '../../order/port.ts';
import type { InboxDriver } from '../inbox.ts';
import type { Carried } from '../port.ts';

export interface OrderOptions {
  orders: Pick<OrderPort, 'carry' | 'refuse'>;
  events: Pick<EventPort, 'byKeys'>;
  clock: Clock;
  /** A message to a camera may wait. */
  onCarried: () => void;
}

/** What is needed to refuse an order whose form this version does not know. */
const nameForm = z.object({
  order_id: z.string().check(z.minLength(1), z.maxLength(128)),
  tenant_code: z._default(z.string().check(z.maxLength(64)), ''),
});
/** The members that tell which orders concern the same task. */
const placeForm = z.object({
  order_id: z.string(),
  made_by: z._default(z.nullable(z.string()), null),
  task: z._default(z.nullable(z.object({ id: z.int() })), null),
});

/**
 * Orders of headquarters on tasks, each carried out or refused once. The answer goes up with the log. One
 * without a usable id cannot be answered, and fails.
 */
export const orderDriver = (options: OrderOptions): InboxDriver => ({
  // An order whose task has no id at headquarters yet waits for the one that has it made.
  subjectOf: (body) => {
    const named = placeForm.safeParse(body).data;
    return named ? (named.made_by ?? named.task?.id.toString() ?? named.order_id) : null;
  },
  carryOut: async (body) => {
    const carried = await carryOut(options, body);
    options.onCarried();
    return carried;
  },
});

async function carryOut({ orders, events, clock }: OrderOptions, body: unknown): Promise<Carried> {
  const refuse = async (reason: OrderRefusal): Promise<Carried> => {
    const { order_id: orderId, tenant_code: tenantCode } = nameForm.parse(body);
    return (await orders.refuse({ orderId, tenantCode, reason }, stampOf(clock))) ? 'refused' : 'answered';
  };
  const parsed = orderForm.safeParse(body);
  if (!parsed.success)
    return refuse({ code: 'order_not_understood', params: { where: toldFault(parsed.error, body) } });
  const fault = faultOf(parsed.data);
  if (fault !== null) return refuse({ code: 'order_body_refused', params: { fault } });
  return orders.carry(parsed.data, await eventOf(events, parsed.data), stampOf(clock));
}

async function eventOf(
  events: Pick<EventPort, 'byKeys'>,
  { body, tenant_code: tenantCode }: Order,
): Promise<number | null> {
  if (body.kind !== 'create') return null;
  const idempotencyKey = body.event_key;
  const found = await events.byKeys([{ tenantCode, idempotencyKey }]);
  return found.get(eventKey(tenantCode, idempotencyKey))?.id ?? null;
}

const faultOf = ({ body }: Order): Message | null =>
  body.kind === 'create' || body.kind === 'body' ? bodyFault(body.body) : null;
