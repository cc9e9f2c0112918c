// What a technician is shown of the last days.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a technician sees of the last two days: one row for each five minutes in which the site ran. */
export const history = sqliteTable('history', {
  at: integer('at').primaryKey(),
  received: integer('received').notNull(),
  backlog: integer('backlog').notNull(),
  room: integer('room'),
});

/** When each node last brought an event, up to meta `history_upto`. */
export const nodeActivity = sqliteTable('node_activity', {
  keyId: text('key_id').primaryKey(),
  lastAt: integer('last_at').notNull(),
  events: integer('events').notNull(),
});

/** The same of each camera that a node names in its events: several may post through one box, by one key. */
export const cameraActivity = sqliteTable(
  'camera_activity',
  {
    keyId: text('key_id').notNull(),
    cameraRef: text('camera_ref').notNull(),
    lastAt: integer('last_at').notNull(),
    events: integer('events').notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.cameraRef] })],
);
