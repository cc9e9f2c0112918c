import type { Stamp } from '../../clock.ts';
import { formatTime } from '../../time.ts';
import type { EventRecord } from '../event/record.ts';
import { messageToCamera } from '../feedback/decide.ts';
import type { FeedbackRecord } from '../feedback/record.ts';
import type { PushPlan, PushSkipped, TaskSummary } from './record.ts';
import type { TaskType } from './schema.ts';

/** Only these are pushed to the field. */
export const isDisposal = (type: TaskType): boolean => type === 'disposal' || type === 'rectification';

const NOT_TOLD: PushPlan = { feedbackId: null, skipped: null, error: null };

export interface Push {
  plan: PushPlan;
  feedback: FeedbackRecord | null;
}

export interface PushMessage {
  /** `task` for progress, `edge_note` for a reminder. */
  kind: 'task' | 'edge_note';
  by: string;
  reason: string | null;
  /** Epoch ms. */
  at: number;
}

/** Why nothing is ever pushed about a task; null: it is. */
export function skippedFor(task: TaskSummary): PushSkipped | null {
  if (!isDisposal(task.type)) return 'non_disposal';
  return task.eventId === null ? 'not_on_event' : null;
}

/**
 * The message about a task to the camera that raised its event, or why there is none (spec 2, "Transition
 * reply flags").
 * @param event of the task; null when it has none or the event is not kept any more
 */
export function pushToField(
  task: TaskSummary,
  event: EventRecord | null,
  message: PushMessage,
  stamp: Stamp,
): Push {
  const skipped = skippedFor(task);
  if (skipped !== null) return unsent({ skipped });
  if (event === null)
    return unsent({ error: 'the event is not kept here any more, and with it the address of its camera' });
  if (event.instance !== null)
    return unsent({
      error: `the event arose at ${event.instance}, whose cameras cannot be reached from here`,
    });
  const content = {
    taskId: task.id,
    taskState: task.state,
    by: message.by,
    reason: message.reason,
    at: formatTime(message.at),
  };
  const feedback = messageToCamera(event, message.kind, content, stamp);
  if (feedback === null) return unsent({ error: 'the event came without a feedback address' });
  return { plan: { ...NOT_TOLD, feedbackId: feedback.id }, feedback };
}

const unsent = (why: Partial<PushPlan>): Push => ({ plan: { ...NOT_TOLD, ...why }, feedback: null });
