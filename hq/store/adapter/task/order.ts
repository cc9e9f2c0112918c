// Changes of tasks that a site keeps. They are decided here as they would be there, and written as orders,
// which go down with the inbox of the site.
import { and, asc, desc, eq } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import type { EventRecord } from '../../../../common/core/event/record.ts';
import { decideCreate, type Decided, type SeenTask } from '../../../../common/core/task/decide.ts';
import { auditOf } from '../../../../common/core/task/entries.ts';
import type { BatchResult, CreateOutcome } from '../../../../common/core/task/port.ts';
import type {
  CreateTask,
  MoveTask,
  Ordered,
  TaskOrder,
  TaskRecord,
} from '../../../../common/core/task/record.ts';
import { conflict } from '../../../../common/http/error.ts';
import type { InboxKind } from '../../../../common/uplink/inbox.ts';
import type { OrderBody } from '../../../../common/uplink/order.ts';
import { featuresOf } from '../../../receiver/store/features.ts';
import { siteOrders } from '../../../receiver/store/schema.ts';
import { advanceCounter, lockCounter } from '../../engine/counters.ts';
import type { Db, Tx } from '../../engine/database.ts';
import { tasks } from '../../schema/tables.ts';
import { appendAudit } from '../audit.ts';

/** A task with its event, under the lock of its row. */
export type KeptTask = SeenTask & { task: TaskRecord & { instance: string } };

/** What an order says besides its task. */
export interface OrderText {
  body: OrderBody;
  by: string;
  actor: string;
}

/** Orders that a task shows. */
const SHOWN = 100;

export const isKeptBySite = (seen: SeenTask): seen is KeptTask =>
  seen.task !== null && seen.task.instance !== null;

/**
 * Decides on the task as it will be once its site has carried out what waits for it, and orders what is
 * possible. What is not is answered as for a task of headquarters; its history is the site's, so that only
 * the audit keeps the attempt.
 * @throws AppError 409 site_outdated
 */
export async function orderChange<O extends { kind: string }>(
  tx: Tx,
  seen: KeptTask,
  { decide, text }: { decide: (seen: SeenTask) => Decided<O>; text: OrderText },
  stamp: Stamp,
): Promise<O | Ordered> {
  const { outcome, writes } = decide({ ...seen, task: await expectedTask(tx, seen.task) });
  if (!writes) return outcome;
  if (outcome.kind === 'refused') {
    await appendAudit(tx, writes.audit);
    return outcome;
  }
  const { instance } = seen.task;
  if (!(await takesOrders(tx, instance)))
    throw conflict(
      'site_outdated',
      `Task ${seen.task.id} is kept by the site ${instance}, whose version takes no orders of ` +
        'headquarters; update the site, or act there.',
    );
  return { kind: 'ordered', task: seen.task, order: await giveOrder(tx, seen.task, text, stamp) };
}

/** What became of one task of a batch, which is possible by the state that it will have. */
export async function orderInBatch(
  tx: Tx,
  task: TaskRecord,
  text: OrderText,
  stamp: Stamp,
): Promise<BatchResult> {
  const { instance } = task;
  if (instance === null || !(await takesOrders(tx, instance)))
    return { task, changed: false, reason: 'site_outdated' };
  return {
    task,
    changed: false,
    reason: 'ordered',
    order: await giveOrder(tx, { ...task, instance }, text, stamp),
  };
}

export const orderedMove = ({ to, note, resultCode, by, actor }: Omit<MoveTask, 'taskId'>): OrderText => ({
  body: { kind: 'transition', to, note, result_code: resultCode },
  by,
  actor,
});

/**
 * A new task on an event of a site. It stands here at once, without a history, which is the site's to write;
 * when the site has made it, it is laid over this one.
 */
export async function orderTask(
  tx: Tx,
  event: EventRecord & { instance: string },
  command: CreateTask,
  stamp: Stamp,
): Promise<CreateOutcome> {
  const counter = await lockCounter(tx, 'task');
  const { outcome, writes } = decideCreate({ id: counter.value + 1, event }, command, stamp);
  if (!writes) return outcome;
  const task = { ...writes.task, instance: event.instance, entryCount: 0 };
  await tx.db.insert(tasks).values(task);
  await advanceCounter(tx, 'task', { value: task.id, at: stamp.now });
  const { type, title, severity, assigneeOrg, dueAt, body, by, actor } = command;
  const order = await giveOrder(
    tx,
    task,
    {
      body: {
        kind: 'create',
        event_key: event.idempotencyKey,
        type,
        title,
        severity,
        assignee_org: assigneeOrg,
        due_at: dueAt,
        body,
      },
      by,
      actor,
    },
    stamp,
  );
  return { kind: 'ordered', task, order };
}

/** Each task as it will be once its site has carried out the orders that wait for it. */
export async function expectedTasks(tx: Tx, all: readonly TaskRecord[]): Promise<TaskRecord[]> {
  const expected: TaskRecord[] = [];
  for (const task of all) expected.push(task.instance === null ? task : await expectedTask(tx, task));
  return expected;
}

/**
 * The task as it will be: its state, and its counts of steps and notes. Decisions depend on nothing else of
 * the orders that wait.
 */
async function expectedTask<T extends TaskRecord>(tx: Tx, task: T): Promise<T> {
  const pending = await tx.db
    .select({ body: siteOrders.body })
    .from(siteOrders)
    .where(
      and(
        eq(siteOrders.tenantCode, task.tenantCode),
        eq(siteOrders.taskId, task.id),
        eq(siteOrders.state, 'pending'),
      ),
    )
    .orderBy(asc(siteOrders.seq));
  const bodies = pending.map(({ body }) => body);
  const state = bodies.findLast((body) => body.kind === 'transition')?.to ?? task.state;
  const count = (kind: OrderBody['kind']): number => bodies.filter((body) => body.kind === kind).length;
  return {
    ...task,
    state,
    stepCount: task.stepCount + count('step'),
    noteCount: task.noteCount + count('edge_note'),
  };
}

/** Whether the site that an instance stands for now understands orders, as its last call said. */
export async function takesOrders(tx: Tx, instance: string): Promise<boolean> {
  const kind: InboxKind = 'order';
  return (await featuresOf(tx.db, instance))?.includes(kind) ?? false;
}

/** Within the open transaction, under the lock of the task's row: orders of a task are numbered in order. */
export async function giveOrder(
  tx: Tx,
  task: TaskRecord & { instance: string },
  { body, by, actor }: OrderText,
  stamp: Stamp,
): Promise<TaskOrder> {
  const { tenantCode, instance, eventId, id: taskId } = task;
  const order: TaskOrder = {
    id: stamp.newId(),
    tenantCode,
    kind: body.kind,
    instance,
    taskId,
    eventId,
    by,
    state: 'pending',
    reason: null,
    told: null,
    result: null,
    createdAt: stamp.now,
    settledAt: null,
  };
  await tx.db.insert(siteOrders).values({ ...order, result: null, body });
  const after = { orderId: order.id, site: instance, by, order: body };
  await appendAudit(tx, auditOf(task, 'task.ordered', { actor, before: null, after }, stamp));
  return order;
}

/** Newest first. */
export async function ordersOfTask(db: Db, { tenantCode, id }: TaskRecord): Promise<TaskOrder[]> {
  const rows = await db
    .select()
    .from(siteOrders)
    .where(and(eq(siteOrders.tenantCode, tenantCode), eq(siteOrders.taskId, id)))
    .orderBy(desc(siteOrders.seq))
    .limit(SHOWN);
  return rows.map(orderOf);
}

export function orderOf({
  seq: _seq,
  body: _body,
  result,
  ...row
}: typeof siteOrders.$inferSelect): TaskOrder {
  return {
    ...row,
    result: result && {
      pushedToEdge: result.pushed_to_edge,
      pushSkipped: result.push_skipped,
      pushError: result.push_error,
    },
  };
}
