import * as z from 'zod/mini';
import { say } from '../../../common/message.ts';
import { formatTimeOrNull } from '../../../common/time.ts';
import { type LinkFault, siteMessages } from '../../site-messages.ts';
import { triesView } from '../flow/schema.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Orders } from './orders.ts';

const time = z.nullable(z.string());

/** Orders of headquarters on tasks and incident groups of this site; null without headquarters. */
export const ordersStatusView = z.nullable(
  z.object({
    /**
     * Those that are not carried out yet, and those whose message to the camera is yet to be tried. What came
     * of an order goes up as work.
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

export function ordersStatus(orders: Orders | null, inbox: Inbox | null): z.infer<typeof ordersStatusView> {
  if (!orders || !inbox) return null;
  const { underWay, loop } = orders;
  const here = (['order', 'group_order'] as const).map((kind) => inbox.count(kind));
  const waits = [...here, underWay].map(({ oldestAt }) => oldestAt).filter((at) => at !== null);
  const reason = here.find(({ lastError }) => lastError !== null)?.lastError ?? loop.lastError;
  const fault: LinkFault | null = reason === null ? null : { code: 'site_failed', params: { reason } };
  return {
    backlog: here.reduce((sum, { waiting }) => sum + waiting, underWay.count),
    backlogBytes: null,
    oldestWaitingAt: formatTimeOrNull(waits.length === 0 ? null : Math.min(...waits)),
    ...orderCounts(inbox),
    lastError: fault && say(siteMessages, fault, 'en'),
    lastErrorCode: fault?.code ?? null,
    lastErrorZh: fault && say(siteMessages, fault, 'zh'),
    consecutiveFailures: Math.max(here.some(({ failing }) => failing > 0) ? 1 : 0, loop.consecutiveFailures),
    nextAttemptAt: null,
  };
}

/** What came of orders since the start, of both kinds. */
export function orderCounts({ counts: { order, group_order: group } }: Inbox): Inbox['counts']['order'] {
  return {
    carriedOut: order.carriedOut + group.carriedOut,
    refused: order.refused + group.refused,
    failed: order.failed + group.failed,
  };
}
