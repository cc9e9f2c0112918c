// What became of the orders of headquarters at their sites: those on tasks here, on groups beside it.
import { and, eq, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import { appended, changeTimeOf } from '../../../../common/core/task/entries.ts';
import type { Message } from '../../../../common/message.ts';
import type { OrderItem, UnreadAnswer } from '../../../../common/uplink/change/order.ts';
import { appendAudit } from '../../../store/adapter/audit.ts';
import type { Tx } from '../../../store/engine/database.ts';
import { taskEntries, tasks } from '../../../store/schema/tables.ts';
import { refusalParam } from '../../order/decide.ts';
import type { RefusedOrder } from '../../order/record.ts';
import { notifyAuthor } from '../refusal.ts';
import { siteOrders } from '../schema.ts';
import type { WorkSource } from './context.ts';
import { noteUnclearOnGroup, settleGroupOrder } from './group-order.ts';

type OrderRow = typeof siteOrders.$inferSelect;

/** A later answer may add what became of the message to the camera. */
export async function settleOrder(
  tx: Tx,
  source: WorkSource,
  item: OrderItem,
  stamp: Stamp,
): Promise<{ fresh: boolean; refused: RefusedOrder | null }> {
  const [order] = await tx.db
    .select()
    .from(siteOrders)
    .where(and(eq(siteOrders.id, item.order_id), inArray(siteOrders.instance, [...source.owned])))
    .for('update');
  if (!order) return settleGroupOrder(tx, source, item, stamp);
  const { state, reason, told, result } = item;
  const fresh = order.state === 'pending' || order.state === 'unclear';
  await tx.db
    .update(siteOrders)
    .set({ state, reason, told, result, settledAt: order.settledAt ?? stamp.now })
    .where(and(eq(siteOrders.tenantCode, order.tenantCode), eq(siteOrders.id, order.id)));
  if (!fresh || state !== 'refused') return { fresh, refused: null };
  const refused = refusalOf(order, reason ?? '', told);
  await noteRefusal(tx, order, refused, stamp);
  return { fresh, refused };
}

/**
 * The site answered, and headquarters cannot read it: the order is not given again, and whoever gave it is
 * told. When the answer is sent again in a form that can be read, it settles the order.
 */
export async function noteUnclear(
  tx: Tx,
  source: WorkSource,
  answer: UnreadAnswer,
  stamp: Stamp,
): Promise<RefusedOrder[]> {
  const { order_id: id, message, told } = answer;
  const open = and(
    eq(siteOrders.id, id),
    inArray(siteOrders.instance, [...source.owned]),
    eq(siteOrders.state, 'pending'),
  );
  const [order] = await tx.db
    .update(siteOrders)
    .set({ state: 'unclear', reason: message, told })
    .where(open)
    .returning();
  if (!order) return noteUnclearOnGroup(tx, source, answer, stamp);
  const { tenantCode, eventId, taskId, instance, by } = order;
  const params = { site: instance, by, task: taskId, reason: refusalParam({ told, reason: message }) };
  await notifyAuthor(tx, { tenantCode, eventId, taskId }, { code: 'unclear_order', params }, stamp);
  return [{ ...refusalOf(order, message, told), unclear: true }];
}

const refusalOf = (order: OrderRow, reason: string, told: Message | null): RefusedOrder => ({
  unclear: false,
  orderId: order.id,
  kind: order.kind,
  taskId: order.taskId,
  eventId: order.eventId,
  tenantCode: order.tenantCode,
  by: order.by,
  reason,
  told,
});

async function noteRefusal(tx: Tx, order: OrderRow, refused: RefusedOrder, stamp: Stamp): Promise<void> {
  const { tenantCode, taskId, eventId, instance } = order;
  await appendAudit(tx, {
    id: stamp.newId(),
    at: stamp.now,
    actor: `site:${instance}`,
    action: 'order.refused',
    subject: `task:${taskId}`,
    tenantCode,
    before: order.body,
    after: { orderId: order.id, reason: refused.reason },
  });
  if (order.kind === 'create') await giveUp(tx, order, refused.reason, stamp);
  const { by } = refused;
  const params = { site: instance, by, task: taskId, reason: refusalParam(refused) };
  await notifyAuthor(tx, { tenantCode, eventId, taskId }, { code: 'refused_order', params }, stamp);
}

/** The site did not make the task that it was ordered to make, so the placeholder here is closed. */
async function giveUp(tx: Tx, order: OrderRow, reason: string, stamp: Stamp): Promise<void> {
  const own = and(eq(tasks.tenantCode, order.tenantCode), eq(tasks.id, order.taskId));
  const [held] = await tx.db.select().from(tasks).where(own).for('update');
  if (!held || held.originId !== null) return;
  const at = changeTimeOf(held, stamp);
  const { task, entry } = appended({ ...held, state: 'cancelled', cancelledAt: at, updatedAt: at }, at, {
    kind: 'history',
    doc: {
      action: 'transition',
      from: held.state,
      to: 'cancelled',
      by: `site:${order.instance}`,
      note: reason,
      resultCode: null,
    },
  });
  await tx.db.update(tasks).set(task).where(own);
  await tx.db.insert(taskEntries).values({ ...entry, taskId: task.id, tenantCode: task.tenantCode });
}
