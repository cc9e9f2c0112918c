// Rotas, devices and calls of a tenant, and what a stranger gets of them.
import { createECDH } from 'node:crypto';
import { expect } from 'vitest';
import { expectStatus, jsonOf } from '../support/request.ts';
import type { SessionRig } from './session-rig.ts';
import type { Expected } from './tenant-things.ts';

export const rota = (tenant: string | null, name: string, over: object = {}): object => ({
  ...{ tenant_code: tenant, name, zone: 'Asia/Shanghai', first_week: '2026-02-23', shifts: [] },
  ...over,
});

/** What a browser gives of a subscription. */
export const subscription = (name: string): object => {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') };
  return { endpoint: `https://push.invalid/${name}`, keys, label: name };
};

export interface TenantDuty {
  rota: string;
  device: string;
}

/** @param user of the tenant */
export async function makeDuty(rig: SessionRig, tenant: string, user: string): Promise<TenantDuty> {
  const shifts = [
    { days: [1, 2, 3, 4, 5, 6, 7], begin: '00:00', end: '00:00', people: [user], weekly: false },
  ];
  const made = await rig.admin('POST', '/api/core/duty/rotas', rota(tenant, `${tenant}-rota`, { shifts }));
  const browser = await rig.browser(user);
  const device = await browser.call('POST', '/api/core/duty/devices', { body: subscription(user) });
  await browser.call('POST', '/api/core/session/logout');
  return {
    rota: jsonOf<{ id: string }>(expectStatus(made, 201)).id,
    device: jsonOf<{ id: string }>(expectStatus(device, 201)).id,
  };
}

const CHOICE = {
  ...{ when: 'always', severities: ['high'], alarms: false, tenants: null, sites: null, quiet: null },
  ...{ language: 'en', ways: ['push'], email: null },
};
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** @param foreign what another tenant has */
export function dutyTable(foreign: { of: () => TenantDuty; event: () => number }): Record<string, Expected> {
  const { of, event } = foreign;
  const byRota = (rest = '', body?: () => object): Expected => ({
    target: () => `/api/core/duty/rotas/${of().rota}${rest}`,
    missing: { target: () => `/api/core/duty/rotas/${NOBODY}${rest}` },
    status: 404,
    ...(body ? { body } : {}),
  });
  const byDevice = (rest = ''): Expected => ({
    target: () => `/api/core/duty/devices/${of().device}${rest}`,
    missing: { target: () => `/api/core/duty/devices/${NOBODY}${rest}` },
    status: 404,
  });
  const link: Expected = { status: 404, body: () => ({ token: 'a.b' }) };
  return {
    'GET /api/core/duty/rotas': {
      status: 200,
      check: (answer) =>
        expect(jsonOf(answer)).toMatchObject({ items: [{ tenantCode: 'alpha', name: 'alpha-rota' }] }),
    },
    'POST /api/core/duty/rotas': { status: 403, body: () => rota('bravo', 'mine') },
    'PUT /api/core/duty/rotas/{id}': byRota('', () => rota('alpha', 'mine')),
    'DELETE /api/core/duty/rotas/{id}': byRota(),
    'GET /api/core/duty/rotas/{id}/spans': byRota('/spans'),
    'GET /api/core/duty/people': {
      status: 200,
      check: (answer) => {
        const { items } = jsonOf<{ items: { tenantCode: string | null }[] }>(answer);
        expect(new Set(items.map(({ tenantCode }) => tenantCode))).toEqual(new Set(['alpha']));
      },
    },
    'GET /api/core/duty/me': {
      status: 200,
      check: (answer) => expect(jsonOf(answer)).toMatchObject({ rotas: ['alpha-rota'], onDuty: true }),
    },
    'PUT /api/core/duty/me': { status: 200, body: () => CHOICE },
    'POST /api/core/duty/devices': { status: 201, body: () => subscription('alpha-more') },
    'DELETE /api/core/duty/devices/{id}': byDevice(),
    'POST /api/core/duty/devices/{id}/test': byDevice('/test'),
    'GET /api/core/duty/calls': {
      target: () => `/api/core/duty/calls?event_ids=${event()}`,
      missing: { target: () => '/api/core/duty/calls?event_ids=999999' },
      status: 200,
      check: (answer) => expect(jsonOf(answer)).toMatchObject({ items: [] }),
    },
    'POST /api/core/duty/events/{id}/take': {
      target: () => `/api/core/duty/events/${event()}/take`,
      missing: { target: () => '/api/core/duty/events/999999/take' },
      status: 404,
    },
    'POST /api/core/duty/link/look': link,
    'POST /api/core/duty/link/take': link,
    'POST /api/core/duty/link/seen': link,
  };
}
