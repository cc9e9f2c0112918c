// How the rows of tasks are locked, decided on and written, within a transaction.
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import { decideCreate, type SeenTask, type TaskWrites } from '../../../../common/core/task/decide.ts';
import { changedMembers } from '../../../../common/core/task/entries.ts';
import type { CreateOutcome } from '../../../../common/core/task/port.ts';
import type { CreateTask, TaskRecord } from '../../../../common/core/task/record.ts';
import { unsettledStates } from '../../../../common/core/task/settle.ts';
import { conflict } from '../../../../common/http/error.ts';
import { advanceCounter, lockCounter } from '../../engine/counters.ts';
import type { Tx } from '../../engine/database.ts';
import { feedback, taskEntries, tasks } from '../../schema/tables.ts';
import { appendAudit } from '../audit.ts';
import { readEvent } from '../verdict/judged-event.ts';

/** Within the open transaction. */
export async function createTask(tx: Tx, command: CreateTask, stamp: Stamp): Promise<CreateOutcome> {
  const event = command.eventId === null ? null : await readEvent(tx, command.eventId);
  const counter = await lockCounter(tx, 'task');
  const { outcome, writes } = decideCreate({ id: counter.value + 1, event }, command, stamp);
  if (!writes) return outcome;
  await tx.db.insert(tasks).values(writes.task);
  await accompany(tx, writes);
  await advanceCounter(tx, 'task', { value: writes.task.id, at: stamp.now });
  return outcome;
}

/**
 * The task with its event. The row lock lets one writer of a task at a time decide; what it waited for is
 * seen by the read after it.
 */
export async function seenTask(tx: Tx, id: number): Promise<SeenTask> {
  const [task = null] = await tx.db.select().from(tasks).where(eq(tasks.id, id)).for('update');
  return { task, event: task && task.eventId !== null ? await readEvent(tx, task.eventId) : null };
}

/** The reviews of these events that headquarters keeps and nobody has settled, locked, by id. */
export function lockReviews(tx: Tx, eventIds: readonly number[]): Promise<TaskRecord[]> {
  return tx.db
    .select()
    .from(tasks)
    .where(
      and(
        inArray(tasks.eventId, [...eventIds]),
        eq(tasks.type, 'review'),
        inArray(tasks.state, unsettledStates),
        isNull(tasks.instance),
      ),
    )
    .orderBy(asc(tasks.id))
    .for('update');
}

/** Within the open transaction. */
export async function writeTask(tx: Tx, before: TaskRecord | null, writes: TaskWrites): Promise<void> {
  if (!before) throw new Error('a change was decided without its task');
  // The next message from the site would undo a change made here.
  if (before.instance !== null)
    throw conflict('task_of_site', `Task ${before.id} is kept by the site ${before.instance}; act there.`);
  const changed = changedMembers(before, writes.task);
  if (Object.keys(changed).length > 0) {
    await tx.db
      .update(tasks)
      .set(changed)
      .where(and(eq(tasks.tenantCode, before.tenantCode), eq(tasks.id, before.id)));
  }
  await accompany(tx, writes);
}

async function accompany(
  tx: Tx,
  { task, entries, audit: entry, feedback: message }: TaskWrites,
): Promise<void> {
  if (entries.length > 0)
    await tx.db
      .insert(taskEntries)
      .values(entries.map((one) => ({ ...one, taskId: task.id, tenantCode: task.tenantCode })));
  await appendAudit(tx, entry);
  if (message) await tx.db.insert(feedback).values(message);
}
