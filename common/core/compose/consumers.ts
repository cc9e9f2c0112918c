import { WaitingCalls } from '../../http/body/waiting-calls.ts';
import type { HttpClient } from '../../http/outbound/client.ts';
import { gauge } from '../../metrics.ts';
import { Watermark } from '../event/watermark.ts';
import { consumerKeyRoutes } from '../key/consumer-routes.ts';
import type { KeyService } from '../key/service.ts';
import { pushMetrics } from '../push/metrics.ts';
import { createPost } from '../push/post.ts';
import { PushSender } from '../push/sender.ts';
import { arrivalsAfter, type Awaited } from '../subscription/arrivals.ts';
import { subscriptionRoutes } from '../subscription/routes.ts';
import { SubscriptionService } from '../subscription/service.ts';
import type { CoreBase, CorePart, CoreSecrets } from './part.ts';

export interface ConsumerOptions {
  /** The consumer that this program is itself, whose name nobody else may take; null where it is none. */
  own: string | null;
  /** Calls that wait for events at a time: each keeps a connection. */
  mostWaiting: number;
}

export interface Consumers extends CorePart {
  subscriptions: SubscriptionService;
  /** Answers the calls that wait, before the listener closes. */
  release(): void;
}

/** Those who follow the events: by pulling them with a cursor, or by having them pushed. */
export function createConsumers(
  base: CoreBase,
  secrets: CoreSecrets,
  keys: KeyService,
  client: HttpClient,
  { own, mostWaiting: most }: ConsumerOptions,
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
  const arrivals = createArrivals(base, watermark, most);
  const push = createPush(base, secrets, client, watermark);
  return {
    subscriptions,
    routes: [
      ...subscriptionRoutes({ service: subscriptions, arrivals, epoch, self, own }),
      ...consumerKeyRoutes({
        service: keys,
        subscription: (consumer) => stores.subscriptions.get(consumer),
        now: () => clock.now(),
        own,
      }),
    ],
    metrics: [
      ...pushMetrics(stores.push, push),
      gauge('fieldline_pulls_waiting', 'Calls that are held until there are events', () => arrivals.held),
    ],
    start: () => {
      push.start();
      arrivals.loop.start();
    },
    stop: async () => {
      await Promise.all([push.stop(), arrivals.loop.stop()]);
    },
    release: () => arrivals.close(),
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

/** Those that wait for events. */
function createArrivals(
  { stores, clock, log }: CoreBase,
  watermark: Watermark,
  most: number,
): WaitingCalls<Awaited> {
  const served = { events: stores.events, watermark, clock };
  const look = (from: number) => arrivalsAfter(served, from);
  return new WaitingCalls<Awaited>({ name: 'waiting pulls', look, most, log });
}
