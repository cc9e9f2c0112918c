import * as z from 'zod/mini';
import { pagedList, viewPage } from '../../cursor.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { limitParam, pageOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { severities, tenantCode } from '../event/schema.ts';
import type { NotificationPort } from './port.ts';
import {
  channelNames,
  handovers,
  notificationKinds,
  type NotificationRecord,
  notificationStates,
} from './record.ts';

const NOTIFICATIONS = pagedList('notifications', ['number']);

const notificationView = z
  .object({
    id: z.string(),
    tenantCode: z.string(),
    eventId: z.nullable(z.int()),
    taskId: z.nullable(z.int()),
    kind: z.enum(notificationKinds),
    channel: z.enum(channelNames),
    channelId: z.nullable(z.string()),
    handover: z.nullable(z.enum(handovers)),
    deliveredBy: z.nullable(z.string()),
    instance: z.nullable(z.string()),
    ruleName: z.nullable(z.string()),
    severity: z.enum(severities),
    message: z.string(),
    isTest: z.boolean(),
    state: z.enum(notificationStates),
    attempts: z.int(),
    nextAt: z.nullable(z.string()),
    lastError: z.nullable(z.string()),
    createdAt: z.string(),
    settledAt: z.nullable(z.string()),
  })
  .register(described, { id: 'Notification' });

const viewOf = (row: NotificationRecord): z.infer<typeof notificationView> => ({
  id: row.id,
  tenantCode: row.tenantCode,
  eventId: row.eventId,
  taskId: row.taskId,
  kind: row.kind,
  channel: row.channel,
  channelId: row.channelId,
  handover: row.handover,
  deliveredBy: row.deliveredBy,
  instance: row.instance,
  ruleName: row.ruleName,
  severity: row.severity,
  message: row.message,
  isTest: row.isTest,
  state: row.state,
  attempts: row.attempts,
  nextAt: row.state === 'pending' ? formatTime(row.nextAt) : null,
  lastError: row.lastError,
  createdAt: formatTime(row.createdAt),
  settledAt: formatTimeOrNull(row.settledAt),
});

const count = z.optional(z.coerce.number().check(z.int(), z.minimum(1)));
const listQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  channel: z.optional(z.enum(channelNames)),
  state: z.optional(z.enum(notificationStates)),
  kind: z.optional(z.enum(notificationKinds)),
  event_id: count,
  task_id: count,
  include_test: z._default(z.enum(['true', 'false']), 'false'),
  limit: limitParam(100, 1000),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});

/** What the agent told whom to look at, and how it went. */
export function notificationRoutes(notifications: NotificationPort): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/notifications',
      tag: 'Agent',
      access: ['admin', 'session'],
      permission: 'notifications.view',
      query: listQuery,
      summary: 'Notifications, newest first; channel=inbox is the inbox',
      description:
        'One row per event (or escalation) and channel. `pending` is tried again with growing pauses, ' +
        '`failed` was given up and says why; recipients are not shown. At a site without a channel of this ' +
        'kind for the tenant `handover` says how far it has come in handing the message to headquarters ' +
        '(`late`: it may have it, and is asked what became of it), and `deliveredBy` names the channels ' +
        'there that took it. At headquarters `instance` is the site that handed it up. Notifications of ' +
        'test events come with include_test=true only.',
      replies: { 200: { description: 'A page of notifications', schema: pageOf(notificationView) } },
      handle: async ({ actor, query }) => {
        const { channel, state, kind, event_id: eventId, task_id: taskId } = query;
        const rows = await notifications.list(
          {
            tenantCode: tenantFor(actor, query.tenant_code),
            includeTest: query.include_test === 'true',
            ...(channel && { channel }),
            ...(state && { state }),
            ...(kind && { kind }),
            ...(eventId && { eventId }),
            ...(taskId && { taskId }),
          },
          NOTIFICATIONS.positionOf(query.cursor)?.[0] ?? null,
          query.limit + 1,
        );
        const page = NOTIFICATIONS.page(rows, query.limit, ({ seq }) => [seq]);
        return { body: viewPage(page, viewOf) };
      },
    }),
  ];
}
