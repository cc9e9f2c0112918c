import * as z from 'zod/mini';
import { route, type Route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import { eventView, renderEvent } from '../event/render.ts';
import { severities } from '../event/schema.ts';
import { tenantFor } from '../event/routes.ts';
import { actorOf } from '../key/routes.ts';
import type { SubscriptionRecord } from './port.ts';
import { ackInput, sinceQuery, subscribeInput } from './schema.ts';
import { DEFAULT_BATCH, type SubscriptionService } from './service.ts';

const text = z.nullable(z.string());
const subscriptionView = z.object({
  consumer: z.string(), tenantCode: text, eventTypes: z.nullable(z.array(z.string())), minSeverity: z.nullable(z.enum(severities)),
  pushUrl: text, secretRef: text, enabled: z.boolean(), cursor: z.int(), pushCursor: z.int(), createdAt: z.string(), updatedAt: z.string(),
});
const listedView = z.extend(subscriptionView, { lag: z.int() });

function viewOf(record: SubscriptionRecord): z.infer<typeof subscriptionView> {
  return {
    consumer: record.consumer, tenantCode: record.tenantCode, eventTypes: record.eventTypes, minSeverity: record.minSeverity,
    pushUrl: record.pushUrl, secretRef: record.secretRef, enabled: record.enabled, cursor: record.cursor, pushCursor: record.pushCursor,
    createdAt: formatTime(record.createdAt), updatedAt: formatTime(record.updatedAt),
  };
}

export function subscriptionRoutes(service: SubscriptionService, epoch: () => string, self: string): Route[] {
  const pullers = ['admin', 'session', 'consumer'] as const;
  const permission = 'subscriptions.view';
  return [
    route({
      method: 'POST', path: '/api/core/events/subscribe', tag: 'Subscriptions', access: ['admin'], body: subscribeInput,
      summary: 'Register a consumer, or change its filters; a repeated registration does not move the cursor',
      replies: { 201: { description: 'Registered', schema: subscriptionView }, 200: { description: 'Changed', schema: subscriptionView } },
      errors: { 400: 'validation_failed, cursor_ahead, cursor_expired' },
      handle: async (call) => {
        const { subscription, created } = await service.register(call.body, actorOf(call));
        return { status: created ? 201 : 200, body: viewOf(subscription) };
      },
    }),
    route({
      method: 'GET', path: '/api/core/events/since', tag: 'Subscriptions', access: pullers, permission, query: sinceQuery,
      summary: 'The batch of events after the confirmed cursor; confirm it with ack when it is processed',
      replies: {
        200: {
          description: 'The batch; nextCursor counts events that the filters removed',
          schema: z.object({ items: z.array(eventView), nextCursor: z.int(), hasMore: z.boolean(), epoch: z.string() }),
        },
      },
      errors: { 404: 'not_found', 409: 'cursor_epoch_changed, cursor_ahead, cursor_expired, subscription_disabled' },
      handle: async ({ actor, query }) => {
        const options = { limit: query.limit ?? DEFAULT_BATCH, includeTest: query.include_test === 'true', epoch: query.epoch };
        const batch = await service.since(query.consumer, options, actor);
        const items = batch.items.map((event) => renderEvent(event, self)).join(',');
        return { body: `{"items":[${items}],"nextCursor":${batch.nextCursor},"hasMore":${batch.hasMore},"epoch":"${epoch()}"}` };
      },
    }),
    route({
      method: 'POST', path: '/api/core/events/ack', tag: 'Subscriptions', access: pullers, permission, body: ackInput,
      summary: 'Confirm everything up to a cursor; a lower cursor moves nothing',
      replies: { 200: { description: 'Where the cursor stands', schema: z.object({ consumer: z.string(), cursor: z.int(), moved: z.boolean() }) } },
      errors: { 400: 'validation_failed, cursor_ahead', 404: 'not_found', 409: 'cursor_epoch_changed' },
      handle: async ({ actor, body }) => ({ body: { consumer: body.consumer, ...(await service.ack(body.consumer, body.cursor, body.epoch, actor)) } }),
    }),
    route({
      method: 'GET', path: '/api/core/events/subscriptions', tag: 'Subscriptions', access: ['admin', 'session'], permission,
      summary: 'The subscriptions with their lag: events after the confirmed cursor, before filters; to a customer only its own events count, up to 1000',
      replies: { 200: { description: 'The subscriptions', schema: z.object({ items: z.array(listedView), nextCursor: z.null(), hasMore: z.boolean() }) } },
      handle: async ({ actor }) => {
        const items = await service.list(tenantFor(actor, undefined));
        return { body: { items: items.map((one) => ({ ...viewOf(one), lag: one.lag })), nextCursor: null, hasMore: false } };
      },
    }),
  ];
}
