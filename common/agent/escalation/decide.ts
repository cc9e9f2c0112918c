// Pure: what is still to be done about a deadline, after the task was read again.
import type { Stamp } from '../../clock.ts';
import type { NewNotification } from '../../core/notification/record.ts';
import { decideEscalate, type SeenTask, type TaskWrites } from '../../core/task/decide.ts';
import { fanOut } from '../act/notify.ts';
import type { EscalateDeadline, EscalationOutcome } from '../act/port.ts';
import type { DeadlineRecord } from '../act/record.ts';
import type { ChannelSummary } from '../channel/record.ts';

/** A deadline that is found this long after it was due pages all the same, and says how late it is. */
export const LATE_MS = 10 * 60_000;

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
  const settled = (): DecidedEscalation => {
    const row = { ...deadline, state: 'settled' as const, settledAt: stamp.now };
    return { outcome: { kind: 'settled', deadline: row }, deadline: row, task: null, notifications: [] };
  };
  const standing = event && (event.correctedTo ?? event.verdict);
  if (
    task?.state !== 'open' ||
    task.escalatedAt !== null ||
    standing === 'false_alarm' ||
    standing === 'merged'
  )
    return settled();
  const { by, note, actor } = command;
  const { outcome, writes } = decideEscalate({ task, event }, { taskId: task.id, by, note, actor }, stamp);
  if (outcome.kind !== 'escalated') return settled();
  const row: DeadlineRecord = { ...deadline, state: 'escalated', settledAt: stamp.now };
  const notifications = fanOut(
    {
      tenantCode: deadline.tenantCode,
      eventId: deadline.eventId,
      taskId: task.id,
      kind: 'escalation',
      ruleName: deadline.ruleName,
      severity: task.severity,
      message: `【超时未接管${lateness(command.lateMs)}】${deadline.message}`,
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

/** What the page says of a deadline that was found late; nothing of one that was found in time. */
function lateness(lateMs: number): string {
  if (lateMs < LATE_MS) return '';
  const minutes = Math.floor(lateMs / 60_000);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const parts = [hours > 0 ? `${hours} 小时` : '', rest > 0 ? `${rest} 分钟` : ''];
  return `，通知迟发 ${parts.filter((part) => part !== '').join(' ')}`;
}
