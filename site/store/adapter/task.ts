import { and, asc, desc, eq, getTableColumns, inArray, lt } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../common/clock.ts';
import {
  decideCreate,
  type Decided,
  decideEscalate,
  decideMove,
  decideMoveAll,
  type SeenTask,
  type TaskWrites,
} from '../../../common/core/task/decide.ts';
import { changedMembers } from '../../../common/core/task/entries.ts';
import {
  decideBody,
  decideRecordedNote,
  decideSendNote,
  decideStep,
} from '../../../common/core/task/evidence.ts';
import type {
  BodyOutcome,
  CreateOutcome,
  DuePosition,
  EscalateOutcome,
  MoveAllOutcome,
  MoveOutcome,
  NoteOutcome,
  RecordedNote,
  StepOutcome,
  TaskFilter,
  TaskPort,
} from '../../../common/core/task/port.ts';
import type {
  AddStep,
  ChangeBody,
  CreateTask,
  EdgeNoteDoc,
  EscalateTask,
  MoveTask,
  MoveTasks,
  SendEdgeNote,
  TaskDetail,
  TaskEntry,
  TaskRecord,
  TaskSummary,
} from '../../../common/core/task/record.ts';
import { settleReview, settlesReviews, unsettledStates } from '../../../common/core/task/settle.ts';
import type { VerdictRecord } from '../../../common/core/verdict/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { type Insert, prepareInsert } from '../engine/insert.ts';
import { prepareNextId } from '../engine/sequence.ts';
import { feedback, taskEntries, tasks } from '../schema/tables.ts';
import type { SiteAudit } from './audit.ts';
import type { SiteEvents } from './event.ts';
import { afterDue, byDue, conditions } from './task-filter.ts';
import type { ChangeLog } from './uplink/change-log.ts';

const { orderId: _order, bodyOrderId: _bodyOrder, ...taskColumns } = getTableColumns(tasks);
const { body: _body, ...summaryColumns } = taskColumns;
const { seq, at, kind, doc } = taskEntries;
const entryColumns = { seq, at, kind, doc };

/** Tasks and their evidence on SQLite. */
export class SiteTasks implements TaskPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #events: SiteEvents;
  #audit: SiteAudit;
  #changes: ChangeLog;
  #nextId: () => number;
  #addTask: Insert<typeof tasks>;
  #addEntry: Insert<typeof taskEntries>;
  #addFeedback: Insert<typeof feedback>;

  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    events: SiteEvents,
    audit: SiteAudit,
    changes: ChangeLog,
  ) {
    this.#group = group;
    this.#orm = orm;
    this.#events = events;
    this.#audit = audit;
    this.#changes = changes;
    this.#nextId = prepareNextId(group.sqlite, 'tasks');
    this.#addTask = prepareInsert(group.sqlite, tasks);
    this.#addEntry = prepareInsert(group.sqlite, taskEntries);
    this.#addFeedback = prepareInsert(group.sqlite, feedback);
  }

  create(command: CreateTask, stamp: Stamp): Promise<CreateOutcome> {
    return this.#group.write(() => this.createNow(command, stamp));
  }

  /** Within the open transaction. @param orderId order of headquarters that has it made */
  createNow(command: CreateTask, stamp: Stamp, orderId: string | null = null): CreateOutcome {
    const seen = { id: this.#nextId(), event: this.#event(command.eventId) };
    const { outcome, writes } = decideCreate(seen, command, stamp);
    if (writes) {
      this.#addTask({ ...writes.task, orderId });
      this.#accompany(writes);
    }
    return outcome;
  }

  /** What a change within the open transaction is decided from. */
  seen(id: number): SeenTask {
    const task = this.#read(id);
    return { task, event: this.#event(task?.eventId ?? null) };
  }

  /** Within the open transaction. @param orderId order of headquarters that it comes of */
  writeNow(before: TaskRecord | null, writes: TaskWrites, orderId: string | null = null): void {
    if (!before) throw new Error('a change was decided without its task');
    const changed = changedMembers(before, writes.task);
    const mark = orderId !== null && 'body' in changed ? { bodyOrderId: orderId } : {};
    if (Object.keys(changed).length > 0)
      this.#orm
        .update(tasks)
        .set({ ...changed, ...mark })
        .where(eq(tasks.id, before.id))
        .run();
    this.#accompany(writes, orderId);
  }

  move(command: MoveTask, stamp: Stamp): Promise<MoveOutcome> {
    return this.#change(command.taskId, (seen) => decideMove(seen, command, stamp));
  }

  moveAll(command: MoveTasks, stamp: Stamp): Promise<MoveAllOutcome> {
    return this.#group.write(() => {
      const all = this.#orm
        .select(taskColumns)
        .from(tasks)
        .where(eq(tasks.eventId, command.eventId))
        .orderBy(asc(tasks.id))
        .all();
      const { outcome, writes } = decideMoveAll(
        { tasks: all, event: this.#event(command.eventId) },
        command,
        stamp,
      );
      for (const one of writes) this.writeNow(all.find(({ id }) => id === one.task.id) ?? null, one);
      return outcome;
    });
  }

  /** Within the open transaction that writes the verdict. @param actor who called, for the audit */
  settleReviewsNow(verdict: VerdictRecord, actor: string, stamp: Stamp): void {
    if (!settlesReviews(verdict)) return;
    const reviews = this.#orm
      .select(taskColumns)
      .from(tasks)
      .where(
        and(
          eq(tasks.eventId, verdict.eventId),
          eq(tasks.type, 'review'),
          inArray(tasks.state, unsettledStates),
        ),
      )
      .orderBy(asc(tasks.id))
      .all();
    for (const review of reviews) this.writeNow(review, settleReview(review, { ...verdict, actor }, stamp));
  }

  addStep(command: AddStep, stamp: Stamp): Promise<StepOutcome> {
    return this.#change(command.taskId, (seen) => decideStep(seen, command, stamp));
  }

  changeBody(command: ChangeBody, stamp: Stamp): Promise<BodyOutcome> {
    return this.#change(command.taskId, (seen) => decideBody(seen, command, stamp));
  }

  sendEdgeNote(command: SendEdgeNote, stamp: Stamp): Promise<NoteOutcome> {
    return this.#change(command.taskId, (seen) => decideSendNote(seen, command, stamp));
  }

  recordEdgeNote(taskId: number, note: EdgeNoteDoc, actor: string, stamp: Stamp): Promise<RecordedNote> {
    return this.#change(taskId, (seen) => decideRecordedNote(seen, note, actor, stamp));
  }

  escalate(command: EscalateTask, stamp: Stamp): Promise<EscalateOutcome> {
    return this.#change(command.taskId, (seen) => decideEscalate(seen, command, stamp));
  }

  async get(id: number): Promise<TaskDetail | null> {
    const task = this.#read(id);
    return task && { task, entries: this.#entries(id) };
  }

  async list(filter: TaskFilter, before: number | null, limit: number): Promise<TaskSummary[]> {
    return this.#orm
      .select(summaryColumns)
      .from(tasks)
      .where(and(...conditions(filter), before === null ? undefined : lt(tasks.id, before)))
      .orderBy(desc(tasks.id))
      .limit(limit)
      .all();
  }

  async listByDue(filter: TaskFilter, after: DuePosition | null, limit: number): Promise<TaskSummary[]> {
    return this.#orm
      .select(summaryColumns)
      .from(tasks)
      .where(and(...conditions(filter), after === null ? undefined : afterDue(after)))
      .orderBy(...byDue)
      .limit(limit)
      .all();
  }

  async ofEvent(eventId: number, limit: number): Promise<TaskDetail[]> {
    const found = this.#orm
      .select(taskColumns)
      .from(tasks)
      .where(eq(tasks.eventId, eventId))
      .orderBy(asc(tasks.id))
      .limit(limit)
      .all();
    return found.map((task) => ({ task, entries: this.#entries(task.id) }));
  }

  #change<O>(id: number, decide: (seen: SeenTask) => Decided<O>): Promise<O> {
    return this.#group.write(() => {
      const seen = this.seen(id);
      const { outcome, writes } = decide(seen);
      if (writes) this.writeNow(seen.task, writes);
      return outcome;
    });
  }

  #accompany({ task, entries, audit, feedback: message }: TaskWrites, orderId: string | null = null): void {
    const { id: taskId, tenantCode } = task;
    for (const entry of entries) this.#addEntry({ ...entry, taskId, tenantCode, orderId });
    this.#audit.insert(audit);
    if (message) {
      this.#addFeedback(message);
      this.#changes.told(message.eventId, audit.at);
    }
    this.#changes.changed(
      {
        kind: 'task',
        id: task.id,
        eventId: task.eventId ?? 0,
        eventKey: this.#event(task.eventId)?.idempotencyKey ?? null,
      },
      audit.at,
    );
  }

  #read(id: number): TaskRecord | null {
    return this.#orm.select(taskColumns).from(tasks).where(eq(tasks.id, id)).get() ?? null;
  }

  #entries(taskId: number): TaskEntry[] {
    return this.#orm
      .select(entryColumns)
      .from(taskEntries)
      .where(eq(taskEntries.taskId, taskId))
      .orderBy(asc(taskEntries.seq))
      .all() as TaskEntry[];
  }

  #event(id: number | null) {
    return id === null ? null : this.#events.read(id);
  }
}
