import type { CoreBase, CorePart, CoreSecrets } from '../core/compose/part.ts';
import type { CreateHttpClient } from '../http/outbound/client.ts';
import { decisionRoutes } from './act/routes.ts';
import { channelRoutes } from './channel/routes.ts';
import type { NotificationSender } from './channel/sender.ts';
import { ChannelService } from './channel/service.ts';
import { MailClient } from './channel/smtp.ts';
import { agentMetrics } from './metrics.ts';
import { type AgentCore, type AgentPartOptions, type AgentParts, createParts, loopsOf } from './parts.ts';
import { ruleSetRoutes } from './rule-set/routes.ts';
import type { RuleSet } from './rule-set/rule-set.ts';
import { agentStatus } from './status.ts';

export interface CreateAgent extends AgentPartOptions {
  base: CoreBase;
  core: AgentCore;
  ruleSet: RuleSet;
  secrets: CoreSecrets;
  createClient: CreateHttpClient;
}

export interface AgentModule extends CorePart {
  /** Before the store takes events; what comes from then on is acted on. */
  begin(): Promise<void>;
  /** Brings one message through a channel now, for whoever keeps an outbox of his own. */
  deliver: NotificationSender['deliver'];
}

/** The agent of one store, with its outbox and the routes of its rules. */
export function createAgent(options: CreateAgent): AgentModule {
  const { base, core, ruleSet, secrets, createClient, config } = options;
  const channelClient = createClient(config.channelNetworks);
  // The administrator configures the endpoint of the model, so that it may be at any address.
  const modelClient = config.model && createClient();
  const mailClient = new MailClient(config.channelNetworks);
  const clients = { channels: channelClient, mail: mailClient, model: modelClient };
  const parts = createParts(base, core, ruleSet, secrets, clients, options);
  const loops = loopsOf(parts);
  return {
    routes: agentRoutes(base, ruleSet, secrets, parts),
    metrics: agentMetrics(parts, base.stores),
    begin: () => parts.agent.begin(),
    deliver: (channel, row, signal) => parts.sender.deliver(channel, row, signal),
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await parts.leader.release();
      channelClient.close();
      modelClient?.close();
    },
  };
}

function agentRoutes(
  { stores, clock, instance }: CoreBase,
  ruleSet: RuleSet,
  secrets: CoreSecrets,
  parts: AgentParts,
): CorePart['routes'] {
  const channels = new ChannelService({
    channels: stores.channels,
    alarms: stores.alarms,
    sender: parts.sender,
    secretResolver: secrets.resolver,
    clock,
  });
  return [
    ...decisionRoutes(stores.agent),
    ...channelRoutes(channels),
    ...ruleSetRoutes({
      ruleSet,
      events: stores.events,
      clock,
      self: instance,
      agentStatus: (tenantCode) => agentStatus(parts, stores, tenantCode),
    }),
  ];
}
