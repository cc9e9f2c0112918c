import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../../common/clock.ts';
import type { EventPort } from '../../../../common/core/event/port.ts';
import { toldFault } from '../../../../common/uplink/fault.ts';
import { groupOrderForm, type GroupOrderItem } from '../../../../common/uplink/group-order.ts';
import type { GroupOrderPort } from '../../group-order/port.ts';
import type { OrderPort } from '../../order/port.ts';
import type { InboxDriver } from '../inbox.ts';
import type { Carried } from '../port.ts';

export interface GroupOrderOptions {
  groupOrders: GroupOrderPort;
  orders: Pick<OrderPort, 'refuse'>;
  events: Pick<EventPort, 'byKeys'>;
  clock: Clock;
}

/** What is needed to refuse an order whose form this version does not know. */
const nameForm = z.object({
  order_id: z.string().check(z.minLength(1), z.maxLength(128)),
  tenant_code: z._default(z.string().check(z.maxLength(64)), ''),
});

/**
 * Orders of headquarters on incident groups, each carried out or refused once. The answer goes up with the
 * log. One without a usable id cannot be answered, and fails.
 */
export const groupOrderDriver = (options: GroupOrderOptions): InboxDriver => ({
  // A merge is on several groups, so that those of a tenant go one after another.
  subjectOf: (body) => nameForm.safeParse(body).data?.tenant_code ?? null,
  carryOut: (body) => carryOut(options, body),
});

async function carryOut(
  { groupOrders, orders, events, clock }: GroupOrderOptions,
  body: unknown,
): Promise<Carried> {
  const parsed = groupOrderForm.safeParse(body);
  if (parsed.success)
    return groupOrders.carry(parsed.data, await eventsOf(events, parsed.data), stampOf(clock));
  const { order_id: orderId, tenant_code: tenantCode } = nameForm.parse(body);
  const reason = { code: 'order_not_understood', params: { where: toldFault(parsed.error, body) } };
  return (await orders.refuse({ orderId, tenantCode, reason }, stampOf(clock))) ? 'refused' : 'answered';
}

async function eventsOf(
  events: Pick<EventPort, 'byKeys'>,
  { body, tenant_code: tenantCode }: GroupOrderItem,
): Promise<number[]> {
  if (body.kind !== 'split') return [];
  const found = await events.byKeys(
    body.event_keys.map((idempotencyKey) => ({ tenantCode, idempotencyKey })),
  );
  return [...new Set([...found.values()].map(({ id }) => id))];
}
