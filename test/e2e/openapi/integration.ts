// Lines of the table: the open interface and the management of its clients and webhooks, which only
// headquarters has.
import type { HubStore } from '../../../hq/stores.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import { at, type Line, type Make } from './line.ts';
import { TENANT, type World } from './world.ts';

const hub = (line: Omit<Line, 'only'>): Line => ({ only: 'hub', ...line });

interface Client {
  client_id: string;
  client_secret: string;
}

const client = async (w: World): Promise<Client> =>
  jsonOf<Client>(
    expectStatus(
      await w.call('POST', '/api/integration/clients', { tenant_code: TENANT, name: w.fresh('client') }),
      201,
    ),
  );
const webhook = async (w: World, more: object = {}): Promise<string> => {
  const body = {
    tenant_code: TENANT,
    name: w.fresh('webhook'),
    callback_url: 'https://receiver.invalid/hook',
    ...more,
  };
  return jsonOf<{ id: string }>(expectStatus(await w.call('POST', '/api/integration/webhooks', body), 201))
    .id;
};
const disabled = { status: 'disabled' };
const onClient =
  (rest: string, body?: object): Make =>
  async (w) =>
    at(`/api/integration/clients/${(await client(w)).client_id}${rest}`, body);
const onWebhook =
  (rest: string, body?: object, more?: object): Make =>
  async (w) =>
    at(`/api/integration/webhooks/${await webhook(w, more)}${rest}`, body);
const recent = (): object => ({ since: new Date(Date.now() - 3_600_000).toISOString() });
const delivered = async (w: World): Promise<{ id: string; webhookId: string }> =>
  jsonOf<{ id: string; webhookId: string }>(
    expectStatus(await w.call('POST', `/api/integration/webhooks/${await webhook(w)}/test`), 202),
  );

export const INTEGRATION: Record<string, Line> = {
  'GET /api/integration/clients': hub({
    good: async (w) => {
      await client(w);
      return at(`/api/integration/clients?tenant_code=${TENANT}&limit=1`);
    },
    more: { '400 validation_failed': () => at('/api/integration/clients?cursor=x') },
  }),
  'GET /api/integration/alarms': hub({
    good: () => at('/api/integration/alarms?limit=1'),
    more: { '400 validation_failed': () => at('/api/integration/alarms?limit=0') },
  }),
  'POST /api/integration/clients': hub({
    good: (w) => ({ body: { tenant_code: TENANT, name: w.fresh('client') } }),
  }),
  'PATCH /api/integration/clients/{id}': hub({ good: onClient('', { name: 'another', status: 'disabled' }) }),
  'DELETE /api/integration/clients/{id}': hub({ good: onClient('') }),
  'POST /api/integration/clients/{id}/rotate': hub({ good: onClient('/rotate', { overlap_hours: 1 }) }),
  'GET /api/integration/webhooks': hub({
    good: async (w) => {
      await webhook(w);
      return at(`/api/integration/webhooks?tenant_code=${TENANT}&limit=1`);
    },
  }),
  'POST /api/integration/webhooks': hub({
    good: (w) => ({
      body: {
        tenant_code: TENANT,
        name: w.fresh('webhook'),
        callback_url: 'https://receiver.invalid/hook',
        signing_secret: 'a-secret-of-ours',
        events: 'ncr.created',
        status: 'disabled',
      },
    }),
    more: {
      '400 validation_failed': () => ({
        body: { tenant_code: TENANT, name: 'inner', callback_url: 'http://10.0.0.1/' },
      }),
    },
  }),
  'GET /api/integration/webhooks/{id}': hub({ good: onWebhook('') }),
  'PATCH /api/integration/webhooks/{id}': hub({
    good: onWebhook('', {
      name: 'another',
      callback_url: 'http://other.invalid',
      events: 'all',
      status: 'disabled',
    }),
  }),
  'DELETE /api/integration/webhooks/{id}': hub({ good: onWebhook('') }),
  'POST /api/integration/webhooks/{id}/rotate': hub({
    good: onWebhook('/rotate', { overlap_hours: 1, signing_secret: 'another-secret' }),
  }),
  'POST /api/integration/webhooks/{id}/test': hub({
    good: onWebhook('/test'),
    more: {
      '400 validation_failed': onWebhook('/test', { event: 'no.such' }),
      '409 webhook_disabled': onWebhook('/test', undefined, disabled),
    },
  }),
  'POST /api/integration/webhooks/{id}/recover': hub({
    good: (w) => onWebhook('/recover', recent())(w),
    more: {
      '409 webhook_disabled': (w) => onWebhook('/recover', recent(), disabled)(w),
      '400 validation_failed': onWebhook('/recover', { since: '2020-01-01T00:00:00Z' }),
    },
  }),
  'GET /api/integration/webhooks/{id}/deliveries': hub({
    good: async (w) =>
      at(`/api/integration/webhooks/${(await delivered(w)).webhookId}/deliveries?event=webhook.test`),
  }),
  'GET /api/integration/deliveries/{id}': hub({
    good: async (w) => at(`/api/integration/deliveries/${(await delivered(w)).id}`),
  }),
  'POST /api/integration/deliveries/{id}/resend': hub({
    good: async (w) => at(`/api/integration/deliveries/${(await delivered(w)).id}/resend`),
    more: {
      '409 webhook_disabled': async (w) => {
        const { id, webhookId } = await delivered(w);
        expectStatus(await w.call('PATCH', `/api/integration/webhooks/${webhookId}`, disabled), 200);
        return at(`/api/integration/deliveries/${id}/resend`);
      },
    },
  }),
};

const asking = (body: object) => ({ body, headers: { 'x-tenant-code': TENANT } });
const TOKEN = { method: 'POST', path: '/open/v1/oauth/token' };
const project = async (w: World): Promise<string> => {
  const code = w.fresh('project');
  await (w.store as HubStore).pool.query(
    'insert into projects (tenant_code, project_id, code, name, status, plan_progress, ' +
      'milestones_total, milestones_at_risk, open_ncr) values ($1, $2, $3, $3, 2, 12.5, 4, 1, 0)',
    [TENANT, Number(code.replace(/\D/g, '')), code],
  );
  return code;
};

export const OPEN: Record<string, Line> = {
  'GET /.well-known/oauth-authorization-server': hub({ good: () => ({}) }),
  'GET /.well-known/oauth-authorization-server/{tenant_code}': hub({
    good: () => ({ target: `/.well-known/oauth-authorization-server/${TENANT}` }),
  }),
  'POST /open/v1/oauth/token': hub({
    good: async (w) => asking({ grant_type: 'client_credentials', ...(await credentials(w)) }),
    more: {
      '400 tenant_required': () => ({ body: {} }),
      '400 unsupported_grant_type': () => asking({ grant_type: 'password' }),
      '401 invalid_client': async (w) => asking({ ...(await credentials(w)), client_secret: 'wrong' }),
      '403 client_disabled': async (w) => {
        const known = await credentials(w);
        expectStatus(await w.call('PATCH', `/api/integration/clients/${known.client_id}`, disabled), 200);
        return asking(known);
      },
      '429 too_many_requests': async (w) => {
        const known = await credentials(w);
        for (let one = 0; one < 10; one += 1)
          expectStatus(
            await w.send(TOKEN, { as: 'nobody', ...asking({ ...known, client_secret: 'wrong' }) }),
            401,
          );
        return asking(known);
      },
    },
  }),
  'GET /open/v1/project/{project_code}/snapshot': hub({
    anyTarget: true,
    unseen: { 400: 'only for a path that cannot be decoded, before any route' },
    good: async (w) => {
      const answer = await w.send(TOKEN, { as: 'nobody', ...asking(await credentials(w)) });
      const { data } = jsonOf<{ data: { access_token: string } }>(expectStatus(answer, 200));
      return {
        target: `/open/v1/project/${await project(w)}/snapshot`,
        headers: { authorization: `Bearer ${data.access_token}` },
      };
    },
    more: {
      '401 invalid_token': () => ({
        target: '/open/v1/project/x/snapshot',
        headers: { authorization: 'Bearer flt_x' },
      }),
      '404 not_found': async (w) => {
        const answer = await w.send(TOKEN, { as: 'nobody', ...asking(await credentials(w)) });
        const { access_token: token } = jsonOf<{ access_token: string }>(expectStatus(answer, 200));
        return {
          target: '/open/v1/project/a%00b/snapshot?no_such=1&no_such=2',
          headers: { authorization: `Bearer ${token}` },
        };
      },
      '409 several_projects': async (w) => {
        const answer = await w.send(TOKEN, { as: 'nobody', ...asking(await credentials(w)) });
        const { access_token: token } = jsonOf<{ access_token: string }>(expectStatus(answer, 200));
        const code = await project(w);
        await (w.store as HubStore).pool.query(
          'update projects set code = $1 where tenant_code = $2 and code = $3',
          [code, TENANT, await project(w)],
        );
        return {
          target: `/open/v1/project/${code}/snapshot`,
          headers: { authorization: `Bearer ${token}` },
        };
      },
    },
  }),
};

async function credentials(w: World): Promise<Client> {
  const { client_id, client_secret } = await client(w);
  return { client_id, client_secret };
}
