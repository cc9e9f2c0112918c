import * as z from 'zod/mini';
import { say } from '../../../common/message.ts';
import { formatTimeOrNull } from '../../../common/time.ts';
import { type LinkFault, siteMessages } from '../../site-messages.ts';
import { triesView } from '../flow/schema.ts';
import type { Orders } from './orders.ts';

const time = z.nullable(z.string());

/** Orders of headquarters on tasks of this site; null without headquarters. */
export const ordersStatusView = z.nullable(
  z.object({
    /**
     * Those whose message to the camera is yet to be tried, and those of the last answer of headquarters that
     * could not be carried out; headquarters repeats these. What came of an order goes up as work.
     */
    backlog: z.int(),
    backlogBytes: z.null(),
    oldestWaitingAt: time,
    /** Since the start. */
    carriedOut: z.int(),
    refused: z.int(),
    failed: z.int(),
    ...triesView,
  }),
);

export function ordersStatus(orders: Orders | null): z.infer<typeof ordersStatusView> {
  if (!orders) return null;
  const { failing, underWay, loop } = orders;
  const waits = [failing.since, underWay.oldestAt].filter((at) => at !== null);
  const reason = failing.reason ?? loop.lastError;
  const fault: LinkFault | null = reason === null ? null : { code: 'site_failed', params: { reason } };
  return {
    backlog: failing.count + underWay.count,
    backlogBytes: null,
    oldestWaitingAt: formatTimeOrNull(waits.length === 0 ? null : Math.min(...waits)),
    ...orders.counts,
    lastError: fault && say(siteMessages, fault, 'en'),
    lastErrorCode: fault?.code ?? null,
    lastErrorZh: fault && say(siteMessages, fault, 'zh'),
    consecutiveFailures: Math.max(failing.count > 0 ? 1 : 0, loop.consecutiveFailures),
    nextAttemptAt: null,
  };
}
