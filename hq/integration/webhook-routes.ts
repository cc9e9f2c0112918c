import * as z from 'zod/mini';
import { viewPage } from '../../common/cursor.ts';
import { tenantFor } from '../../common/http/caller.ts';
import { pageOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { callerOf } from './caller.ts';
import {
  idPath,
  listByCreation,
  listQuery,
  viewListed,
  viewWebhook,
  webhookChange,
  webhookInput,
  webhookListed,
  webhookRotate,
  webhookView,
  webhookWithSecret,
} from './schema.ts';
import type { WebhookService } from './webhook-service.ts';

const access = ['admin', 'session'] as const;
const permission = 'integration.manage';
const tag = 'Integration';
const HOUR_MS = 3_600_000;
const WEBHOOKS = listByCreation('webhooks');
const missing = { 404: 'not_found' };
const once = {
  description: 'The webhook with its signing secret, shown this once',
  schema: webhookWithSecret,
};

/** Management of webhooks. */
export function webhookRoutes(service: WebhookService, now: () => number): Route[] {
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
          description:
            'A page of webhooks; `failures` counts attempts that failed in a row, `lastDay` the deliveries ' +
            'that were made in the last 24 hours by how they stand, `disabled` says since when, by ' +
            'whom and why',
          schema: pageOf(webhookListed),
        },
      },
      handle: async ({ actor, query }) => {
        const rows = await service.list(
          tenantFor(actor, query.tenant_code),
          WEBHOOKS.positionOf(query.cursor),
          query.limit + 1,
        );
        const lastDay = await service.lastDay(rows);
        const page = WEBHOOKS.page(rows, query.limit, ({ createdAt, id }) => [createdAt, id]);
        return { body: viewPage(page, (row) => viewListed(row, lastDay, now())) };
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
      method: 'GET',
      path: '/api/integration/webhooks/{id}',
      tag,
      access,
      permission: 'integration.view',
      params: idPath,
      summary: 'One webhook, as the list shows it',
      replies: { 200: { description: 'The webhook', schema: webhookListed } },
      errors: missing,
      handle: async (call) => {
        const webhook = await service.get(call.params.id, callerOf(call));
        return { body: viewListed(webhook, await service.lastDay([webhook]), now()) };
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
        'Disabling ends what is pending as failed, and says so in `last_error`; `reason` is kept and shown ' +
        'as why. Enabling it again does not bring back what was pending, `recover` does. ' +
        'What waits goes to a changed address.',
      replies: { 200: { description: 'The webhook as it is now', schema: webhookView } },
      errors: missing,
      handle: async (call) => {
        const { callback_url: url, reason: disabledReason, ...rest } = call.body;
        const change = { ...rest, url, disabledReason };
        return { body: viewWebhook(await service.change(call.params.id, change, callerOf(call)), now()) };
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
