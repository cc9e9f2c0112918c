import type { Stores } from '../core/stores.ts';
import { formatTimeOrNull } from '../time.ts';
import { AGENT } from './act/record.ts';
import type { AgentParts } from './parts.ts';

/**
 * A customer is told whether the agent works; only operators see how much it does for all tenants together.
 */
export async function agentStatus(
  { enabled, leader, agent, escalator, groups, summarizer, sender, subscriptions }: AgentParts,
  stores: Pick<Stores, 'events' | 'notifications'>,
  tenantCode: string | null,
): Promise<Record<string, unknown>> {
  const state = !enabled ? 'off' : agent.paused ? 'paused' : leader.held ? 'working' : 'standby';
  if (tenantCode !== null) return { state };
  const [subscription, bounds, outbox] = await Promise.all([
    subscriptions.find(AGENT),
    stores.events.bounds(),
    stores.notifications.counts(),
  ]);
  return {
    state,
    cursor: subscription?.cursor ?? null,
    head: bounds.highWaterMark,
    lag: subscription ? Math.max(0, bounds.highWaterMark - subscription.cursor) : null,
    agentError: agent.loop.lastError,
    sinceStart: {
      ...agent.counts,
      ...escalator.counts,
      groupsWritten: groups.counts.written,
      summaries: summarizer?.counts ?? null,
    },
    outbox: {
      pending: outbox.pending,
      failed: outbox.failed,
      oldestPendingAt: formatTimeOrNull(outbox.oldestPendingAt),
      ...sender.counts,
    },
  };
}
