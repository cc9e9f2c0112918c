import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { translate } from '../../message.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { refusalMessages } from '../../uplink/refusal-messages.ts';
import { severities } from '../event/schema.ts';
import { freeBody } from './evidence.ts';
import type {
  EdgeNoteDoc,
  HistoryDoc,
  Pushed,
  StepDoc,
  TaskDetail,
  TaskOrder,
  TaskSummary,
} from './record.ts';
import { orderKinds, orderStates, resultCodes, stepKinds, taskStates, taskTypes } from './schema.ts';
import { isOverdue } from './states.ts';

const time = z.nullable(z.string());
const code = z.nullable(z.enum(resultCodes));

export const taskView = z
  .object({
    id: z.int(),
    tenantCode: z.string(),
    /** The site that keeps it, and its id there; null: kept here. */
    instance: z.nullable(z.string()),
    originId: z.nullable(z.int()),
    type: z.enum(taskTypes),
    state: z.enum(taskStates),
    eventId: z.nullable(z.int()),
    title: z.string(),
    severity: z.enum(severities),
    assigneeOrg: z.nullable(z.string()),
    dueAt: time,
    overdue: z.boolean(),
    suppressed: z.boolean(),
    escalatedAt: time,
    resultCode: code,
    createdBy: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    takenOverAt: time,
    /** Who took it over. */
    takenOverBy: z.nullable(z.string()),
    completedAt: time,
    closedAt: time,
    cancelledAt: time,
    stepCount: z.int(),
  })
  .register(described, { id: 'Task' });
export type TaskView = z.infer<typeof taskView>;

export const pushFlags = {
  pushedToEdge: z.boolean(),
  pushSkipped: z.nullable(z.enum(['non_disposal', 'not_on_event'])),
  pushError: z.nullable(z.string()),
};

const flags = z.object(pushFlags);

export const orderView = z
  .object({
    id: z.string(),
    kind: z.enum(orderKinds),
    instance: z.string(),
    taskId: z.int(),
    eventId: z.nullable(z.int()),
    by: z.string(),
    state: z.enum(orderStates),
    /** Why the site did not carry it out: in English, as a code, and in Chinese. */
    reason: z.nullable(z.string()),
    reasonCode: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
    result: z.nullable(flags),
    createdAt: z.string(),
    settledAt: z.nullable(z.string()),
  })
  .register(described, { id: 'TaskOrder' });
export type OrderView = z.infer<typeof orderView>;

export const stepView = z
  .object({
    kind: z.enum(stepKinds),
    text: z.string(),
    by: z.string(),
    at: z.string(),
    receivedAt: z.string(),
    taskState: z.enum(taskStates),
  })
  .register(described, { id: 'TaskStep' });
export const edgeNoteView = z
  .object({ text: z.string(), by: z.string(), at: z.string(), ...pushFlags })
  .register(described, { id: 'TaskNote' });
const historyView = z
  .object({
    action: z.enum(['created', 'transition', 'refused', 'escalated', 'notified']),
    from: z.nullable(z.enum(taskStates)),
    to: z.enum(taskStates),
    by: z.string(),
    note: z.nullable(z.string()),
    resultCode: code,
    at: z.string(),
  })
  .register(described, { id: 'TaskMove' });

/** What a reply names beside the task where its site was ordered to change it. */
export const ordered = { order: orderView };

/** The body as it is shown: what callers wrote, and the disposition evidence under its protected names. */
const bodyView = z
  .looseObject({
    history: z.array(historyView),
    steps: z.array(stepView),
    result_code: code,
    edge_notes: z.array(edgeNoteView),
  })
  .register(described, { id: 'TaskBody' });

export const taskDetailView = z
  .extend(taskView, {
    body: bodyView,
    /** At headquarters, of a task that a site keeps: the last 100 orders to the site, newest first. */
    orders: z.optional(z.array(orderView)),
  })
  .register(described, { id: 'TaskDetail' });
/** The task as its site is ordered to make it. */
export const orderedTaskView = z.extend(taskDetailView, ordered).register(described, { id: 'OrderedTask' });

/** @param now against which it is overdue, epoch ms */
export function viewTask(task: TaskSummary, now: number): TaskView {
  return {
    id: task.id,
    tenantCode: task.tenantCode,
    instance: task.instance,
    originId: task.originId,
    type: task.type,
    state: task.state,
    eventId: task.eventId,
    title: task.title,
    severity: task.severity,
    assigneeOrg: task.assigneeOrg,
    dueAt: formatTimeOrNull(task.dueAt),
    overdue: isOverdue(task, now),
    suppressed: task.suppressed,
    escalatedAt: formatTimeOrNull(task.escalatedAt),
    resultCode: task.resultCode,
    createdBy: task.createdBy,
    createdAt: formatTime(task.createdAt),
    updatedAt: formatTime(task.updatedAt),
    takenOverAt: formatTimeOrNull(task.takenOverAt),
    takenOverBy: task.takenOverBy,
    completedAt: formatTimeOrNull(task.completedAt),
    closedAt: formatTimeOrNull(task.closedAt),
    cancelledAt: formatTimeOrNull(task.cancelledAt),
    stepCount: task.stepCount,
  };
}

export function viewDetail(
  { task, entries, orders }: TaskDetail,
  now: number,
): z.infer<typeof taskDetailView> {
  const history: z.infer<typeof historyView>[] = [];
  const steps: z.infer<typeof stepView>[] = [];
  const notes: z.infer<typeof edgeNoteView>[] = [];
  for (const entry of entries) {
    if (entry.kind === 'history') history.push(viewHistory(entry.doc, entry.at));
    else if (entry.kind === 'step') steps.push(viewStep(entry.doc, entry.at));
    else notes.push(viewNote(entry.doc, entry.at));
  }
  return {
    ...viewTask(task, now),
    body: { ...freeBody(task), history, steps, result_code: task.resultCode, edge_notes: notes },
    ...(orders === undefined ? {} : { orders: orders.map(viewOrder) }),
  };
}

export function viewStep(step: StepDoc, receivedAt: number): z.infer<typeof stepView> {
  return {
    kind: step.kind,
    text: step.text,
    by: step.by,
    at: formatTime(step.at),
    receivedAt: formatTime(receivedAt),
    taskState: step.taskState,
  };
}

export function viewNote(note: EdgeNoteDoc, at: number): z.infer<typeof edgeNoteView> {
  const { text, by, pushedToEdge, pushSkipped, pushError } = note;
  return { text, by, at: formatTime(at), pushedToEdge, pushSkipped, pushError };
}

function viewHistory(line: HistoryDoc, at: number): z.infer<typeof historyView> {
  const { action, from, to, by, note, resultCode } = line;
  return { action, from, to, by, note, resultCode, at: formatTime(at) };
}

export const flagsOf = ({ pushedToEdge, pushSkipped, pushError }: Pushed): Pushed => ({
  pushedToEdge,
  pushSkipped,
  pushError,
});

export function viewOrder({ tenantCode: _tenant, told, ...order }: TaskOrder): OrderView {
  return {
    ...order,
    reasonCode: told?.code ?? null,
    reasonZh: told && translate(refusalMessages, told, 'zh'),
    createdAt: formatTime(order.createdAt),
    settledAt: formatTimeOrNull(order.settledAt),
  };
}
