// How far each channel of the uplink is, and what headquarters refused.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import type { ParkedState } from '../../uplink/port.ts';

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
  (t) => [primaryKey({ columns: [t.channel, t.originId] })],
);
