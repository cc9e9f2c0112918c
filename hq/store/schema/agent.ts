// The agent's tables, and the named secrets, as drizzle sees them, with the columns that a site has too.
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type {
  ActionKind,
  DeadlineState,
  DecisionOutcome,
  SummaryState,
} from '../../../common/agent/act/record.ts';
import type { ChannelFormat } from '../../../common/agent/channel/record.ts';
import type { Severity } from '../../../common/core/event/schema.ts';
import type { IncidentLayer } from '../../../common/core/incident/schema.ts';
import type {
  ChannelName,
  NotificationKind,
  NotificationState,
} from '../../../common/core/notification/record.ts';
import type { SecretUse } from '../../../common/core/secret/record.ts';
import { jsonText, long } from './columns.ts';

export const agentDecisions = pgTable(
  'agent_decisions',
  {
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    outcome: text('outcome').$type<DecisionOutcome>().notNull(),
    ruleName: text('rule_name'),
    ruleVersion: integer('rule_version'),
    action: text('action').$type<ActionKind>().notNull(),
    taskId: long('task_id'),
    note: text('note'),
    summary: text('summary').$type<SummaryState>(),
    decidedAt: long('decided_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.eventId] })],
);

export const agentCooldowns = pgTable(
  'agent_cooldowns',
  {
    tenantCode: text('tenant_code').notNull(),
    camera: text('camera').notNull(),
    eventType: text('event_type').notNull(),
    ruleName: text('rule_name').notNull(),
    isTest: boolean('is_test').notNull(),
    until: long('until').notNull(),
    eventId: long('event_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.camera, t.eventType, t.ruleName, t.isTest] })],
);

export const agentDeadlines = pgTable(
  'agent_deadlines',
  {
    taskId: long('task_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    eventId: long('event_id'),
    ruleName: text('rule_name'),
    channels: jsonText<ChannelName[]>('channels').notNull(),
    message: text('message').notNull(),
    isTest: boolean('is_test').notNull(),
    state: text('state').$type<DeadlineState>().notNull(),
    escalateAt: long('escalate_at').notNull(),
    settledAt: long('settled_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.taskId] })],
);

export const agentChains = pgTable(
  'agent_chains',
  {
    tenantCode: text('tenant_code').notNull(),
    sourceKey: text('source_key').notNull(),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    chainKey: text('chain_key').notNull(),
    siteRef: text('site_ref').notNull(),
    pointRef: text('point_ref'),
    firstAt: long('first_at').notNull(),
    lastAt: long('last_at').notNull(),
    lastCamera: text('last_camera').notNull(),
    traits: jsonText<string[]>('traits').notNull(),
    size: integer('size').notNull(),
    ripe: boolean('ripe').notNull(),
    pending: jsonText<number[]>('pending').notNull(),
    touchedAt: long('touched_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.sourceKey] })],
);

export const agentStates = pgTable('agent_states', {
  name: text('name').primaryKey(),
  lease: text('lease'),
  leasedUntil: long('leased_until').notNull(),
  steadyAt: long('steady_at').notNull(),
});

export const notifications = pgTable(
  'notifications',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    seq: long('seq').notNull(),
    eventId: long('event_id'),
    taskId: long('task_id'),
    kind: text('kind').$type<NotificationKind>().notNull(),
    channel: text('channel').$type<ChannelName>().notNull(),
    channelId: text('channel_id'),
    ruleName: text('rule_name'),
    severity: text('severity').$type<Severity>().notNull(),
    message: text('message').notNull(),
    isTest: boolean('is_test').notNull(),
    state: text('state').$type<NotificationState>().notNull(),
    attempts: integer('attempts').notNull(),
    nextAt: long('next_at').notNull(),
    lastError: text('last_error'),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const channels = pgTable(
  'channels',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    channel: text('channel').$type<Exclude<ChannelName, 'inbox'>>().notNull(),
    format: text('format').$type<ChannelFormat>().notNull(),
    urlRef: text('url_ref').notNull(),
    urlHost: text('url_host').notNull(),
    secretRef: text('secret_ref'),
    recipients: jsonText<string[]>('recipients').notNull(),
    bodyTemplate: text('body_template'),
    contentType: text('content_type'),
    enabled: boolean('enabled').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] })],
);

export const secrets = pgTable(
  'secrets',
  {
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    use: text('use').$type<SecretUse>().notNull(),
    host: text('host').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.name] })],
);
