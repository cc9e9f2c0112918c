// Decisions on what is added to a task without moving it: steps, edge notes, members of its body.
import type { Stamp } from '../../clock.ts';
import { bodyTooLarge } from './body.ts';
import type { Decided, SeenTask } from './decide.ts';
import { appended, auditOf, changeTimeOf, missingTask, requireTask } from './entries.ts';
import type { BodyOutcome, NoteOutcome, RecordedNote, StepOutcome } from './port.ts';
import { isDisposal, pushToField } from './push.ts';
import type { AddStep, ChangeBody, EdgeNoteDoc, SendEdgeNote, StepDoc, TaskRecord } from './record.ts';
import { MAX_STEPS } from './schema.ts';

/** Reminders to the field that one task holds. */
export const MAX_EDGE_NOTES = 1000;

/** A disposition step; it never changes the task's state (spec 2, "Task step record"). Pure. */
export function decideStep(seen: SeenTask, command: AddStep, stamp: Stamp): Decided<StepOutcome> {
  const missing = missingTask(seen.task, command.tenantCode);
  if (missing) return { outcome: missing, writes: null };
  const before = requireTask(seen.task);
  if (before.stepCount >= MAX_STEPS) return { outcome: { kind: 'too_many_steps' }, writes: null };
  const receivedAt = changeTimeOf(before, stamp);
  const { kind, text, by, actor } = command;
  const step: StepDoc = { kind, text, by, at: command.at ?? receivedAt, taskState: before.state };
  const { task, entry } = appended(
    { ...before, stepCount: before.stepCount + 1, updatedAt: receivedAt },
    receivedAt,
    { kind: 'step', doc: step },
  );
  const audit = auditOf(task, 'task.step_added', { actor, before: null, after: step }, stamp);
  return {
    outcome: { kind: 'added', task, step, receivedAt },
    writes: { task, entries: [entry], audit, feedback: null },
  };
}

/**
 * Lays members over the body. The audit gets the members that were named, as they were and as they became.
 */
export function decideBody(seen: SeenTask, command: ChangeBody, stamp: Stamp): Decided<BodyOutcome> {
  const missing = missingTask(seen.task, command.tenantCode);
  if (missing) return { outcome: missing, writes: null };
  const before = requireTask(seen.task);
  const was = freeBody(before);
  const body = { ...was, ...command.body };
  const fault = bodyTooLarge(body);
  if (fault !== null) return { outcome: { kind: 'too_large', fault }, writes: null };
  const task = { ...before, body: JSON.stringify(body), updatedAt: changeTimeOf(before, stamp) };
  const named = Object.fromEntries(
    Object.keys(command.body)
      .filter((name) => Object.hasOwn(was, name))
      .map((name) => [name, was[name]]),
  );
  const audit = auditOf(
    task,
    'task.body_changed',
    { actor: command.actor, before: named, after: { by: command.by, body: command.body } },
    stamp,
  );
  return { outcome: { kind: 'changed', task }, writes: { task, entries: [], audit, feedback: null } };
}

/** The message of a reminder. What came of it is appended by `decideRecordedNote`. */
export function decideSendNote(seen: SeenTask, command: SendEdgeNote, stamp: Stamp): Decided<NoteOutcome> {
  const missing = missingTask(seen.task, command.tenantCode);
  if (missing) return { outcome: missing, writes: null };
  const task = requireTask(seen.task);
  if (!isDisposal(task.type)) return { outcome: { kind: 'non_disposal' }, writes: null };
  if (task.noteCount >= MAX_EDGE_NOTES) return { outcome: { kind: 'too_many_edge_notes' }, writes: null };
  const { text, by, actor } = command;
  const push = pushToField(
    task,
    seen.event,
    { kind: 'edge_note', by, reason: text, at: changeTimeOf(task, stamp) },
    stamp,
  );
  const audit = auditOf(
    task,
    'task.edge_note_sent',
    { actor, before: null, after: { text, by, feedbackId: push.plan.feedbackId } },
    stamp,
  );
  return {
    outcome: { kind: 'sent', task, push: push.plan },
    writes: { task, entries: [], audit, feedback: push.feedback },
  };
}

/** A reminder and what came of its way to the field, appended to the history of the task. Pure. */
export function decideRecordedNote(
  seen: SeenTask,
  note: EdgeNoteDoc,
  actor: string,
  stamp: Stamp,
): Decided<RecordedNote> {
  const before = seen.task;
  if (!before) return { outcome: { kind: 'no_task' }, writes: null };
  const at = changeTimeOf(before, stamp);
  const { task, entry } = appended({ ...before, noteCount: before.noteCount + 1, updatedAt: at }, at, {
    kind: 'edge_note',
    doc: note,
  });
  const audit = auditOf(task, 'task.edge_note_recorded', { actor, before: null, after: note }, stamp);
  return {
    outcome: { kind: 'recorded', task, at },
    writes: { task, entries: [entry], audit, feedback: null },
  };
}

export const freeBody = (task: TaskRecord): Record<string, unknown> =>
  JSON.parse(task.body) as Record<string, unknown>;
