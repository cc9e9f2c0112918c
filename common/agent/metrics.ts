import type { Stores } from '../core/stores.ts';
import { counter, gauge, type Metric } from '../metrics.ts';
import { AGENT } from './act/record.ts';
import type { AgentParts } from './parts.ts';

export function agentMetrics(
  { agent, escalator, groups, summarizer, sender, subscriptions }: AgentParts,
  stores: Pick<Stores, 'events' | 'notifications'>,
): Metric[] {
  const labelled = (label: string, counts: Record<string, number>) =>
    Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }));
  return [
    counter('fieldline_agent_events_total', 'Events that the agent came to, by what came of them', () =>
      labelled('outcome', agent.counts),
    ),
    gauge('fieldline_agent_lag', 'Events that the agent has not come to', async () =>
      Math.max(
        0,
        (await stores.events.bounds()).highWaterMark - ((await subscriptions.find(AGENT))?.cursor ?? 0),
      ),
    ),
    counter('fieldline_agent_deadlines_total', 'Deadlines that passed, by what came of them', () =>
      labelled('outcome', escalator.counts),
    ),
    counter(
      'fieldline_agent_groups_written_total',
      'Incident groups written back',
      () => groups.counts.written,
    ),
    counter('fieldline_agent_summaries_total', 'Summaries of the language model', () =>
      labelled('outcome', summarizer?.counts ?? { succeeded: 0, failed: 0, retried: 0 }),
    ),
    ...notificationMetrics(sender, stores),
  ];
}

function notificationMetrics(sender: AgentParts['sender'], stores: Pick<Stores, 'notifications'>): Metric[] {
  return [
    counter(
      'fieldline_notifications_sent_total',
      'Notifications that a channel took',
      () => sender.counts.sent,
    ),
    counter(
      'fieldline_notification_tries_failed_total',
      'Tries that failed',
      () => sender.counts.failedTries,
    ),
    counter(
      'fieldline_notifications_given_up_total',
      'Notifications given up since start',
      () => sender.counts.givenUp,
    ),
    gauge(
      'fieldline_notifications_pending',
      'Notifications that wait',
      async () => (await stores.notifications.counts()).pending,
    ),
    gauge(
      'fieldline_notifications_failed',
      'Notifications given up',
      async () => (await stores.notifications.counts()).failed,
    ),
  ];
}
