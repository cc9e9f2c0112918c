// Lines of the table: who is called, who is on duty, and who takes over.
import { randomUUID } from 'node:crypto';
import { CallLinks } from '../../../hq/duty/call/link.ts';
import type { DutyCall, Sending } from '../../../hq/duty/call/record.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { rota, subscription } from '../../hq/tenant-duty.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import { at, type Line, MISSING } from './line.ts';
import { TENANT, type World } from './world.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

const made = async (w: World): Promise<string> =>
  String((await w.made('/api/core/duty/rotas', rota(TENANT, w.fresh('rota')))).id);

async function device(w: World): Promise<string> {
  const body = subscription(w.fresh('device'));
  const answer = await w.session.call('POST', '/api/core/duty/devices', { body });
  return jsonOf<{ id: string }>(expectStatus(answer, 201)).id;
}

/** The link of a message that was sent to the user of the session. */
async function link(w: World, state: DutyCall['state'] = 'calling'): Promise<string> {
  const [id, now] = [randomUUID(), Date.now()];
  const call: DutyCall = {
    ...{ id, kind: 'event', eventId: await w.event(), alarmKey: null, instance: null, tenantCode: TENANT },
    ...{ severity: 'high', type: 'x', title: null, titleZh: null, camera: null, place: null, at: now, state },
    ...{ rotaId: null, round: 0, called: [], nextAt: null, events: 1, lastEventAt: now, createdAt: now },
    ...{ takenBy: null, takenAt: null },
  };
  const sending: Sending = {
    ...{ id: randomUUID(), callId: id, userName: 'chief', way: 'push', deviceId: null, reason: 'duty' },
    ...{ state: 'sent', attempts: 1, nextAt: 0, lastError: null, createdAt: now, settledAt: now },
    ...{ shownAt: null, openedAt: null },
  };
  const writes = { call, sendings: [sending], gap: false, exhausted: false };
  await (w.store as HubStore).duty.calls.alarmsBegun([writes]);
  return new CallLinks(w.masterKey).issue(sending.id);
}

const CHOICE = {
  ...{ when: 'always', severities: ['high'], alarms: true, tenants: [TENANT], sites: ['tunnel-7'] },
  ...{ language: 'en', ways: ['push'], email: 'li@example.com' },
  quiet: { begin: '22:00', end: '06:00', zone: 'Asia/Shanghai', critical_through: true },
};

export const DUTY: Record<string, Line> = {
  'GET /api/core/duty/rotas': {
    only: 'hub',
    good: async (w) => {
      await made(w);
      return at('/api/core/duty/rotas');
    },
  },
  'POST /api/core/duty/rotas': {
    only: 'hub',
    good: (w) => ({ body: rota(TENANT, w.fresh('rota')) }),
    more: {
      '400 validation_failed': (w) => ({ body: rota(TENANT, w.fresh('rota'), { first_week: '2026-02-24' }) }),
      '409 rota_exists': async (w) => {
        const name = w.fresh('rota');
        await w.made('/api/core/duty/rotas', rota(TENANT, name));
        return { body: rota(TENANT, name) };
      },
    },
  },
  'PUT /api/core/duty/rotas/{id}': {
    only: 'hub',
    good: async (w) => at(`/api/core/duty/rotas/${await made(w)}`, rota(TENANT, w.fresh('rota'))),
    more: {
      '404 not_found': (w) => at(`/api/core/duty/rotas/${NOBODY}`, rota(TENANT, w.fresh('rota'))),
      '409 rota_exists': async (w) => {
        const name = w.fresh('rota');
        await w.made('/api/core/duty/rotas', rota(TENANT, name));
        return at(`/api/core/duty/rotas/${await made(w)}`, rota(TENANT, name));
      },
      '409 rota_changed': async (w) =>
        at(
          `/api/core/duty/rotas/${await made(w)}?seen_at=2020-01-01T00:00:00Z`,
          rota(TENANT, w.fresh('rota')),
        ),
    },
  },
  'DELETE /api/core/duty/rotas/{id}': {
    only: 'hub',
    good: async (w) => at(`/api/core/duty/rotas/${await made(w)}`),
    more: { '404 not_found': () => at(`/api/core/duty/rotas/${NOBODY}`) },
  },
  'GET /api/core/duty/rotas/{id}/spans': {
    only: 'hub',
    good: async (w) => at(`/api/core/duty/rotas/${await made(w)}/spans?days=7`),
    more: { '404 not_found': () => at(`/api/core/duty/rotas/${NOBODY}/spans`) },
  },
  'GET /api/core/duty/people': { only: 'hub', good: () => at(`/api/core/duty/people?tenant_code=${TENANT}`) },
  'GET /api/core/duty/me': { only: 'hub', good: () => ({ as: 'session' }) },
  'PUT /api/core/duty/me': { only: 'hub', good: () => ({ as: 'session', body: CHOICE }) },
  'POST /api/core/duty/devices': {
    only: 'hub',
    good: (w) => ({ as: 'session', body: subscription(w.fresh('device')) }),
  },
  'DELETE /api/core/duty/devices/{id}': {
    only: 'hub',
    good: async (w) => ({ as: 'session', ...at(`/api/core/duty/devices/${await device(w)}`) }),
    more: { '404 not_found': () => ({ as: 'session', ...at(`/api/core/duty/devices/${NOBODY}`) }) },
  },
  'POST /api/core/duty/devices/{id}/test': {
    only: 'hub',
    good: async (w) => ({ as: 'session', ...at(`/api/core/duty/devices/${await device(w)}/test`) }),
    more: { '404 not_found': () => ({ as: 'session', ...at(`/api/core/duty/devices/${NOBODY}/test`) }) },
  },
  'GET /api/core/duty/calls': {
    only: 'hub',
    good: async (w) => {
      const id = await w.event();
      expectStatus(await w.session.call('POST', `/api/core/duty/events/${id}/take`), 200);
      return at(`/api/core/duty/calls?event_ids=${id}`);
    },
    more: { '400 validation_failed': () => at('/api/core/duty/calls?event_ids=x') },
  },
  'POST /api/core/duty/events/{id}/take': {
    only: 'hub',
    good: async (w) => ({ as: 'session', ...at(`/api/core/duty/events/${await w.event()}/take`) }),
    more: {
      '404 not_found': () => ({ as: 'session', ...at(`/api/core/duty/events/${MISSING}/take`) }),
      '409 call_over': async (w) => {
        const token = await link(w, 'judged');
        const id = new CallLinks(w.masterKey).read(token) ?? '';
        const sent = await (w.store as HubStore).duty.calls.sending(id);
        return { as: 'session', ...at(`/api/core/duty/events/${sent?.call.eventId}/take`) };
      },
    },
  },
  'POST /api/core/duty/link/look': {
    only: 'hub',
    good: async (w) => ({ as: 'nobody', body: { token: await link(w) } }),
    more: { '404 call_link_invalid': () => ({ as: 'nobody', body: { token: 'a.b' } }) },
  },
  'POST /api/core/duty/link/take': {
    only: 'hub',
    good: async (w) => ({ as: 'nobody', body: { token: await link(w) } }),
    more: {
      '404 call_link_invalid': () => ({ as: 'nobody', body: { token: 'a.b' } }),
      '409 call_over': async (w) => ({ as: 'nobody', body: { token: await link(w, 'judged') } }),
    },
  },
  'POST /api/core/duty/link/seen': {
    only: 'hub',
    good: async (w) => ({ as: 'nobody', body: { token: await link(w), opened: true } }),
    more: { '404 call_link_invalid': () => ({ as: 'nobody', body: { token: 'a.b' } }) },
  },
};
