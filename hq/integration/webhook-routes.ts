import * as z from 'zod/mini';
import { pageOf, tenantFor } from '../../common/core/event/routes.ts';
import { route, type Route } from '../../common/http/route.ts';
import { parseTime } from '../../common/time.ts';
import { callerOf } from './caller.ts';
import {
  deliveryQuery,
  deliveryView,
  idPath,
  listQuery,
  pageFrom,
  positionOf,
  recoverInput,
  viewDelivery,
  viewWebhook,
  webhookChange,
  webhookInput,
  webhookRotate,
  webhookView,
  webhookWithSecret,
} from './schema.ts';
import { RECOVERED_AT_ONCE, SHOWN_DELIVERIES, type WebhookService } from './webhook-service.ts';

const access = ['admin', 'session'] as const;
const permission = 'integration.manage';
const tag = 'Integration';
const HOUR_MS = 3_600_000;
const LIST = 'webhooks';
const missing = { 404: 'not_found' };
const notWhenDisabled = { ...missing, 409: 'webhook_disabled' };
const once = {
  description: 'The webhook with its signing secret, shown this once',
  schema: webhookWithSecret,
};

/** Management of webhooks and their deliveries. */
export function webhookRoutes(service: WebhookService, now: () => number): Route[] {
  return [...manageRoutes(service, now), ...deliveryRoutes(service)];
}

function manageRoutes(service: WebhookService, now: () => number): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/integration/webhooks',
      tag,
      access,
      permission: 'integration.view',
      query: listQuery,
      summary: 'List the webhooks, newest first',
      replies: {
        200: {
          description: 'A page of webhooks; `failures` counts attempts that failed in a row',
          schema: pageOf(webhookView),
        },
      },
      handle: async ({ actor, query }) => {
        const rows = await service.list(
          tenantFor(actor, query.tenant_code),
          positionOf(LIST, query.cursor),
          query.limit + 1,
        );
        return {
          body: pageFrom(rows, query.limit, {
            list: LIST,
            view: (row) => viewWebhook(row, now()),
            position: ({ createdAt: at, id }) => ({ at, id }),
          }),
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/integration/webhooks',
      tag,
      access,
      permission,
      body: webhookInput,
      summary: 'Create a webhook',
      description:
        '`events` is `all` or one event type; the event catalogue is under `webhooks` in this ' +
        'description. Without `signing_secret` one is made (`whsec_…`). Callbacks lie on the ' +
        'Internet or in networks that the operator lists in CORE_WEBHOOK_NETWORKS; names are judged at ' +
        'each connection.',
      replies: { 201: once },
      handle: async (call) => {
        const { tenant_code: tenantCode, callback_url: url, signing_secret: secret, ...rest } = call.body;
        tenantFor(call.actor, tenantCode);
        const made = await service.create({ tenantCode, url, secret, ...rest }, callerOf(call));
        return { status: 201, body: { ...viewWebhook(made.webhook, now()), signingSecret: made.secret } };
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/integration/webhooks/{id}',
      tag,
      access,
      permission,
      params: idPath,
      body: webhookChange,
      summary: 'Change, enable or disable a webhook',
      description:
        'Disabling ends what is pending as failed, with the reason in `last_error`; enabling it again ' +
        'does not bring that back, `recover` does. What waits goes to a changed address.',
      replies: { 200: { description: 'The webhook as it is now', schema: webhookView } },
      errors: missing,
      handle: async (call) => {
        const { callback_url: url, ...rest } = call.body;
        return {
          body: viewWebhook(await service.change(call.params.id, { ...rest, url }, callerOf(call)), now()),
        };
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/integration/webhooks/{id}',
      tag,
      access,
      permission,
      params: idPath,
      summary: 'Delete a webhook; what is pending ends as failed',
      replies: { 200: { description: 'Deleted', schema: z.object({ removed: z.boolean() }) } },
      errors: missing,
      handle: async (call) => {
        await service.remove(call.params.id, callerOf(call));
        return { body: { removed: true } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/integration/webhooks/{id}/rotate',
      tag,
      access,
      permission,
      params: idPath,
      body: webhookRotate,
      bodyOptional: true,
      summary: 'Give a webhook a new signing secret',
      description:
        'For `overlap_hours` (default 24) both secrets sign: `webhook-signature` lists both ' +
        'signatures, `X-Service-Signature` is by the new secret and `X-Service-Signature-Previous` by ' +
        'the old. Rotating again ends the oldest.',
      replies: { 200: once },
      errors: missing,
      handle: async (call) => {
        const { overlap_hours: hours, signing_secret: secret } = call.body;
        const made = await service.rotate(
          call.params.id,
          { secret, overlapMs: hours * HOUR_MS },
          callerOf(call),
        );
        return { body: { ...viewWebhook(made.webhook, now()), signingSecret: made.secret } };
      },
    }),
  ];
}

function deliveryRoutes(service: WebhookService): Route[] {
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
