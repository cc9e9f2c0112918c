import type { Clock } from '../clock.ts';
import type { Core } from '../core/core.ts';
import type { SecretResolver } from '../core/secret/resolver.ts';
import type { Stores } from '../core/stores.ts';
import type { Networks } from '../http/address.ts';
import type { CreateHttpClient } from '../http/client.ts';
import type { Route } from '../http/route.ts';
import type { Logger } from '../log.ts';
import { counter, type Metric } from '../metrics.ts';
import type { SecretSources, SecretVault } from '../secret.ts';
import { formatTimeOrNull } from '../time.ts';
import { Agent, type AgentSteps } from './act/agent.ts';
import { AGENT } from './act/decide.ts';
import { decisionRoutes } from './act/routes.ts';
import { LeaderLease } from './act/leader-lease.ts';
import { adoptChannels } from './channel/adopt.ts';
import { channelRoutes } from './channel/routes.ts';
import { NotificationSender } from './channel/sender.ts';
import { ChannelService } from './channel/service.ts';
import { Escalator } from './escalation/escalator.ts';
import { IncidentWriter } from './grouping/writer.ts';
import { ruleSetRoutes } from './rule-set/routes.ts';
import type { RuleSet } from './rule-set/rule-set.ts';
import { createModel, type ModelOptions } from './summary/model.ts';
import { Summarizer } from './summary/summarizer.ts';

export interface CreateAgent {
  stores: Stores;
  core: Pick<Core, 'subscriptions' | 'incidents' | 'tasks' | 'feedback'>;
  ruleSet: RuleSet;
  /** AGENT_ENABLED; without it events make no tasks, but channels and what was decided stay to be seen. */
  enabled: boolean;
  tenants: readonly string[] | null;
  channelNetworks: Networks;
  /** null: no summaries. */
  model: ModelOptions | null;
  /** Where an older version kept what channels were given. */
  vault: SecretVault;
  /** Opens that, and the key of the model. */
  secrets: SecretSources;
  /** Opens what channels name. */
  secretResolver: SecretResolver;
  createClient: CreateHttpClient;
  instance: string;
  clock: Clock;
  log: Logger;
  steps?: AgentSteps | undefined;
}

export interface AgentModule {
  routes: Route[];
  metrics: Metric[];
  /** Before the store takes events; what comes from then on is acted on. */
  begin(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** The agent of one store, with its outbox and the routes of its rules. */
export function createAgent(options: CreateAgent): AgentModule {
  const { stores, core, ruleSet, clock, log, instance: self, vault, secrets, secretResolver } = options;
  const leader = new LeaderLease(stores.agent, clock);
  const client = options.createClient(options.channelNetworks);
  // The endpoint of the model is the operator's own word, and may be anywhere.
  const modelClient = options.model && options.createClient();
  const sender = new NotificationSender({
    notifications: stores.notifications,
    channels: stores.channels,
    alarms: stores.alarms,
    client,
    secretResolver,
    clock,
    log,
    self,
  });
  const onNotifications = (): void => sender.loop.kick();
  const agent = new Agent({
    agent: stores.agent,
    subscriptions: core.subscriptions,
    events: stores.events,
    ruleSet,
    leader,
    alarms: stores.alarms,
    tenants: options.tenants,
    summaries: options.model !== null,
    clock,
    log,
    self,
    onNotifications,
    steps: options.steps,
  });
  const escalator = new Escalator({
    agent: stores.agent,
    leader,
    ruleSet,
    alarms: stores.alarms,
    clock,
    log,
    self,
    onNotifications,
    onEscalated: () => {
      core.tasks.counts.escalated += 1;
      core.feedback.loop.kick();
    },
  });
  const groups = new IncidentWriter({
    agent: stores.agent,
    leader,
    incidents: core.incidents,
    events: stores.events,
    clock,
    log,
  });
  const summarizer =
    options.model &&
    modelClient &&
    new Summarizer({
      agent: stores.agent,
      leader,
      tasks: stores.tasks,
      events: stores.events,
      ruleSet,
      ask: createModel(options.model, modelClient, secrets),
      model: options.model.model,
      clock,
      log,
    });
  const loops = [
    ...(options.enabled
      ? [agent.loop, escalator.loop, groups.loop, ...(summarizer ? [summarizer.loop] : [])]
      : []),
    sender.loop,
  ];
  const parts: Parts = { ...options, leader, agent, escalator, groups, summarizer, sender };
  return {
    routes: [
      ...decisionRoutes(stores.agent),
      ...channelRoutes(
        new ChannelService({
          channels: stores.channels,
          sender,
          alarms: stores.alarms,
          secretResolver,
          clock,
        }),
      ),
      ...ruleSetRoutes({
        ruleSet,
        events: stores.events,
        clock,
        facts: (tenantCode) => factsOf(parts, tenantCode),
      }),
    ],
    metrics: metricsOf(parts),
    begin: async () => {
      await adoptChannels({ channels: stores.channels, secretResolver, vault, secrets, log });
      await agent.begin();
    },
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await leader.release();
      client.close();
      modelClient?.close();
    },
  };
}

interface Parts extends CreateAgent {
  leader: LeaderLease;
  agent: Agent;
  escalator: Escalator;
  groups: IncidentWriter;
  summarizer: Summarizer | null;
  sender: NotificationSender;
}

/**
 * A customer is told whether the agent works; how much it does for all tenants together is the operator's.
 */
async function factsOf(
  { enabled, leader, agent, escalator, groups, summarizer, sender, stores, core }: Parts,
  tenantCode: string | null,
): Promise<Record<string, unknown>> {
  const state = !enabled ? 'off' : agent.paused ? 'paused' : leader.held ? 'working' : 'standby';
  if (tenantCode !== null) return { state };
  const [subscription, bounds, outbox] = await Promise.all([
    core.subscriptions.find(AGENT),
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

function metricsOf({ agent, escalator, groups, summarizer, sender, stores, core }: Parts): Metric[] {
  const gauge = (name: string, help: string, read: Metric['read']): Metric => ({
    name,
    help,
    type: 'gauge',
    read,
  });
  const labelled = (label: string, counts: Record<string, number>) =>
    Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }));
  return [
    counter('fieldline_agent_events_total', 'Events that the agent came to, by what came of them', () =>
      labelled('outcome', agent.counts),
    ),
    gauge('fieldline_agent_lag', 'Events that the agent has not come to', async () =>
      Math.max(
        0,
        (await stores.events.bounds()).highWaterMark - ((await core.subscriptions.find(AGENT))?.cursor ?? 0),
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
      labelled('outcome', summarizer?.counts ?? { succeeded: 0, failed: 0 }),
    ),
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
