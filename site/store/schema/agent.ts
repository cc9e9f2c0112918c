// The agent's tables, and the named secrets, as drizzle sees them, with the columns that headquarters has
// too.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
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

export const agentDecisions = sqliteTable('agent_decisions', {
  eventId: integer('event_id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  outcome: text('outcome').$type<DecisionOutcome>().notNull(),
  ruleName: text('rule_name'),
  ruleVersion: integer('rule_version'),
  action: text('action').$type<ActionKind>().notNull(),
  taskId: integer('task_id'),
  note: text('note'),
  summary: text('summary').$type<SummaryState>(),
  decidedAt: integer('decided_at').notNull(),
});

export const agentCooldowns = sqliteTable(
  'agent_cooldowns',
  {
    tenantCode: text('tenant_code').notNull(),
    camera: text('camera').notNull(),
    eventType: text('event_type').notNull(),
    ruleName: text('rule_name').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    until: integer('until').notNull(),
    eventId: integer('event_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.camera, t.eventType, t.ruleName, t.isTest] })],
);

export const agentDeadlines = sqliteTable('agent_deadlines', {
  taskId: integer('task_id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  eventId: integer('event_id'),
  ruleName: text('rule_name'),
  channels: text('channels', { mode: 'json' }).$type<ChannelName[]>().notNull(),
  message: text('message').notNull(),
  isTest: integer('is_test', { mode: 'boolean' }).notNull(),
  state: text('state').$type<DeadlineState>().notNull(),
  escalateAt: integer('escalate_at').notNull(),
  settledAt: integer('settled_at'),
});

export const agentChains = sqliteTable(
  'agent_chains',
  {
    tenantCode: text('tenant_code').notNull(),
    sourceKey: text('source_key').notNull(),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    chainKey: text('chain_key').notNull(),
    siteRef: text('site_ref').notNull(),
    pointRef: text('point_ref'),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
    lastCamera: text('last_camera').notNull(),
    traits: text('traits', { mode: 'json' }).$type<string[]>().notNull(),
    size: integer('size').notNull(),
    ripe: integer('ripe', { mode: 'boolean' }).notNull(),
    pending: text('pending', { mode: 'json' }).$type<number[]>().notNull(),
    touchedAt: integer('touched_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.sourceKey] })],
);

export const agentStates = sqliteTable('agent_states', {
  name: text('name').primaryKey(),
  lease: text('lease'),
  leasedUntil: integer('leased_until').notNull(),
  steadyAt: integer('steady_at').notNull(),
});

export const notifications = sqliteTable('notifications', {
  id: text('id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  seq: integer('seq').notNull(),
  eventId: integer('event_id'),
  taskId: integer('task_id'),
  kind: text('kind').$type<NotificationKind>().notNull(),
  channel: text('channel').$type<ChannelName>().notNull(),
  channelId: text('channel_id'),
  ruleName: text('rule_name'),
  severity: text('severity').$type<Severity>().notNull(),
  message: text('message').notNull(),
  isTest: integer('is_test', { mode: 'boolean' }).notNull(),
  state: text('state').$type<NotificationState>().notNull(),
  attempts: integer('attempts').notNull(),
  nextAt: integer('next_at').notNull(),
  lastError: text('last_error'),
  createdAt: integer('created_at').notNull(),
  settledAt: integer('settled_at'),
});

export const channels = sqliteTable('channels', {
  id: text('id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  name: text('name').notNull(),
  channel: text('channel').$type<Exclude<ChannelName, 'inbox'>>().notNull(),
  format: text('format').$type<ChannelFormat>().notNull(),
  urlRef: text('url_ref').notNull(),
  urlHost: text('url_host').notNull(),
  secretRef: text('secret_ref'),
  recipients: text('recipients', { mode: 'json' }).$type<string[]>().notNull(),
  bodyTemplate: text('body_template'),
  contentType: text('content_type'),
  enabled: integer('enabled', { mode: 'boolean' }).notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const secrets = sqliteTable(
  'secrets',
  {
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    use: text('use').$type<SecretUse>().notNull(),
    host: text('host').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.name] })],
);
