import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { RetentionHook } from '../../common/core/retention/port.ts';
import type { NetworkList, Networks, Resolve } from '../../common/http/outbound/address.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import { counter, type Metric } from '../../common/metrics.ts';
import { version } from '../../common/package.ts';
import type { SecretSources, SecretVault } from '../../common/secret/secret.ts';
import { createHttpClient } from '../http-client.ts';
import { hubMessages } from '../hub-messages.ts';
import { integrationAlarms } from './alarm-routes.ts';
import { LastUse } from './client/last-use.ts';
import { clientRoutes } from './client/routes.ts';
import { ClientService } from './client/service.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { metadataRoutes, openRoutes } from './open-routes.ts';
import type { DeliveryPort, DeliveryQueuePort, IntegrationStore } from './port.ts';
import { createDeliveryPost } from './post.ts';
import { DeliverySender, type DeliveryStep } from './sender.ts';
import { TokenService } from './token/service.ts';
import { IntegrationUpkeep } from './upkeep.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { WebhookService } from './webhook-service.ts';

export interface IntegrationOptions {
  store: IntegrationStore;
  alarms: AlarmPort;
  vault: SecretVault;
  secrets: SecretSources;
  /** Where callbacks may lie. */
  networks: Networks;
  /** Days that settled deliveries are kept. */
  keepDays: number;
  clock: Clock;
  log: Logger;
  instance: string;
  /** For tests. */
  resolve?: Resolve | undefined;
  /** Proxies that say under which host they were asked. */
  trustedProxies: NetworkList;
  onStep?: ((step: DeliveryStep) => void) | undefined;
  attemptMs?: number | undefined;
}

/** The open interface, its clients and the webhooks. */
export interface Integration {
  sender: DeliverySender;
  upkeep: IntegrationUpkeep;
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

/** Erases the business events of deleted core events, with what was delivered of them. */
export function integrationRetentionHook(deliveries: DeliveryPort): RetentionHook {
  return {
    name: 'business_events',
    forget: async (eventIds) => ({ business_events: await deliveries.forget(eventIds) }),
  };
}

export function createIntegration(options: IntegrationOptions): Integration {
  const { store, clock, log, alarms, instance, networks } = options;
  const client = createHttpClient(networks, {
    maxSockets: Infinity,
    keepAlive: false,
    resolve: options.resolve,
  });
  const post = createDeliveryPost({
    client,
    secrets: options.secrets,
    clock,
    version,
    attemptMs: options.attemptMs,
  });
  const { queue, signal, tokens, clients } = store;
  const use = new LastUse(clients);
  const { onStep, keepDays } = options;
  const sender = new DeliverySender({ queue, signal, alarms, post, clock, log, instance, onStep });
  const upkeep = new IntegrationUpkeep({ queue, tokens, use, alarms, clock, log, instance, keepDays });
  const now = (): number => clock.now();
  const webhooks = new WebhookService({
    webhooks: store.webhooks,
    deliveries: store.deliveries,
    vault: options.vault,
    clock,
    networks,
  });
  return {
    sender,
    upkeep,
    routes: [
      ...metadataRoutes(options.trustedProxies),
      ...openRoutes(new TokenService({ tokens, snapshots: store.snapshots, use, clock })),
      ...clientRoutes(new ClientService({ clients, tokens, use, clock }), now),
      ...webhookRoutes(webhooks, now),
      ...deliveryRoutes(webhooks),
      integrationAlarms({ alarms, messages: hubMessages, self: instance }),
    ],
    metrics: metricsOf(sender, upkeep, queue),
    start: () => {
      sender.start();
      upkeep.loop.start();
    },
    stop: async () => {
      await Promise.all([sender.stop(), upkeep.loop.stop()]);
      await lastFlush(use, log);
      client.close();
    },
  };
}

const lastFlush = (use: LastUse, log: Logger): Promise<void> =>
  use.flush().catch((error: unknown) => log.warn({ err: error }, 'the last use of clients is lost'));

function metricsOf(
  { counts }: DeliverySender,
  upkeep: IntegrationUpkeep,
  queue: DeliveryQueuePort,
): Metric[] {
  return [
    counter('fieldline_webhook_attempts_total', 'Attempts to deliver to a webhook', () => counts.attempts),
    counter('fieldline_webhook_delivered_total', 'Attempts that the receiver took', () => counts.delivered),
    counter('fieldline_webhook_failed_total', 'Attempts that failed', () => counts.failed),
    counter(
      'fieldline_webhook_exhausted_total',
      'Deliveries given up after the last attempt',
      () => counts.exhausted,
    ),
    counter(
      'fieldline_integration_swept_total',
      'Old deliveries, events and tokens that were deleted',
      () => upkeep.counts.swept,
    ),
    {
      name: 'fieldline_webhook_pending',
      help: 'Deliveries that wait or are under way',
      type: 'gauge',
      read: async () => (await queue.counts()).pending,
    },
  ];
}
