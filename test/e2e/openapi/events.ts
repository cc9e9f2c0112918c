// Lines of the table: events, what was said of them, who reads them, and the files that belong to them.
import { hash } from 'node:crypto';
import { expectStatus } from '../../support/request.ts';
import { at, bare, type Line, MISSING, other } from './line.ts';
import { type Ask, TENANT, type World } from './world.ts';

const verdict = (more: object = {}): object => ({ verdict: 'confirmed', by: 'li', ...more });

export const EVENTS: Record<string, Line> = {
  'POST /api/core/events': {
    good: (w) => ({ body: { events: [w.eventBody(), w.eventBody({ colour: 'red' })] } }),
    more: {
      '201': (w) => ({ body: { events: [w.eventBody(), { type: 'no.key' }, w.eventBody(other)] } }),
      '200': async (w) => {
        const body = w.eventBody();
        await w.send({ method: 'POST', path: '/api/core/events' }, { as: 'node', body });
        return { body };
      },
      '403 tenant_mismatch': (w) => ({ body: w.eventBody(other) }),
    },
  },
  'GET /api/core/events/list': {
    good: () => at(`/api/core/events/list?tenant_code=${TENANT}&limit=2&verdict=none&severity=low,medium`),
    more: {
      '400 validation_failed': () => at('/api/core/events/list?severity=high,worst'),
      '404 not_found': () => at('/api/core/events/list?site_group=Nowhere'),
    },
  },
  'GET /api/core/events/unjudged': {
    good: async (w) => {
      await w.event();
      return at(`/api/core/events/unjudged?tenant_code=${TENANT}&severity=low,medium,high,critical`);
    },
    more: {
      '400 validation_failed': () => at('/api/core/events/unjudged?limit=0'),
      '404 not_found': () => at('/api/core/events/unjudged?site_group=Nowhere'),
    },
  },
  'GET /api/core/events/{id}': { good: async (w) => at(`/api/core/events/${await w.judged()}`) },
  'GET /api/core/events/{id}/earlier': {
    good: async (w) => at(`/api/core/events/${await w.judged()}/earlier`),
  },
  'POST /api/core/events/{id}/verdict': {
    good: async (w) =>
      at(
        `/api/core/events/${await w.event({ feedback_url: 'http://127.0.0.1:9/x' })}/verdict`,
        verdict({ judged_by: 'model', judged_confidence: 1, disposition: { type: 'x' } }),
      ),
    more: {
      '200': async (w) => at(`/api/core/events/${await w.judged()}/verdict`, verdict()),
      '400 validation_failed': async (w) =>
        at(`/api/core/events/${await w.event()}/verdict`, verdict({ verdict: 'false_alarm' })),
      '403 tenant_mismatch': async (w) => at(`/api/core/events/${await w.event()}/verdict`, verdict(other)),
    },
  },
  'GET /api/core/events/{id}/verdict': {
    good: async (w) => at(`/api/core/events/${await w.judged()}/verdict`),
    more: { '404 not_found': () => at(`/api/core/events/${MISSING}/verdict`) },
  },
  'GET /api/core/verdicts/since': {
    good: async (w) => {
      await w.judged();
      return at(`/api/core/verdicts/since?cursor=0&limit=2&tenant_code=${TENANT}`);
    },
    more: {
      '200': () => ({ ...at('/api/core/verdicts/since?cursor=0'), as: 'consumer' }),
      '400 cursor_ahead': () => at(`/api/core/verdicts/since?cursor=${MISSING}`),
      '409 cursor_epoch_changed': () => at('/api/core/verdicts/since?cursor=0&epoch=another'),
    },
  },
  'POST /api/core/events/{id}/corrections': {
    good: async (w) => at(`/api/core/events/${await w.judged()}/corrections`, verdict({ note: 'after all' })),
    more: {
      '409 no_verdict': async (w) =>
        at(`/api/core/events/${await w.event()}/corrections`, verdict({ note: 'x' })),
    },
  },
};

async function subscribed(w: World): Promise<string> {
  const consumer = w.fresh('c');
  await w.call('POST', '/api/core/events/subscribe', { consumer });
  return `/api/core/subscriptions/${consumer}`;
}

export const SUBSCRIPTIONS: Record<string, Line> = {
  'POST /api/core/events/subscribe': {
    good: async (w) => {
      const secret_ref = await w.secret({ use: 'push', host: 'example.com' });
      return {
        body: {
          consumer: w.fresh('c'),
          tenant_code: TENANT,
          event_types: ['vehicle.*'],
          min_severity: 'low',
          push_url: 'https://example.com/in',
          secret_ref,
          enabled: false,
        },
      };
    },
    more: {
      '200': () => ({ body: { consumer: 'agent' } }),
      '400 cursor_ahead': (w) => ({ body: { consumer: w.fresh('c'), start_cursor: MISSING } }),
      '400 validation_failed': (w) => ({
        body: { consumer: w.fresh('c'), push_url: 'https://example.com/in', secret_ref: 'env:X' },
      }),
    },
  },
  'GET /api/core/events/since': {
    good: () => at('/api/core/events/since?consumer=agent&include_test=true'),
    more: {
      '200': () => ({ ...at('/api/core/events/since?consumer=agent&limit=1'), as: 'consumer' }),
      '403 forbidden': () => ({ ...at('/api/core/events/since?consumer=another'), as: 'consumer' }),
      '404 not_found': () => at('/api/core/events/since?consumer=nobody'),
      '409 cursor_epoch_changed': () => at('/api/core/events/since?consumer=agent&epoch=another'),
      '409 subscription_disabled': async (w) => {
        const consumer = w.fresh('c');
        await w.call('POST', '/api/core/events/subscribe', { consumer, enabled: false });
        return at(`/api/core/events/since?consumer=${consumer}`);
      },
    },
  },
  'GET /api/core/events/stream': {
    good: async (w) => {
      const consumer = w.fresh('c');
      await w.call('POST', '/api/core/events/subscribe', { consumer, enabled: true });
      return at(`/api/core/events/stream?consumer=${consumer}&lasts=1`);
    },
    more: {
      '403 forbidden': () => ({ ...at('/api/core/events/stream?consumer=another'), as: 'consumer' }),
      '404 not_found': () => at('/api/core/events/stream?consumer=nobody'),
      '409 cursor_epoch_changed': () => at('/api/core/events/stream?consumer=agent&epoch=another'),
    },
  },
  'POST /api/core/events/ack': {
    good: () => ({ body: { consumer: 'agent', cursor: 0 } }),
    more: {
      '400 cursor_ahead': () => ({ body: { consumer: 'agent', cursor: MISSING } }),
      '404 not_found': () => ({ body: { consumer: 'nobody', cursor: 0 } }),
      '409 cursor_epoch_changed': () => ({ body: { consumer: 'agent', cursor: 0, epoch: 'another' } }),
    },
  },
  'GET /api/core/events/subscriptions': { good: bare },
  'PATCH /api/core/subscriptions/{consumer}': {
    good: async (w) => at(await subscribed(w), { enabled: false, event_types: null, min_severity: 'high' }),
    more: {
      '400 validation_failed': () => at('/api/core/subscriptions/agent', {}),
      '404 not_found': () => at('/api/core/subscriptions/nobody', { enabled: true }),
    },
  },
  'DELETE /api/core/subscriptions/{consumer}': {
    good: async (w) => at(await subscribed(w)),
    more: { '404 not_found': () => at('/api/core/subscriptions/nobody') },
  },
  'POST /api/core/consumers/{consumer}/keys': {
    good: () =>
      at('/api/core/consumers/analyst/keys', {
        tenant_code: TENANT,
        scopes: ['events.read', 'verdicts.write'],
      }),
    more: {
      '409 key_exists': async (w) =>
        at('/api/core/consumers/agent/keys', {
          key_id: (await w.made('/api/core/consumers/agent/keys', {})).keyId,
        }),
    },
  },
  'GET /api/core/consumer-keys': { good: bare },
  'POST /api/core/consumer-keys/{key_id}/rotate': {
    good: async (w) =>
      at(`/api/core/consumer-keys/${(await w.made('/api/core/consumers/agent/keys', {})).keyId}/rotate`, {}),
  },
  'DELETE /api/core/consumer-keys/{key_id}': {
    good: async (w) =>
      at(`/api/core/consumer-keys/${(await w.made('/api/core/consumers/agent/keys', {})).keyId}`),
  },
};

const IMAGE = Buffer.from('not much of an image');
const announced = {
  evidence: [
    { name: 'a.jpg', content_type: 'image/jpeg', size: IMAGE.length, sha256: hash('sha256', IMAGE) },
  ],
};
const raw = { type: 'application/octet-stream', bytes: IMAGE };
const put = async (w: World, bytes = IMAGE): Promise<Ask> => ({
  target: `/api/core/events/${await w.event(announced)}/evidence/a.jpg`,
  raw: { ...raw, bytes },
});
const stored = async (w: World): Promise<string> => {
  const ask = { ...(await put(w)), as: 'node' as const };
  expectStatus(await w.send({ method: 'PUT', path: '' }, ask), 201);
  return ask.target ?? '';
};
export const EVIDENCE: Record<string, Line> = {
  'PUT /api/core/events/{id}/evidence/{name}': {
    good: (w) => put(w),
    more: {
      '200': async (w) => ({ target: await stored(w), raw }),
      '422 evidence_mismatch': (w) => put(w, Buffer.from('another')),
    },
  },
  'GET /api/core/events/{id}/evidence': { good: async (w) => at((await stored(w)).replace('/a.jpg', '')) },
  'GET /api/core/events/{id}/evidence/{name}': {
    good: async (w) => at(await stored(w)),
    more: { '422 no_small_picture': async (w) => at(`${await stored(w)}?size=small`) },
    unseen: { 202: 'of a file that a site keeps; test/hq/evidence has it' },
  },
  'GET /api/core/evidence/jobs': {
    good: () => at('/api/core/evidence/jobs?state=pending'),
    more: { '400 validation_failed': () => at('/api/core/evidence/jobs?cursor=x') },
  },
};
