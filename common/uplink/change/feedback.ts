// What the camera of an event was told, on the way up.
import * as z from 'zod/mini';
import { tenantCode } from '../../core/event/schema.ts';
import { feedbackKinds, feedbackStates } from '../../core/feedback/record.ts';
import { clockTime, line, orNull } from '../item.ts';
import { eventName, id } from './names.ts';

/** Messages of one item at most; of more the newest go up. */
export const MAX_MESSAGES = 1_000;
/** All that the camera of an event was told, and what came of each message. */
export const feedbackItem = z.object({
  change_no: id,
  tenant_code: tenantCode,
  kind: z.literal('feedback'),
  event: eventName,
  messages: z
    .array(
      z.object({
        id: z.string().check(z.minLength(1), z.maxLength(64)),
        kind: z.enum(feedbackKinds),
        state: z.enum(feedbackStates),
        /** Why the last try failed; null: none has, or it was delivered. */
        error: orNull(line(4_000)),
        created_at: clockTime,
        delivered_at: orNull(clockTime),
      }),
    )
    .check(z.maxLength(MAX_MESSAGES)),
});
export type FeedbackItem = z.infer<typeof feedbackItem>;
