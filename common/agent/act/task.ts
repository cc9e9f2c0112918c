import { type EventRecord, readDoc } from '../../core/event/record.ts';
import type { ChannelName } from '../../core/notification/record.ts';
import type { CreateTask } from '../../core/task/record.ts';
import { MAX_MESSAGE } from '../../uplink/notification.ts';
import { AGENT, type ClauseOnTask, type RuleChoice } from './record.ts';

export const messageOf = (event: EventRecord, choice: RuleChoice): string =>
  event.isTest ? `【测试】${choice.message}` : choice.message;

/** The message with the clause that applies, where there is room for it. */
export function messageWith(message: string, clause: ClauseOnTask | null): string {
  if (clause === null) return message;
  const whole = `${message}\n《${clause.title}》${clause.path ?? ''}：${clause.text}`;
  return whole.length <= MAX_MESSAGE - ADDRESS ? whole : message;
}

function titleOf(message: string): string {
  const [line = ''] = message.trim().split('\n');
  const letters = [...line];
  return letters.length > TITLE_LENGTH ? `${letters.slice(0, TITLE_LENGTH - 1).join('')}…` : line;
}

export function taskOf(
  event: EventRecord,
  choice: RuleChoice,
  how: {
    suppressed: boolean;
    channels: readonly ChannelName[];
    clause: ClauseOnTask | null;
    now: number;
  },
): CreateTask {
  const { ruleName, ruleVersion, kind } = choice;
  const message = messageOf(event, choice);
  return {
    tenantCode: event.tenantCode,
    type: kind === 'review' ? 'review' : 'disposal',
    eventId: event.id,
    title: titleOf(message) || event.type,
    severity: choice.severity,
    assigneeOrg: choice.assigneeOrg,
    dueAt: choice.dueMinutes === null || how.suppressed ? null : how.now + choice.dueMinutes * 60000,
    suppressed: how.suppressed,
    body: {
      message,
      action: kind,
      rule: ruleName === null ? null : { name: ruleName, version: ruleVersion },
      channels: how.channels,
      ...(how.clause ? { clause: how.clause } : {}),
    },
    by: AGENT,
    actor: AGENT,
  };
}

/** The camera of an event, or the node that posted it where it names none. */
export function cameraOf(event: EventRecord): string {
  const { cameraRef } = readDoc(event);
  return cameraRef === undefined ? `node:${event.nodeKey ?? ''}` : `camera:${cameraRef}`;
}

const TITLE_LENGTH = 200;
/** Characters that the address of a task, which follows, may have. */
const ADDRESS = 300;
