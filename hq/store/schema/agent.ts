// What the agent keeps of its work.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type {
  ActionKind,
  DeadlineState,
  DecisionOutcome,
  SummaryState,
} from '../../../common/agent/act/record.ts';
import type { IncidentLayer } from '../../../common/core/incident/schema.ts';
import type { ChannelName } from '../../../common/core/notification/record.ts';
import { jsonText, long, text } from './columns.ts';

/** What the agent decided, once per event: a replayed event finds its row here. */
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
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.eventId] }),
    index('agent_decisions_event').on(t.eventId),
    index('agent_decisions_summary')
      .on(t.eventId)
      .where(sql`summary = 'pending'`),
  ],
);

/** Times of the agent's steady clock, which never falls. */
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
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.camera, t.eventType, t.ruleName, t.isTest] }),
    index('agent_cooldowns_until').on(t.until),
  ],
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
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.taskId] }),
    index('agent_deadlines_task').on(t.taskId),
    index('agent_deadlines_due')
      .on(t.escalateAt)
      .where(sql`state = 'pending'`),
  ],
);

/** Runs of events that may become incident groups; `pending` are members that are not written back yet. */
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
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.sourceKey] }),
    index('agent_chains_key').on(t.tenantCode, t.layer, t.chainKey, t.lastAt),
    index('agent_chains_dirty')
      .on(t.touchedAt)
      .where(sql`ripe and pending <> '[]'`),
    index('agent_chains_touched').on(t.touchedAt),
  ],
);

export const agentStates = pgTable('agent_states', {
  name: text('name').primaryKey(),
  lease: text('lease'),
  leasedUntil: long('leased_until').notNull(),
  steadyAt: long('steady_at').notNull(),
});
