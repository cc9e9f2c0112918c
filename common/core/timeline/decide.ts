import { textIn } from '../../json-size.ts';
import { EARLIEST, LATEST } from '../../time.ts';
import type { AuditEntry } from '../audit/port.ts';
import { type EventRecord, readDoc } from '../event/record.ts';
import { lacksMessage } from '../feedback/decide.ts';
import type { CameraMessage } from '../feedback/record.ts';
import type { Called } from '../instance/record.ts';
import type { TaskDetail, TaskRecord } from '../task/record.ts';
import { isOverdue } from '../task/states.ts';
import type { CorrectionRecord, VerdictRecord } from '../verdict/record.ts';
import type { KnowledgeEntry, NotificationEntry, SiteDecision } from './port.ts';
import type {
  CallEntry,
  Durations,
  EventSummary,
  KnowledgeKind,
  Moments,
  Timeline,
  TimelineEntry,
  TimelineStep,
  TimelineTask,
} from './record.ts';
import {
  callSteps,
  decisionSteps,
  eventSteps,
  feedbackSteps,
  type Found,
  knowledgeSteps,
  notificationSteps,
  taskSteps,
  verdictSteps,
} from './steps.ts';

/** Rows that are read of each source; the port is asked for one more. */
export const TASK_CAP = 200;
export const ROW_CAP = 1000;

/** What was read, each list with at most one row more than its cap. */
export interface SeenForTimeline {
  event: EventRecord;
  verdict: VerdictRecord | null;
  corrections: readonly CorrectionRecord[];
  /** Entries of the writing of the verdict, newest first. */
  audits: readonly AuditEntry[];
  tasks: readonly TaskDetail[];
  /** The newest. */
  feedback: readonly CameraMessage[];
  notifications: readonly NotificationEntry[];
  knowledge: readonly KnowledgeEntry[];
  decisions: readonly SiteDecision[];
  call: CallEntry | null;
}

export interface TimelineRequest {
  exclude: readonly KnowledgeKind[];
  /** Instance of this store. */
  self: string;
  /** What people call instances. */
  called: Called;
  /** Epoch ms. */
  asOf: number;
}

/** Puts the timeline of one event together (spec 2, "Timeline response"). Pure. */
export function assembleTimeline(
  seen: SeenForTimeline,
  { exclude, self, called, asOf }: TimelineRequest,
): Timeline {
  const tasks = seen.tasks.slice(0, TASK_CAP);
  const knowledge = seen.knowledge.filter(({ kind }) => !exclude.includes(kind));
  const { steps, undated } = inOrder([
    ...eventSteps(seen.event, self, called),
    ...verdictSteps(seen.verdict, seen.audits, seen.corrections, called),
    ...tasks.flatMap(taskSteps),
    ...notificationSteps(seen.notifications.slice(0, ROW_CAP), called),
    ...callSteps(seen.call, ROW_CAP),
    ...feedbackSteps(seen.feedback.slice(-ROW_CAP)),
    ...knowledgeSteps(knowledge.slice(0, ROW_CAP)),
    ...decisionSteps(seen.decisions.slice(0, ROW_CAP), called),
  ]);
  const shown = fitting(steps, MAX_TEXT);
  const beside = fitting(undated, MAX_TEXT - shown.text);
  const own = tasks.map(({ task }) => task);
  const moments = momentsOf(seen.event, seen.verdict, own);
  return {
    event: summaryOf(seen.event, seen.verdict, self),
    steps: shown.rows,
    undated: beside.rows,
    moments,
    durations: durationsOf(moments),
    sla: slaOf(own, asOf),
    tasks: own.map((task) => viewOf(task, asOf)),
    truncated:
      shown.rows.length < steps.length ||
      beside.rows.length < undated.length ||
      seen.tasks.length > TASK_CAP ||
      [
        seen.audits,
        seen.notifications,
        knowledge,
        seen.decisions,
        seen.feedback,
        seen.call?.sendings ?? [],
      ].some((rows) => rows.length > ROW_CAP) ||
      lacksMessage(seen),
    asOf,
  };
}

/** Text of all steps and of what has no time at most, characters. */
const MAX_TEXT = 4 * 1024 * 1024;

/** The first rows, as far as one answer has room for them: no text of one alone is too large for it. */
function fitting<R>(rows: readonly R[], most: number): { rows: R[]; text: number } {
  let text = 0;
  for (const [index, row] of rows.entries()) {
    const more = textIn(row);
    if (text + more > most) return { rows: rows.slice(0, index), text };
    text += more;
  }
  return { rows: [...rows], text };
}

/** Orders entries by time; those of the same time stay in the order of their sources. */
function inOrder(all: readonly Found[]): { steps: TimelineStep[]; undated: TimelineEntry[] } {
  const steps: TimelineStep[] = [];
  const undated: TimelineEntry[] = [];
  for (const { at, entry } of all) {
    if (at !== null && at >= EARLIEST && at <= LATEST) steps.push({ at, ...entry });
    else undated.push(entry);
  }
  return { steps: steps.sort((a, b) => a.at - b.at), undated };
}

/** A postmortem request looks back on the handling of the event and is no part of it. */
const partOfMatter = (tasks: readonly TaskRecord[]): TaskRecord[] =>
  tasks.filter(({ type }) => type !== 'postmortem_request');

/**
 * Creation and takeover are those of the first task. Completion is that of the last one, and closure
 * likewise, once they hold for every task that was not cancelled.
 */
export function momentsOf(
  event: EventRecord,
  verdict: VerdictRecord | null,
  tasks: readonly TaskRecord[],
): Moments {
  const own = partOfMatter(tasks);
  const carried = own.filter(({ state }) => state !== 'cancelled');
  return {
    occurredAt: event.occurredAt,
    receivedAt: event.originReceivedAt ?? event.receivedAt,
    verdictAt: verdict?.at ?? null,
    // A judgement that came with the event has no time of its own.
    judgedAt: verdict?.judged ? verdict.at : null,
    taskCreatedAt: first(own.map(({ createdAt }) => createdAt)),
    takenOverAt: first(own.map(({ takenOverAt }) => takenOverAt)),
    completedAt: lastOfAll(carried.map(({ completedAt }) => completedAt)),
    closedAt: lastOfAll(carried.map(({ closedAt }) => closedAt)),
  };
}

function first(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function lastOfAll(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 || known.length < times.length ? null : Math.max(...known);
}

/**
 * Seconds; null where a moment is missing or stands before the one that it is counted from (spec 2, "Timeline
 * response").
 */
export function durationsOf(moments: Moments): Durations {
  const { occurredAt, receivedAt, verdictAt, taskCreatedAt, takenOverAt, completedAt } = moments;
  return {
    received: seconds(occurredAt, receivedAt),
    verdict: seconds(receivedAt, verdictAt),
    taskCreated: seconds(receivedAt, taskCreatedAt),
    takenOver: seconds(taskCreatedAt, takenOverAt),
    completed: seconds(takenOverAt, completedAt),
    total: seconds(occurredAt, completedAt),
  };
}

function seconds(from: number | null, to: number | null): number | null {
  return from === null || to === null || to < from ? null : (to - from) / 1000;
}

/** The deadline is for taking the task over (spec 3, `due_minutes`). */
export function slaOf(tasks: readonly TaskRecord[], asOf: number): Timeline['sla'] {
  for (const { id, dueAt, takenOverAt, cancelledAt } of partOfMatter(tasks)) {
    if (dueAt !== null)
      return { taskId: id, deadline: dueAt, exceeded: (takenOverAt ?? cancelledAt ?? asOf) > dueAt };
  }
  return null;
}

function viewOf(task: TaskRecord, asOf: number): TimelineTask {
  const {
    id,
    instance,
    type,
    state,
    title,
    severity,
    createdAt,
    dueAt,
    resultCode,
    assigneeOrg,
    takenOverAt,
    takenOverBy,
    completedAt,
    closedAt,
    cancelledAt,
    stepCount,
  } = task;
  return {
    id,
    instance,
    type,
    state,
    title,
    severity,
    createdAt,
    dueAt,
    overdue: isOverdue(task, asOf),
    resultCode,
    assigneeOrg,
    takenOverAt,
    takenOverBy,
    completedAt,
    closedAt,
    cancelledAt,
    records: stepCount,
  };
}

function summaryOf(event: EventRecord, verdict: VerdictRecord | null, self: string): EventSummary {
  const doc = readDoc(event);
  const { id, tenantCode, type, kind, source, severity, isTest, occurredAt, correctedTo, nodeKey } = event;
  return {
    id,
    tenantCode,
    type,
    kind,
    source,
    severity,
    isTest,
    title: doc.title ?? null,
    occurredAt,
    receivedAt: event.originReceivedAt ?? event.receivedAt,
    verdict: verdict?.verdict ?? null,
    correctedTo,
    judged: verdict?.judged ?? doc.judged ?? null,
    provenance: {
      instance: event.instance ?? self,
      originId: event.originId ?? id,
      nodeKey,
      siteRef: doc.siteRef ?? null,
      cameraRef: doc.cameraRef ?? null,
      pointRef: doc.pointRef ?? null,
    },
  };
}
