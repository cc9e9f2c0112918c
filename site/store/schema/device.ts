// Devices that cannot sign: how each reports, and which of their alarms are under way.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Message } from '../../../common/message.ts';
import type { DeviceConfig, EpisodeEnd } from '../../intake/record.ts';

/** One row beside the node key of the same id, which names the tenant and the device. */
export const devices = sqliteTable('devices', {
  keyId: text('key_id').primaryKey(),
  kind: text('kind').notNull(),
  tokenHash: text('token_hash').notNull().unique(),
  secretRef: text('secret_ref'),
  config: text('config', { mode: 'json' }).$type<DeviceConfig>().notNull(),
  createdAt: integer('created_at').notNull(),
});

/** Devices that refused what they were shown, and are tried again seldom, also over a restart of the site. */
export const deviceRefusals = sqliteTable('device_refusals', {
  keyId: text('key_id').primaryKey(),
  /** Digest of what was shown: with other settings it is tried at once. */
  settings: text('settings').notNull(),
  failures: integer('failures').notNull(),
  until: integer('until').notNull(),
  fault: text('fault', { mode: 'json' }).$type<Message>().notNull(),
});

/** The newest occurrence of each alarm of a device. `pending` is an event that is not stored yet. */
export const deviceEpisodes = sqliteTable(
  'device_episodes',
  {
    keyId: text('key_id').notNull(),
    alarm: text('alarm').notNull(),
    openedAt: integer('opened_at').notNull(),
    lastAt: integer('last_at').notNull(),
    reports: integer('reports').notNull(),
    closedAt: integer('closed_at'),
    endedBy: text('ended_by').$type<EpisodeEnd>(),
    deviceFrom: integer('device_from'),
    deviceUntil: integer('device_until'),
    repeats: integer('repeats', { mode: 'boolean' }).notNull(),
    report: text('report').notNull(),
    pending: text('pending'),
    eventId: integer('event_id'),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.alarm] })],
);
