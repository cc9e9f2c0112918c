import * as z from 'zod/mini';
import { opens, POLICY_SCOPES, PULL_SCOPES, type Scope, STANDARD_SCOPES } from '../../http/access.ts';
import { actorOf } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { listOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { checkFree } from '../subscription/decide.ts';
import type { SubscriptionRecord } from '../subscription/port.ts';
import { consumerName } from '../subscription/schema.ts';
import { fault, saidOf } from './key-fault-messages.ts';
import { HOUR_MS, keyView, secretOnce, viewOf } from './routes.ts';
import { consumerKeyInput, keyParams, rotateInput } from './schema.ts';
import type { KeyService } from './service.ts';

export interface ConsumerKeyOptions {
  service: KeyService;
  subscription: (consumer: string) => Promise<SubscriptionRecord | null>;
  now: () => number;
  /** The consumer that this program is itself; null where it is none. */
  own: string | null;
}

const consumerKeyView = z
  .extend(keyView, { scopes: z.array(z.string()) })
  .register(described, { id: 'ConsumerKey' });
const TAG = 'Subscriptions';
const access = ['admin', 'session'] as const;
const permission = 'consumers.manage';
const noKey = { 404: 'not_found' };

const SCOPES =
  'The key opens what its scopes name and nothing else: `events.pull` pulls and acknowledges under the ' +
  'name of the consumer; `events.read` also reads single events ' +
  'and lists; `evidence.read` files, and the uploads that the consumer asked for; `timeline.read`, ' +
  '`stats.read`, `datasets.read` (headquarters); `verdicts.write` verdicts and ' +
  'corrections; `tasks.read` and `tasks.write`, `incidents.read` and `incidents.write` (reading ' +
  'included; what a person decides about a group is not open to keys); `policy.search`, `policy.cite` and ' +
  '`policy.log` the policy library of headquarters, with the clearance of the account ' +
  '`consumer:<name>`, for a key that is bound to a tenant. Left out: ' +
  '`events.pull` and `datasets.read`. `tenant_code` binds the key to one tenant; left out, it is the ' +
  'tenant of the subscription, and every tenant where that has none. A key that ' +
  'pulls cannot be bound to another tenant than the subscription of its name.';

/** Keys of consumers: what each is for and whose. A secret is shown once, when it is made. */
export function consumerKeyRoutes({ service, subscription, now, own }: ConsumerKeyOptions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/consumers/{consumer}/keys',
      tag: TAG,
      access,
      permission,
      summary: 'Give a consumer a key for what its scopes name',
      description: SCOPES,
      params: z.strictObject({ consumer: consumerName }),
      body: consumerKeyInput,
      replies: { 201: secretOnce },
      errors: { 409: 'key_exists' },
      handle: async (call) => {
        const { tenant_code: wanted, key_id: keyId, scopes = [...STANDARD_SCOPES] } = call.body;
        const { consumer } = call.params;
        checkFree(consumer, own);
        const tenantCode = tenantOf(await subscription(consumer), wanted, scopes);
        return {
          status: 201,
          body: await service.issue(
            { purpose: 'consumer', tenantCode, subject: consumer, keyId, scopes: [...new Set(scopes)] },
            actorOf(call),
          ),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/consumer-keys',
      tag: TAG,
      access,
      permission,
      summary: 'List the keys of consumers with their scopes',
      replies: {
        200: {
          description: 'The keys',
          schema: listOf(consumerKeyView),
        },
      },
      handle: async () => {
        const items = (await service.list('consumer')).map((key) => ({
          ...viewOf(key, now()),
          scopes: key.scopes ?? [],
        }));
        return { body: { items, nextCursor: null, hasMore: false } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/consumer-keys/{key_id}/rotate',
      tag: TAG,
      access,
      permission,
      params: keyParams,
      body: rotateInput,
      bodyOptional: true,
      summary: "Give a consumer's key a new secret; the old one works on for overlap_hours (default 24)",
      replies: { 200: secretOnce },
      errors: noKey,
      handle: async (call) => ({
        body: await service.rotate(
          call.params.key_id,
          'consumer',
          call.body.overlap_hours * HOUR_MS,
          actorOf(call),
        ),
      }),
    }),
    route({
      method: 'DELETE',
      path: '/api/core/consumer-keys/{key_id}',
      tag: TAG,
      access,
      permission,
      params: keyParams,
      summary: 'Remove a consumer key',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      errors: noKey,
      handle: async (call) => {
        await service.remove(call.params.key_id, 'consumer', actorOf(call));
        return { body: { removed: true } };
      },
    }),
  ];
}

/**
 * The library is asked by somebody of a tenant; and a key that pulls and is bound to another tenant than its
 * subscription would get nothing. @throws AppError 400
 */
function tenantOf(
  subscription: SubscriptionRecord | null,
  wanted: string | undefined,
  scopes: readonly Scope[],
): string | null {
  const tenant = wanted ?? subscription?.tenantCode ?? null;
  if (tenant === null && opens(scopes, POLICY_SCOPES)) throw fault('tenant_code', 'policy_tenant');
  if (!subscription) return tenant;
  if (wanted !== undefined && wanted !== subscription.tenantCode && opens(scopes, PULL_SCOPES)) {
    const { consumer, tenantCode } = subscription;
    throw fault('tenant_code', 'subscription_tenant', {
      consumer,
      whose: tenantCode === null ? saidOf('every_tenant') : saidOf('this_tenant', { tenant: tenantCode }),
    });
  }
  return tenant;
}
