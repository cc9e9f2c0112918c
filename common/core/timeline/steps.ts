// The entries of each source, in the order in which entries of the same time are shown.
import type { AuditEntry } from '../audit/port.ts';
import { type EventRecord, type Judged, readDoc } from '../event/record.ts';
import { classOf } from '../feedback/decide.ts';
import type { CameraMessage } from '../feedback/record.ts';
import type { Called } from '../instance/record.ts';
import type { HistoryDoc, TaskDetail, TaskEntry, TaskRecord } from '../task/record.ts';
import { reasonOf } from '../verdict/decide.ts';
import type { CorrectionRecord, MergeTarget, VerdictRecord } from '../verdict/record.ts';
import type { KnowledgeEntry, NotificationEntry, SiteDecision } from './port.ts';
import type {
  CallEntry,
  CallMessage,
  Sentence,
  TimelineEntry,
  TimelineKind,
  VerdictBasis,
} from './record.ts';
import * as messages from './timeline-messages.ts';
import { callOpened, callSent, callShown, callTaken, notified } from './way-messages.ts';

/** An entry with its time as the source has it; null, or no time at all, makes it undated. */
export interface Found {
  at: number | null;
  entry: TimelineEntry;
}

interface Origin {
  table: string;
  key: string | number;
  by: string | null;
}

function found(at: number | null, kind: TimelineKind, sentence: Sentence, { table, key, by }: Origin): Found {
  return { at, entry: { kind, by, ...sentence, source: { table, key: String(key) } } };
}

/** What a model judged is shown with the notice that nobody reviewed it. */
function withBasis(step: Found, basis: VerdictBasis): Found {
  return {
    ...step,
    entry: { ...step.entry, basis, ...(basis === 'machine' ? { notice: messages.NOT_REVIEWED } : {}) },
  };
}

/** @param self instance of this store, for events that arose here @param called what people call instances */
export function eventSteps(event: EventRecord, self: string, called: Called): Found[] {
  const origin = { table: 'events', key: event.id, by: null };
  const receivedAt = event.originReceivedAt ?? event.receivedAt;
  const { judged } = readDoc(event);
  return [
    ...(event.occurredAt === null
      ? []
      : [found(event.occurredAt, 'occurred', messages.occurrenceSentence(event.type, event.source), origin)]),
    found(receivedAt, 'received', messages.received(called(event.instance ?? self)), origin),
    // When the camera judged is not known; missing times are never replaced by others.
    ...(judged === undefined ? [] : [judgement(null, judged, { ...origin, withEvent: true })]),
  ];
}

function judgement(
  at: number | null,
  judged: Judged,
  { withEvent, ...origin }: Origin & { withEvent: boolean },
): Found {
  return withBasis(
    found(at, 'judged', messages.judged(judged, withEvent), { ...origin, by: judged.by ?? null }),
    'machine',
  );
}

/** @param audits entries of the verdict's writing, newest first */
export function verdictSteps(
  verdict: VerdictRecord | null,
  audits: readonly AuditEntry[],
  corrections: readonly CorrectionRecord[],
  called: Called,
): Found[] {
  if (!verdict) return [];
  const origin = { table: 'verdicts', key: verdict.eventId, by: verdict.by };
  const { reason, laterNote } = reasonsOf(verdict, audits);
  // Where the event merged into came to be known here later, the sentence of the audit names it by its key.
  const unsaid =
    verdict.note === null &&
    [reasonOf(verdict), reasonOf({ ...verdict, mergedInto: null })].some((sentence) => sentence === reason);
  const given = unsaid ? null : reason;
  const said = laterNote === null ? given : `${given ?? ''} (${laterNote})`;
  const step = withBasis(
    found(
      verdict.at,
      'verdict',
      messages.verdict(verdict.verdict, targetOf(verdict, called), said, false),
      origin,
    ),
    verdict.byKind,
  );
  return [
    ...(verdict.judged ? [judgement(verdict.at, verdict.judged, { ...origin, withEvent: false })] : []),
    { ...step, entry: { ...step.entry, reason, laterNote } },
    ...(verdict.disposition
      ? [found(verdict.at, 'step', messages.disposition(verdict.disposition), origin)]
      : []),
    ...corrections.map((correction) =>
      withBasis(
        found(
          correction.at,
          'verdict',
          messages.verdict(correction.verdict, targetOf(correction, called), correction.note, true),
          { table: 'corrections', key: correction.id, by: correction.by },
        ),
        correction.byKind,
      ),
    ),
  ];
}

const targetOf = (
  { mergedInto, mergedIntoKey, mergedIntoInstance }: MergeTarget,
  called: Called,
): MergeTarget => ({
  mergedInto,
  mergedIntoKey,
  mergedIntoInstance: mergedIntoInstance === null ? null : called(mergedIntoInstance),
});

/**
 * The sentence that the audit kept when the verdict was written, and the note on the verdict where it says
 * something else.
 */
export function reasonsOf(
  verdict: VerdictRecord,
  audits: readonly AuditEntry[],
): { reason: string | null; laterNote: string | null } {
  const after = audits[0]?.after as { reason?: unknown } | null | undefined;
  const kept = after?.reason;
  const reason = typeof kept === 'string' ? kept : verdict.note;
  return { reason, laterNote: verdict.note !== null && verdict.note !== reason ? verdict.note : null };
}

/** Steps of a task's history, those that a camera back-filled included. Pure. */
export function taskSteps({ task, entries }: TaskDetail): Found[] {
  return entries.flatMap((entry) => {
    const step = taskStep(task, entry);
    return step ? [step] : [];
  });
}

function taskStep(task: TaskRecord, entry: TaskEntry): Found | null {
  const origin = { table: 'task_entries', key: `${task.id}/${entry.seq}`, by: entry.doc.by };
  switch (entry.kind) {
    case 'step':
      return found(entry.doc.at, 'step', messages.recordSentence(entry.doc.kind, entry.doc.text), origin);
    case 'edge_note':
      return found(entry.at, 'edge_note', messages.edgeNote(entry.doc.text, entry.doc.pushedToEdge), origin);
    case 'history':
      return historyStep(task, entry.doc, { at: entry.at, origin });
  }
}

function historyStep(
  task: TaskRecord,
  doc: HistoryDoc,
  { at, origin }: { at: number; origin: Origin },
): Found | null {
  const rectification = task.type === 'rectification';
  const line = { id: task.id, type: task.type, note: doc.note };
  if (doc.action === 'created') {
    const own = { table: 'tasks', key: task.id, by: doc.by };
    const titled = { ...line, note: task.title };
    return rectification
      ? found(at, 'rectification_dispatched', messages.task('dispatched', titled), own)
      : found(at, 'task_created', messages.task('created', titled), own);
  }
  // The sentence says what the note would.
  if (doc.action === 'escalated')
    return found(at, 'escalated', messages.task('escalated', { ...line, note: null }), origin);
  // An attempt that was refused changed nothing; a notification is a step of its own.
  if (doc.action === 'refused' || doc.action === 'notified') return null;
  switch (doc.to) {
    case 'taken_over':
      return found(
        at,
        'taken_over',
        messages.task(doc.from === 'completed' ? 'sent_back' : 'taken_over', line),
        origin,
      );
    case 'completed':
      return rectification
        ? found(at, 'pending_acceptance', messages.task('pending_acceptance', line, doc.resultCode), origin)
        : found(at, 'completed', messages.task('completed', line, doc.resultCode), origin);
    case 'closed':
      return found(at, 'closed', messages.task(rectification ? 'accepted' : 'closed', line), origin);
    case 'cancelled':
      return found(at, 'cancelled', messages.task('cancelled', line), origin);
    case 'open':
      return null;
  }
}

/** What headquarters decided on a site's event and the site has not answered yet, or has refused. */
export function decisionSteps(decisions: readonly SiteDecision[], called: Called): Found[] {
  return decisions.map(({ id, kind, instance, createdAt, refused, unclear }) =>
    found(
      refused?.at ?? createdAt,
      'step',
      messages.sentToSiteSentence(kind, called(instance), refused && { ...refused, unclear }),
      {
        table: kind === 'order' ? 'site_orders' : 'decisions',
        key: id,
        by: null,
      },
    ),
  );
}

/** What the field was told. A reminder is shown by the task that it is on. */
export function feedbackSteps(feedback: readonly CameraMessage[]): Found[] {
  return feedback
    .filter(({ kind }) => kind !== 'edge_note')
    .map(({ id, kind, state, lastError, createdAt, deliveredAt }) => {
      const why = state === 'delivered' || lastError === null ? null : classOf(lastError);
      const sentence = messages.message(kind, state, why);
      return found(deliveredAt ?? createdAt, 'edge_note', sentence, { table: 'feedback', key: id, by: null });
    });
}

/** Without recipients: who was told is nobody else's business (spec 2, "Timeline response"). Pure. */
export function notificationSteps(notifications: readonly NotificationEntry[], called: Called): Found[] {
  return notifications.map(({ id, at, way, ...how }) =>
    found(
      at,
      'notified',
      notified({ ...how, way: way.of === 'site' ? { ...way, site: called(way.site) } : way }),
      {
        table: 'notifications',
        key: id,
        by: null,
      },
    ),
  );
}

/** False-alarm cases that were learnt from the event. Pure. */
export function knowledgeSteps(knowledge: readonly KnowledgeEntry[]): Found[] {
  return knowledge.map(({ id, kind, at, by, title, machineGenerated }) => {
    const step = found(at, kind, messages.knowledgeSentence(kind, title), {
      table: 'knowledge',
      key: id,
      by,
    });
    return machineGenerated ? { ...step, entry: { ...step.entry, machineGenerated } } : step;
  });
}

/** Whom it was brought to, whether it came and was seen, and who took it. @param most messages */
export function callSteps(call: CallEntry | null, most: number): Found[] {
  if (!call) return [];
  const { takenAt, takenBy } = call;
  const origin = { table: 'duty_calls', key: call.id, by: takenBy };
  return [
    ...call.sendings.slice(0, most).flatMap(messageSteps),
    ...(takenAt === null || takenBy === null
      ? []
      : [coded(found(takenAt, 'taken_over', callTaken(takenBy), origin), 'call_taken')]),
  ];
}

/** That somebody took it is a step of its own, and not each message that says so. */
function messageSteps(message: CallMessage): Found[] {
  if (message.reason === 'taken') return [];
  const { id, settledAt, createdAt, shownAt, openedAt, userName } = message;
  const origin = { table: 'duty_sendings', key: id, by: null };
  return [
    coded(found(settledAt ?? createdAt, 'notified', callSent(message), origin), 'called'),
    ...(shownAt === null
      ? []
      : [coded(found(shownAt, 'notified', callShown(userName), origin), 'call_shown')]),
    ...(openedAt === null
      ? []
      : [coded(found(openedAt, 'notified', callOpened(userName), origin), 'call_opened')]),
  ];
}

const coded = ({ at, entry }: Found, code: string): Found => ({ at, entry: { ...entry, code } });
