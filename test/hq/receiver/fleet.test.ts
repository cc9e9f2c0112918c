// The list of all sites: by pages, in any order, narrowed at the hub; and the groups that sites are in.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetOf } from '../../../hq/receiver/fleet/decide.ts';
import { fleetOrders, fleetQuery, MOST_GROUPS, type SiteLine } from '../../../hq/receiver/fleet/schema.ts';
import { type Answer, expectStatus, jsonOf } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';

interface Fleet {
  items: { instance: string; groups: string[]; displayName: string | null; needsCare: boolean }[];
  total: number;
  hasMore: boolean;
  counts: Record<string, number>;
  tenants: string[];
  groups: { name: string; sites: number }[];
}

const time = fc.constantFrom(null, '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z');
const line: fc.Arbitrary<Omit<SiteLine, 'instance'>> = fc.record({
  displayName: fc.constantFrom(null, 'Tunnel 9', 'Tunnel 10', '三号'),
  groups: fc.subarray(['North', 'South']),
  state: fc.constantFrom('current', 'late', 'silent', 'away'),
  lastSeenAt: time,
  tenants: fc.subarray(['alpha', 'bravo'], { minLength: 1 }),
  version: fc.constantFrom(null, '1.0.0', '1.1.0'),
  there: fc.option(fc.record({ waiting: fc.nat(3), oldestAt: time, parked: fc.nat(2) })),
  toSite: fc.nat(2),
  filesWanted: fc.nat(2),
  refused: fc.nat(2),
  shed: fc.nat(2),
  report: fc.constant(null),
  needsCare: fc.boolean(),
});
const fleet = fc
  .array(line, { maxLength: 40 })
  .map((lines) => lines.map((one, at) => ({ ...one, instance: `site-${at}` })));

describe('however it is ordered and narrowed', () => {
  test('the pages together have each site that fits once, and are in order', () => {
    fc.assert(
      fc.property(
        fleet,
        fc.constantFrom(...fleetOrders),
        fc.constantFrom('ascending' as const, 'descending' as const),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(undefined, 'North'),
        (sites, order, direction, limit, group) => {
          const query = { order, direction, limit, ...(group === undefined ? {} : { group }) };
          const rows: SiteLine[] = [];
          for (;;) {
            const page = fleetOf(sites, fleetQuery.parse({ ...query, offset: rows.length }));
            rows.push(...page.items);
            expect(page.hasMore).toBe(rows.length < page.total);
            if (!page.hasMore) break;
          }
          const fit = sites.filter(({ groups }) => group === undefined || groups.includes(group));
          expect(rows.map(({ instance }) => instance).toSorted()).toEqual(
            fit.map(({ instance }) => instance).toSorted(),
          );
          const whole = fleetOf(sites, fleetQuery.parse({ ...query, limit: 1000 })).items;
          expect(rows).toEqual(whole);
          const turned = direction === 'ascending' ? whole : whole.toReversed();
          const parked = turned.map(({ there }) => there?.parked ?? -1);
          if (order === 'parked') expect(parked).toEqual(parked.toSorted((a, b) => a - b));
        },
      ),
    );
  });

  test('whom nobody hears comes first, and who never called is not among them', () => {
    const at = (instance: string, state: SiteLine['state'], lastSeenAt: string | null) => ({
      ...{ instance, state, lastSeenAt, displayName: null, groups: [], tenants: ['a'], version: null },
      ...{ there: null, toSite: 0, filesWanted: 0, refused: 0, shed: 0, report: null, needsCare: false },
    });
    const sites = [
      at('live', 'current', '2026-02-01T00:00:00.000Z'),
      at('new', 'silent', null),
      at('dark', 'silent', '2026-01-02T00:00:00.000Z'),
      at('darker', 'silent', '2026-01-01T00:00:00.000Z'),
    ];
    expect(fleetOf(sites, fleetQuery.parse({})).items.map(({ instance }) => instance)).toEqual([
      ...['darker', 'dark'],
      ...['new', 'live'],
    ]);
  });
});

describe('at a hub', () => {
  let rig: SessionRig;
  const SITES = Array.from({ length: 12 }, (_, at) => `works-${at}`);
  beforeAll(async () => {
    rig = await openSessionRig();
    for (const instance of SITES)
      expectStatus(await rig.admin('POST', '/api/core/sites', { instance, tenants: ['alpha'] }), 201);
  });
  afterAll(() => rig.close());

  const list = async (query = '', q = 'works'): Promise<Fleet> =>
    jsonOf(
      expectStatus(await rig.admin('GET', `/api/core/uplink/sites?q=${encodeURIComponent(q)}&${query}`), 200),
    );
  const names = ({ items }: Fleet): string[] => items.map(({ instance }) => instance);
  const group = (name: string, body: object): Promise<Answer> =>
    rig.admin('POST', '/api/core/site-groups', { name, ...body });

  test('a page says how many there are, and names are ordered as people count', async () => {
    const page = await list('order=name&limit=5&offset=5');
    expect(names(page)).toEqual(SITES.slice(5, 10));
    expect(page).toMatchObject({ total: 12, hasMore: true });
    expect(page.tenants).toContain('alpha');
    expect(names(await list('order=name&direction=descending&limit=2'))).toEqual(['works-11', 'works-10']);
    expect((await list('offset=12')).items).toEqual([]);
    for (const wrong of ['order=size', 'direction=up', 'limit=0', 'limit=1001', 'offset=-1', 'state=gone'])
      expect((await rig.admin('GET', `/api/core/uplink/sites?${wrong}`)).status).toBe(400);
  });

  test('sites come into a group and leave it, all of them or none', async () => {
    expect(jsonOf(await group('Nördlich 北区', { add: ['works-1', 'works-2'] }))).toEqual({
      ...{ name: 'Nördlich 北区', added: 2, removed: 0 },
    });
    const unknown = await group('Nördlich 北区', { add: ['works-3', 'nowhere'], remove: ['works-1'] });
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('nowhere');
    const north = await list(`group=${encodeURIComponent('Nördlich 北区')}`);
    expect(names(north).toSorted()).toEqual(['works-1', 'works-2']);
    expect(north.groups).toEqual([{ name: 'Nördlich 北区', sites: 2 }]);
    const moved = await group('Nördlich 北区', { add: ['works-3'], remove: ['works-1', 'works-4'] });
    expect(jsonOf(moved)).toMatchObject({ added: 1, removed: 1 });
    expect(names(await list('', '北区')).toSorted()).toEqual(['works-2', 'works-3']);
    const { items } = jsonOf<{ items: { subject: string }[] }>(
      await rig.admin('GET', '/api/core/audit?action=site.groups_changed'),
    );
    expect(items.map(({ subject }) => subject).toSorted()).toEqual([
      ...['site:works-1', 'site:works-1'],
      ...['site:works-2', 'site:works-3'],
    ]);
  });

  test('a site is in so many groups at most, and keeps those that it has', async () => {
    const groups = Array.from({ length: MOST_GROUPS }, (_, at) => `Contract ${at}`);
    expectStatus(await rig.admin('PATCH', '/api/core/sites/works-9', { groups }), 200);
    const full = await group('One more', { add: ['works-8', 'works-9'] });
    expect(full.status).toBe(409);
    expect(full.text).toContain('too_many_groups');
    expect((await list('group=One%20more')).items).toEqual([]);
    const over = { groups: [...groups, 'One more'] };
    expect((await rig.admin('PATCH', '/api/core/sites/works-9', over)).status).toBe(400);
    expect((await rig.admin('PATCH', '/api/core/sites/works-9', { groups: ['a\nb'] })).status).toBe(400);
    const { items } = jsonOf<{ items: { groups: string[] }[] }>(
      await rig.admin('GET', '/api/core/sites?instance=works-9'),
    );
    expect(items).toMatchObject([{ instance: 'works-9', groups }]);
  });

  test('a tenant is told of its sites, not of the groups that headquarters makes', async () => {
    await rig.addUser('customer', { role: 'customer', tenant_code: 'alpha' });
    const customer = await rig.browser('customer');
    const states = jsonOf<Fleet>(expectStatus(await customer.call('GET', '/api/core/uplink/states'), 200));
    expect(states.items.find(({ instance }) => instance === 'works-2')).toMatchObject({ groups: [] });
  });
});
