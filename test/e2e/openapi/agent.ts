// Lines of the table: what the agent decided and told, and the channels that it tells through.
import { at, bare, type Line } from './line.ts';
import { TENANT, type World } from './world.ts';

const channel = (w: World, more: object = {}): object => ({
  tenant_code: TENANT,
  name: w.fresh('channel'),
  channel: 'chat',
  format: 'wecom',
  url: 'http://127.0.0.1:1/robot?key=k',
  ...more,
});
const made = async (w: World): Promise<{ id: string; name: string }> =>
  (await w.made('/api/agent/channels', channel(w))) as unknown as { id: string; name: string };

export const AGENT: Record<string, Line> = {
  'GET /api/core/notifications': {
    good: bare,
    more: { '400 validation_failed': () => at('/api/core/notifications?cursor=x') },
  },
  'GET /api/agent/decisions': {
    good: bare,
    more: { '400 validation_failed': () => at('/api/agent/decisions?outcome=x') },
  },
  'GET /api/core/secrets': { good: () => at(`/api/core/secrets?tenant_code=${TENANT}`) },
  'PUT /api/core/secrets/{name}': {
    good: (w) =>
      at(`/api/core/secrets/${w.fresh('secret')}`, {
        tenant_code: TENANT,
        use: 'channel_address',
        host: 'robot.example',
        secret: 'https://robot.example/x?key=k',
      }),
    more: {
      '200': async (w) =>
        at(`/api/core/secrets/${await w.secret({ use: 'push', host: 'a.example' })}`, {
          tenant_code: TENANT,
          use: 'push',
          host: 'b.example',
          secret: 'y',
        }),
      '400 validation_failed': (w) =>
        at(`/api/core/secrets/${w.fresh('secret')}`, {
          use: 'channel_address',
          host: 'robot.example',
          secret: 'https://another.example/',
        }),
    },
  },
  'DELETE /api/core/secrets/{name}': {
    good: async (w) =>
      at(`/api/core/secrets/${await w.secret({ use: 'push', host: 'a.example' })}?tenant_code=${TENANT}`),
  },
  'GET /api/agent/channels': { good: () => at(`/api/agent/channels?tenant_code=${TENANT}`) },
  'POST /api/agent/channels': {
    good: (w) => ({ body: channel(w) }),
    more: {
      '201': (w) => ({
        body: channel(w, {
          channel: 'sms',
          format: 'sms_gateway',
          recipients: ['13800000000'],
          body_template: '{phones} {text}',
          secret: 's',
        }),
      }),
      '400 validation_failed': (w) => ({ body: channel(w, { channel: 'sms', body_template: '{nobody}' }) }),
      '409 channel_exists': async (w) => ({ body: channel(w, { name: (await made(w)).name }) }),
    },
  },
  'PATCH /api/agent/channels/{id}': {
    good: async (w) => at(`/api/agent/channels/${(await made(w)).id}`, { enabled: false, secret: 'another' }),
    more: {
      '409 channel_exists': async (w) =>
        at(`/api/agent/channels/${(await made(w)).id}`, { name: (await made(w)).name }),
    },
  },
  'DELETE /api/agent/channels/{id}': { good: async (w) => at(`/api/agent/channels/${(await made(w)).id}`) },
  'POST /api/agent/channels/{id}/test': {
    good: async (w) => at(`/api/agent/channels/${(await made(w)).id}/test`),
  },
};
