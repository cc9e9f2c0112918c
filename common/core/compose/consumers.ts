import type { HttpClient } from '../../http/outbound/client.ts';
import { Watermark } from '../event/watermark.ts';
import { consumerKeyRoutes } from '../key/consumer-routes.ts';
import type { KeyService } from '../key/service.ts';
import { pushMetrics } from '../push/metrics.ts';
import { createPost } from '../push/post.ts';
import { PushSender } from '../push/sender.ts';
import { subscriptionRoutes } from '../subscription/routes.ts';
import { SubscriptionService } from '../subscription/service.ts';
import type { CoreBase, CorePart, CoreSecrets } from './part.ts';

export interface ConsumerOptions {
  /** The consumer that this program is itself, whose name nobody else may take; null where it is none. */
  own: string | null;
}

export interface Consumers extends CorePart {
  subscriptions: SubscriptionService;
}

/** Those who follow the events: by pulling them with a cursor, or by having them pushed. */
export function createConsumers(
  base: CoreBase,
  secrets: CoreSecrets,
  keys: KeyService,
  client: HttpClient,
  { own }: ConsumerOptions,
): Consumers {
  const { stores, clock, instance: self } = base;
  const epoch = (): string => stores.epoch();
  const watermark = new Watermark();
  const subscriptions = new SubscriptionService({
    subscriptions: stores.subscriptions,
    push: stores.push,
    events: stores.events,
    alarms: stores.alarms,
    epoch,
    watermark,
    clock,
    secretResolver: secrets.resolver,
  });
  const push = createPush(base, secrets, client, watermark);
  return {
    subscriptions,
    routes: [
      ...subscriptionRoutes({ service: subscriptions, epoch, self, own }),
      ...consumerKeyRoutes({
        service: keys,
        subscription: (consumer) => stores.subscriptions.get(consumer),
        now: () => clock.now(),
        own,
      }),
    ],
    metrics: pushMetrics(stores.push, push),
    start: () => push.start(),
    stop: () => push.stop(),
  };
}

function createPush(
  { stores, clock, log, instance: self }: CoreBase,
  secrets: CoreSecrets,
  client: HttpClient,
  watermark: Watermark,
): PushSender {
  const epoch = (): string => stores.epoch();
  return new PushSender({
    push: stores.push,
    subscriptions: stores.subscriptions,
    events: stores.events,
    alarms: stores.alarms,
    watermark,
    vault: secrets.sealing,
    clock,
    log,
    self,
    post: createPost({ client, secretResolver: secrets.resolver, clock, log, epoch, self }),
  });
}
