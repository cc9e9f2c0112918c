// Lists and figures of the sites of one group: one parameter everywhere, and no group of another tenant.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import type { Browser } from '../../support/browser.ts';
import { type Answer, expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';
import { rota } from '../tenant-duty.ts';

/** Which sites there are, whose events each brings, and the groups that it is in. */
const SITES: [instance: string, tenants: string[], groups: string[]][] = [
  ['north-1', ['acme'], ['North']],
  ['north-2', ['acme', 'beta'], ['North', 'Contract of beta']],
  ['south-1', ['acme'], ['South']],
  ['beta-1', ['beta'], ['Contract of beta']],
];

interface At {
  instance: string;
  key: { keyId: string; secret: string };
  epoch: string;
  tenant: string;
}

const places = new Map<string, At>();
let rig: SessionRig;
let customer: Browser;
beforeAll(async () => {
  rig = await openSessionRig();
  for (const [instance, tenants, groups] of SITES) {
    const made = await rig.admin('POST', '/api/core/sites', { instance, tenants, groups });
    const key = jsonOf<{ keyId: string; secret: string }>(expectStatus(made, 201));
    const at = { instance, key, epoch: randomUUID(), tenant: tenants[0] ?? '' };
    places.set(instance, at);
    await bring(at, 0, 2);
  }
  const permissions = ['events.view', 'events.judge', 'stats.view', 'duty.view', 'duty.manage'];
  await rig.addUser('acme-user', { role: 'customer', tenant_code: 'acme', permissions });
  customer = await rig.browser('acme-user');
});
afterAll(() => rig.close());

/** Events of one camera, as their site sends them. @param from how many it has sent before */
async function bring({ instance, key, epoch, tenant }: At, from: number, count: number): Promise<void> {
  const now = rig.clock.now();
  const items = Array.from({ length: count }, (_, index) => ({
    ...{ origin_id: from + index + 1, received_at: now, occurred_at: now, tenant_code: tenant },
    ...{ idempotency_key: `${instance}/${from + index + 1}`, type: 'person.fall', severity: 'critical' },
    ...{ kind: 'alert', source: 'video', is_test: false, doc: { cameraRef: 'gate' } },
  }));
  const head = from + count;
  const body = JSON.stringify({
    ...{ protocol: PROTOCOL, version: '0.1.0', instance, epoch, head, oldest: 0 },
    ...{ cursor: { from, to: head }, items },
  });
  const call = { url: rig.hub.url, key, method: 'POST', path: '/api/core/uplink/events', body };
  const answer = expectStatus(await signedCall({ ...call, now }), 200);
  expect(jsonOf(answer)).toMatchObject({ accepted: count });
}

type Ask = (path: string) => Promise<Answer>;
const operator: Ask = (path) => rig.admin('GET', path);
const asCustomer: Ask = (path) => customer.call('GET', path);
const named = (path: string, group: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}site_group=${encodeURIComponent(group)}`;
const window = (what: string): string => {
  const [since, until] = [-1, 1].map((days) => new Date(rig.clock.now() + days * 86_400_000).toISOString());
  return `/api/core/stats/${what}?tenant_code=acme&since=${since}&until=${until}`;
};
const itemsOf = async <T>(ask: Ask, path: string): Promise<T[]> =>
  jsonOf<{ items: T[] }>(expectStatus(await ask(path), 200)).items;
const sitesOf = async (ask: Ask, path: string): Promise<string[]> =>
  [...new Set((await itemsOf<{ instance: string }>(ask, path)).map(({ instance }) => instance))].toSorted();

test('settings go to a site, or to each of a group, from whoever has to do with all of it', async () => {
  const own = ['sites.configure'];
  await rig.addUser('acme-keeper', { role: 'customer', tenant_code: 'acme', permissions: own });
  const keeper = await rig.browser('acme-keeper');
  const of = (instance: string): string => `/api/core/sites/${instance}/settings`;
  const values = { CORE_BACKUP_ALARM_DAYS: 3 };
  expectStatus(await keeper.call('PATCH', of('south-1'), { body: { values } }), 200);
  // One of another tenant, one that brings another's events too, and one that is not there.
  for (const foreign of ['beta-1', 'north-2', 'nowhere']) {
    expect((await keeper.call('GET', of(foreign))).status).toBe(404);
    expect((await keeper.call('PATCH', of(foreign), { body: { values } })).status).toBe(404);
  }
  expect((await customer.call('GET', of('south-1'))).status).toBe(403);
  const group = '/api/core/site-groups/settings';
  const set = async (ask: Promise<Answer>): Promise<[string, number, string][]> =>
    jsonOf<{ items: { instance: string; version: number; by: string }[] }>(
      expectStatus(await ask, 200),
    ).items.map(({ instance, version, by }) => [instance, version, by]);
  expect(await set(keeper.call('PATCH', group, { body: { group: 'North', values } }))).toEqual([
    ['north-1', 1, 'user:acme-keeper'],
  ]);
  expect((await keeper.call('PATCH', group, { body: { group: 'Contract of beta', values } })).status).toBe(
    404,
  );
  expect(await set(rig.admin('PATCH', group, { group: 'North', values }))).toEqual([
    ['north-1', 2, 'admin'],
    ['north-2', 1, 'admin'],
  ]);

  // The site is told of its newest version alone; what it answers ends it, and what it had is not told again.
  const at = places.get('south-1');
  if (!at) throw new Error('there is no such site');
  expectStatus(await rig.admin('PATCH', of('south-1'), { values: { CORE_LOG_LEVEL: 'debug' } }), 200);
  const head = { protocol: PROTOCOL, version: '0.1.0', instance: 'south-1', epoch: at.epoch };
  const post = async (path: string, more: object): Promise<{ items: { body: { version: number } }[] }> => {
    const body = JSON.stringify({ ...head, ...more });
    const now = rig.clock.now();
    return jsonOf(
      expectStatus(await signedCall({ url: rig.hub.url, key: at.key, method: 'POST', path, body, now }), 200),
    );
  };
  const inbox = () =>
    post('/api/core/uplink/inbox', { features: ['settings'], hold_ms: 0, after: 0, hub_epoch: '' });
  const { items } = await inbox();
  expect(items.map(({ body }) => body)).toMatchObject([
    { version: 2, values: { CORE_BACKUP_ALARM_DAYS: 3, CORE_LOG_LEVEL: 'debug' }, by: 'admin' },
  ]);
  const told = {
    ...{ change_no: 1, kind: 'settings', version: 2, state: 'refused', values: {}, by: 'admin', at: 1 },
    ...{ holds: {}, in_use: [], reason: null, told: null },
    faults: [{ name: 'X', reason: 'no', told: { code: 'setting_unknown', params: { name: 'X' } } }],
  };
  const cursor = { from: 0, to: 1 };
  await post('/api/core/uplink/verdicts', { head: 1, oldest: 1, cursor, items: [told] });
  expect((await inbox()).items).toEqual([]);
  const seen = jsonOf<{ settings: object }>(expectStatus(await keeper.call('GET', of('south-1')), 200));
  expect(seen.settings).toMatchObject({
    state: 'refused',
    faults: [
      {
        reason: 'X cannot be set from headquarters at this site',
        reasonZh: '此站点不支持由总部设置 X',
      },
    ],
  });
  // Another store of the site has nothing of what was in force, and hears of it again.
  expectStatus(await rig.admin('PATCH', of('south-1'), { values }), 200);
  const inForce = { ...told, change_no: 2, version: 3, state: 'in_force', faults: [] };
  await post('/api/core/uplink/verdicts', {
    head: 2,
    oldest: 1,
    cursor: { from: 1, to: 2 },
    items: [inForce],
  });
  expect((await inbox()).items).toEqual([]);
  const anew = { epoch: randomUUID(), head: 0, oldest: 0, cursor: { from: 0, to: 0 }, items: [] };
  await post('/api/core/uplink/events', anew);
  expect((await inbox()).items).toHaveLength(1);
});

const LISTS = ['/api/core/events/list', '/api/core/events/unjudged'];
const FIGURES = ['window', 'hours', 'cameras', 'times'];

test('events and the queue are those of the sites of a group, of the tenant that is asked for', async () => {
  for (const path of LISTS) {
    expect(await sitesOf(operator, path)).toEqual(['beta-1', 'north-1', 'north-2', 'south-1']);
    expect(await sitesOf(operator, named(path, 'North'))).toEqual(['north-1', 'north-2']);
    expect(await sitesOf(operator, named(path, 'Contract of beta'))).toEqual(['beta-1', 'north-2']);
    expect(await sitesOf(operator, named(`${path}?tenant_code=acme`, 'North'))).toEqual([
      'north-1',
      'north-2',
    ]);
    expect(await sitesOf(operator, named(`${path}?instance=north-2`, 'North'))).toEqual(['north-2']);
    expect(await sitesOf(operator, named(`${path}?instance=south-1`, 'North'))).toEqual([]);
    expect(await sitesOf(asCustomer, named(path, 'South'))).toEqual(['south-1']);
  }
});

test('so are the figures', async () => {
  const sums = async (group: string): Promise<number[]> => {
    const of = (what: string) => named(window(what), group);
    const { events } = jsonOf<{ events: { count: number }[] }>(
      expectStatus(await operator(of('window')), 200),
    );
    const hours = await itemsOf<{ unjudged: number }>(operator, of('hours'));
    const cameras = await itemsOf<{ unjudged: number }>(operator, of('cameras'));
    const sum = (all: number[]): number => all.reduce((one, other) => one + other, 0);
    return [
      sum(events.map(({ count }) => count)),
      sum(hours.map(({ unjudged }) => unjudged)),
      sum(cameras.map(({ unjudged }) => unjudged)),
    ];
  };
  expect(await sums('North')).toEqual([4, 4, 4]);
  expect(await sums('South')).toEqual([2, 2, 2]);
  const [event] = await itemsOf<{ id: number }>(operator, named('/api/core/events/list', 'South'));
  expectStatus(
    await rig.admin('POST', `/api/core/events/${event?.id}/verdict`, { verdict: 'confirmed', by: 'li' }),
    200,
    201,
  );
  const counted = async (group: string): Promise<number> => {
    const path = named(window('times'), group);
    await until(
      'the index has taken the events',
      async () =>
        jsonOf<{ all: { verdict: { count: number } } }>(await operator(window('times'))).all.verdict.count ===
        1,
    );
    return jsonOf<{ all: { verdict: { count: number } } }>(expectStatus(await operator(path), 200)).all
      .verdict.count;
  };
  expect([await counted('South'), await counted('North')]).toEqual([1, 0]);
});

test('a group without a site of the tenant does not exist for it, like one that nobody made', async () => {
  for (const path of [...LISTS, ...FIGURES.map(window)])
    for (const group of ['Contract of beta', 'Nowhere']) {
      const answer = await asCustomer(named(path, group));
      expect([path, group, answer.status]).toEqual([path, group, 404]);
    }
  expect((await operator(named(`${LISTS[0]}?tenant_code=beta`, 'South'))).status).toBe(404);
  expect((await asCustomer(named(`${LISTS[0]}?tenant_code=beta`, 'North'))).status).toBe(403);
});

test('what there is to choose from is counted, and to a tenant it is its own alone', async () => {
  expect(await itemsOf(operator, '/api/core/site-groups')).toEqual([
    { name: 'Contract of beta', sites: 2 },
    { name: 'North', sites: 2 },
    { name: 'South', sites: 1 },
  ]);
  expect(await itemsOf(operator, '/api/core/site-groups?tenant_code=beta')).toEqual([
    { name: 'Contract of beta', sites: 2 },
    { name: 'North', sites: 1 },
  ]);
  // A site that is shared is in a group that is named after the other tenant.
  expect(await itemsOf(asCustomer, '/api/core/site-groups')).toEqual([
    { name: 'North', sites: 2 },
    { name: 'South', sites: 1 },
  ]);
});

test('a rota is for the sites of groups that there are for its tenant, as they stand', async () => {
  const shifts = [
    { days: [1, 2, 3, 4, 5, 6, 7], begin: '00:00', end: '00:00', people: ['acme-user'], weekly: false },
  ];
  const make = (name: string, site_groups: string[]) =>
    customer.call('POST', '/api/core/duty/rotas', { body: rota('acme', name, { site_groups, shifts }) });
  const made = jsonOf<{ id: string }>(expectStatus(await make('north', ['North']), 201));
  expect(made).toMatchObject({ sites: null, siteGroups: ['North'] });
  const refused = expectStatus(await make('beta', ['North', 'Contract of beta']), 400);
  expect(refused.text).toContain('site_groups[1]');
  const calledFor = async (instance: string, from: number): Promise<string[]> => {
    await bring(places.get(instance) as At, from, 1);
    const [event] = await itemsOf<{ id: number }>(operator, `${LISTS[0]}?instance=${instance}&limit=1`);
    return until('it was looked for whom to call', async () => {
      const { items } = jsonOf<{ items: { called: string[] }[] }>(
        await rig.admin('GET', `/api/core/duty/calls?event_ids=${event?.id}`),
      );
      return items[0]?.called;
    });
  };
  expect(await calledFor('north-2', 2)).toEqual(['acme-user']);
  const moved = { name: 'North', add: ['south-1'] };
  expectStatus(await rig.admin('POST', '/api/core/site-groups', moved), 200);
  expect(await calledFor('south-1', 2)).toEqual(['acme-user']);
  expectStatus(await rig.admin('POST', '/api/core/site-groups', { name: 'North', remove: ['south-1'] }), 200);
});

test('a site that goes on as another is in its groups', async () => {
  expectStatus(await rig.admin('DELETE', '/api/core/sites/south-1'), 200);
  expect((await operator(named('/api/core/events/list', 'South'))).status).toBe(404);
  expectStatus(await rig.admin('PATCH', '/api/core/sites/north-1', { continues: ['south-1'] }), 200);
  expect(await sitesOf(operator, named('/api/core/events/list', 'North'))).toEqual([
    ...['north-1', 'north-2', 'south-1'],
  ]);
});
