import type { OrderPort } from '../../order/port.ts';
import type { InboxReader } from '../port.ts';

/** What is to be done to tasks of the site. */
export const orderReader = (orders: Pick<OrderPort, 'open'>): InboxReader => ({
  kind: 'order',
  read: async (entries) => {
    const open = await orders.open(entries);
    return new Map(open.map((order) => [order.order_id, order]));
  },
});
