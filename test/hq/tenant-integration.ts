// The integration of two tenants, and what the administrator of one is to get of that of the other.
import { expect } from 'vitest';
import { type Answer, expectStatus, jsonOf } from '../support/request.ts';
import type { SessionRig } from './session-rig.ts';
import type { Expected } from './tenant-things.ts';

interface Made {
  client: string;
  webhook: string;
  delivery: string;
  source: string;
}

const webhook = (tenant: string) => ({
  tenant_code: tenant,
  name: tenant,
  callback_url: `https://${tenant}.example`,
});
const source = (tenant: string, secret: string) => ({
  tenant_code: tenant,
  name: tenant,
  base_url: 'http://10.20.30.40:8070',
  key_id: tenant,
  secret_ref: secret,
  schedule: '0 0 1 1 *',
  datasets: [{ dataset: 'projects', processor: 'projects' }],
  enabled: false,
});

/** A client, a webhook with a delivery, and a source. */
export async function makeIntegration({ admin }: SessionRig, tenant: string): Promise<Made> {
  const made = async (method: string, path: string, body: object) =>
    jsonOf<Record<string, string>>(expectStatus(await admin(method, path, body), 200, 201, 202));
  const secret = {
    tenant_code: tenant,
    use: 'dataset',
    host: '10.20.30.40:8070',
    secret: 'a-secret-of-ours',
  };
  await made('PUT', `/api/core/secrets/${tenant}`, secret);
  const { client_id: client = '' } = await made('POST', '/api/integration/clients', {
    tenant_code: tenant,
    name: tenant,
  });
  const { id = '' } = await made('POST', '/api/integration/webhooks', webhook(tenant));
  const { id: delivery = '' } = await made('POST', `/api/integration/webhooks/${id}/test`, {});
  const { id: pulled = '' } = await made('POST', '/api/dataset/sources', source(tenant, tenant));
  return { client, webhook: id, delivery, source: pulled };
}

const own = (answer: Answer): void =>
  expect(jsonOf<{ items: object[] }>(answer).items).toMatchObject([{ tenantCode: 'alpha' }]);

/** @param foreign what the other tenant has */
export function integrationTable(foreign: () => Made): Record<string, Expected> {
  const of = (path: string, what: keyof Made, rest = '', body?: object): Expected => ({
    target: () => `${path}/${foreign()[what]}${rest}`,
    missing: { target: () => `${path}/nobody-has-this${rest}` },
    status: 404,
    ...(body ? { body: () => body } : {}),
  });
  const [clients, webhooks] = ['/api/integration/clients', '/api/integration/webhooks'];
  const [deliveries, sources] = ['/api/integration/deliveries', '/api/dataset/sources'];
  return {
    'POST /open/v1/oauth/token': { status: 400, body: () => ({}) },
    'GET /.well-known/oauth-authorization-server': { status: 200 },
    // It says back the tenant that is asked for, whether there is one or not.
    'GET /.well-known/oauth-authorization-server/{tenant_code}': {
      status: 200,
      target: () => '/.well-known/oauth-authorization-server/nobody',
    },
    'GET /open/v1/project/{project_code}/snapshot': { status: 401 },
    'GET /api/integration/alarms': { status: 200 },
    'GET /api/integration/clients': { status: 200, check: own },
    'POST /api/integration/clients': { status: 403, body: () => ({ tenant_code: 'bravo', name: 'x' }) },
    'PATCH /api/integration/clients/{id}': of(clients, 'client', '', { status: 'disabled' }),
    'DELETE /api/integration/clients/{id}': of(clients, 'client'),
    'POST /api/integration/clients/{id}/rotate': of(clients, 'client', '/rotate', {}),
    'GET /api/integration/webhooks': { status: 200, check: own },
    'POST /api/integration/webhooks': { status: 403, body: () => webhook('bravo') },
    'GET /api/integration/webhooks/{id}': of(webhooks, 'webhook'),
    'PATCH /api/integration/webhooks/{id}': of(webhooks, 'webhook', '', { status: 'disabled' }),
    'DELETE /api/integration/webhooks/{id}': of(webhooks, 'webhook'),
    'POST /api/integration/webhooks/{id}/rotate': of(webhooks, 'webhook', '/rotate', {}),
    'POST /api/integration/webhooks/{id}/test': of(webhooks, 'webhook', '/test'),
    'POST /api/integration/webhooks/{id}/recover': of(webhooks, 'webhook', '/recover', {
      since: '2026-01-01T00:00:00Z',
    }),
    'GET /api/integration/webhooks/{id}/deliveries': of(webhooks, 'webhook', '/deliveries'),
    'GET /api/integration/deliveries/{id}': of(deliveries, 'delivery'),
    'POST /api/integration/deliveries/{id}/resend': of(deliveries, 'delivery', '/resend'),
    'GET /api/dataset/sources': { status: 200, check: own },
    'POST /api/dataset/sources': { status: 403, body: () => source('bravo', 'bravo') },
    'GET /api/dataset/sources/{id}': of(sources, 'source'),
    'PATCH /api/dataset/sources/{id}': of(sources, 'source', '', { enabled: false }),
    'DELETE /api/dataset/sources/{id}': of(sources, 'source'),
    'POST /api/dataset/sources/{id}/sync': of(sources, 'source', '/sync'),
    'POST /api/dataset/sources/{id}/recompute': of(sources, 'source', '/recompute', {}),
    'POST /api/dataset/sources/{id}/accept': of(sources, 'source', '/accept', {
      dataset: 'projects',
      schema_version: '1',
    }),
  };
}
