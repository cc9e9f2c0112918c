// Tables of the sites: their registry, what has been received, and what was decided for them.
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { EventSource, Severity } from '../../../common/core/event/schema.ts';
import type { GroupOrderKind, IncidentLayer } from '../../../common/core/incident/schema.ts';
import type { OrderKind, OrderState } from '../../../common/core/task/schema.ts';
import type { Message } from '../../../common/message.ts';
import type { SubjectKind } from '../../../common/uplink/change/item.ts';
import type { GroupOrderItem } from '../../../common/uplink/group-order.ts';
import type { InboxKind } from '../../../common/uplink/inbox.ts';
import type { OrderBody, OrderPush } from '../../../common/uplink/order.ts';
import type { KeptReport } from '../../../common/uplink/site-report.ts';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import { jsonText, long, text, textArray } from '../../store/schema/columns.ts';
import type { ToldLine } from '../fleet/port.ts';
import type { ReportLists } from '../heard/port.ts';
import type { DecisionState } from '../port.ts';
import { SILENT_AFTER_MINUTES } from '../silence/record.ts';

export const sites = pgTable('sites', {
  instance: text('instance').primaryKey(),
  tenants: textArray('tenants').notNull(),
  /** Names under which the site was known before. */
  continues: textArray('continues').notNull(),
  /** What people call it; null: by its instance. */
  displayName: text('display_name'),
  /** What it is looked after by, such as its region and its contract. */
  groups: textArray('groups').notNull().default([]),
  createdAt: long('created_at').notNull(),
  removedAt: long('removed_at'),
  silentAfterMinutes: integer('silent_after_minutes').notNull().default(SILENT_AFTER_MINUTES),
  /** Planned to be away: nobody is called for its silence. */
  away: boolean('away').notNull().default(false),
  lastSeenAt: long('last_seen_at'),
  version: text('version'),
  /** What the site last told; apart from it what is most of a report, its line in the list, and its zone. */
  report: jsonText<KeptReport>('report'),
  reportLists: jsonText<ReportLists>('report_lists'),
  line: jsonText<ToldLine>('line'),
  zone: text('zone'),
  /** What it understands beyond the first form of the protocol, as its last call said. */
  features: textArray('features'),
  /** Last number given in its inbox. */
  inboxNo: long('inbox_no').notNull().default(0),
});

/**
 * What waits for the sites: one row for each open row of the tables of its kinds, written and deleted with
 * what it stands for (store/schema/by-hand.ts).
 */
export const inbox = pgTable(
  'inbox',
  {
    /** The order in which it was written. */
    seq: long('seq').notNull().generatedByDefaultAsIdentity(),
    instance: text('instance').notNull(),
    kind: text('kind').$type<InboxKind>().notNull(),
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    /** The number under which the site hears of it; null: none is given yet. */
    no: long('no'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.kind, t.id] }),
    index('inbox_fresh')
      .on(t.instance, t.seq)
      .where(sql`no is null`),
    index('inbox_numbered').on(t.instance, t.no),
  ],
);

/** Short codes by which sites fetch a key, once; see receiver/join/. */
export const joiningCodes = pgTable('joining_codes', {
  instance: text('instance').primaryKey(),
  codeHash: text('code_hash').notNull(),
  expiresAt: long('expires_at').notNull(),
  createdBy: text('created_by').notNull(),
});
/** The last days of each site by hours, as its reports told them. */
export const siteHours = pgTable(
  'site_hours',
  {
    instance: text('instance').notNull(),
    /** Begin of the hour. */
    at: long('at').notNull(),
    received: long('received').notNull(),
    backlog: long('backlog').notNull(),
    roomBytes: long('room_bytes'),
  },
  (t) => [primaryKey({ columns: [t.instance, t.at] })],
);

export const sources = pgTable(
  'sources',
  {
    instance: text('instance').notNull(),
    epoch: text('epoch').notNull(),
    channel: text('channel').$type<ChannelName>().notNull(),
    cursor: long('cursor').notNull(),
    receivedTotal: long('received_total').notNull(),
    duplicateTotal: long('duplicate_total').notNull(),
    rejectedTotal: long('rejected_total').notNull(),
    conflictTotal: long('conflict_total').notNull(),
    /** Of calls that brought something; heard_at is of every call that the store was asked about. */
    lastReceivedAt: long('last_received_at'),
    heardAt: long('heard_at'),
    /**
     * Epoch of this store under which the source was last stored. A source that stands beyond what is held
     * here, under the epoch that is still current, shows that this store was put back from a copy.
     */
    hubEpoch: text('hub_epoch'),
  },
  (t) => [primaryKey({ columns: [t.instance, t.epoch, t.channel] })],
);

export const decisions = pgTable(
  'decisions',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    instance: text('instance').notNull(),
    eventId: long('event_id').notNull(),
    /** Number of the change entry that it was written with: the order in which the site must hear of it. */
    changeNo: long('change_no').notNull(),
    kind: text('kind').$type<'verdict' | 'correction'>().notNull(),
    body: text('body').notNull(),
    state: text('state').$type<DecisionState>().notNull(),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
    note: text('note'),
    /** What `note` says, as a message. */
    told: jsonText<Message>('told'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('decisions_id').on(t.instance, t.id),
    index('decisions_pending')
      .on(t.instance, t.changeNo)
      .where(sql`state = 'pending'`),
    index('decisions_event').on(t.eventId),
    index('decisions_refused')
      .on(t.instance)
      .where(sql`state in ('refused', 'lost')`),
  ],
);

/** Which task or group here stands for which of a site, and which change of it was stored last. */
export const siteWork = pgTable(
  'site_work',
  {
    tenantCode: text('tenant_code').notNull(),
    instance: text('instance').notNull(),
    kind: text('kind').$type<SubjectKind>().notNull(),
    originId: long('origin_id').notNull(),
    originCreatedAt: long('origin_created_at').notNull(),
    /** Id at headquarters. */
    id: long('id').notNull(),
    epoch: text('epoch').notNull(),
    changeNo: long('change_no').notNull(),
    /** Groups of the site, by their ids there, that this one was merged into or split off from. */
    mergedInto: long('merged_into'),
    splitFrom: long('split_from'),
    /**
     * Of a group that is coming up in parts: whether those in `site_group_parts` are all of it from the first
     * on, or were added to what is stored; null: it is not coming up in parts.
     */
    parts: text('parts').$type<GroupParts>(),
  },
  (t) => [
    primaryKey({
      name: 'site_work_key',
      columns: [t.tenantCode, t.instance, t.kind, t.originId, t.originCreatedAt],
    }),
    index('site_work_id').on(t.tenantCode, t.kind, t.id),
    index('site_work_merged')
      .on(t.instance, t.mergedInto)
      .where(sql`merged_into is not null`),
    index('site_work_split')
      .on(t.instance, t.splitFrom)
      .where(sql`split_from is not null`),
  ],
);

export type GroupParts = 'whole' | 'added';

/** Members of groups that are coming up in parts, until the last part is there. */
export const siteGroupParts = pgTable(
  'site_group_parts',
  {
    tenantCode: text('tenant_code').notNull(),
    incidentId: long('incident_id').notNull(),
    eventId: long('event_id').notNull(),
    layer: text('layer').$type<IncidentLayer>().notNull(),
    at: long('at').notNull(),
    type: text('type').notNull(),
    source: text('source').$type<EventSource>().notNull(),
    severity: text('severity').$type<Severity>(),
    isTest: boolean('is_test').notNull(),
    live: boolean('live').notNull(),
    addedAt: long('added_at').notNull(),
  },
  (t) => [primaryKey({ name: 'site_group_parts_key', columns: [t.tenantCode, t.incidentId, t.eventId] })],
);

/** What headquarters wants done to tasks of sites. */
export const siteOrders = pgTable(
  'site_orders',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    /** The order in which the site must hear of them. */
    seq: long('seq').generatedByDefaultAsIdentity().notNull(),
    instance: text('instance').notNull(),
    eventId: long('event_id'),
    taskId: long('task_id').notNull(),
    kind: text('kind').$type<OrderKind>().notNull(),
    /** What is to be done, as it goes down. */
    body: jsonText<OrderBody>('body').notNull(),
    by: text('by').notNull(),
    state: text('state').$type<OrderState>().notNull(),
    /** Why the site refused it. */
    reason: text('reason'),
    /** The same as a message; null: the site is from before it. */
    told: jsonText<Message>('told'),
    result: jsonText<OrderPush>('result'),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('site_orders_pending')
      .on(t.instance, t.seq)
      .where(sql`state = 'pending'`),
    index('site_orders_refused')
      .on(t.instance)
      .where(sql`state in ('refused', 'unclear')`),
    index('site_orders_task').on(t.tenantCode, t.taskId, t.seq),
    index('site_orders_event').on(t.eventId, t.seq),
  ],
);

/** What headquarters wants done to incident groups of sites. */
export const groupOrders = pgTable(
  'group_orders',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    /** The order in which the site must hear of them. */
    seq: long('seq').generatedByDefaultAsIdentity().notNull(),
    instance: text('instance').notNull(),
    incidentId: long('incident_id').notNull(),
    /** Every group that it is about. */
    groups: bigint('groups', { mode: 'number' }).array().notNull(),
    eventIds: bigint('event_ids', { mode: 'number' }).array().notNull(),
    kind: text('kind').$type<GroupOrderKind>().notNull(),
    /** What is to be done and to which group of the site, as it goes down. */
    body: jsonText<Pick<GroupOrderItem, 'group' | 'body'>>('body').notNull(),
    by: text('by').notNull(),
    state: text('state').$type<OrderState>().notNull(),
    /** Why the site refused it, in English and as a message. */
    reason: text('reason'),
    told: jsonText<Message>('told'),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('group_orders_pending')
      .on(t.instance, t.seq)
      .where(sql`state = 'pending'`),
    index('group_orders_refused')
      .on(t.instance)
      .where(sql`state in ('refused', 'unclear')`),
    index('group_orders_groups').using('gin', t.groups),
  ],
);

/** Events that were not stored, because their key is of another event. */
export const eventConflicts = pgTable(
  'event_conflicts',
  {
    tenantCode: text('tenant_code').notNull(),
    key: text('idempotency_key').notNull(),
    instance: text('instance').notNull(),
    originId: long('origin_id').notNull(),
    type: text('type').notNull(),
    severity: text('severity').$type<Severity>(),
    occurredAt: long('occurred_at'),
    receivedAt: long('received_at').notNull(),
    heldBy: text('held_by'),
    heldId: long('held_id').notNull(),
    firstAt: long('first_at').notNull(),
    lastAt: long('last_at').notNull(),
    count: long('count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.instance, t.key] }),
    index('event_conflicts_last').on(t.instance, t.lastAt),
  ],
);
