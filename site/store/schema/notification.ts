// Notifications and the channels that they go out by.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AlarmSeverity, AlarmTaking } from '../../../common/agent/alarm/record.ts';
import type { ChannelFormat, MailSettings } from '../../../common/agent/channel/record.ts';
import type { Severity } from '../../../common/core/event/schema.ts';
import type {
  ChannelName,
  Handover,
  NotificationKind,
  NotificationState,
} from '../../../common/core/notification/record.ts';

export const notifications = sqliteTable(
  'notifications',
  {
    id: text('id').primaryKey(),
    tenantCode: text('tenant_code').notNull(),
    seq: integer('seq').notNull().unique(),
    eventId: integer('event_id'),
    taskId: integer('task_id'),
    kind: text('kind').$type<NotificationKind>().notNull(),
    channel: text('channel').$type<ChannelName>().notNull(),
    channelId: text('channel_id'),
    handover: text('handover').$type<Handover>(),
    deliveredBy: text('delivered_by'),
    instance: text('instance'),
    originId: text('origin_id'),
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
  },
  (t) => [
    index('notifications_due')
      .on(t.nextAt)
      .where(sql`state = 'pending'`),
    index('notifications_failed')
      .on(t.seq)
      .where(sql`state = 'failed'`),
    index('notifications_tenant').on(t.tenantCode, t.seq),
    index('notifications_event')
      .on(t.eventId, t.seq)
      .where(sql`event_id is not null`),
    index('notifications_handover')
      .on(t.seq)
      .where(sql`handover is not null and state = 'pending'`),
  ],
);

export const channels = sqliteTable(
  'channels',
  {
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
    mail: text('mail', { mode: 'json' }).$type<MailSettings>(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    alarms: text('alarms', { mode: 'json' }).$type<AlarmTaking>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [uniqueIndex('channels_name').on(t.tenantCode, t.name)],
);

/** What each channel was told of alarms that stand. */
export const alarmNotices = sqliteTable(
  'alarm_notices',
  {
    channelId: text('channel_id').notNull(),
    instance: text('instance').notNull(),
    key: text('key').notNull(),
    severity: text('severity').$type<AlarmSeverity>().notNull(),
    message: text('message').notNull(),
    messageZh: text('message_zh'),
    raisedAt: integer('raised_at').notNull(),
    toldAt: integer('told_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.instance, t.key] })],
);
