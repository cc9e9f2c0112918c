import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../clock.ts';
import { actorOf, tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { notFound } from '../../http/error.ts';
import { limitParam, listOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import type { AuditPort } from '../audit/port.ts';
import { code, tenantCode } from '../event/schema.ts';
import type { InstanceNames } from '../instance/record.ts';
import { alarmOrders, type AlarmPort } from './port.ts';
import { alarmSeverities, alarmView, type AlarmWording, viewAlarm } from './view.ts';

/** `self`: instance whose alarms a clearing means when it names none. */
export interface AlarmRouteOptions extends AlarmWording {
  alarms: AlarmPort;
  audit: AuditPort;
  clock: Clock;
  names: InstanceNames;
}

/** Who takes an alarm over, or clears it. */
const alarmSettling = z
  .strictObject({
    key: code(128),
    instance: z.optional(code(128)),
    by: code(128),
    note: z.optional(z.string().check(z.maxLength(2000))),
  })
  .register(described, { id: 'AlarmSettling' });

const listQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  instance: z.optional(code(128)),
  severity: z.optional(
    z.enum(alarmSeverities).register(described, { description: 'Only alarms of this severity' }),
  ),
  include_cleared: z._default(z.enum(['true', 'false']), 'false'),
  order: z._default(z.enum(alarmOrders), 'recent'),
  limit: limitParam(100, 1000),
});
const countsView = z
  .object({ total: z.int(), critical: z.int(), warning: z.int() })
  .register(described, { id: 'AlarmCounts' });

/** Everything that needs a person (DESIGN.md, "Alarms"). */
export function alarmRoutes(options: AlarmRouteOptions): Route[] {
  return [listRoute(options), countRoute(options.alarms), takeRoute(options), clearRoute(options)];
}

const listRoute = ({ alarms, messages, self, names }: AlarmRouteOptions): Route =>
  route({
    method: 'GET',
    path: '/api/core/alarms',
    tag: 'Operation',
    access: ['admin', 'session'],
    permission: 'events.view',
    query: listQuery,
    summary:
      'Alarms that stand, newest first; also the cleared ones with include_cleared=true, those of one ' +
      'site with instance, the worst first with order=worst',
    description:
      'Everything that needs a person. An alarm is known by `key` and `instance`; raised again while it ' +
      'stands, it counts up. `order=worst` begins with critical alarms, and of these with those that stand ' +
      'longest. `code` stands for what `message` says, and `messageZh` says it in Chinese. Of an alarm ' +
      'that a site raised both are as the site sent them; where it is too old for that, `code` is null and ' +
      '`messageZh` says what the key stands for. `messageZh` is null for a code that only another version ' +
      'knows.',
    replies: { 200: { description: 'The alarms', schema: listOf(alarmView) } },
    handle: async ({ actor, query }) => {
      const rows = await alarms.list(
        {
          tenantCode: tenantFor(actor, query.tenant_code),
          includeCleared: query.include_cleared === 'true',
          instance: query.instance,
          severity: query.severity,
        },
        query.limit + 1,
        query.order,
      );
      const called = await names();
      return {
        body: {
          items: rows.slice(0, query.limit).map((row) => viewAlarm(row, { messages, self }, called)),
          nextCursor: null,
          hasMore: rows.length > query.limit,
        },
      };
    },
  });

const countRoute = (alarms: AlarmPort): Route =>
  route({
    method: 'GET',
    path: '/api/core/alarms/count',
    tag: 'Operation',
    access: ['admin', 'session'],
    permission: 'events.view',
    query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
    summary: 'How many alarms stand, by severity',
    replies: { 200: { description: 'The counts', schema: countsView } },
    handle: async ({ actor, query }) => {
      const { critical, warning } = await alarms.standing(tenantFor(actor, query.tenant_code));
      return { body: { total: critical + warning, critical, warning } };
    },
  });

const takeRoute = ({ alarms, audit, clock, self }: AlarmRouteOptions): Route =>
  route({
    method: 'POST',
    path: '/api/core/alarms/take',
    tag: 'Operation',
    access: ['admin', 'session'],
    permission: 'alarms.clear',
    body: alarmSettling,
    summary: 'Say that somebody takes care of an alarm: the channels do not tell it again',
    replies: { 200: { description: 'Taken over', schema: z.object({ taken: z.boolean() }) } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      const { key, instance = self, by, note = null } = call.body;
      const stamp = stampOf(clock);
      if (!(await alarms.take(key, instance, by, stamp.now)))
        throw notFound(`A standing alarm ${key} of ${instance}`);
      await audit.add({
        id: stamp.newId(),
        at: stamp.now,
        actor: `${by} as ${actorOf(call)}`,
        action: 'alarm.taken',
        subject: `alarm:${key}`,
        tenantCode: null,
        before: null,
        after: { instance, note },
      });
      return { body: { taken: true } };
    },
  });

const clearRoute = ({ alarms, audit, clock, self }: AlarmRouteOptions): Route =>
  route({
    method: 'POST',
    path: '/api/core/alarms/clear',
    tag: 'Operation',
    access: ['admin', 'session'],
    permission: 'alarms.clear',
    body: alarmSettling,
    summary: 'Clear an alarm that a person has dealt with; one whose cause stands is raised again',
    replies: { 200: { description: 'Cleared', schema: z.object({ cleared: z.boolean() }) } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      const { key, instance = self, by, note = null } = call.body;
      const stamp = stampOf(clock);
      if (!(await alarms.clear(key, instance, stamp.now)))
        throw notFound(`A standing alarm ${key} of ${instance}`);
      await audit.add({
        id: stamp.newId(),
        at: stamp.now,
        actor: `${by} as ${actorOf(call)}`,
        action: 'alarm.cleared',
        subject: `alarm:${key}`,
        tenantCode: null,
        before: null,
        after: { instance, note },
      });
      return { body: { cleared: true } };
    },
  });
