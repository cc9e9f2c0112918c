// Notifications and the channels that they go out by.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import type { AlarmSeverity, AlarmTaking } from '../../../common/agent/alarm/record.ts';
import type { ChannelFormat, MailSettings } from '../../../common/agent/channel/record.ts';
import type { Severity } from '../../../common/core/event/schema.ts';
import type {
  ChannelName,
  Handover,
  NotificationKind,
  NotificationState,
} from '../../../common/core/notification/record.ts';
import { jsonText, long, text } from './columns.ts';

export const notifications = pgTable(
  'notifications',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    seq: long('seq').notNull(),
    eventId: long('event_id'),
    taskId: long('task_id'),
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
    isTest: boolean('is_test').notNull(),
    state: text('state').$type<NotificationState>().notNull(),
    attempts: integer('attempts').notNull(),
    nextAt: long('next_at').notNull(),
    lastError: text('last_error'),
    createdAt: long('created_at').notNull(),
    settledAt: long('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('notifications_id').on(t.id),
    index('notifications_seq').on(t.seq),
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
    index('notifications_origin')
      .on(t.instance, t.originId)
      .where(sql`instance is not null`),
    index('notifications_of_sites')
      .on(t.instance, t.state)
      .where(sql`instance is not null and state <> 'sent'`),
  ],
);

export const channels = pgTable(
  'channels',
  {
    id: text('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    name: text('name').notNull(),
    channel: text('channel').$type<Exclude<ChannelName, 'inbox'>>().notNull(),
    format: text('format').$type<ChannelFormat>().notNull(),
    urlRef: text('url_ref').notNull(),
    urlHost: text('url_host').notNull(),
    secretRef: text('secret_ref'),
    recipients: jsonText<string[]>('recipients').notNull(),
    bodyTemplate: text('body_template'),
    contentType: text('content_type'),
    mail: jsonText<MailSettings>('mail'),
    enabled: boolean('enabled').notNull(),
    alarms: jsonText<AlarmTaking>('alarms'),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('channels_name').on(t.tenantCode, t.name),
    index('channels_id').on(t.id),
  ],
);

/** What each channel was told of alarms that stand. */
export const alarmNotices = pgTable(
  'alarm_notices',
  {
    channelId: text('channel_id').notNull(),
    instance: text('instance').notNull(),
    key: text('key').notNull(),
    severity: text('severity').$type<AlarmSeverity>().notNull(),
    message: text('message').notNull(),
    messageZh: text('message_zh'),
    raisedAt: long('raised_at').notNull(),
    toldAt: long('told_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.instance, t.key] })],
);
