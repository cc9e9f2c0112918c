import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { EventRecord } from '../event/record.ts';
import type { FeedbackRecord } from '../feedback/record.ts';
import { appended, auditOf, changeTimeOf, missingTask, requireTask } from './entries.ts';
import type { CreateOutcome, EscalateOutcome, MoveAllOutcome, MoveOutcome } from './port.ts';
import { type Push, pushToField } from './push.ts';
import type {
  CreateTask,
  EntryContent,
  EscalateTask,
  HistoryDoc,
  MoveTask,
  MoveTasks,
  SkipReason,
  TaskEntry,
  TaskRecord,
} from './record.ts';
import type { TaskState } from './schema.ts';
import { mayMove } from './states.ts';

/** What the store has read, inside the transaction and under the lock, before it asks. */
export interface SeenTask {
  task: TaskRecord | null;
  /** The event that the task is on; null when it is on none or the event is not kept any more. */
  event: EventRecord | null;
}

/** Rows to write: the task as it is then, what is appended to it, and what goes with it. */
export interface TaskWrites {
  task: TaskRecord;
  entries: TaskEntry[];
  audit: AuditEntry;
  feedback: FeedbackRecord | null;
}

/** An answer, and what to write so that it is true; null: nothing. */
export interface Decided<O> {
  outcome: O;
  writes: TaskWrites | null;
}

/** Refused attempts that the history of one task holds; later ones are in the audit only. */
export const MAX_REFUSALS = 1000;

/** @param id the next free one */
export function decideCreate(
  seen: { id: number; event: EventRecord | null },
  command: CreateTask,
  stamp: Stamp,
): Decided<CreateOutcome> {
  const { tenantCode, eventId, body, by, actor, ...rest } = command;
  if (eventId !== null && seen.event?.tenantCode !== tenantCode)
    return { outcome: { kind: 'bad_event' }, writes: null };
  const blank: TaskRecord = {
    ...rest,
    id: seen.id,
    tenantCode,
    instance: null,
    originId: null,
    eventId,
    state: 'open',
    escalatedAt: null,
    resultCode: null,
    body: JSON.stringify(body),
    createdBy: by,
    createdAt: stamp.now,
    updatedAt: stamp.now,
    takenOverAt: null,
    takenOverBy: null,
    completedAt: null,
    closedAt: null,
    cancelledAt: null,
    entryCount: 0,
    stepCount: 0,
    noteCount: 0,
    refusalCount: 0,
  };
  const { task, entry } = appended(blank, stamp.now, {
    kind: 'history',
    doc: { action: 'created', from: null, to: 'open', by, note: null, resultCode: null },
  });
  const audit = auditOf(task, 'task.created', { actor, before: null, after: { ...task, body } }, stamp);
  return {
    outcome: { kind: 'created', detail: { task, entries: [entry] } },
    writes: { task, entries: [entry], audit, feedback: null },
  };
}

/** The first of several writers wins; a refused attempt gets its line in the history (spec 2, "Tasks"). */
export function decideMove(seen: SeenTask, command: MoveTask, stamp: Stamp): Decided<MoveOutcome> {
  const missing = missingTask(seen.task, command.tenantCode);
  if (missing) return { outcome: missing, writes: null };
  const before = requireTask(seen.task);
  if (!mayMove(before.type, before.state, command.to)) return refuse(before, command, stamp);
  const { push, ...writes } = move(before, seen.event, command, stamp);
  return { outcome: { kind: 'moved', task: writes.task, push: push.plan }, writes };
}

/**
 * The batch change of duty staff who confirm a real alarm or rule a false alarm. What it passes over keeps no
 * trace of it.
 */
export function decideMoveAll(
  seen: { tasks: readonly TaskRecord[]; event: EventRecord | null },
  command: MoveTasks,
  stamp: Stamp,
): { outcome: MoveAllOutcome; writes: TaskWrites[] } {
  const tenantCode = seen.event?.tenantCode ?? seen.tasks[0]?.tenantCode;
  if (tenantCode === undefined) return { outcome: { kind: 'no_event' }, writes: [] };
  if (tenantCode !== command.tenantCode) return { outcome: { kind: 'tenant_mismatch' }, writes: [] };
  const all: TaskWrites[] = [];
  const results = seen.tasks.map((task) => {
    const reason = skipReason(task, command.to);
    if (reason !== null) return { task, changed: false as const, reason };
    const { push, ...writes } = move(task, seen.event, { ...command, taskId: task.id }, stamp);
    all.push(writes);
    return { task: writes.task, changed: true as const, push: push.plan };
  });
  return { outcome: { kind: 'moved', results }, writes: all };
}

function skipReason(task: TaskRecord, to: TaskState): SkipReason | null {
  if (task.type === 'postmortem_request') return 'postmortem_request';
  if (task.state === to) return 'already_in_state';
  return mayMove(task.type, task.state, to) ? null : 'transition_refused';
}

/** Once, and only while nobody has taken the task over. */
export function decideEscalate(
  seen: SeenTask,
  command: EscalateTask,
  stamp: Stamp,
): Decided<EscalateOutcome> {
  const before = seen.task;
  if (!before) return { outcome: { kind: 'no_task' }, writes: null };
  if (before.escalatedAt !== null || before.state !== 'open')
    return { outcome: { kind: 'unchanged', task: before }, writes: null };
  const { by, note, actor } = command;
  const at = changeTimeOf(before, stamp);
  const { task, entry } = appended(
    { ...before, escalatedAt: at, updatedAt: at },
    at,
    historyOf('escalated', before.state, before.state, { by, note }),
  );
  const push = pushToField(task, seen.event, { kind: 'task', by, reason: note, at }, stamp);
  const audit = auditOf(
    task,
    'task.escalated',
    { actor, before: null, after: { by, note, escalatedAt: at } },
    stamp,
  );
  return {
    outcome: { kind: 'escalated', task, push: push.plan },
    writes: { task, entries: [entry], audit, feedback: push.feedback },
  };
}

function move(
  before: TaskRecord,
  event: EventRecord | null,
  command: MoveTask,
  stamp: Stamp,
): TaskWrites & { push: Push } {
  const { to, by, note, actor } = command;
  const at = changeTimeOf(before, stamp);
  const resultCode = to === 'completed' ? command.resultCode : null;
  const { task, entry } = appended(
    movedTo(before, { to, by, resultCode }, at),
    at,
    historyOf('transition', before.state, to, { by, note, resultCode }),
  );
  const push = pushToField(task, event, { kind: 'task', by, reason: note, at }, stamp);
  const audit = auditOf(
    task,
    'task.moved',
    {
      actor,
      before: { state: before.state, resultCode: before.resultCode },
      after: { state: to, resultCode: task.resultCode, by, note },
    },
    stamp,
  );
  return { task, entries: [entry], audit, feedback: push.feedback, push };
}

/** A rectification that is sent back is no longer completed; its history says that it was. */
export function movedTo(
  before: TaskRecord,
  { to, by, resultCode }: Pick<MoveTask, 'to' | 'by' | 'resultCode'>,
  at: number,
): TaskRecord {
  const moved = { ...before, state: to, updatedAt: at };
  switch (to) {
    case 'taken_over':
      return {
        ...moved,
        takenOverAt: before.takenOverAt ?? at,
        takenOverBy: before.takenOverAt === null ? by : before.takenOverBy,
        completedAt: null,
        resultCode: null,
      };
    case 'completed':
      return { ...moved, completedAt: at, resultCode };
    case 'closed':
      return { ...moved, closedAt: at };
    case 'cancelled':
      return { ...moved, cancelledAt: at };
    case 'open':
      return moved;
  }
}

function refuse(before: TaskRecord, command: MoveTask, stamp: Stamp): Decided<MoveOutcome> {
  const { to, by, note, resultCode, actor } = command;
  const counted = { ...before, refusalCount: before.refusalCount + 1 };
  const kept =
    before.refusalCount < MAX_REFUSALS
      ? appended(
          counted,
          changeTimeOf(before, stamp),
          historyOf('refused', before.state, to, { by, note, resultCode }),
        )
      : { task: counted, entry: null };
  const audit = auditOf(
    before,
    'task.move_refused',
    { actor, before: { state: before.state }, after: { refused: to, by, note } },
    stamp,
  );
  return {
    outcome: { kind: 'refused', task: kept.task },
    writes: { task: kept.task, entries: kept.entry ? [kept.entry] : [], audit, feedback: null },
  };
}

export function historyOf(
  action: HistoryDoc['action'],
  from: TaskState,
  to: TaskState,
  said: Pick<HistoryDoc, 'by' | 'note'> & { resultCode?: HistoryDoc['resultCode'] },
): EntryContent {
  return {
    kind: 'history',
    doc: { action, from, to, by: said.by, note: said.note, resultCode: said.resultCode ?? null },
  };
}
