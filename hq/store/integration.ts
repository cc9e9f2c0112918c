import type { Logger } from '../../common/log.ts';
import type { IntegrationStore } from '../integration/port.ts';
import type { Database } from './database.ts';
import { createDeliverySignal } from './delivery-signal.ts';
import { createOpenClients } from './open-clients.ts';
import { createOpenSnapshots } from './open-snapshots.ts';
import { createOpenTokens } from './open-tokens.ts';
import { createWebhookDeliveries } from './webhook-deliveries.ts';
import { createWebhooks } from './webhooks.ts';

/** @param url of the database, for the connection that hears of deliveries */
export function createIntegrationStore(database: Database, url: string, log: Logger): IntegrationStore {
  return {
    clients: createOpenClients(database), tokens: createOpenTokens(database), snapshots: createOpenSnapshots(database), webhooks: createWebhooks(database), deliveries: createWebhookDeliveries(database),
    signal: createDeliverySignal(url, log),
  };
}
