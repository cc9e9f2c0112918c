// Lines of the table: people, registries, the uplink and the programs themselves.
import { hash, randomUUID } from 'node:crypto';
import { previewPath } from '../../../common/uplink/evidence.ts';
import type { HubStore } from '../../../hq/stores.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import { newEvent } from '../../contract/samples.ts';
import { Browser } from '../../support/browser.ts';
import { type Answer, expectStatus, jsonOf } from '../../support/request.ts';
import { at, bare, type Line, MISSING } from './line.ts';
import { type Ask, PASSWORD, TENANT, type World } from './world.ts';

export const OPERATION: Record<string, Line> = {
  'GET /healthz': { good: bare },
  'GET /readyz': { good: bare },
  'GET /metrics': { good: bare },
  'GET /openapi.json': { good: bare },
  'GET /docs': { good: bare },
  'GET /docs/start.js': { good: bare },
  'GET /docs/page.css': { good: bare },
  'GET /docs/viewer.js': { good: bare },
  'GET /docs/viewer.css': { good: bare },
  'GET /api/core/unplanned-ends': { good: bare },
  'GET /api/core/last-backup': { good: bare },
  'GET /api/core/version': { good: bare, unseen: { 403: 'whoever has credentials may know' } },
  'GET /api/core/model-calls': {
    good: () => at('/api/core/model-calls?days=7'),
    more: { '400 validation_failed': () => at('/api/core/model-calls?days=0') },
  },
  'GET /api/core/audit': {
    good: () => at('/api/core/audit?limit=500'),
    more: { '400 validation_failed': () => at('/api/core/audit?cursor=x') },
  },
  'GET /api/core/alarms': {
    good: async (w) => {
      await raise(w);
      return at('/api/core/alarms?include_cleared=true');
    },
  },
  'GET /api/core/alarms/count': { good: bare },
  'GET /api/core/site/status': { good: bare, only: 'site' },
  'POST /api/core/disk/confirm': {
    good: async (w) => {
      const store = w.store as unknown as SiteStore;
      await store.eviction.change((state) => ({
        ...state,
        guardSince: 1,
        episode: {
          startedAt: 1,
          total: { evidence: 2, events: 2 },
          gone: { evidence: 1, events: 1 },
          allowed: 1,
        },
      }));
      return { body: { by: 'li', note: 'go on' } };
    },
    more: { '409 nothing_to_confirm': () => ({ body: { by: 'li' } }) },
    only: 'site',
  },
  'GET /': { good: bare, only: 'site' },
  'GET /status.js': { good: bare, only: 'site' },
  'GET /status.css': { good: bare, only: 'site' },
  'GET /api/core/retention': { good: bare },
  'POST /api/core/retention/confirm': {
    good: async (w) => {
      await w.store.retention.guard(
        'audit',
        { reason: 'more_than_half', position: 1, expired: 3, total: 4 },
        Date.now(),
      );
      return { body: { kind: 'audit', by: 'li' } };
    },
    more: {
      '200': async (w) => {
        await w.store.retention.guard(
          'audit',
          { reason: 'everything', position: 1, expired: 3, total: 3 },
          Date.now(),
        );
        return { body: { kind: 'audit', by: 'li', note: 'the clock is right' } };
      },
      '409 nothing_to_confirm': () => ({ body: { by: 'li' } }),
    },
  },
  'POST /api/core/alarms/take': {
    good: async (w) => ({ body: { key: await raise(w), by: 'li', note: 'on my way' } }),
    more: { '404 not_found': () => ({ body: { key: 'no-such', by: 'li' } }) },
  },
  'POST /api/core/alarms/clear': {
    good: async (w) => ({ body: { key: await raise(w), by: 'li', note: 'swept' } }),
    more: { '404 not_found': () => ({ body: { key: 'no-such', by: 'li' } }) },
  },
};

async function raise(w: World): Promise<string> {
  const key = w.fresh('alarm');
  await w.store.alarms.raise(
    {
      key,
      instance: w.side === 'site' ? 'site-1' : 'hq',
      tenantCode: TENANT,
      severity: 'warning',
      message: 'look',
      details: { a: 1 },
    },
    Date.now(),
  );
  return key;
}

const node = (w: World) => w.made('/api/core/nodes', { tenant_code: TENANT, name: w.fresh('n') });
const device = (w: World) =>
  w.made('/api/core/devices', { kind: 'cloudevents', tenant_code: TENANT, name: w.fresh('d') });
const cloudEvent = (w: World) => ({
  type: 'application/octet-stream',
  bytes: Buffer.from(`{"specversion":"1.0","id":"${w.fresh('e')}","source":"/s","type":"fire.detected"}`),
});
const bytesOf = (text: string) => ({ type: 'application/octet-stream', bytes: Buffer.from(text) });
const FIELDS = { type: 'type' };
export const DEVICES: Record<string, Line> = {
  'GET /api/core/devices': {
    good: async (w) => {
      await device(w);
      return at('/api/core/devices');
    },
    only: 'site',
  },
  'POST /api/core/devices': {
    good: (w) => ({ body: { kind: 'hikvision', tenant_code: TENANT, name: w.fresh('d') } }),
    more: {
      '409 key_exists': async (w) => ({
        body: {
          kind: 'webhook',
          tenant_code: TENANT,
          name: 'd',
          key_id: (await device(w)).keyId,
          fields: FIELDS,
        },
      }),
    },
    only: 'site',
  },
  'PUT /api/core/devices/{key_id}': {
    good: async (w) => at(`/api/core/devices/${(await device(w)).keyId}`, { severity: 'high' }),
    only: 'site',
  },
  'PUT /api/core/devices/{key_id}/password': {
    good: async (w) => {
      const { keyId } = await w.made('/api/core/devices', {
        kind: 'hikvision',
        tenant_code: TENANT,
        name: w.fresh('d'),
        address: 'http://127.0.0.1:9',
      });
      return at(`/api/core/devices/${keyId}/password`, { user: 'events', password: 'p' });
    },
    only: 'site',
  },
  'POST /api/core/devices/{key_id}/rotate': {
    good: async (w) => at(`/api/core/devices/${(await device(w)).keyId}/rotate`),
    only: 'site',
  },
  'POST /api/core/devices/{key_id}/try': {
    good: async (w) => at(`/api/core/devices/${(await device(w)).keyId}/try`, { seconds: 1 }),
    only: 'site',
  },
  'DELETE /api/core/devices/{key_id}': {
    good: async (w) => at(`/api/core/devices/${(await device(w)).keyId}`),
    only: 'site',
  },
  'GET /in/{token}': {
    good: async (w) => at((await device(w)).path ?? ''),
    more: { '404 not_found': () => at('/in/a%00') },
    unseen: { 400: 'whatever path it is asked by is one that nobody has' },
    anyTarget: true,
    only: 'site',
  },
  'POST /in/{token}': {
    good: async (w) => ({ target: (await device(w)).path ?? '', raw: cloudEvent(w) }),
    more: {
      '400 unreadable': async (w) => ({ target: (await device(w)).path ?? '', raw: bytesOf('{') }),
      '404 not_found': (w) => ({ target: '/in/nothing', raw: cloudEvent(w) }),
      '413 body_too_large': async (w) => ({
        target: (await device(w)).path ?? '',
        raw: bytesOf('x'.repeat(13 * 1024 * 1024)),
      }),
      '415 unsupported_media_type': async (w) => ({
        target: (await device(w)).path ?? '',
        raw: cloudEvent(w),
        headers: { 'content-encoding': 'br' },
      }),
    },
    anyTarget: true,
    only: 'site',
  },
  'PUT /in/{token}': {
    good: async (w) => ({ target: (await device(w)).path ?? '', raw: cloudEvent(w) }),
    more: {
      '400 unreadable': async (w) => ({ target: (await device(w)).path ?? '', raw: bytesOf('{') }),
      '404 not_found': (w) => ({ target: '/in/nothing', raw: cloudEvent(w) }),
      '413 body_too_large': async (w) => ({
        target: (await device(w)).path ?? '',
        raw: bytesOf('x'.repeat(13 * 1024 * 1024)),
      }),
      '415 unsupported_media_type': async (w) => ({
        target: (await device(w)).path ?? '',
        raw: cloudEvent(w),
        headers: { 'content-encoding': 'br' },
      }),
    },
    anyTarget: true,
    only: 'site',
  },
};
export const NODES: Record<string, Line> = {
  'GET /api/core/nodes': { good: bare },
  'POST /api/core/nodes': {
    good: (w) => ({ body: { tenant_code: TENANT, name: w.fresh('n') } }),
    more: {
      '409 key_exists': async (w) => ({
        body: { tenant_code: TENANT, name: 'n', key_id: (await node(w)).keyId },
      }),
    },
  },
  'POST /api/core/nodes/{key_id}/rotate': {
    good: async (w) => at(`/api/core/nodes/${(await node(w)).keyId}/rotate`, { overlap_hours: 1 }),
  },
  'DELETE /api/core/nodes/{key_id}': { good: async (w) => at(`/api/core/nodes/${(await node(w)).keyId}`) },
};

const adminKey = async (w: World): Promise<string> => {
  const name = w.fresh('script');
  await w.made('/api/core/admin_keys', { name });
  return name;
};

export const ADMIN_KEYS: Record<string, Line> = {
  'GET /api/core/admin_keys': { good: bare },
  'POST /api/core/admin_keys': {
    good: (w) => ({ body: { name: w.fresh('script') } }),
    more: { '409 key_exists': async (w) => ({ body: { name: await adminKey(w) } }) },
  },
  'POST /api/core/admin_keys/{name}/rotate': {
    good: async (w) => at(`/api/core/admin_keys/${await adminKey(w)}/rotate`, { overlap_hours: 0 }),
  },
  'DELETE /api/core/admin_keys/{name}': {
    good: async (w) => at(`/api/core/admin_keys/${await adminKey(w)}`),
  },
};

export const guesses =
  (again: (browser: Browser) => Promise<unknown>): ((browser: Browser) => Promise<Ask>) =>
  async (browser) => {
    for (let tries = 0; tries < 7; tries += 1) await again(browser);
    return { browser };
  };
export const SESSIONS: Record<string, Line> = {
  'POST /api/core/session/login': {
    good: (w) => ({ body: w.credentials() }),
    more: {
      '401 invalid_credentials': (w) => ({
        body: w.side === 'site' ? { admin_key: 'wrong' } : { name: 'chief', password: 'wrong' },
      }),
      '429 too_many_attempts': async (w) => {
        const body = w.side === 'site' ? { admin_key: 'wrong' } : { name: 'chief', password: 'wrong' };
        return {
          ...(await guesses((browser) => browser.call('POST', '/api/core/session/login', { body }))(
            new Browser(w.url, '127.0.0.9'),
          )),
          body,
        };
      },
    },
  },
  'POST /api/core/session/codes': { only: 'site', good: bare },
  'POST /api/core/session/logout': { good: async (w) => ({ browser: await w.login() }) },
  'GET /api/core/session': { good: bare, more: { '200': () => ({ as: 'session' }) } },
  'GET /api/core/sessions': { good: bare, more: { '200': () => ({ as: 'session' }) } },
  'DELETE /api/core/sessions/{id}': {
    good: async (w) => {
      const answer = await (await w.login()).call('GET', '/api/core/sessions');
      const { items } = JSON.parse(answer.text) as { items: { id: string; current: boolean }[] };
      return at(`/api/core/sessions/${items.find((one) => one.current)?.id}`);
    },
  },
  'DELETE /api/core/sessions': {
    good: () => at('/api/core/sessions?user=nobody'),
    more: { '400 validation_failed': bare },
  },
  'POST /api/core/session/password': {
    only: 'hub',
    good: async (w) => ({
      browser: await w.login(await w.user()),
      body: { current_password: PASSWORD, new_password: 'another long one' },
    }),
    more: {
      '400 validation_failed': async (w) => ({
        browser: await w.login(await w.user()),
        body: { current_password: PASSWORD, new_password: 'short' },
      }),
      '403 invalid_credentials': async (w) => ({
        browser: await w.login(await w.user()),
        body: { current_password: 'wrong', new_password: 'another long one' },
      }),
      '429 too_many_attempts': async (w) => {
        const body = { current_password: 'wrong', new_password: 'another long one' };
        return {
          ...(await guesses((browser) => browser.call('POST', '/api/core/session/password', { body }))(
            await w.login(await w.user()),
          )),
          body,
        };
      },
    },
    unseen: { 409: 'takes two changes at the same moment' },
  },
};

const person = (w: World, more: object = {}): object => ({
  name: w.fresh('user'),
  role: 'customer',
  tenant_code: TENANT,
  password: PASSWORD,
  ...more,
});
export const USERS: Record<string, Line> = {
  'GET /api/core/permissions': { only: 'hub', good: bare },
  'GET /api/core/users': { only: 'hub', good: bare },
  'POST /api/core/users': {
    only: 'hub',
    good: (w) => ({ body: person(w, { permissions: ['events.view'] }) }),
    more: {
      '400 validation_failed': (w) => ({
        body: person(w, { role: 'operator', password: 'x', permissions: ['uplink.view'] }),
      }),
      '409 user_exists': (w) => ({ body: person(w, { name: 'chief' }) }),
    },
  },
  'PATCH /api/core/users/{name}': {
    only: 'hub',
    good: async (w) => at(`/api/core/users/${await w.user()}`, { disabled: true, permissions: null }),
    more: { '400 validation_failed': () => at('/api/core/users/chief', {}) },
    unseen: { 409: 'test/hq/provider.test.ts sees it' },
  },
};

const site = async (w: World): Promise<{ instance: string; keyId: string }> => {
  const instance = w.fresh('site');
  return { instance, keyId: (await w.made('/api/core/sites', { instance, tenants: [TENANT] })).keyId };
};
/** The name of a site that is no more, with which another goes on. */
const continued = async (w: World): Promise<string> => {
  const [{ instance }, before] = [await site(w), w.fresh('before')];
  expectStatus(await w.call('PATCH', `/api/core/sites/${instance}`, { continues: [before] }), 200);
  return before;
};
const codeIn = (answer: Answer): string => jsonOf<{ code: string }>(answer).code;
export const SITES: Record<string, Line> = {
  'GET /api/core/uplink/orders': {
    only: 'hub',
    good: () => at('/api/core/uplink/orders?state=pending'),
    more: { '400 validation_failed': () => at('/api/core/uplink/orders?cursor=x') },
  },
  'GET /api/core/sites': { only: 'hub', good: bare },
  'POST /api/core/sites': {
    only: 'hub',
    good: (w) => ({ body: { instance: w.fresh('site'), tenants: [TENANT] } }),
    more: {
      '409 site_exists': () => ({ body: { instance: 'site-2', tenants: [TENANT] } }),
      '409 instance_taken': () => ({ body: { instance: 'hq', tenants: [TENANT] } }),
      '409 site_continued': async (w) => ({ body: { instance: await continued(w), tenants: [TENANT] } }),
    },
  },
  'POST /api/core/sites/{instance}/codes': {
    only: 'hub',
    good: async (w) => at(`/api/core/sites/${(await site(w)).instance}/codes`),
    more: {
      '409 too_many_keys': async (w) => {
        const { instance } = await site(w);
        for (let keys = 1; keys < 10; keys++)
          expectStatus(await w.call('POST', `/api/core/sites/${instance}/keys`), 201);
        return at(`/api/core/sites/${instance}/codes`);
      },
    },
  },
  'POST /api/core/sites/join': {
    only: 'hub',
    good: async (w) => {
      const { instance } = await site(w);
      return {
        body: {
          code: codeIn(expectStatus(await w.call('POST', `/api/core/sites/${instance}/codes`), 201)),
          instance,
        },
      };
    },
    more: {
      '401 invalid_code': () => ({ body: { code: '0000-0000' } }),
      '409 too_many_keys': async (w) => {
        const { instance } = await site(w);
        const made = await w.call('POST', `/api/core/sites/${instance}/codes`);
        for (let keys = 1; keys < 10; keys++)
          expectStatus(await w.call('POST', `/api/core/sites/${instance}/keys`), 201);
        return { body: { code: codeIn(made) } };
      },
    },
  },
  'PATCH /api/core/sites/{instance}': {
    only: 'hub',
    good: async (w) =>
      at(`/api/core/sites/${(await site(w)).instance}`, {
        tenants: ['beta'],
        continues: [w.fresh('before')],
      }),
    more: {
      '400 validation_failed': async (w) =>
        at(`/api/core/sites/${(await site(w)).instance}`, { continues: ['hq'] }),
      '409 site_live': async (w) =>
        at(`/api/core/sites/${(await site(w)).instance}`, { continues: ['site-2'] }),
      '409 site_continued': async (w) =>
        at(`/api/core/sites/${(await site(w)).instance}`, { continues: [await continued(w)] }),
    },
  },
  'GET /api/core/site-groups': {
    only: 'hub',
    good: async (w) => {
      expectStatus(
        await w.call('POST', '/api/core/site-groups', { name: 'North', add: [(await site(w)).instance] }),
        200,
      );
      return { target: '/api/core/site-groups' };
    },
  },
  'POST /api/core/site-groups': {
    only: 'hub',
    good: async (w) => ({ body: { name: 'North', add: [(await site(w)).instance] } }),
    more: {
      '404 not_found': () => ({ body: { name: 'North', remove: ['site-9'] } }),
      '409 too_many_groups': async (w) => {
        const { instance } = await site(w);
        const groups = Array.from({ length: 20 }, (_, at) => `Contract ${at}`);
        expectStatus(await w.call('PATCH', `/api/core/sites/${instance}`, { groups }), 200);
        return { body: { name: 'North', add: [instance] } };
      },
    },
  },
  'GET /api/core/sites/{instance}/settings': {
    only: 'hub',
    good: async (w) => ({ target: `/api/core/sites/${(await site(w)).instance}/settings` }),
    more: { '404 not_found': () => ({ target: '/api/core/sites/site-9/settings' }) },
  },
  'PATCH /api/core/sites/{instance}/settings': {
    only: 'hub',
    good: async (w) =>
      at(`/api/core/sites/${(await site(w)).instance}/settings`, {
        values: { CORE_RETENTION_EVENTS_DAYS: 365, CORE_LOG_LEVEL: null },
      }),
    more: {
      '400 validation_failed': async (w) =>
        at(`/api/core/sites/${(await site(w)).instance}/settings`, { values: { CORE_LISTEN: 'x' } }),
      '404 not_found': () => at('/api/core/sites/site-9/settings', { values: {} }),
      '409 settings_changed': async (w) =>
        at(`/api/core/sites/${(await site(w)).instance}/settings`, { values: {}, expected_version: 7 }),
    },
  },
  'GET /api/core/site-groups/settings': {
    only: 'hub',
    good: async (w) => {
      const add = [(await site(w)).instance];
      expectStatus(await w.call('POST', '/api/core/site-groups', { name: 'East', add }), 200);
      return { target: '/api/core/site-groups/settings?group=East' };
    },
    more: { '404 not_found': () => ({ target: '/api/core/site-groups/settings?group=Nowhere' }) },
  },
  'PATCH /api/core/site-groups/settings': {
    only: 'hub',
    good: async (w) => {
      const add = [(await site(w)).instance];
      expectStatus(await w.call('POST', '/api/core/site-groups', { name: 'East', add }), 200);
      return { body: { group: 'East', values: { CORE_BACKUP_ALARM_DAYS: 3 } } };
    },
    more: { '404 not_found': () => ({ body: { group: 'Nowhere', values: {} } }) },
  },
  'POST /api/core/sites/{instance}/keys/{key_id}/rotate': {
    only: 'hub',
    good: async (w) => {
      const { instance, keyId } = await site(w);
      return at(`/api/core/sites/${instance}/keys/${keyId}/rotate`, {});
    },
  },
  'POST /api/core/sites/{instance}/keys': {
    only: 'hub',
    good: async (w) => at(`/api/core/sites/${(await site(w)).instance}/keys`, { key_id: w.fresh('key') }),
    more: {
      '409 key_exists': async (w) => {
        const { instance, keyId } = await site(w);
        return at(`/api/core/sites/${instance}/keys`, { key_id: keyId });
      },
      '409 too_many_keys': async (w) => {
        const target = `/api/core/sites/${(await site(w)).instance}/keys`;
        for (let keys = 1; keys < 10; keys++) expectStatus(await w.call('POST', target), 201);
        return at(target, {});
      },
    },
  },
  'DELETE /api/core/sites/{instance}/keys/{key_id}': {
    only: 'hub',
    good: async (w) => {
      const { instance, keyId } = await site(w);
      return at(`/api/core/sites/${instance}/keys/${keyId}`);
    },
  },
  'DELETE /api/core/sites/{instance}': {
    only: 'hub',
    good: async (w) => at(`/api/core/sites/${(await site(w)).instance}`),
  },
};

const batch = (w: World, more: object = {}): object => ({
  protocol: 1,
  version: '1',
  instance: 'site-2',
  epoch: w.fresh('epoch'),
  head: 1,
  oldest: 1,
  cursor: { from: 0, to: 1, at: 1 },
  items: [{ origin_id: 1, change_no: 1 }],
  ...more,
});
const uplink: Line = {
  only: 'hub',
  good: (w) => ({ body: batch(w) }),
  more: {
    '400 protocol_unsupported': (w) => ({ body: batch(w, { protocol: 99 }) }),
    '403 forbidden': (w) => ({ body: batch(w, { instance: 'another' }) }),
    '409 cursor_ahead': (w) => ({
      body: batch(w, { cursor: { from: 5, to: 6, at: 1 }, head: 6, items: [] }),
    }),
    '400 bad_encoding': (w) => ({ body: batch(w), headers: { 'content-encoding': 'gzip' } }),
    '415 unsupported_encoding': (w) => ({ body: batch(w), headers: { 'content-encoding': 'br' } }),
  },
};
const PIECE = Buffer.from('a piece of a picture');
/** A file that is wanted of the site. */
const wanted = async (w: World, offset = 0, bytes = PIECE): Promise<Ask> => {
  const eventId = await w.event();
  const want = await (w.store as HubStore).evidenceWants.ask(
    {
      id: randomUUID(),
      tenantCode: TENANT,
      instance: 'site-2',
      eventId,
      eventKey: w.fresh('key'),
      name: 'a.jpg',
      kind: 'keep',
      size: PIECE.length,
      sha256: hash('sha256', PIECE),
      askedBy: 'li',
    },
    1,
  );
  return {
    target: `/api/core/uplink/evidence/${want.id}?offset=${offset}`,
    raw: { type: 'application/octet-stream', bytes },
  };
};
/** A preview of a picture of an event that the site brought. */
const preview = async (
  w: World,
  more: object = {},
  bytes = Buffer.from([0xff, 0xd8, 0xff]),
): Promise<Ask> => {
  const key = w.fresh('previewed');
  const evidence = [{ name: 'a.jpg', contentType: 'image/jpeg', size: 9, sha256: '0'.repeat(64) }];
  const event = newEvent(key, { tenantCode: TENANT, doc: JSON.stringify({ evidence }) });
  const origin = { instance: 'site-2', originId: Number(key.replace(/\D/g, '')), receivedAt: 1 };
  await w.store.events.ingest([{ ...event, origin }], Date.now());
  const file = { tenant_code: TENANT, event_key: key, name: 'a.jpg', ...more };
  return { target: previewPath(file), raw: { type: 'image/jpeg', bytes } };
};
const states = (w: World, more: object = {}): object => ({
  protocol: 1,
  version: '1',
  instance: 'site-2',
  epoch: w.fresh('epoch'),
  mode: 'on_demand',
  backlog: { files: 0, bytes: 0 },
  states: [],
  offers: [],
  gone: [],
  ...more,
});
const handed = (w: World, more: object = {}): object => ({
  protocol: 1,
  version: '1',
  instance: 'site-2',
  epoch: w.fresh('epoch'),
  backlog: 0,
  items: [],
  asked: ['unheard-of'],
  ...more,
});
const poll = (w: World, more: object = {}): object => ({
  protocol: 1,
  version: '1',
  instance: 'site-2',
  epoch: w.fresh('epoch'),
  hold_ms: 0,
  after: 0,
  ...more,
});
const libraryAsked = (w: World, more: object = {}): object => ({
  protocol: 1,
  version: '1',
  instance: 'site-2',
  epoch: w.fresh('epoch'),
  tenant_code: TENANT,
  ask: { kind: 'files', after: 0, hub_epoch: '', whole: true },
  ...more,
});
export const UPLINK: Record<string, Line> = {
  'POST /api/core/uplink/library': {
    only: 'hub',
    good: (w) => ({ body: libraryAsked(w) }),
    more: {
      '200': (w) => ({
        body: libraryAsked(w, {
          ask: { kind: 'clauses', bytes: 1_000, files: [{ id: 1, text_no: 1, after: 0 }] },
        }),
      }),
      '400 protocol_unsupported': (w) => ({ body: libraryAsked(w, { protocol: 99 }) }),
      '403 forbidden': (w) => ({ body: libraryAsked(w, { instance: 'another' }) }),
      '400 bad_encoding': (w) => ({ body: libraryAsked(w), headers: { 'content-encoding': 'gzip' } }),
      '415 unsupported_encoding': (w) => ({
        body: libraryAsked(w),
        headers: { 'content-encoding': 'br' },
      }),
    },
  },
  'POST /api/core/uplink/inbox': {
    only: 'hub',
    good: (w) => ({ body: poll(w) }),
    more: {
      '400 protocol_unsupported': (w) => ({ body: poll(w, { protocol: 99 }) }),
      '403 forbidden': (w) => ({ body: poll(w, { instance: 'another' }) }),
      '400 bad_encoding': (w) => ({ body: poll(w), headers: { 'content-encoding': 'gzip' } }),
      '415 unsupported_encoding': (w) => ({ body: poll(w), headers: { 'content-encoding': 'br' } }),
    },
  },
  'POST /api/core/uplink/notifications': {
    only: 'hub',
    good: (w) => ({ body: handed(w) }),
    more: {
      '403 forbidden': (w) => ({ body: handed(w, { instance: 'another' }) }),
      '400 bad_encoding': (w) => ({ body: handed(w), headers: { 'content-encoding': 'gzip' } }),
      '415 unsupported_encoding': (w) => ({ body: handed(w), headers: { 'content-encoding': 'br' } }),
    },
  },
  'POST /api/core/uplink/evidence/states': {
    only: 'hub',
    good: async (w) => {
      await wanted(w);
      return { body: states(w) };
    },
    more: {
      '403 forbidden': (w) => ({ body: states(w, { instance: 'another' }) }),
      '400 bad_encoding': (w) => ({ body: states(w), headers: { 'content-encoding': 'gzip' } }),
      '415 unsupported_encoding': (w) => ({ body: states(w), headers: { 'content-encoding': 'br' } }),
    },
  },
  'PUT /api/core/uplink/evidence/{want_id}': {
    only: 'hub',
    good: (w) => wanted(w),
    more: {
      '409 evidence_offset': (w) => wanted(w, 5),
      '422 evidence_mismatch': (w) => wanted(w, 0, Buffer.from(PIECE.toReversed())),
    },
  },
  'PUT /api/core/uplink/evidence/previews': {
    only: 'hub',
    good: (w) => preview(w),
    more: {
      '404 not_found': (w) => preview(w, { name: 'b.jpg' }),
      '422 preview_unreadable': (w) => preview(w, {}, Buffer.from('GIF89a')),
    },
  },
  'POST /api/core/uplink/events': uplink,
  'POST /api/core/uplink/verdicts': uplink,
  'GET /api/core/uplink/sites': { only: 'hub', good: bare },
  'GET /api/core/uplink/states': { only: 'hub', good: bare },
  'GET /api/core/uplink/status': { good: bare },
  'GET /api/core/uplink/status/{instance}': {
    only: 'hub',
    good: () => at('/api/core/uplink/status/site-2'),
  },
  'GET /api/core/uplink/zones': { only: 'hub', good: bare },
  'GET /api/core/uplink/status/{instance}/hours': {
    only: 'hub',
    good: () => at('/api/core/uplink/status/site-2/hours'),
  },
  'GET /api/core/uplink/conflicts': {
    only: 'hub',
    good: () => at('/api/core/uplink/conflicts?instance=site-2&tenant_code=acme'),
  },
  'GET /api/core/uplink/parked': {
    only: 'site',
    good: async (w) => {
      await w.parked();
      return at('/api/core/uplink/parked?state=all');
    },
  },
  'POST /api/core/uplink/parked/replay': {
    only: 'site',
    good: async (w) => ({ body: { channel: 'events', origin_ids: [await w.parked()] } }),
    more: {
      '400 validation_failed': () => ({ body: { origin_ids: [1] } }),
      '404 not_found': () => ({ body: { channel: 'events', origin_ids: [MISSING] } }),
      '409 uplink_disabled': (w) => ({ body: {}, ...(w.lonely === null ? {} : { url: w.lonely }) }),
    },
  },
  'POST /api/core/uplink/parked/discard': {
    only: 'site',
    good: async (w) => ({ body: { channel: 'events', origin_id: await w.parked(), by: 'li' } }),
    more: { '404 not_found': () => ({ body: { channel: 'events', origin_id: MISSING, by: 'li' } }) },
  },
};
