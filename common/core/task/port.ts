import type { Stamp } from '../../clock.ts';
import type { Message } from '../../message.ts';
import type {
  AddStep,
  ChangeBody,
  CreateTask,
  EdgeNoteDoc,
  EscalateTask,
  MoveTask,
  MoveTasks,
  Ordered,
  PushPlan,
  SendEdgeNote,
  SkipReason,
  StepDoc,
  TaskDetail,
  TaskOrder,
  TaskRecord,
  TaskSummary,
} from './record.ts';
import type { TaskState, TaskType } from './schema.ts';

/** There is no such task, or its tenant is another than the command says. */
export type TaskMissing = { kind: 'no_task' } | { kind: 'tenant_mismatch' };

export type CreateOutcome = { kind: 'created'; detail: TaskDetail } | { kind: 'bad_event' } | Ordered;
export type MoveOutcome =
  | { kind: 'moved'; task: TaskRecord; push: PushPlan }
  /** The graph has no such transition; the history holds the attempt. */
  | { kind: 'refused'; task: TaskRecord }
  | Ordered
  | TaskMissing;
export type BatchResult = { task: TaskRecord } & (
  | { changed: true; push: PushPlan }
  | { changed: false; reason: SkipReason | 'site_outdated' }
  /** Kept by a site, which was ordered to. */
  | { changed: false; reason: 'ordered'; order: TaskOrder }
);
export type MoveAllOutcome =
  { kind: 'moved'; results: BatchResult[] } | { kind: 'no_event' } | { kind: 'tenant_mismatch' };
export type StepOutcome =
  | { kind: 'added'; task: TaskRecord; step: StepDoc; receivedAt: number }
  | { kind: 'too_many_steps' }
  | Ordered
  | TaskMissing;
export type BodyOutcome =
  | { kind: 'changed'; task: TaskRecord }
  /** The merged body breaks a limit. */
  | { kind: 'too_large'; fault: Message }
  | Ordered
  | TaskMissing;
export type NoteOutcome =
  | { kind: 'sent'; task: TaskRecord; push: PushPlan }
  | { kind: 'non_disposal' }
  | { kind: 'too_many_edge_notes' }
  | Ordered
  | TaskMissing;
export type RecordedNote = { kind: 'recorded'; task: TaskRecord; at: number } | { kind: 'no_task' };
export type EscalateOutcome =
  | { kind: 'escalated'; task: TaskRecord; push: PushPlan }
  /** Escalated before, or taken over or ended meanwhile; nothing was written. */
  | { kind: 'unchanged'; task: TaskRecord }
  | { kind: 'no_task' };

export interface TaskFilter {
  /** null: every tenant (operator). */
  tenantCode: string | null;
  /** Any of them. */
  types?: readonly TaskType[];
  /** Any of them. */
  states?: readonly TaskState[];
  takenOverBy?: string;
  eventId?: number;
  assigneeOrg?: string;
  /** Of the site that keeps it; null: those of this instance. */
  instance?: string | null;
  /** The number that it has there. */
  originId?: number;
  /** Whether it is overdue at `now` (`isOverdue`). */
  overdue?: { is: boolean; now: number };
}

/** The task that a page by deadline ended with. */
export type DuePosition = Pick<TaskSummary, 'dueAt' | 'id'>;

/**
 * Each write is one transaction with its entries, its audit entry and, where the field is told, its feedback
 * row.
 */
export interface TaskPort {
  /** Ids ascend in the order of creation and are never given again. */
  create(command: CreateTask, stamp: Stamp): Promise<CreateOutcome>;

  /**
   * Of writers at once the first wins; a refused attempt leaves its line in the history and its audit entry,
   * and nothing else.
   */
  move(command: MoveTask, stamp: Stamp): Promise<MoveOutcome>;

  /**
   * Moves every task of the event that the graph allows, but postmortem requests; all in one transaction,
   * results by id. A skipped task keeps no trace.
   */
  moveAll(command: MoveTasks, stamp: Stamp): Promise<MoveAllOutcome>;

  addStep(command: AddStep, stamp: Stamp): Promise<StepOutcome>;

  changeBody(command: ChangeBody, stamp: Stamp): Promise<BodyOutcome>;

  /** Writes the message to the field. What came of it is appended afterwards with `recordEdgeNote`. */
  sendEdgeNote(command: SendEdgeNote, stamp: Stamp): Promise<NoteOutcome>;

  recordEdgeNote(taskId: number, note: EdgeNoteDoc, actor: string, stamp: Stamp): Promise<RecordedNote>;

  /** Marks an open task escalated, once. Whether its deadline has passed is for the caller to judge. */
  escalate(command: EscalateTask, stamp: Stamp): Promise<EscalateOutcome>;

  get(id: number): Promise<TaskDetail | null>;

  /** Newest first, id < `before` when given, at most `limit`. */
  list(filter: TaskFilter, before: number | null, limit: number): Promise<TaskSummary[]>;

  /** The earliest deadline first, those without one last; of one deadline the newest first. */
  listByDue(filter: TaskFilter, after: DuePosition | null, limit: number): Promise<TaskSummary[]>;

  /** The tasks of an event with their entries, oldest first, at most `limit` tasks. */
  ofEvent(eventId: number, limit: number): Promise<TaskDetail[]>;
}
