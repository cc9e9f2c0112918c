import { and, asc, count, eq, min } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../../common/clock.ts';
import type { SeenTask } from '../../../../common/core/task/decide.ts';
import { decideRecordedNote } from '../../../../common/core/task/evidence.ts';
import type { PushPlan, TaskEntry } from '../../../../common/core/task/record.ts';
import { type MessageOf, say } from '../../../../common/message.ts';
import type { Order, OrderBody, OrderPush } from '../../../../common/uplink/order.ts';
import { refusalMessages } from '../../../../common/uplink/refusal-messages.ts';
import type { Carried } from '../../../uplink/inbox/port.ts';
import {
  ACTOR,
  type ChangeBody,
  decideOrder,
  type OrderRefusal,
  reasonOf,
  wrongState,
} from '../../../uplink/order/decide.ts';
import type { OrderPort, OrdersUnderWay, SentOrder } from '../../../uplink/order/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { taskEntries, tasks, uplinkOrders } from '../../schema/tables.ts';
import type { SiteTasks } from '../task.ts';
import type { ChangeLog } from './change-log.ts';

type Refusal = MessageOf<typeof refusalMessages>;
type OrderRow = typeof uplinkOrders.$inferSelect;
/** What became of an order. */
type Done = Pick<OrderRow, 'state' | 'taskId' | 'feedbackId' | 'pending' | 'reason' | 'told' | 'result'>;

/**
 * Orders of headquarters on SQLite. Invariants: an order, what it changes and its answer are written in one
 * transaction; an order that is known is never carried out again.
 */
export class SiteOrders implements OrderPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #tasks: SiteTasks;
  #changes: ChangeLog;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, tasks: SiteTasks, changes: ChangeLog) {
    this.#group = group;
    this.#orm = orm;
    this.#tasks = tasks;
    this.#changes = changes;
  }

  carry(order: Order, eventId: number | null, stamp: Stamp): Promise<Carried> {
    return this.#group.write(() => {
      if (this.#of(order.order_id)) return 'answered';
      const { body } = order;
      const done =
        this.#marked(order) ??
        (body.kind === 'create'
          ? this.#create(order, body, eventId, stamp)
          : this.#change(order, body, stamp));
      const { order_id: orderId, tenant_code: tenantCode } = order;
      this.#add({ orderId, tenantCode, kind: body.kind, ...done }, stamp);
      return done.state === 'refused' ? 'refused' : 'carried_out';
    });
  }

  refuse(
    { orderId, tenantCode, reason }: { orderId: string; tenantCode: string; reason: OrderRefusal },
    stamp: Stamp,
  ): Promise<boolean> {
    return this.#group.write(() => {
      if (this.#of(orderId)) return false;
      this.#add({ orderId, tenantCode, kind: null, ...refused(reason, null) }, stamp);
      return true;
    });
  }

  sent(limit: number): SentOrder[] {
    return this.#orm
      .select()
      .from(uplinkOrders)
      .where(eq(uplinkOrders.state, 'sent'))
      .orderBy(asc(uplinkOrders.seq))
      .limit(limit)
      .all()
      .map(({ orderId, tenantCode, feedbackId }) => ({ orderId, tenantCode, feedbackId: feedbackId ?? '' }));
  }

  underWay(): OrdersUnderWay {
    const { at, state } = uplinkOrders;
    const found = this.#orm
      .select({ count: count(), oldestAt: min(at) })
      .from(uplinkOrders)
      .where(eq(state, 'sent'))
      .get();
    return found ?? { count: 0, oldestAt: null };
  }

  settle(
    orderId: string,
    { delivered, error }: { delivered: boolean; error: string | null },
    stamp: Stamp,
  ): Promise<void> {
    return this.#group.write(() => {
      const order = this.#of(orderId);
      if (order?.state !== 'sent') return;
      const result: OrderPush = { pushed_to_edge: delivered, push_skipped: null, push_error: error };
      if (order.pending && order.taskId !== null)
        this.#recordNote(order.taskId, order.pending, { result, orderId }, stamp);
      this.#orm
        .update(uplinkOrders)
        .set({ state: 'done', pending: null, result })
        .where(and(eq(uplinkOrders.orderId, orderId), eq(uplinkOrders.state, 'sent')))
        .run();
      this.#answered(order.seq, stamp);
    });
  }

  // Within the transaction that is open, of an order that is not on a task.

  isAnsweredNow(orderId: string): boolean {
    return this.#of(orderId) !== undefined;
  }

  /** @param refusal why it is not carried out; null: it is */
  answerNow(
    order: Pick<OrderRow, 'orderId' | 'tenantCode' | 'kind'>,
    refusal: Refusal | null,
    stamp: Stamp,
  ): void {
    this.#add({ ...order, ...(refusal === null ? UNTOLD : refused(refusal, null)) }, stamp);
  }

  /** Of an order whose row was lost, as of a damaged store: what it left on its task; null: nothing. */
  #marked({ order_id: orderId, body }: Order): Done | null {
    const mark = body.kind === 'body' ? tasks.bodyOrderId : tasks.orderId;
    const task = this.#orm.select({ id: tasks.id }).from(tasks).where(eq(mark, orderId)).get();
    if (task) return { ...UNTOLD, taskId: task.id };
    const entry = this.#orm.select().from(taskEntries).where(eq(taskEntries.orderId, orderId)).get();
    return entry ? doneBy(entry) : null;
  }

  #create(
    { order_id: orderId, tenant_code: tenantCode, by }: Order,
    body: Extract<OrderBody, { kind: 'create' }>,
    eventId: number | null,
    stamp: Stamp,
  ): Done {
    const outcome =
      eventId === null
        ? null
        : this.#tasks.createNow(
            {
              tenantCode,
              type: body.type,
              eventId,
              title: body.title,
              severity: body.severity,
              assigneeOrg: body.assignee_org,
              dueAt: body.due_at,
              suppressed: false,
              body: body.body,
              by,
              actor: ACTOR,
            },
            stamp,
            orderId,
          );
    if (outcome?.kind !== 'created') return refused({ code: 'order_event_gone', params: {} }, null);
    return { ...UNTOLD, taskId: outcome.detail.task.id };
  }

  #change(order: Order, body: ChangeBody, stamp: Stamp): Done {
    const seen = this.#seen(order);
    if (!seen?.task) return refused({ code: 'order_no_task', params: {} }, null);
    const taskId = seen.task.id;
    const { outcome, writes } = decideOrder(seen, taskId, order, body, stamp);
    if (writes) this.#tasks.writeNow(seen.task, writes, order.order_id);
    const reason = reasonOf(outcome, body);
    if (reason !== null) return refused(reason, taskId);
    if (!('push' in outcome)) return { ...UNTOLD, taskId };
    const note = body.kind === 'edge_note' ? { text: body.text, by: order.by } : null;
    if (outcome.push.feedbackId !== null)
      return { ...UNTOLD, state: 'sent', taskId, feedbackId: outcome.push.feedbackId, pending: note };
    const result = unsent(outcome.push);
    if (note) this.#recordNote(taskId, note, { result, orderId: order.order_id }, stamp);
    return { ...UNTOLD, taskId, result };
  }

  /** The task that an order names, if it is the one that headquarters means. */
  #seen({ task, made_by: madeBy, tenant_code: tenantCode }: Order): SeenTask | null {
    const id = task?.id ?? (madeBy === null ? null : (this.#of(madeBy)?.taskId ?? null));
    const seen = id === null ? null : this.#tasks.seen(id);
    if (seen?.task?.tenantCode !== tenantCode) return null;
    // A store that was put back from a copy gives ids a second time.
    return task === null || seen.task.createdAt === task.created_at ? seen : null;
  }

  #recordNote(
    taskId: number,
    note: { text: string; by: string },
    { result: push, orderId }: { result: OrderPush; orderId: string },
    stamp: Stamp,
  ): void {
    const seen = this.#tasks.seen(taskId);
    const { writes } = decideRecordedNote(
      seen,
      {
        ...note,
        pushedToEdge: push.pushed_to_edge,
        pushSkipped: push.push_skipped,
        pushError: push.push_error,
      },
      ACTOR,
      stamp,
    );
    if (writes) this.#tasks.writeNow(seen.task, writes, orderId);
  }

  #add(row: Omit<OrderRow, 'seq' | 'at'>, stamp: Stamp): void {
    const { seq } = this.#orm
      .insert(uplinkOrders)
      .values({ ...row, at: stamp.now })
      .returning({ seq: uplinkOrders.seq })
      .get();
    this.#answered(seq, stamp);
  }

  #answered(seq: number, stamp: Stamp): void {
    this.#changes.changed({ kind: 'order', id: seq, eventId: 0, eventKey: null }, stamp.now);
  }

  #of(orderId: string): OrderRow | undefined {
    return this.#orm.select().from(uplinkOrders).where(eq(uplinkOrders.orderId, orderId)).get();
  }
}

const UNTOLD: Done = {
  state: 'done',
  taskId: null,
  feedbackId: null,
  pending: null,
  reason: null,
  told: null,
  result: null,
};
const refused = (told: Refusal, taskId: number | null): Done => ({
  ...UNTOLD,
  state: 'refused',
  taskId,
  reason: say(refusalMessages, told, 'en'),
  told,
});

function doneBy({ taskId, kind, doc }: typeof taskEntries.$inferSelect): Done {
  const entry = { kind, doc } as TaskEntry;
  if (entry.kind === 'edge_note') {
    const { pushedToEdge, pushSkipped, pushError } = entry.doc;
    const result = { pushed_to_edge: pushedToEdge, push_skipped: pushSkipped, push_error: pushError };
    return { ...UNTOLD, taskId, result };
  }
  if (entry.kind === 'history' && entry.doc.action === 'refused')
    return refused(wrongState(entry.doc.from, entry.doc.to), taskId);
  return { ...UNTOLD, taskId };
}
const unsent = ({ skipped, error }: PushPlan): OrderPush => ({
  pushed_to_edge: false,
  push_skipped: skipped,
  push_error: error,
});
