// The tables of the uplink: its positions, what headquarters refused, what waits beside the two channels.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { GroupOrderKind } from '../../../../common/core/incident/schema.ts';
import type { OrderKind } from '../../../../common/core/task/schema.ts';
import type { Message } from '../../../../common/message.ts';
import type { ChangeKind } from '../../../../common/uplink/change/item.ts';
import type { InboxKind } from '../../../../common/uplink/inbox.ts';
import type { OrderPush } from '../../../../common/uplink/order.ts';
import type { ChannelName } from '../../../../common/uplink/wire.ts';
import type { CarriedState, PendingNote } from '../../../uplink/order/port.ts';
import type { ParkedState } from '../../../uplink/port.ts';

export const uplinkChannels = sqliteTable('uplink_channels', {
  name: text('name').$type<ChannelName>().primaryKey(),
  hubEpoch: text('hub_epoch'),
  cursor: integer('cursor').notNull(),
  cursorAt: integer('cursor_at'),
  lastAckAt: integer('last_ack_at'),
  sentTotal: integer('sent_total').notNull(),
  duplicateTotal: integer('duplicate_total').notNull(),
});

export const uplinkParked = sqliteTable(
  'uplink_parked',
  {
    channel: text('channel').$type<ChannelName>().notNull(),
    originId: integer('origin_id').notNull(),
    error: text('error').notNull(),
    message: text('message').notNull(),
    state: text('state').$type<ParkedState>().notNull(),
    /** Times headquarters refused it. */
    count: integer('count').notNull(),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel, table.originId] })],
);

/**
 * The log of what goes up beside events: every judgement, and of each other thing its last change. A change
 * gets its number once the newest event that it names has gone up, so that nothing waits behind what may not
 * go yet.
 */
export const changes = sqliteTable(
  'changes',
  {
    /** Order of writing. */
    seq: integer('seq').primaryKey(),
    /** Position on the way up; null: its event has not gone up. */
    no: integer('no').unique(),
    kind: text('kind').$type<ChangeKind>().notNull(),
    /** Of a judgement the number of its entry in `verdict_changes`. */
    subjectId: integer('subject_id').notNull(),
    at: integer('at').notNull(),
    /** Newest event that it names; 0: none. */
    eventId: integer('event_id').notNull(),
    /** Idempotency key of the event of a task, which may outlive the event. */
    eventKey: text('event_key'),
    /**
     * An earlier change of the group that headquarters has stored, since which it has only got the members in
     * `group_additions`; null: it goes up whole.
     */
    baseNo: integer('base_no'),
  },
  (table) => [
    uniqueIndex('changes_subject').on(table.kind, table.subjectId),
    index('changes_early')
      .on(table.eventId)
      .where(sql`no is null`),
  ],
);

/** Members that groups have got since the change of their `base_no`. */
export const groupAdditions = sqliteTable(
  'group_additions',
  {
    groupId: integer('group_id').notNull(),
    eventId: integer('event_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.eventId] })],
);

/** Orders of headquarters on tasks, each carried out or refused once. */
export const uplinkOrders = sqliteTable('uplink_orders', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  orderId: text('order_id').notNull().unique(),
  tenantCode: text('tenant_code').notNull(),
  /** null: of a form that is not known here. */
  kind: text('kind').$type<OrderKind | GroupOrderKind>(),
  /** The task that it was carried out on, or made; null: it is on an incident group. */
  taskId: integer('task_id'),
  state: text('state').$type<CarriedState>().notNull(),
  /** The message to the camera that is to be tried, and what of it is yet to be noted. */
  feedbackId: text('feedback_id'),
  pending: text('pending', { mode: 'json' }).$type<PendingNote>(),
  reason: text('reason'),
  /** What `reason` says, as a message. */
  told: text('told', { mode: 'json' }).$type<Message>(),
  result: text('result', { mode: 'json' }).$type<OrderPush>(),
  at: integer('at').notNull(),
});

/** What headquarters has for this site and what is not carried out yet. */
export const uplinkInbox = sqliteTable(
  'uplink_inbox',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    kind: text('kind').$type<InboxKind>().notNull(),
    id: text('id').notNull(),
    /** Items on the same subject are carried out one after another. */
    subject: text('subject').notNull(),
    /** As it came, JSON. */
    body: text('body').notNull(),
    receivedAt: integer('received_at').notNull(),
    /** Tries that failed, why the last did, and when the next is due, epoch ms. */
    failures: integer('failures').notNull(),
    error: text('error'),
    dueAt: integer('due_at').notNull(),
  },
  (table) => [
    uniqueIndex('uplink_inbox_id').on(table.kind, table.id),
    index('uplink_inbox_subject').on(table.subject, table.seq),
  ],
);

/** Number of the last item that was stored, and the epoch of headquarters that gave it; one row. */
export const uplinkInboxPlace = sqliteTable('uplink_inbox_place', {
  hubEpoch: text('hub_epoch').primaryKey(),
  through: integer('through').notNull(),
});
