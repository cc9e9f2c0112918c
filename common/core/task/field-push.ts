// What came of telling the field about a task (spec 2, "Transition reply flags").
import type { FeedbackSender } from '../feedback/sender.ts';
import type { BatchResult, CreateOutcome } from './port.ts';
import { skippedFor } from './push.ts';
import type { BatchItem, Pushed, PushPlan, TaskDetail, TaskOrder, TaskSummary } from './record.ts';

/** Who is told why a push failed; bound to one tenant, only the class of the failure. */
export type Reader = { tenantCode: string | null };

const notPushed: Pushed = { pushedToEdge: false, pushSkipped: null, pushError: null };

/** The reply for a message that only the background sends, since the request has tried enough others. */
const leftToBackground: Pushed = {
  ...notPushed,
  pushError: 'not tried within this request; it goes out in the background',
};

/** Tries once to send what is planned, within the request; after a failure the background goes on. */
export async function pushNow(
  sender: Pick<FeedbackSender, 'firstTry'>,
  plan: PushPlan,
  reader: Reader,
): Promise<Pushed> {
  if (plan.feedbackId === null) return { ...notPushed, pushSkipped: plan.skipped, pushError: plan.error };
  const { delivered, error } = await sender.firstTry(plan.feedbackId, reader);
  return { pushedToEdge: delivered, pushSkipped: null, pushError: error };
}

/**
 * What is said of the message to the camera while an order waits for its site. Of a task that is never pushed
 * the site makes none either.
 */
export const waiting = (task: TaskSummary, { instance }: TaskOrder): Pushed => {
  const skipped = skippedFor(task);
  if (skipped !== null) return { ...notPushed, pushSkipped: skipped };
  return {
    ...notPushed,
    pushError:
      `the site ${instance} carries it out and tells the camera when it calls next; what came of it will ` +
      'stand with the order',
  };
};

/** The new task; one that a site is ordered to make has no history yet. */
export const createdOrOrdered = (
  outcome: Exclude<CreateOutcome, { kind: 'bad_event' }>,
): TaskDetail & { order: TaskOrder | null } =>
  outcome.kind === 'created'
    ? { ...outcome.detail, order: null }
    : { task: outcome.task, entries: [], orders: [outcome.order], order: outcome.order };

/** One task of a batch; where it moved, its message is tried now or left to the background. */
export async function batchItem(
  sender: Pick<FeedbackSender, 'firstTry'>,
  result: BatchResult,
  how: { reader: Reader; tryNow: boolean },
): Promise<BatchItem> {
  const { task, changed } = result;
  if (!changed && result.reason === 'ordered')
    return { task, changed, reason: 'ordered', order: result.order, ...waiting(task, result.order) };
  if (!changed) return { task, changed, reason: result.reason, order: null, ...notPushed };
  const pushed =
    how.tryNow || result.push.feedbackId === null
      ? await pushNow(sender, result.push, how.reader)
      : leftToBackground;
  return { task, changed, reason: null, order: null, ...pushed };
}
