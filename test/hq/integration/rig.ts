// What the tests of the integration share: a hub whose clock only the test moves, and what one does with it.
import { silentLogger } from '../../../common/log.ts';
import type { HubOverrides } from '../../../hq/app.ts';
import type { BusinessEvent } from '../../../hq/integration/business-event.ts';
import { DELIVERY_CHANNEL, emitBusinessEvent } from '../../../hq/integration/store/business-event.ts';
import { Database } from '../../../hq/store/engine/database.ts';
import { type Answer, expectStatus, jsonOf, request, until } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';

export interface Delivery {
  id: string;
  webhookId: string;
  messageId: string;
  event: string;
  status: string;
  attempts: number;
  response_code: number | null;
  last_error: string | null;
  responseBody: string | null;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  time: string;
}
export interface Webhook {
  id: string;
  signingSecret: string;
}
export interface Client {
  client_id: string;
  client_secret: string;
}

export const ncr = (id: number): BusinessEvent => ({
  event: 'ncr.created',
  project_id: 1,
  ncr_id: id,
  code: `N-${id}`,
  title: '裂缝 "2" mm',
  level: 2,
});

export interface IntegrationRig extends SessionRig {
  client(tenant?: string): Promise<Client>;
  token(
    client: Client,
    more?: { tenant?: string; secret?: string; ip?: string; url?: string },
  ): Promise<Answer>;
  webhook(url: string, more?: object): Promise<Webhook>;
  deliveries(webhookId: string, query?: string): Promise<Delivery[]>;
  /** The newest delivery, when it is as it should be. */
  delivery(webhookId: string, ready: (delivery: Delivery) => boolean): Promise<Delivery>;
  emit(event: BusinessEvent, tenant?: string): Promise<number>;
  /** Moves the clock by milliseconds, and has the sender look at once, which otherwise looks every second. */
  later(ms: number): Promise<void>;
}

export async function openIntegrationRig(
  env: Record<string, string> = {},
  parts: HubOverrides = {},
): Promise<IntegrationRig> {
  const rig = await openSessionRig(
    { CORE_WEBHOOK_NETWORKS: '127.0.0.0/8', CORE_TRUSTED_PROXIES: '127.0.0.0/8', ...env },
    parts,
  );
  const database = new Database({
    url: String(rig.hub.store.pool.options.connectionString),
    log: silentLogger(),
    poolSize: 4,
  });
  const made = async <T>(path: string, body: object): Promise<T> =>
    jsonOf<T>(expectStatus(await rig.admin('POST', path, body), 201));
  const deliveries = async (webhookId: string, query = ''): Promise<Delivery[]> =>
    jsonOf<{ items: Delivery[] }>(
      expectStatus(await rig.admin('GET', `/api/integration/webhooks/${webhookId}/deliveries${query}`), 200),
    ).items;
  return {
    ...rig,
    deliveries,
    client: (tenant = 'acme') =>
      made<Client>('/api/integration/clients', { tenant_code: tenant, name: 'erp' }),
    token: (
      client,
      { tenant = 'acme', secret = client.client_secret, ip = '192.0.2.1', url = rig.hub.url } = {},
    ) =>
      request({
        url,
        method: 'POST',
        path: '/open/v1/oauth/token',
        body: JSON.stringify({ client_id: client.client_id, client_secret: secret }),
        headers: { 'content-type': 'application/json', 'x-tenant-code': tenant, 'x-forwarded-for': ip },
      }),
    webhook: (url, more = {}) =>
      made<Webhook>('/api/integration/webhooks', {
        tenant_code: 'acme',
        name: 'receiver',
        callback_url: url,
        ...more,
      }),
    delivery: async (webhookId, ready) => {
      let found: Delivery | undefined;
      await until('the delivery is as it should be', async () => {
        [found] = await deliveries(webhookId);
        return found !== undefined && ready(found);
      });
      return found as Delivery;
    },
    emit: (event, tenant = 'acme') =>
      database.transaction((tx) =>
        emitBusinessEvent(tx, {
          tenantCode: tenant,
          event,
          at: rig.clock.now(),
          newId: () => rig.clock.newId(),
        }),
      ),
    later: async (ms) => {
      rig.clock.advance(ms);
      await rig.hub.store.pool.query(`notify ${DELIVERY_CHANNEL}`);
    },
    close: async () => {
      await database.close();
      await rig.close();
    },
  };
}
