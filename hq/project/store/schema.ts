// The project model, made of landed datasets. Ids are the primary keys of the business system, of up to 64
// bits.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
} from 'drizzle-orm/pg-core';
import { text } from '../../store/schema/columns.ts';

const id = (name: string) => bigint(name, { mode: 'bigint' });

export const projects = pgTable(
  'projects',
  {
    tenantCode: text('tenant_code').notNull(),
    projectId: id('project_id').notNull(),
    code: text('code'),
    name: text('name'),
    status: integer('status'),
    healthScore: integer('health_score'),
    // The rest is computed in the transaction that changes what it is computed from.
    planProgress: doublePrecision('plan_progress'),
    actualProgress: doublePrecision('actual_progress'),
    milestonesTotal: integer('milestones_total').notNull(),
    milestonesAtRisk: integer('milestones_at_risk').notNull(),
    openNcr: integer('open_ncr').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.projectId] }),
    index('projects_code').on(t.tenantCode, t.code, t.projectId.desc().nullsFirst()),
  ],
);

export const wbsNodes = pgTable(
  'wbs_nodes',
  {
    tenantCode: text('tenant_code').notNull(),
    nodeId: id('node_id').notNull(),
    projectId: id('project_id'),
    parentId: id('parent_id'),
    /** Percent. */
    plan: numeric('plan'),
    /** Percent. */
    actual: numeric('actual'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.nodeId] }),
    index('wbs_nodes_project').on(t.tenantCode, t.projectId, t.parentId),
  ],
);

export const milestones = pgTable(
  'milestones',
  {
    tenantCode: text('tenant_code').notNull(),
    milestoneId: id('milestone_id').notNull(),
    projectId: id('project_id'),
    code: text('code'),
    name: text('name'),
    status: integer('status'),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.milestoneId] })],
);

/** The last status that a milestone had; it stays when the milestone is deleted. */
export const milestoneStatuses = pgTable(
  'milestone_statuses',
  {
    tenantCode: text('tenant_code').notNull(),
    milestoneId: id('milestone_id').notNull(),
    status: integer('status').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.milestoneId] })],
);

export const ncrs = pgTable(
  'ncrs',
  {
    tenantCode: text('tenant_code').notNull(),
    ncrId: id('ncr_id').notNull(),
    projectId: id('project_id'),
    closed: boolean('closed').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.ncrId] }),
    index('ncrs_open')
      .on(t.tenantCode, t.projectId)
      .where(sql`not closed`),
  ],
);

export const hazards = pgTable(
  'hazards',
  {
    tenantCode: text('tenant_code').notNull(),
    hazardId: id('hazard_id').notNull(),
    projectId: id('project_id'),
    major: boolean('major').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.hazardId] })],
);

export const purchaseOrders = pgTable(
  'purchase_orders',
  {
    tenantCode: text('tenant_code').notNull(),
    orderId: id('order_id').notNull(),
    projectId: id('project_id'),
    milestoneId: id('milestone_id'),
    /** On the critical path, not received, and expected after it is required. */
    late: boolean('late').notNull(),
    /** Status 4 or 5 of the milestone that the late order drags; null when it drags none. */
    drags: integer('drags'),
    /** The milestone that it drags. */
    dragsMilestone: id('drags_milestone'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.orderId] }),
    index('purchase_orders_milestone')
      .on(t.tenantCode, t.milestoneId)
      .where(sql`late or drags is not null`),
  ],
);
