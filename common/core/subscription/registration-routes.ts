import * as z from 'zod/mini';
import { may } from '../../http/actor.ts';
import { actorOf } from '../../http/caller.ts';
import { forbidden } from '../../http/error.ts';
import { type Route, route } from '../../http/route.ts';
import { checkFree, saysMore } from './decide.ts';
import { consumerName, subscribeInput, subscriptionChange } from './schema.ts';
import type { SubscriptionService } from './service.ts';
import { seenBy, subscriptionView, viewOf } from './view.ts';

const common = {
  tag: 'Subscriptions',
  access: ['admin', 'session'],
  permission: 'consumers.manage',
} as const;
const PATH = '/api/core/subscriptions/{consumer}';
const params = z.strictObject({ consumer: consumerName });

/**
 * Registering, changing and removing consumers (spec 2, "Event subscription"). @param own the consumer that
 * this program is itself; null where it is none
 */
export function registrationRoutes(service: SubscriptionService, own: string | null): Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: '/api/core/events/subscribe',
      body: subscribeInput,
      summary: 'Register a consumer, or change its filters; a repeated registration does not move the cursor',
      description:
        '`start_cursor` counts at the first registration only: left out, only what comes after now; 0, ' +
        'everything that is kept; a number, what comes after that event. A repeated registration changes ' +
        'what it names and leaves the rest as it is; `null` takes a filter away. `secret_ref` names the ' +
        'secret that signs pushes, never the secret itself: one of PUT /api/core/secrets/{name} for the ' +
        'use `push`, this `tenant_code` and the host of `push_url`. Where response rules are at work, the ' +
        'consumer `agent` is theirs: it takes `enabled` and nothing else.',
      replies: {
        201: { description: 'Registered', schema: subscriptionView },
        200: { description: 'Changed', schema: subscriptionView },
      },
      errors: { 400: 'validation_failed, cursor_ahead, cursor_expired' },
      handle: async (call) => {
        const { consumer, ...change } = call.body;
        if (saysMore(change)) checkFree(consumer, own);
        const { subscription, created } = await service.register(call.body, actorOf(call));
        return { status: created ? 201 : 200, body: viewOf(subscription) };
      },
    }),
    route({
      ...common,
      method: 'PATCH',
      path: PATH,
      permission: 'subscriptions.manage',
      params,
      body: subscriptionChange,
      summary: 'Change a subscription, pause it or set it going',
      description:
        'What is left out stays; `null` takes a filter away. `{"enabled": false}` pauses: pulls are 409 ' +
        '`subscription_disabled` and nothing is pushed, the cursors stay, and with `{"enabled": true}` it ' +
        'goes on from there. Everything else decides where events go: of a session it is taken with the ' +
        'permission `consumers.manage` alone.',
      replies: { 200: { description: 'Changed', schema: subscriptionView } },
      errors: { 400: 'validation_failed', 403: 'forbidden', 404: 'not_found' },
      handle: async (call) => {
        const { consumer } = call.params;
        const { actor } = call;
        if (saysMore(call.body)) {
          if (!may(actor, 'consumers.manage'))
            throw forbidden('Your account may change "enabled" alone: the rest needs consumers.manage.');
          checkFree(consumer, own);
        }
        const { body: change } = call;
        const changed = await service.change(consumer, { change, by: actorOf(call) }, actor.tenantCode);
        return { body: seenBy(actor, changed) };
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: PATH,
      params,
      summary: 'Remove a subscription with its cursors',
      description:
        'Its alarms about pushes end. Keys of the consumer stay, since they may be for more than events; ' +
        'withdraw them by `DELETE /api/core/consumers/keys/{key_id}`. Registered again, a consumer begins ' +
        'anew.',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      errors: { 400: 'validation_failed', 404: 'not_found' },
      handle: async (call) => {
        checkFree(call.params.consumer, own);
        await service.remove(call.params.consumer, actorOf(call));
        return { body: { removed: true } };
      },
    }),
  ];
}
