import * as z from 'zod/mini';
import { PULL_SCOPES } from '../../http/access.ts';
import { actorOf, tenantFor } from '../../http/caller.ts';
import { listOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { checkFree } from './decide.ts';
import { PULLERS, type PullRouteOptions, pullRoutes } from './pull-routes.ts';
import { registrationRoutes } from './registration-routes.ts';
import { ackInput } from './schema.ts';
import { listedView, pushViewOf, seenBy } from './view.ts';

export interface SubscriptionRouteOptions extends PullRouteOptions {
  /** The consumer that this program is itself; null where it is none. */
  own: string | null;
}

/** Registration, pull and acknowledgement by consumers (spec 2, "Event subscription"). */
export function subscriptionRoutes(options: SubscriptionRouteOptions): Route[] {
  const { service, own } = options;
  return [
    ...registrationRoutes(service, own),
    ...pullRoutes(options),
    route({
      method: 'POST',
      path: '/api/core/events/ack',
      tag: 'Subscriptions',
      access: PULLERS,
      permission: 'subscriptions.acknowledge',
      scopes: PULL_SCOPES,
      body: ackInput,
      summary: 'Confirm everything up to a cursor; a lower cursor moves nothing',
      description:
        'The only call that moves the cursor. A lower cursor is answered with where the cursor stands and ' +
        '`moved: false`; one beyond the newest event is 400. Whoever confirms in the place of the ' +
        'consumer, with a session or an admin key, takes what lies between from it: that is in the audit, ' +
        '`subscription.acknowledged`.',
      replies: {
        200: {
          description: 'Where the cursor stands',
          schema: z.object({ consumer: z.string(), cursor: z.int(), moved: z.boolean() }),
        },
      },
      errors: { 400: 'validation_failed, cursor_ahead', 404: 'not_found', 409: 'cursor_epoch_changed' },
      handle: async (call) => {
        const { consumer, cursor, epoch: known } = call.body;
        checkFree(consumer, own);
        const by = call.actor.kind === 'key' ? undefined : actorOf(call);
        return {
          body: { consumer, ...(await service.ack(consumer, { cursor, epoch: known, by }, call.actor)) },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/events/subscriptions',
      tag: 'Subscriptions',
      access: ['admin', 'session'],
      permission: 'subscriptions.view',
      summary:
        'The subscriptions with their lag: events after the confirmed cursor that the filters let ' +
        'through; push says how the pushes go',
      replies: {
        200: {
          description: 'The subscriptions',
          schema: listOf(listedView),
        },
      },
      description:
        'Of a subscription with filters the first 20000 events after its cursor are looked at; ' +
        '`lagCapped` says that there may be more of its own. Test events count. ' +
        'A caller that is bound to one tenant sees the push address without its query, and not the ' +
        'reference to the secret: both may open something.',
      handle: async ({ actor }) => {
        const items = await service.list(tenantFor(actor, undefined));
        return {
          body: {
            items: items.map((one) => ({
              ...seenBy(actor, one),
              lag: one.lag,
              lagCapped: one.lagCapped,
              push: pushViewOf(one.push),
            })),
            nextCursor: null,
            hasMore: false,
          },
        };
      },
    }),
  ];
}
