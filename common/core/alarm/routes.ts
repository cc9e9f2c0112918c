import * as z from 'zod/mini';
import { route, type Route } from '../../http/route.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { limitParam, tenantFor } from '../event/routes.ts';
import { tenantCode } from '../event/schema.ts';
import type { AlarmPort, AlarmRecord } from './port.ts';

const alarmView = z.object({
  key: z.string(), instance: z.string(), tenantCode: z.nullable(z.string()), severity: z.enum(['warning', 'critical']), message: z.string(),
  details: z.unknown(), raisedAt: z.string(), lastAt: z.string(), count: z.int(), clearedAt: z.nullable(z.string()),
});

const viewOf = (alarm: AlarmRecord): z.infer<typeof alarmView> => ({
  key: alarm.key, instance: alarm.instance, tenantCode: alarm.tenantCode, severity: alarm.severity, message: alarm.message, details: alarm.details,
  raisedAt: formatTime(alarm.raisedAt), lastAt: formatTime(alarm.lastAt), count: alarm.count, clearedAt: formatTimeOrNull(alarm.clearedAt),
});

/** Everything that needs a person (design §6, "Alarms"). */
export function alarmRoutes(alarms: AlarmPort): Route[] {
  return [route({
    method: 'GET', path: '/api/core/alarms', tag: 'Operation', access: ['admin', 'session'], permission: 'events.view',
    query: z.strictObject({
      tenant_code: z.optional(tenantCode), include_cleared: z._default(z.enum(['true', 'false']), 'false'), limit: limitParam(100, 1000),
    }),
    summary: 'Alarms that stand, newest first; also the cleared ones with include_cleared=true',
    replies: { 200: { description: 'The alarms', schema: z.object({ items: z.array(alarmView), nextCursor: z.null(), hasMore: z.boolean() }) } },
    handle: async ({ actor, query }) => {
      const rows = await alarms.list({ tenantCode: tenantFor(actor, query.tenant_code), includeCleared: query.include_cleared === 'true' }, query.limit + 1);
      return { body: { items: rows.slice(0, query.limit).map(viewOf), nextCursor: null, hasMore: rows.length > query.limit } };
    },
  })];
}
