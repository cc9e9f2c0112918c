// What became of the orders of headquarters on incident groups of their sites.
import { and, eq, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import type { OrderItem, UnreadAnswer } from '../../../../common/uplink/change/order.ts';
import { appendAudit } from '../../../store/adapter/audit.ts';
import type { Tx } from '../../../store/engine/database.ts';
import { refusalParam } from '../../order/decide.ts';
import type { RefusedOrder } from '../../order/record.ts';
import { notifyAuthor } from '../refusal.ts';
import { groupOrders } from '../schema.ts';
import type { WorkSource } from './context.ts';

type OrderRow = typeof groupOrders.$inferSelect;

/** Whoever gave an order that was refused is told. */
export async function settleGroupOrder(
  tx: Tx,
  { owned }: WorkSource,
  { order_id: id, state, reason, told }: OrderItem,
  stamp: Stamp,
): Promise<{ fresh: boolean; refused: RefusedOrder | null }> {
  const [order] = await tx.db
    .select()
    .from(groupOrders)
    .where(and(eq(groupOrders.id, id), inArray(groupOrders.instance, [...owned])))
    .for('update');
  if (!order) return { fresh: false, refused: null };
  const fresh = order.state === 'pending' || order.state === 'unclear';
  await tx.db
    .update(groupOrders)
    .set({ state, reason, told, settledAt: order.settledAt ?? stamp.now })
    .where(and(eq(groupOrders.tenantCode, order.tenantCode), eq(groupOrders.id, order.id)));
  if (!fresh || state !== 'refused') return { fresh, refused: null };
  const refused = refusalOf(order, { reason: reason ?? '', told, unclear: false });
  const { tenantCode, incidentId, instance, by } = order;
  await appendAudit(tx, {
    id: stamp.newId(),
    at: stamp.now,
    actor: `site:${instance}`,
    action: 'order.refused',
    subject: `incident:${incidentId}`,
    tenantCode,
    before: order.body,
    after: { orderId: order.id, reason: refused.reason },
  });
  const params = { site: instance, by, group: incidentId, reason: refusalParam(refused) };
  await notifyAuthor(tx, aboutGroup(order), { code: 'refused_group_order', params }, stamp);
  return { fresh, refused };
}

/** As `noteUnclear` of an order on a task. */
export async function noteUnclearOnGroup(
  tx: Tx,
  { owned }: WorkSource,
  { order_id: id, message: reason, told }: UnreadAnswer,
  stamp: Stamp,
): Promise<RefusedOrder[]> {
  const open = and(
    eq(groupOrders.id, id),
    inArray(groupOrders.instance, [...owned]),
    eq(groupOrders.state, 'pending'),
  );
  const [order] = await tx.db
    .update(groupOrders)
    .set({ state: 'unclear', reason, told })
    .where(open)
    .returning();
  if (!order) return [];
  const { instance, by, incidentId } = order;
  const params = { site: instance, by, group: incidentId, reason: refusalParam({ told, reason }) };
  await notifyAuthor(tx, aboutGroup(order), { code: 'unclear_group_order', params }, stamp);
  return [refusalOf(order, { reason, told, unclear: true })];
}

const aboutGroup = ({ tenantCode }: OrderRow) => ({ tenantCode, eventId: null, taskId: null });

const refusalOf = (
  { id: orderId, kind, incidentId, tenantCode, by }: OrderRow,
  why: Pick<RefusedOrder, 'reason' | 'told' | 'unclear'>,
): RefusedOrder => ({ ...why, orderId, kind, incidentId, tenantCode, by });
