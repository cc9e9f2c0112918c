import type { OrderPort } from '../../order/port.ts';
import type { InboxReader } from '../port.ts';

/** What is to be done to incident groups of the site. */
export const groupOrderReader = (orders: Pick<OrderPort, 'openOnGroups'>): InboxReader => ({
  kind: 'group_order',
  read: async (entries) => {
    const open = await orders.openOnGroups(entries);
    return new Map(open.map((order) => [order.order_id, order]));
  },
});
