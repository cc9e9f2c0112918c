import type { Logger } from '../../../common/log.ts';
import type { Database } from '../../store/engine/database.ts';
import type { IntegrationStore } from '../port.ts';
import { HubOpenClients } from './client.ts';
import { HubDeliveries } from './delivery.ts';
import { HubDeliveryQueue } from './delivery-queue.ts';
import { HubDeliverySignal } from './delivery-signal.ts';
import { HubSnapshots } from './snapshot.ts';
import { HubTokens } from './token.ts';
import { HubWebhooks } from './webhook.ts';

/** @param url of the database, for the connection that hears of deliveries */
export function createIntegrationStore(database: Database, url: string, log: Logger): IntegrationStore {
  return {
    clients: new HubOpenClients(database),
    tokens: new HubTokens(database),
    snapshots: new HubSnapshots(database),
    webhooks: new HubWebhooks(database),
    deliveries: new HubDeliveries(database),
    queue: new HubDeliveryQueue(database),
    signal: new HubDeliverySignal(url, log),
  };
}
