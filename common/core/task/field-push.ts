// What came of telling the field about a task (spec 2, "Transition reply flags").
import type { FeedbackSender } from '../feedback/sender.ts';
import type { PushPlan, PushSkipped } from './record.ts';

/** The reply flags; null where the specification says empty. */
export interface Pushed {
  pushedToEdge: boolean;
  pushSkipped: PushSkipped | null;
  pushError: string | null;
}

/** Who is told why a push failed; bound to one tenant, only the class of the failure. */
export type Reader = { tenantCode: string | null };

export const notPushed: Pushed = { pushedToEdge: false, pushSkipped: null, pushError: null };

/** The reply for a message that only the background sends, since the request has tried enough others. */
export const leftToBackground: Pushed = {
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
