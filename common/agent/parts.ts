import type { AgentConfig } from '../agent-config.ts';
import type { CoreBase, CoreSecrets } from '../core/compose/part.ts';
import type { Core } from '../core/core.ts';
import { ModelBudget } from '../core/model-call/budget.ts';
import { HourlyCalls } from '../core/model-call/hourly.ts';
import type { HttpClient } from '../http/outbound/client.ts';
import type { Loop } from '../loop.ts';
import type { Catalogue } from '../message.ts';
import { Agent, type AgentSteps, type FindClause } from './act/agent.ts';
import { LeaderLease } from './act/leader-lease.ts';
import { AlarmNotices } from './alarm/notices.ts';
import { NotificationSender } from './channel/sender.ts';
import type { MailClient } from './channel/smtp.ts';
import { Escalator } from './escalation/escalator.ts';
import { IncidentWriter } from './grouping/writer.ts';
import type { RuleSet } from './rule-set/rule-set.ts';
import { createModel } from './summary/model.ts';
import { type FindPolicies, Summarizer } from './summary/summarizer.ts';

/** What of the core the agent works with. */
export type AgentCore = Pick<Core, 'subscriptions' | 'incidents' | 'tasks' | 'feedback'>;

/** The background work of the agent. */
export interface AgentParts {
  /** Without it events make no tasks, but notifications of people's tasks are still sent. */
  enabled: boolean;
  leader: LeaderLease;
  agent: Agent;
  escalator: Escalator;
  groups: IncidentWriter;
  summarizer: Summarizer | null;
  sender: NotificationSender;
  alarmNotices: AlarmNotices;
  subscriptions: AgentCore['subscriptions'];
}

export interface AgentPartOptions {
  /** Sentences of the alarms of this program. */
  messages: Catalogue;
  config: AgentConfig;
  /** Tenants that are served; null: every one. */
  tenants: readonly string[] | null;
  steps?: AgentSteps | undefined;
  /** Left out, or null: there is no policy library here. */
  policies?: FindPolicies | null;
  /** What applies to an event; left out, or null: it is not looked up. */
  clauses?: FindClause | null;
  /** Left out, or null: there is no headquarters above. */
  above?: NotificationsAbove | null;
}

/** Headquarters, which delivers what no channel here can. */
export interface NotificationsAbove {
  /** Something may wait to be handed to it. */
  notify: () => void;
}

/** How the agent reaches the outside; closed by whoever made them. */
export interface AgentClients {
  channels: HttpClient;
  mail: MailClient;
  /** null without a language model. */
  model: HttpClient | null;
}

interface Outbox {
  onNotifications: () => void;
  handsUp: () => boolean;
}

/** Makes the loops in the order in which they need each other; none is started. */
export function createParts(
  base: CoreBase,
  core: AgentCore,
  ruleSet: RuleSet,
  secrets: CoreSecrets,
  clients: AgentClients,
  options: AgentPartOptions,
): AgentParts {
  const leader = new LeaderLease(base.stores.agent, base.clock);
  const sender = createSender(base, secrets, clients);
  const { above } = options;
  const onNotifications = (): void => {
    sender.loop.kick();
    above?.notify();
  };
  const handsUp = (): boolean => above !== null && above !== undefined;
  return {
    enabled: options.config.enabled,
    leader,
    sender,
    agent: createActor(base, core, ruleSet, leader, { onNotifications, handsUp }, options),
    escalator: createEscalator(base, core, ruleSet, leader, { onNotifications, handsUp }),
    groups: createIncidentWriter(base, core, leader),
    summarizer: createSummarizer(base, ruleSet, secrets, leader, clients, options),
    alarmNotices: createAlarmNotices(base, onNotifications, options),
    subscriptions: core.subscriptions,
  };
}

/** The loops that are to run. */
export function loopsOf({ enabled, sender, alarmNotices, ...acting }: AgentParts): Loop[] {
  const outbox = [sender.loop, alarmNotices.loop];
  if (!enabled) return outbox;
  const { agent, escalator, groups, summarizer } = acting;
  return [agent.loop, escalator.loop, groups.loop, ...(summarizer ? [summarizer.loop] : []), ...outbox];
}

function createAlarmNotices(
  { stores, clock, log, names, zones }: CoreBase,
  onNotifications: () => void,
  { messages }: AgentPartOptions,
): AlarmNotices {
  const { alarms, alarmNotices: notices, channels } = stores;
  return new AlarmNotices({
    ...{ alarms, notices, channels, messages, names, zones },
    ...{ onNotifications, clock, log },
  });
}

function createSender(
  { stores, clock, log, instance }: CoreBase,
  secrets: CoreSecrets,
  clients: AgentClients,
): NotificationSender {
  return new NotificationSender({
    notifications: stores.notifications,
    channels: stores.channels,
    alarms: stores.alarms,
    client: clients.channels,
    mailClient: clients.mail,
    secretResolver: secrets.resolver,
    clock,
    log,
    self: instance,
  });
}

function createActor(
  { stores, clock, log, instance }: CoreBase,
  core: AgentCore,
  ruleSet: RuleSet,
  leader: LeaderLease,
  outbox: Outbox,
  { config, tenants, steps, above, clauses = null }: AgentPartOptions,
): Agent {
  return new Agent({
    agent: stores.agent,
    subscriptions: core.subscriptions,
    events: stores.events,
    ruleSet,
    leader,
    alarms: stores.alarms,
    tenants,
    summaries: config.model !== null,
    clauses,
    taskPages: config.linkUrl && taskPagesAt(config.linkUrl, above ? instance : null),
    clock,
    log,
    self: instance,
    ...outbox,
    steps,
  });
}

/** @param site whose tasks headquarters finds by the number that they have there; null: it is headquarters */
const taskPagesAt = (url: string, site: string | null): string =>
  site === null ? `${url}/tasks/` : `${url}/tasks/of/${encodeURIComponent(site)}/`;

function createEscalator(
  { stores, clock, log, instance }: CoreBase,
  core: AgentCore,
  ruleSet: RuleSet,
  leader: LeaderLease,
  outbox: Outbox,
): Escalator {
  return new Escalator({
    agent: stores.agent,
    leader,
    ruleSet,
    alarms: stores.alarms,
    leftOut: stores.leftOut,
    clock,
    log,
    self: instance,
    ...outbox,
    onEscalated: () => {
      core.tasks.counts.escalated += 1;
      core.feedback.loop.kick();
    },
  });
}

function createIncidentWriter(
  { stores, clock, log }: CoreBase,
  core: AgentCore,
  leader: LeaderLease,
): IncidentWriter {
  return new IncidentWriter({
    agent: stores.agent,
    leader,
    incidents: core.incidents,
    events: stores.events,
    leftOut: stores.leftOut,
    clock,
    log,
  });
}

function createSummarizer(
  { stores, clock, log, instance, cameras }: CoreBase,
  ruleSet: RuleSet,
  secrets: CoreSecrets,
  leader: LeaderLease,
  clients: AgentClients,
  { config: { model }, policies = null }: AgentPartOptions,
): Summarizer | null {
  if (!model || !clients.model) return null;
  return new Summarizer({
    agent: stores.agent,
    leader,
    tasks: stores.tasks,
    events: stores.events,
    ruleSet,
    policies,
    ask: createModel(model, clients.model, secrets.sources),
    budget: new ModelBudget({
      kind: 'summary',
      // At a site they may be set while the program runs.
      get most() {
        return model.callsPerDay;
      },
      calls: stores.modelCalls,
      alarms: stores.alarms,
      instance,
      clock,
    }),
    hourly: new HourlyCalls({
      get most() {
        return model.callsPerHour;
      },
      ...{ alarms: stores.alarms, instance, clock },
    }),
    model: model.model,
    leftOut: stores.leftOut,
    cameras,
    clock,
    log,
  });
}
