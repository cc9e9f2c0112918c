import * as z from 'zod/mini';
import type { Clock } from '../../../common/clock.ts';
import { say } from '../../../common/message.ts';
import { formatTimeOrNull } from '../../../common/time.ts';
import { siteMessages } from '../../site-messages.ts';
import { triesView } from '../flow/schema.ts';
import type { NotificationHandover } from './sender.ts';

const time = z.nullable(z.string());

/** How notifications go up that no channel of the site can deliver; null without headquarters. */
export const handoverStatusView = z.nullable(
  z.object({
    /** Messages that headquarters has not taken. */
    backlog: z.int(),
    /** Of their texts. */
    backlogBytes: z.int(),
    oldestWaitingAt: time,
    /** Messages that headquarters has, or may have, and that have not gone out as far as is known. */
    underWay: z.int(),
    /** Since the start. */
    delivered: z.int(),
    failed: z.int(),
    /** Since the start: what went out by a channel of the site after all. */
    takenBack: z.int(),
    lastAckAt: time,
    ...triesView,
  }),
);

export function handoverStatus(
  sender: NotificationHandover | null,
  clock: Clock,
): z.infer<typeof handoverStatusView> {
  if (!sender) return null;
  const { waiting, bytes, oldestWaitingAt, taken } = sender.waiting;
  const { failures, lastFault, nextAt } = sender.attempts;
  const fault = lastFault;
  const dueIn = Math.max(0, Math.round(nextAt - clock.monotonic()));
  return {
    backlog: waiting,
    backlogBytes: bytes,
    oldestWaitingAt: formatTimeOrNull(oldestWaitingAt),
    underWay: taken,
    ...sender.counts,
    lastAckAt: formatTimeOrNull(sender.lastAckAt),
    lastError: fault && say(siteMessages, fault, 'en'),
    lastErrorCode: fault?.code ?? null,
    lastErrorZh: fault && say(siteMessages, fault, 'zh'),
    consecutiveFailures: failures,
    nextAttemptAt: formatTimeOrNull(failures > 0 ? clock.now() + dueIn : null),
  };
}
