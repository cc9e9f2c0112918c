import * as z from 'zod/mini';
import { viewPage } from '../../common/cursor.ts';
import { pageOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { parseTime } from '../../common/time.ts';
import { callerOf } from './caller.ts';
import {
  deliveryDetail,
  deliveryQuery,
  deliveryView,
  recoverInput,
  testInput,
  viewAttempt,
  viewDelivery,
} from './delivery-schema.ts';
import { idPath, listByCreation } from './schema.ts';
import { RECOVERED_AT_ONCE, SHOWN_DELIVERIES, type WebhookService } from './webhook-service.ts';

const access = ['admin', 'session'] as const;
const permission = 'integration.manage';
const tag = 'Integration';
const DELIVERIES = listByCreation('deliveries');
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
      body: testInput,
      bodyOptional: true,
      summary: 'Send a test event to an enabled webhook, through the same channel as any event',
      description:
        'With `event` it is a business event of that type with made-up data, by which the receiver tries ' +
        'what it does with one: its ids are 0, its texts 示例 Sample. It is sent to this webhook alone, ' +
        'whatever it subscribes to, and never counts as missed.',
      replies: { 202: queued },
      errors: notWhenDisabled,
      handle: async (call) => ({
        status: 202,
        body: viewDelivery(await service.test(call.params.id, call.body.event, callerOf(call))),
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
      summary: `Deliveries of a webhook, newest first, ${SHOWN_DELIVERIES} at a time`,
      description:
        'Those of a deleted webhook can be read as long as they are kept. ' +
        '`messageId` is the `webhook-id` of the push, the same for every resend of an event. What the ' +
        'hub itself could not send, because it cannot read the secret, counts as no attempt. ' +
        '`response_code` is what the receiver answered last; `since` and `until` are about when the ' +
        'delivery was made.',
      replies: {
        200: { description: 'A page of deliveries', schema: pageOf(deliveryView) },
      },
      errors: missing,
      handle: async (call) => {
        const { cursor, response_code: responseCode, since, until, ...rest } = call.query;
        const [from, to] = [since, until].map((time) => parseTime(time ?? '') ?? undefined);
        const rows = await service.deliveries(
          call.params.id,
          { ...rest, responseCode, since: from, until: to },
          DELIVERIES.positionOf(cursor),
          callerOf(call),
        );
        const page = DELIVERIES.page(rows, SHOWN_DELIVERIES, ({ createdAt, id }) => [createdAt, id]);
        return { body: viewPage(page, viewDelivery) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/integration/deliveries/{id}',
      tag,
      access,
      permission: 'integration.view',
      params: idPath,
      summary: 'One delivery with what was sent, and what came of each attempt',
      description:
        '`made` lacks an attempt whose process ended before the answer was known, those under way, and ' +
        'those of before this was kept. `body` is null when the event was erased, `webhookName` when the ' +
        'webhook was deleted.',
      replies: { 200: { description: 'The delivery', schema: deliveryDetail } },
      errors: missing,
      handle: async (call) => {
        const { delivery, webhook, body, made } = await service.delivery(call.params.id, callerOf(call));
        return {
          body: {
            ...viewDelivery(delivery),
            webhookName: webhook?.name ?? null,
            body,
            made: made.map(viewAttempt),
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
