import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import {
  type Decided,
  decideEscalate,
  decideMove,
  decideMoveAll,
  type SeenTask,
} from '../../../../common/core/task/decide.ts';
import {
  decideBody,
  decideRecordedNote,
  decideSendNote,
  decideStep,
} from '../../../../common/core/task/evidence.ts';
import type {
  BatchResult,
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
} from '../../../../common/core/task/port.ts';
import type {
  AddStep,
  ChangeBody,
  CreateTask,
  EdgeNoteDoc,
  EscalateTask,
  MoveTask,
  MoveTasks,
  Ordered,
  SendEdgeNote,
  TaskDetail,
  TaskEntry,
  TaskRecord,
  TaskSummary,
} from '../../../../common/core/task/record.ts';
import type { Database, Db } from '../../engine/database.ts';
import { taskEntries, tasks } from '../../schema/tables.ts';
import { readEvent } from '../verdict/judged-event.ts';
import { afterDue, byDue, listTasks, newest, olderThan } from './filter.ts';
import type { TaskMoveHook } from './move.ts';
import {
  expectedTasks,
  isKeptBySite,
  orderChange,
  orderedMove,
  orderInBatch,
  ordersOfTask,
  orderTask,
  type OrderText,
  takesOrders,
} from './order.ts';
import { createTask, seenTask, writeTask } from './rows.ts';

type TaskEntryRow = typeof taskEntries.$inferSelect;

/** Tasks and their evidence on Postgres. */
export class HubTasks implements TaskPort {
  #database: Database;
  #onMove: TaskMoveHook;

  /** @param onMove runs in the transaction of each move */
  constructor(database: Database, onMove: TaskMoveHook) {
    this.#database = database;
    this.#onMove = onMove;
  }

  /** On an event of a site that takes orders the task is the site's, which is ordered to make it. */
  create(command: CreateTask, stamp: Stamp): Promise<CreateOutcome> {
    return this.#database.transaction(async (tx) => {
      const event = command.eventId === null ? null : await readEvent(tx, command.eventId);
      return event?.instance && (await takesOrders(tx, event.instance))
        ? orderTask(tx, { ...event, instance: event.instance }, command, stamp)
        : createTask(tx, command, stamp);
    });
  }

  move(command: MoveTask, stamp: Stamp): Promise<MoveOutcome> {
    return this.#database.transaction(async (tx) => {
      const seen = await seenTask(tx, command.taskId);
      if (isKeptBySite(seen))
        return orderChange(
          tx,
          seen,
          { decide: (expected) => decideMove(expected, command, stamp), text: orderedMove(command) },
          stamp,
        );
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
        .where(eq(tasks.eventId, command.eventId))
        .orderBy(asc(tasks.id))
        .for('update');
      const event = await readEvent(tx, command.eventId);
      const seen = { tasks: await expectedTasks(tx, all), event };
      const { outcome, writes } = decideMoveAll(seen, command, stamp);
      const ordered = new Map<number, BatchResult>();
      for (const one of writes) {
        const before = all.find(({ id }) => id === one.task.id) ?? null;
        if (before && before.instance !== null) {
          ordered.set(before.id, await orderInBatch(tx, before, orderedMove(command), stamp));
          continue;
        }
        await writeTask(tx, before, one);
        if (before) await this.#onMove(tx, { before, after: one.task, event }, stamp);
      }
      if (outcome.kind !== 'moved') return outcome;
      return { kind: 'moved', results: outcome.results.map((one) => ordered.get(one.task.id) ?? one) };
    });
  }

  addStep(command: AddStep, stamp: Stamp): Promise<StepOutcome> {
    const { kind: step, text, by, actor } = command;
    const body = { kind: 'step', step, text, at: command.at ?? stamp.now } as const;
    return this.#changeOrOrder(
      command.taskId,
      { decide: (seen) => decideStep(seen, command, stamp), text: { body, by, actor } },
      stamp,
    );
  }

  changeBody(command: ChangeBody, stamp: Stamp): Promise<BodyOutcome> {
    const { by, actor } = command;
    const body = { kind: 'body', body: command.body } as const;
    return this.#changeOrOrder(
      command.taskId,
      { decide: (seen) => decideBody(seen, command, stamp), text: { body, by, actor } },
      stamp,
    );
  }

  sendEdgeNote(command: SendEdgeNote, stamp: Stamp): Promise<NoteOutcome> {
    const { text, by, actor } = command;
    const body = { kind: 'edge_note', text } as const;
    return this.#changeOrOrder(
      command.taskId,
      { decide: (seen) => decideSendNote(seen, command, stamp), text: { body, by, actor } },
      stamp,
    );
  }

  recordEdgeNote(taskId: number, note: EdgeNoteDoc, actor: string, stamp: Stamp): Promise<RecordedNote> {
    return this.#change(taskId, (seen) => decideRecordedNote(seen, note, actor, stamp));
  }

  escalate(command: EscalateTask, stamp: Stamp): Promise<EscalateOutcome> {
    return this.#change(command.taskId, (seen) => decideEscalate(seen, command, stamp));
  }

  get(id: number): Promise<TaskDetail | null> {
    return this.#database.read(async (db) => {
      const [detail] = await details(db, await db.select().from(tasks).where(eq(tasks.id, id)));
      if (!detail || detail.task.instance === null) return detail ?? null;
      return { ...detail, orders: await ordersOfTask(db, detail.task) };
    });
  }

  list(filter: TaskFilter, before: number | null, limit: number): Promise<TaskSummary[]> {
    return this.#database.list((db) =>
      listTasks(db, filter, { after: olderThan(before), order: newest }, limit),
    );
  }

  listByDue(filter: TaskFilter, after: DuePosition | null, limit: number): Promise<TaskSummary[]> {
    return this.#database.list((db) =>
      listTasks(db, filter, { after: afterDue(after), order: byDue }, limit),
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

  /** A task that a site keeps is changed by the site. */
  #changeOrOrder<O extends { kind: string }>(
    id: number,
    how: { decide: (seen: SeenTask) => Decided<O>; text: OrderText },
    stamp: Stamp,
  ): Promise<O | Ordered> {
    return this.#database.transaction(async (tx) => {
      const seen = await seenTask(tx, id);
      if (isKeptBySite(seen)) return orderChange(tx, seen, how, stamp);
      const { outcome, writes } = how.decide(seen);
      if (writes) await writeTask(tx, seen.task, writes);
      return outcome;
    });
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
  // Tasks that are read together belong to one event, and so to one tenant.
  const ids = found.map(({ id }) => id);
  const rows = await db
    .select()
    .from(taskEntries)
    .where(and(eq(taskEntries.tenantCode, first.tenantCode), inArray(taskEntries.taskId, ids)))
    .orderBy(asc(taskEntries.seq));
  const entries = Map.groupBy(rows, (row) => row.taskId);
  return found.map((task) => ({ task, entries: entriesOf(entries.get(task.id) ?? [], task) }));
}

/**
 * Only the entries that the task row counts: one that was appended between the two reads belongs to a later
 * state.
 */
const entriesOf = (rows: readonly TaskEntryRow[], task: TaskRecord): TaskEntry[] =>
  rows
    .filter(({ seq }) => seq <= task.entryCount)
    .map(({ seq, at, kind, doc }) => ({ seq, at, kind, doc }) as TaskEntry);
