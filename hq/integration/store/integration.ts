import type { Logger } from '../../../common/log.ts';
import type { IntegrationStore } from '../port.ts';
import type { Database } from '../../store/engine/database.ts';
import { createDeliverySignal } from './delivery-signal.ts';
import { createOpenClients } from './client.ts';
import { createOpenSnapshots } from './snapshot.ts';
import { createOpenTokens } from './token.ts';
import { createWebhookDeliveries } from './delivery.ts';
import { createWebhooks } from './webhook.ts';

/** @param url of the database, for the connection that hears of deliveries */
export function createIntegrationStore(database: Database, url: string, log: Logger): IntegrationStore {
  return {
    clients: createOpenClients(database),
    tokens: createOpenTokens(database),
    snapshots: createOpenSnapshots(database),
    webhooks: createWebhooks(database),
    deliveries: createWebhookDeliveries(database),
    signal: createDeliverySignal(url, log),
  };
}
