import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  lt,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import {
  type Decided,
  decideEscalate,
  decideMove,
  decideMoveAll,
  type SeenTask,
} from '../../../common/core/task/decide.ts';
import {
  decideBody,
  decideRecordedNote,
  decideSendNote,
  decideStep,
} from '../../../common/core/task/evidence.ts';
import type { TaskFilter, TaskPort } from '../../../common/core/task/port.ts';
import type {
  AddStep,
  BodyOutcome,
  ChangeBody,
  CreateOutcome,
  CreateTask,
  EdgeNoteDoc,
  EscalateOutcome,
  EscalateTask,
  MoveAllOutcome,
  MoveOutcome,
  MoveTask,
  MoveTasks,
  NoteOutcome,
  RecordedNote,
  SendEdgeNote,
  StepOutcome,
  TaskDetail,
  TaskEntry,
  TaskRecord,
  TaskSummary,
} from '../../../common/core/task/record.ts';
import type { Database, Db } from '../engine/database.ts';
import { taskEntries, tasks } from '../schema/tables.ts';
import type { TaskMoveHook } from './task-move.ts';
import { readEvent } from './judged-event.ts';
import { createTask, seenTask, writeTask } from './task-rows.ts';

type TaskEntryRow = typeof taskEntries.$inferSelect;

const { body: _body, ...summaryColumns } = getTableColumns(tasks);

/** Tasks and their evidence on Postgres. */
export class HubTasks implements TaskPort {
  #database: Database;
  #onMove: TaskMoveHook;

  /** @param onMove runs in the transaction of each move */
  constructor(database: Database, onMove: TaskMoveHook) {
    this.#database = database;
    this.#onMove = onMove;
  }

  create(command: CreateTask, stamp: Stamp): Promise<CreateOutcome> {
    return this.#database.transaction((tx) => createTask(tx, command, stamp));
  }

  move(command: MoveTask, stamp: Stamp): Promise<MoveOutcome> {
    return this.#database.transaction(async (tx) => {
      const seen = await seenTask(tx, command.taskId);
      const { outcome, writes } = decideMove(seen, command, stamp);
      if (writes) await writeTask(tx, seen.task, writes);
      if (writes && seen.task)
        await this.#onMove(tx, { before: seen.task, after: writes.task, event: seen.event }, stamp);
      return outcome;
    });
  }

  /** Locks in the order of ids, so that two batches on one event wait instead of blocking each other. */
  moveAll(command: MoveTasks, stamp: Stamp): Promise<MoveAllOutcome> {
    return this.#database.transaction(async (tx) => {
      const all = await tx.db
        .select()
        .from(tasks)
        .where(and(eq(tasks.eventId, command.eventId), isNull(tasks.instance)))
        .orderBy(asc(tasks.id))
        .for('update');
      const event = await readEvent(tx, command.eventId);
      const { outcome, writes } = decideMoveAll({ tasks: all, event }, command, stamp);
      for (const one of writes) {
        const before = all.find(({ id }) => id === one.task.id) ?? null;
        await writeTask(tx, before, one);
        if (before) await this.#onMove(tx, { before, after: one.task, event }, stamp);
      }
      return outcome;
    });
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

  get(id: number): Promise<TaskDetail | null> {
    return this.#database.read(
      async (db) => (await details(db, await db.select().from(tasks).where(eq(tasks.id, id))))[0] ?? null,
    );
  }

  list(filter: TaskFilter, before: number | null, limit: number): Promise<TaskSummary[]> {
    return this.#database.read((db) =>
      db
        .select(summaryColumns)
        .from(tasks)
        .where(and(...conditions(filter), before === null ? undefined : lt(tasks.id, before)))
        .orderBy(desc(tasks.id))
        .limit(limit),
    );
  }

  ofEvent(eventId: number, limit: number): Promise<TaskDetail[]> {
    return this.#database.read(async (db) =>
      details(
        db,
        await db.select().from(tasks).where(eq(tasks.eventId, eventId)).orderBy(asc(tasks.id)).limit(limit),
      ),
    );
  }

  #change<O>(id: number, decide: (seen: SeenTask) => Decided<O>): Promise<O> {
    return this.#database.transaction(async (tx) => {
      const seen = await seenTask(tx, id);
      const { outcome, writes } = decide(seen);
      if (writes) await writeTask(tx, seen.task, writes);
      return outcome;
    });
  }
}

async function details(db: Db, found: TaskRecord[]): Promise<TaskDetail[]> {
  const [first] = found;
  if (!first) return [];
  // Tasks that are read together are those of one event, and so of one tenant.
  const rows = await db
    .select()
    .from(taskEntries)
    .where(
      and(
        eq(taskEntries.tenantCode, first.tenantCode),
        inArray(
          taskEntries.taskId,
          found.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(taskEntries.seq));
  const entries = Map.groupBy(rows, (row) => row.taskId);
  return found.map((task) => ({ task, entries: entriesOf(entries.get(task.id) ?? [], task) }));
}

/** Those that the task row knows of: one that was appended between the two reads belongs to a later state. */
const entriesOf = (rows: readonly TaskEntryRow[], task: TaskRecord): TaskEntry[] =>
  rows
    .filter(({ seq }) => seq <= task.entryCount)
    .map(({ seq, at, kind, doc }) => ({ seq, at, kind, doc }) as TaskEntry);

function conditions(filter: TaskFilter): (SQL | undefined)[] {
  return [
    filter.tenantCode === null ? undefined : eq(tasks.tenantCode, filter.tenantCode),
    filter.type === undefined ? undefined : eq(tasks.type, filter.type),
    filter.state === undefined ? undefined : eq(tasks.state, filter.state),
    filter.eventId === undefined ? undefined : eq(tasks.eventId, filter.eventId),
    filter.assigneeOrg === undefined ? undefined : eq(tasks.assigneeOrg, filter.assigneeOrg),
    filter.overdue === undefined ? undefined : overdue(filter.overdue),
  ];
}

// Written out, so that the partial index over open tasks is used.
const open = sql`${tasks.state} = 'open'`;

/** As `isOverdue` says it. */
function overdue({ is, now }: { is: boolean; now: number }): SQL | undefined {
  return is
    ? and(open, lt(tasks.dueAt, now))
    : or(ne(tasks.state, 'open'), isNull(tasks.dueAt), gte(tasks.dueAt, now));
}
