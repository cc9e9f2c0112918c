import * as z from 'zod/mini';
import type { Clock } from '../../../common/clock.ts';
import { evidenceModes } from '../../../common/core/evidence/schema.ts';
import { say } from '../../../common/message.ts';
import { formatTimeOrNull } from '../../../common/time.ts';
import { siteMessages } from '../../site-messages.ts';
import { triesView } from '../flow/schema.ts';
import type { EvidenceSender } from './sender.ts';

const time = z.nullable(z.string());

/** How evidence goes up, beside the channels; null without headquarters. */
export const evidenceStatusView = z.nullable(
  z.object({
    mode: z.enum(evidenceModes),
    /** Kilobits a second at most; null: no cap. */
    kbps: z.nullable(z.int()),
    /** Files that wait to go up, wanted or offered, and their bytes. */
    backlog: z.int(),
    backlogBytes: z.int(),
    /** When the oldest of them was asked for, or its event received. */
    oldestWaitingAt: time,
    /** Wanted files that the camera has not sent. */
    awaited: z.int(),
    /** Uploads to the storage of consumers of headquarters that are not carried out. */
    orders: z.int(),
    /** Since the start. */
    sentFiles: z.int(),
    sentBytes: z.int(),
    /**
     * Pictures that wait for their preview to be sent; since the start: previews sent and their bytes,
     * pictures of which none can be made, and previews that headquarters did not take.
     */
    previews: z.object({
      waiting: z.int(),
      sent: z.int(),
      bytes: z.int(),
      unreadable: z.int(),
      refused: z.int(),
    }),
    lastAckAt: time,
    ...triesView,
  }),
);

export function evidenceStatus(
  sender: EvidenceSender | null,
  clock: Clock,
): z.infer<typeof evidenceStatusView> {
  if (!sender) return null;
  const { files, bytes, oldestAt, awaited, orders } = sender.waiting;
  const { failures, lastFault, nextAt } = sender.attempts;
  const fault = lastFault;
  const dueIn = Math.max(0, Math.round(nextAt - clock.monotonic()));
  return {
    mode: sender.mode,
    kbps: sender.pace.kbps,
    backlog: files,
    backlogBytes: bytes,
    oldestWaitingAt: formatTimeOrNull(oldestAt),
    awaited,
    orders,
    sentFiles: sender.counts.files,
    sentBytes: sender.counts.bytes,
    previews: { waiting: sender.previews.waiting, ...sender.previews.counts },
    lastAckAt: formatTimeOrNull(sender.lastAckAt),
    lastError: fault && say(siteMessages, fault, 'en'),
    lastErrorCode: fault?.code ?? null,
    lastErrorZh: fault && say(siteMessages, fault, 'zh'),
    consecutiveFailures: failures,
    nextAttemptAt: formatTimeOrNull(failures > 0 ? clock.now() + dueIn : null),
  };
}
