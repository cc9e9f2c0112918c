// What waits for a site at headquarters, read as its poll reads it.
import type { GroupOrderItem } from '../../common/uplink/group-order.ts';
import { type InboxKind, inboxKinds } from '../../common/uplink/inbox.ts';
import type { Order } from '../../common/uplink/order.ts';
import type { PendingDecision } from '../../hq/receiver/port.ts';
import type { HubStore } from '../../hq/stores.ts';

type Store = Pick<HubStore, 'inbox' | 'decisions' | 'orders'>;

const entriesOf = async (store: Store, instance: string, kind: InboxKind) => {
  const { entries } = await store.inbox.page(instance, { after: 0, kinds: inboxKinds, limit: 1_000 });
  return entries.filter((entry) => entry.kind === kind);
};

/** Decisions for the site, in the order in which it hears of them. */
export async function waitingDecisions(store: Store, instance: string): Promise<PendingDecision[]> {
  const entries = await entriesOf(store, instance, 'decision');
  const open = await store.decisions.open(entries);
  return entries.flatMap(({ id }) => open.filter((one) => one.decision_id === id));
}

/** Orders for the site, in the order in which it hears of them. */
export async function waitingOrders(store: Store, instance: string): Promise<Order[]> {
  const entries = await entriesOf(store, instance, 'order');
  const open = await store.orders.open(entries);
  return entries.flatMap(({ id }) => open.filter((one) => one.order_id === id));
}

/** The same of orders on incident groups. */
export async function waitingGroupOrders(store: Store, instance: string): Promise<GroupOrderItem[]> {
  const entries = await entriesOf(store, instance, 'group_order');
  const open = await store.orders.openOnGroups(entries);
  return entries.flatMap(({ id }) => open.filter((one) => one.order_id === id));
}
