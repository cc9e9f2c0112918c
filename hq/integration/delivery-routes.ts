import * as z from 'zod/mini';
import { pageOf } from '../../common/core/event/routes.ts';
import { route, type Route } from '../../common/http/route.ts';
import { parseTime } from '../../common/time.ts';
import { callerOf } from './caller.ts';
import { deliveryQuery, deliveryView, idPath, recoverInput, viewDelivery } from './schema.ts';
import { RECOVERED_AT_ONCE, SHOWN_DELIVERIES, type WebhookService } from './webhook-service.ts';

const access = ['admin', 'session'] as const;
const permission = 'integration.manage';
const tag = 'Integration';
const missing = { 404: 'not_found' };
const notWhenDisabled = { ...missing, 409: 'webhook_disabled' };

/** The deliveries of webhooks: tests, resends, and what was missed. */
export function deliveryRoutes(service: WebhookService): Route[] {
  const queued = { description: 'The delivery, which is sent at once', schema: deliveryView };
  return [
    route({
      method: 'POST',
      path: '/api/integration/webhooks/{id}/test',
      tag,
      access,
      permission,
      params: idPath,
      summary: 'Send a test event to an enabled webhook, through the same channel as any event',
      replies: { 202: queued },
      errors: notWhenDisabled,
      handle: async (call) => ({
        status: 202,
        body: viewDelivery(await service.test(call.params.id, callerOf(call))),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/integration/webhooks/{id}/recover',
      tag,
      access,
      permission,
      params: idPath,
      body: recoverInput,
      summary: 'Deliver again what an enabled webhook missed since a time',
      description:
        'An event counts as missed when no delivery of it to this webhook succeeded or waits, also ' +
        'when the webhook was disabled or subscribed to something else at its time. At most ' +
        `${RECOVERED_AT_ONCE} ` +
        'events at once, oldest first, of the last 14 days; with `hasMore` call again.',
      replies: {
        202: {
          description: 'How many are queued',
          schema: z.object({ queued: z.int(), hasMore: z.boolean() }),
        },
      },
      errors: notWhenDisabled,
      handle: async (call) => {
        const { count, more } = await service.recover(
          call.params.id,
          parseTime(call.body.since) ?? 0,
          callerOf(call),
        );
        return { status: 202, body: { queued: count, hasMore: more } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/integration/webhooks/{id}/deliveries',
      tag,
      access,
      permission: 'integration.view',
      params: idPath,
      query: deliveryQuery,
      summary: `The latest ${SHOWN_DELIVERIES} deliveries of a webhook, newest first`,
      description:
        '`messageId` is the `webhook-id` of the push, the same for every resend of an event. What the ' +
        'hub itself could not send, because it cannot read the secret, counts as no attempt. `hasMore` ' +
        'says whether older ones are kept; narrow the filters to see them.',
      replies: {
        200: { description: 'The deliveries; `nextCursor` is always null', schema: pageOf(deliveryView) },
      },
      errors: missing,
      handle: async (call) => {
        const rows = await service.deliveries(call.params.id, call.query, callerOf(call));
        return {
          body: {
            items: rows.slice(0, SHOWN_DELIVERIES).map(viewDelivery),
            nextCursor: null,
            hasMore: rows.length > SHOWN_DELIVERIES,
          },
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/integration/deliveries/{id}/resend',
      tag,
      access,
      permission,
      params: idPath,
      summary: 'Send an event again to its webhook, as a new delivery of the same bytes',
      description:
        'A delivery that is still pending ends; where an attempt of it is under way at that moment, ' +
        'the event may arrive twice, with the same `webhook-id`.',
      replies: { 202: queued },
      errors: notWhenDisabled,
      handle: async (call) => ({
        status: 202,
        body: viewDelivery(await service.resend(call.params.id, callerOf(call))),
      }),
    }),
  ];
}
