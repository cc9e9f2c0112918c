// What the agent keeps of its work.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type {
  ActionKind,
  DeadlineState,
  DecisionOutcome,
  SummaryState,
} from '../../../common/agent/act/record.ts';
import type { IncidentLayer } from '../../../common/core/incident/schema.ts';
import type { ChannelName } from '../../../common/core/notification/record.ts';

/** What the agent decided, once per event: a replayed event finds its row here. */
export const agentDecisions = sqliteTable(
  'agent_decisions',
  {
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
  },
  (t) => [
    index('agent_decisions_summary')
      .on(t.eventId)
      .where(sql`summary = 'pending'`),
    index('agent_decisions_tenant').on(t.tenantCode, t.eventId),
  ],
);

/** Times of the agent's steady clock, which never falls. */
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
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.camera, t.eventType, t.ruleName, t.isTest] }),
    index('agent_cooldowns_until').on(t.until),
  ],
);

export const agentDeadlines = sqliteTable(
  'agent_deadlines',
  {
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
  },
  (t) => [
    index('agent_deadlines_due')
      .on(t.escalateAt)
      .where(sql`state = 'pending'`),
  ],
);

/** Runs of events that may become incident groups; `pending` are members that are not written back yet. */
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
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.sourceKey] }),
    index('agent_chains_key').on(t.tenantCode, t.layer, t.chainKey, t.lastAt),
    index('agent_chains_dirty')
      .on(t.touchedAt)
      .where(sql`ripe = 1 and pending <> '[]'`),
    index('agent_chains_touched').on(t.touchedAt),
  ],
);

export const agentStates = sqliteTable('agent_states', {
  name: text('name').primaryKey(),
  lease: text('lease'),
  leasedUntil: integer('leased_until').notNull(),
  steadyAt: integer('steady_at').notNull(),
});
