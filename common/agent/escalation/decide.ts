// Pure: what is still to be done about a deadline, after the task was read again.
import type { Stamp } from '../../clock.ts';
import type { NewNotification } from '../../core/notification/record.ts';
import { decideEscalate, type SeenTask, type TaskWrites } from '../../core/task/decide.ts';
import { fanOut } from '../act/notify.ts';
import type { EscalateDeadline, EscalationOutcome } from '../act/port.ts';
import type { DeadlineRecord } from '../act/record.ts';
import type { ChannelSummary } from '../channel/record.ts';

/**
 * A deadline that is found this long after it was due pages nobody: the outage that delayed it has long been
 * noticed, and many old pages at once would hide the new ones.
 */
export const MISSED_MS = 4 * 3_600_000;

export interface SeenDeadline extends SeenTask {
  deadline: DeadlineRecord | null;
  /** Enabled channels of the tenant. */
  channels: readonly ChannelSummary[];
}

export interface DecidedEscalation {
  outcome: EscalationOutcome;
  deadline: DeadlineRecord | null;
  task: TaskWrites | null;
  notifications: NewNotification[];
}

/**
 * Decides on one step of a deadline by the task as it is now. A task that was taken over, ended or escalated
 * meanwhile, and one whose event was judged a false alarm or merged, is settled and nobody is notified.
 */
export function decideEscalation(
  seen: SeenDeadline,
  command: EscalateDeadline,
  stamp: Stamp,
): DecidedEscalation {
  const { deadline, task, event } = seen;
  if (deadline?.state !== 'pending')
    return { outcome: { kind: 'unchanged' }, deadline: null, task: null, notifications: [] };
  const ended = (state: 'settled' | 'missed'): DecidedEscalation => {
    const row = { ...deadline, state, settledAt: stamp.now };
    return { outcome: { kind: state, deadline: row }, deadline: row, task: null, notifications: [] };
  };
  const standing = event && (event.correctedTo ?? event.verdict);
  if (
    task?.state !== 'open' ||
    task.escalatedAt !== null ||
    standing === 'false_alarm' ||
    standing === 'merged'
  )
    return ended('settled');
  if (command.missed) return ended('missed');
  const { by, note, actor } = command;
  const { outcome, writes } = decideEscalate({ task, event }, { taskId: task.id, by, note, actor }, stamp);
  if (outcome.kind !== 'escalated') return ended('settled');
  const row: DeadlineRecord = { ...deadline, state: 'escalated', settledAt: stamp.now };
  const notifications = fanOut(
    {
      tenantCode: deadline.tenantCode,
      eventId: deadline.eventId,
      taskId: task.id,
      kind: 'escalation',
      ruleName: deadline.ruleName,
      severity: task.severity,
      message: `【超时未接管】${deadline.message}`,
      isTest: deadline.isTest,
    },
    deadline.isTest ? ['inbox'] : deadline.channels,
    { configured: seen.channels, headquarters: command.handsUp },
    stamp,
  );
  return {
    outcome: { kind: 'escalated', deadline: row, notifications },
    deadline: row,
    task: writes,
    notifications,
  };
}
