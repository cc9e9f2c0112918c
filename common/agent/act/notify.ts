import type { Stamp } from '../../clock.ts';
import type { EventRecord } from '../../core/event/record.ts';
import type { ChannelName, NewNotification } from '../../core/notification/record.ts';
import type { CreateTask } from '../../core/task/record.ts';
import type { ChannelSummary } from '../channel/record.ts';
import type { DeadlineRecord, HandleWrites, RuleChoice } from './record.ts';

interface About {
  event: EventRecord;
  choice: RuleChoice;
  message: string;
}

type What = Omit<
  NewNotification,
  | 'id'
  | 'channel'
  | 'channelId'
  | 'handover'
  | 'deliveredBy'
  | 'instance'
  | 'originId'
  | 'state'
  | 'attempts'
  | 'nextAt'
  | 'lastError'
  | 'createdAt'
  | 'settledAt'
>;

/** What the messages of a tenant can go out by. */
export interface Ways {
  /** Enabled channels of the tenant in this store. */
  configured: readonly ChannelSummary[];
  /** Whether headquarters delivers what no channel here can. */
  headquarters: boolean;
}

export function notificationsOf(
  { event, choice, message }: About,
  channels: readonly ChannelName[],
  ways: Ways,
  stamp: Stamp,
): NewNotification[] {
  const about = {
    tenantCode: event.tenantCode,
    eventId: event.id,
    taskId: null,
    kind: 'task' as const,
    ruleName: choice.ruleName,
    severity: choice.severity,
    message,
    isTest: event.isTest,
  };
  return fanOut(about, channels, ways, stamp);
}

/**
 * One row per channel that the tenant has configured. A row for the inbox is delivered by being written; a
 * way that is not configured here goes through headquarters, or is written as failed, so that a person sees
 * it.
 */
export function fanOut(
  what: What,
  channels: readonly ChannelName[],
  ways: Ways,
  stamp: Stamp,
): NewNotification[] {
  const row = (channel: ChannelName, channelId: string | null): NewNotification => ({
    ...what,
    id: stamp.newId(),
    channel,
    channelId,
    handover: null,
    deliveredBy: null,
    instance: null,
    originId: null,
    state: 'pending',
    attempts: 0,
    nextAt: stamp.now,
    lastError: null,
    createdAt: stamp.now,
    settledAt: null,
  });
  return channels.flatMap((channel) => {
    if (channel === 'inbox') return [{ ...row(channel, null), state: 'sent' as const, settledAt: stamp.now }];
    const through = ways.configured.filter((one) => one.channel === channel);
    if (through.length > 0) return through.map(({ id }) => row(channel, id));
    if (ways.headquarters) return [{ ...row(channel, null), handover: 'waiting' as const }];
    return [
      {
        ...row(channel, null),
        state: 'failed' as const,
        settledAt: stamp.now,
        lastError: notConfigured(channel),
      },
    ];
  });
}

export const notConfigured = (channel: ChannelName): string =>
  `no ${channel} channel is configured for the tenant`;

export function deadlineOf(
  { event, choice, message }: About,
  channels: ChannelName[],
  task: CreateTask,
  at: { graceS: number; steadyAt: number; now: number },
): DeadlineRecord | null {
  if (task.dueAt === null) return null;
  return {
    taskId: 0,
    tenantCode: event.tenantCode,
    eventId: event.id,
    ruleName: choice.ruleName,
    channels: channels.length > 0 ? channels : ['inbox'],
    message,
    isTest: event.isTest,
    state: at.graceS < 0 ? 'off' : 'pending',
    escalateAt: at.steadyAt + (task.dueAt - at.now) + Math.max(0, at.graceS) * 1000,
    settledAt: null,
  };
}

/** Fills the number that the task was given into the rows that go with it, and its address into messages. */
export function withTask(writes: HandleWrites, taskId: number | null): HandleWrites {
  const { taskPages } = writes;
  const message = (text: string): string =>
    taskId === null || taskPages === null ? text : `${text}\n${taskPages}${taskId}`;
  return {
    ...writes,
    decision: { ...writes.decision, taskId },
    deadline:
      writes.deadline && taskId !== null
        ? { ...writes.deadline, taskId, message: message(writes.deadline.message) }
        : null,
    notifications: writes.notifications.map((one) => ({ ...one, taskId, message: message(one.message) })),
  };
}
