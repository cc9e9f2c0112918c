import type { Message } from '../../message.ts';
import type { Severity } from '../event/schema.ts';
import type { OrderKind, OrderState, ResultCode, StepKind, TaskState, TaskType } from './schema.ts';

/** A task as lists show it. Times are epoch milliseconds. */
export interface TaskSummary {
  id: number;
  tenantCode: string;
  /** The site that keeps it, whose word is first; null: this instance. */
  instance: string | null;
  /** Its id there. */
  originId: number | null;
  type: TaskType;
  state: TaskState;
  eventId: number | null;
  title: string;
  severity: Severity;
  assigneeOrg: string | null;
  /** Handling deadline. */
  dueAt: number | null;
  /** Made during a cooldown (spec 3, Action). */
  suppressed: boolean;
  escalatedAt: number | null;
  /** Of the standing completion. */
  resultCode: ResultCode | null;
  createdBy: string;
  createdAt: number;
  /**
   * Last change that took effect; later times of this task never lie before it, whatever the wall clock does.
   * Of a task that a site keeps: when the change came in here.
   */
  updatedAt: number;
  /** The first takeover. */
  takenOverAt: number | null;
  /** Who took it over then. */
  takenOverBy: string | null;
  /** The standing completion; null again when acceptance was refused. */
  completedAt: number | null;
  closedAt: number | null;
  cancelledAt: number | null;
  /** Entries of every kind, steps, edge notes and refused transitions so far. */
  entryCount: number;
  stepCount: number;
  noteCount: number;
  refusalCount: number;
}

export interface TaskRecord extends TaskSummary {
  /** JSON text of the members that callers may write; the disposition evidence is in the entries. */
  body: string;
}

/** A line of the history: what was done, or refused, by whom. */
export interface HistoryDoc {
  action: 'created' | 'transition' | 'refused' | 'escalated' | 'notified';
  from: TaskState | null;
  to: TaskState;
  by: string;
  note: string | null;
  resultCode: ResultCode | null;
}

export interface StepDoc {
  kind: StepKind;
  text: string;
  by: string;
  /** When it happened, as reported. */
  at: number;
  /** State of the task when the step was received, so that back-filling shows. */
  taskState: TaskState;
}

export interface EdgeNoteDoc {
  text: string;
  by: string;
  pushedToEdge: boolean;
  pushSkipped: PushSkipped | null;
  pushError: string | null;
}

/** One piece of disposition evidence; appended, never changed. */
export type TaskEntry = { seq: number; /** When it was received. */ at: number } & EntryContent;
export type EntryContent =
  | { kind: 'history'; doc: HistoryDoc }
  | { kind: 'step'; doc: StepDoc }
  | { kind: 'edge_note'; doc: EdgeNoteDoc };

export interface TaskDetail {
  task: TaskRecord;
  /** In the order of writing. */
  entries: TaskEntry[];
  /** Of a task that a site keeps: what headquarters ordered, newest first. */
  orders?: TaskOrder[];
}

export type PushSkipped = 'non_disposal' | 'not_on_event';

/**
 * What is to be told to the field: `feedbackId` names the row that the transaction wrote; `error` says why
 * there can be none.
 */
export interface PushPlan {
  feedbackId: string | null;
  skipped: PushSkipped | null;
  error: string | null;
}

export interface CreateTask {
  tenantCode: string;
  type: TaskType;
  eventId: number | null;
  title: string;
  severity: Severity;
  assigneeOrg: string | null;
  dueAt: number | null;
  suppressed: boolean;
  /** Without protected members, within the limits (`bodyFaults`). */
  body: Record<string, unknown>;
  by: string;
  /** Who called and from where, for the audit. */
  actor: string;
}

export interface MoveTask {
  taskId: number;
  tenantCode: string;
  to: TaskState;
  by: string;
  note: string | null;
  /** Kept only with a completion. */
  resultCode: ResultCode | null;
  actor: string;
}

export type MoveTasks = Omit<MoveTask, 'taskId'> & { eventId: number };

export interface AddStep {
  taskId: number;
  tenantCode: string;
  kind: StepKind;
  text: string;
  by: string;
  /** null: now. */
  at: number | null;
  actor: string;
}

export interface ChangeBody {
  taskId: number;
  tenantCode: string;
  /** Without protected members; laid over the present body member by member. */
  body: Record<string, unknown>;
  by: string;
  actor: string;
}

export interface SendEdgeNote {
  taskId: number;
  tenantCode: string;
  text: string;
  by: string;
  actor: string;
}

export interface EscalateTask {
  taskId: number;
  by: string;
  note: string | null;
  actor: string;
}

export type SkipReason = 'postmortem_request' | 'already_in_state' | 'transition_refused';

/** The reply flags of spec 2, "Transition reply flags"; null where the specification says empty. */
export interface Pushed {
  pushedToEdge: boolean;
  pushSkipped: PushSkipped | null;
  pushError: string | null;
}

/** What headquarters wants done to a task that a site keeps: the site carries it out by its own rules. */
export interface TaskOrder {
  id: string;
  tenantCode: string;
  kind: OrderKind;
  /** The site that it is for. */
  instance: string;
  /** Here. */
  taskId: number;
  eventId: number | null;
  by: string;
  state: OrderState;
  /** Why the site did not carry it out. */
  reason: string | null;
  /** The same as a message; null: the site is from before it. */
  told: Message | null;
  /** What came of the message to the camera; null: not told yet. */
  result: Pushed | null;
  /** Epoch ms. */
  createdAt: number;
  settledAt: number | null;
}

/** A change of a task that a site keeps was found possible here, and is on its way to the site. */
export interface Ordered {
  kind: 'ordered';
  /** As the site last told it. */
  task: TaskRecord;
  order: TaskOrder;
}

/** What became of one task of a batch, with what the field was told. */
export type BatchItem = Pushed & {
  task: TaskRecord;
  changed: boolean;
  reason: SkipReason | 'site_outdated' | 'ordered' | null;
  order: TaskOrder | null;
};

/** A change of a task that its site is ordered to make; the task is as the site last told it. */
export type OrderGiven = { task: TaskRecord; order: TaskOrder };
