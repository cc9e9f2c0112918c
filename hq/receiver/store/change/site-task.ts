// A task of a site as headquarters keeps it: the site's word is first.
import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm';
import type { TaskEntry, TaskRecord } from '../../../../common/core/task/record.ts';
import type { TaskItem } from '../../../../common/uplink/change/task.ts';
import { emitHazardOfTask } from '../../../integration/store/hazard-from-task.ts';
import { appendAudit } from '../../../store/adapter/audit.ts';
import { readEvent } from '../../../store/adapter/verdict/judged-event.ts';
import { advanceCounter, lockCounter } from '../../../store/engine/counters.ts';
import { taskEntries, tasks } from '../../../store/schema/tables.ts';
import { noteWork, type StoreContext } from './context.ts';

/** Replaces the stored task with that of the site; its id here stays. */
export async function takeTask(taking: StoreContext, item: TaskItem): Promise<void> {
  const { tx, known, stamp } = taking;
  const held = known && (await heldTask(taking, known.id));
  const id = known?.id ?? (await lockCounter(tx, 'task')).value + 1;
  const eventId = item.event === null ? null : taking.eventOf(item.event).id;
  const task = recordOf(taking, item, { id, eventId, held });
  if (held) await tx.db.update(tasks).set(task).where(byTask(task));
  else {
    await tx.db.insert(tasks).values(task);
    if (!known) await advanceCounter(tx, 'task', { value: id, at: stamp.now });
  }
  await layEntries(taking, task, item.task.entries as TaskEntry[]);
  await noteWork(taking, item, { id, mergedInto: null, splitFrom: null, parts: null });
  const before: TaskRecord = held ?? { ...task, state: 'open', resultCode: null };
  const event = eventId === null ? null : await readEvent(tx, eventId);
  await emitHazardOfTask(tx, { before, after: task, event }, stamp);
}

const byTask = ({ tenantCode, id }: Pick<TaskRecord, 'tenantCode' | 'id'>) =>
  and(eq(tasks.tenantCode, tenantCode), eq(tasks.id, id));

async function heldTask({ tx, known }: StoreContext, id: number): Promise<TaskRecord | null> {
  const [held = null] = await tx.db
    .select()
    .from(tasks)
    .where(byTask({ tenantCode: known?.tenantCode ?? '', id }))
    .for('update');
  return held;
}

function recordOf(
  { source, known, stamp }: StoreContext,
  { task, ...item }: TaskItem,
  own: { id: number; eventId: number | null; held: TaskRecord | null },
): TaskRecord {
  return {
    id: own.id,
    tenantCode: item.tenant_code,
    instance: known?.instance ?? source.instance,
    originId: item.id,
    type: task.type,
    state: task.state,
    eventId: own.eventId,
    title: task.title,
    severity: task.severity,
    assigneeOrg: task.assignee_org,
    dueAt: task.due_at,
    suppressed: task.suppressed,
    escalatedAt: task.escalated_at,
    resultCode: task.result_code,
    body: JSON.stringify(task.body),
    createdBy: task.created_by,
    createdAt: item.created_at,
    // Readers that page by change time must find it, however late it came.
    updatedAt: Math.max(stamp.now, own.held?.updatedAt ?? 0),
    takenOverAt: task.taken_over_at,
    takenOverBy: takerIn(task.entries as TaskEntry[]),
    completedAt: task.completed_at,
    closedAt: task.closed_at,
    cancelledAt: task.cancelled_at,
    entryCount: task.entry_count,
    stepCount: task.step_count,
    noteCount: task.note_count,
    refusalCount: task.refusal_count,
  };
}

/** Its history says who took it over, also from a site whose version does not name them beside it. */
function takerIn(entries: readonly TaskEntry[]): string | null {
  const taken = entries.find(
    ({ kind, doc }) =>
      kind === 'history' &&
      'action' in doc &&
      doc.action === 'transition' &&
      doc.from === 'open' &&
      doc.to === 'taken_over',
  );
  return taken?.doc.by ?? null;
}

/**
 * Adds new evidence lines. Evidence is only ever appended, so a stored line that differs was written at the
 * site after the backup that it was restored from; the audit keeps it.
 */
async function layEntries(
  { tx, source, stamp }: StoreContext,
  { tenantCode, id }: TaskRecord,
  given: readonly TaskEntry[],
): Promise<void> {
  const ofTask = and(eq(taskEntries.tenantCode, tenantCode), eq(taskEntries.taskId, id));
  const held = await tx.db.select().from(taskEntries).where(ofTask).orderBy(asc(taskEntries.seq));
  const named = new Map(given.map((entry) => [entry.seq, entry]));
  const replaced = held.filter(
    ({ seq, at, kind, doc }) => !isDeepStrictEqual(named.get(seq), { seq, at, kind, doc }),
  );
  if (replaced.length > 0) {
    const gone = replaced.map(({ seq }) => seq);
    await tx.db
      .delete(taskEntries)
      .where(and(ofTask, or(inArray(taskEntries.seq, gone), gt(taskEntries.seq, given.at(-1)?.seq ?? 0))));
    await appendAudit(tx, {
      id: stamp.newId(),
      at: stamp.now,
      actor: `site:${source.instance}`,
      action: 'task.entries_replaced_by_site',
      subject: `task:${id}`,
      tenantCode,
      before: replaced,
      after: replaced.flatMap(({ seq }) => named.get(seq) ?? []),
    });
  }
  const kept = new Set(held.filter((entry) => !replaced.includes(entry)).map(({ seq }) => seq));
  const fresh = given.filter(({ seq }) => !kept.has(seq));
  for (let from = 0; from < fresh.length; from += CHUNK)
    await tx.db
      .insert(taskEntries)
      .values(fresh.slice(from, from + CHUNK).map((entry) => ({ ...entry, taskId: id, tenantCode })));
}

/** Rows of one INSERT. */
const CHUNK = 1_000;
