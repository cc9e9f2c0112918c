// What the management of the integration is asked, and how it answers.
import * as z from 'zod/mini';
import { upTo } from '../../common/characters.ts';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { pagedList } from '../../common/cursor.ts';
import { scopes } from '../../common/http/access.ts';
import { described } from '../../common/http/described.ts';
import { limitParam } from '../../common/http/list.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import { subscribableTypes } from './business-event.ts';
import { saying } from './integration-fault-messages.ts';
import type { ListPosition } from './port.ts';
import type { ClientListed, ClientRecord, DeliveryCounts, WebhookRecord } from './record.ts';

const status = z.enum(['enabled', 'disabled']);
const subscribed = z.enum(['all', ...subscribableTypes]);

export const idPath = z.strictObject({ id: code(64) });
export const listQuery = z.strictObject({
  tenant_code: z.optional(tenantCode),
  limit: limitParam(50, 500),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});
export const rotateInput = z
  .strictObject({
    overlap_hours: z._default(z.number().check(z.minimum(0), z.maximum(24 * 7)), 24),
  })
  .register(described, { id: 'SecretRotation' });

const clientScopes = z.array(z.enum(scopes)).check(z.maxLength(scopes.length));

export const clientInput = z
  .strictObject({ tenant_code: tenantCode, name: code(128), scopes: z._default(clientScopes, []) })
  .register(described, { id: 'NewClient' });
export const clientChange = z
  .strictObject({
    name: z.optional(code(128)),
    status: z.optional(status),
    scopes: z.optional(clientScopes),
  })
  .register(described, { id: 'ClientChange' });

const callbackUrl = z.string().check(upTo(2048), z.refine(isCallback, saying('callback_url')));
/** Chosen by the creator, of any characters; the key is its UTF-8. */
const signingSecret = z.string().check(z.minLength(8), z.maxLength(256));

export const webhookInput = z
  .strictObject({
    tenant_code: tenantCode,
    name: code(128),
    callback_url: callbackUrl,
    signing_secret: z.optional(signingSecret),
    events: z._default(subscribed, 'all'),
    status: z._default(status, 'enabled'),
  })
  .register(described, { id: 'NewWebhook' });
export const webhookChange = z
  .strictObject({
    name: z.optional(code(128)),
    callback_url: z.optional(callbackUrl),
    events: z.optional(subscribed),
    status: z.optional(status),
    reason: z.optional(code(500)),
  })
  .check(
    z.refine((change) => change.reason === undefined || change.status === 'disabled', {
      path: ['reason'],
      ...saying('reason_unwanted'),
    }),
  )
  .register(described, { id: 'WebhookChange' });
export const webhookRotate = z
  .extend(rotateInput, { signing_secret: z.optional(signingSecret) })
  .register(described, { id: 'WebhookRotation' });
function isCallback(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && hostname !== '';
}

export const clientView = z
  .object({
    client_id: z.string(),
    tenantCode: z.string(),
    name: z.string(),
    status,
    scopes: z.array(z.string()),
    createdAt: z.string(),
    updatedAt: z.string(),
    previousSecretUntil: z.nullable(z.string()),
    lastUsedAt: z.nullable(z.string()),
  })
  .register(described, { id: 'Client' });
/** One of a list, which tells from where its requests for tokens are refused. */
export const clientListed = z
  .extend(clientView, { heldUp: z.array(z.object({ ip: z.string(), until: z.string() })) })
  .register(described, { id: 'ClientListed' });
export const clientWithSecret = z
  .extend(clientView, { client_secret: z.string() })
  .register(described, { id: 'ClientWithSecret' });
export const webhookView = z
  .object({
    id: z.string(),
    tenantCode: z.string(),
    name: z.string(),
    callbackUrl: z.string(),
    events: subscribed,
    status,
    failures: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
    previousSecretUntil: z.nullable(z.string()),
    disabled: z.nullable(z.object({ at: z.string(), by: z.string(), reason: z.nullable(z.string()) })),
  })
  .register(described, { id: 'Webhook' });
/** One of a list, which tells how it goes. */
export const webhookListed = z
  .extend(webhookView, {
    lastDay: z.object({ success: z.int(), failed: z.int(), pending: z.int() }),
  })
  .register(described, { id: 'WebhookListed' });
export const webhookWithSecret = z
  .extend(webhookView, { signingSecret: z.string() })
  .register(described, { id: 'WebhookWithSecret' });
const until = (at: number | null, now: number): string | null =>
  at !== null && at > now ? formatTime(at) : null;

export function viewClient(client: ClientRecord, now: number): z.infer<typeof clientView> {
  const { clientId, tenantCode: tenant, name, createdAt, updatedAt, previousUntil } = client;
  return {
    client_id: clientId,
    tenantCode: tenant,
    name,
    status: client.status,
    scopes: client.scopes,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
    previousSecretUntil: until(previousUntil, now),
    lastUsedAt: formatTimeOrNull(client.lastUsedAt),
  };
}

export const viewClientListed = (client: ClientListed, now: number): z.infer<typeof clientListed> => ({
  ...viewClient(client, now),
  heldUp: client.heldUp.map(({ ip, until: end }) => ({ ip, until: formatTime(end) })),
});

export function viewWebhook(webhook: WebhookRecord, now: number): z.infer<typeof webhookView> {
  const {
    id,
    tenantCode: tenant,
    name,
    url,
    events,
    failures,
    createdAt,
    updatedAt,
    previousUntil,
    disabledAt,
    disabledBy,
    disabledReason: reason,
  } = webhook;
  return {
    id,
    tenantCode: tenant,
    name,
    callbackUrl: url,
    events,
    status: webhook.status,
    failures,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
    previousSecretUntil: until(previousUntil, now),
    disabled: disabledAt === null ? null : { at: formatTime(disabledAt), by: disabledBy ?? '', reason },
  };
}

export const viewListed = (
  webhook: WebhookRecord,
  lastDay: ReadonlyMap<string, DeliveryCounts>,
  now: number,
): z.infer<typeof webhookListed> => ({
  ...viewWebhook(webhook, now),
  lastDay: lastDay.get(webhook.id) ?? { success: 0, failed: 0, pending: 0 },
});

/** A list by time of creation, the newest first. */
export function listByCreation(name: string) {
  const list = pagedList(name, ['number', 'string']);
  return {
    positionOf(cursor: string | undefined): ListPosition | null {
      const position = list.positionOf(cursor);
      return position && { at: position[0], id: position[1] };
    },
    page: list.page.bind(list),
  };
}
