// What waits between a site and headquarters, as both ends tell it: status, figures, fleet.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SiteAnswer } from '../../../hq/cli/findings.ts';
import { flowColumns, flowRows } from '../../../hq/cli/flows.ts';
import type { Call } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { Joined } from '../evidence/joined.ts';

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

const NAMES = ['events', 'verdicts', 'evidence', 'notifications', 'orders'];
const PICTURE = randomBytes(50_000);

async function fleet({ hub }: Joined): Promise<SiteAnswer> {
  const answer = expectStatus(await hub.call('GET', '/api/core/uplink/status'), 200);
  const [site] = jsonOf<{ sites: SiteAnswer[] }>(answer).sites;
  if (!site) throw new Error('no site');
  return site;
}

const figures = async (call: Call): Promise<string> => expectStatus(await call('GET', '/metrics'), 200).text;

test('every flow stands at both ends with its items, bytes and age, also while the site is away', async () => {
  const joined = await Joined.open(scene);
  const { hub, site } = joined;
  await joined.event({ 'a.jpg': PICTURE });
  const id = await joined.newestAtHub();
  await until('the site has told what waits', async () => {
    const { flows } = await fleet(joined);
    return flows.filter(({ at }) => at === 'site').length === NAMES.length;
  });
  const below = jsonOf<{ flows: { name: string; waiting: number }[] }>(
    await site.call('GET', '/api/core/uplink/status'),
  );
  expect(below.flows.map(({ name }) => name)).toEqual(NAMES);
  const own = await figures(site.call);
  for (const name of NAMES)
    expect(own).toMatch(new RegExp(`^fieldline_uplink_waiting\\{flow="${name}"\\} \\d`, 'm'));
  expect(own).toMatch(/^fieldline_uplink_notifications_total\{outcome="delivered"\} 0$/m);
  expect(own).toMatch(/^fieldline_uplink_orders_total\{outcome="refused"\} 0$/m);

  const detailed = async (): Promise<{ site: SiteAnswer; cameras: object[] }> =>
    jsonOf(expectStatus(await hub.call('GET', '/api/core/uplink/status/site-1'), 200));
  // Its first report may have left before the event came.
  await until('the site has told of the camera', async () => (await detailed()).cameras.length > 0);
  const detail = await detailed();
  expect(detail).toMatchObject({
    continues: [],
    cameras: [{ tenantCode: 'acme', silent: false, lastEventAt: expect.stringMatching(/^20/) as string }],
    parked: [],
    hours: expect.any(Array) as object[],
    site: {
      instance: 'site-1',
      report: {
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        clockOffsetMs: expect.any(Number) as number,
        disk: { daysLeft: null },
      },
    },
  });
  expect(jsonOf(await hub.call('GET', '/api/core/uplink/zones'))).toEqual({
    items: [{ instance: 'site-1', zone: Intl.DateTimeFormat().resolvedOptions().timeZone }],
  });
  const lines = expectStatus(await hub.call('GET', '/api/core/uplink/sites'), 200);
  expect(jsonOf(lines)).toMatchObject({
    items: [
      {
        instance: 'site-1',
        state: 'current',
        tenants: ['acme'],
        there: { parked: 0 },
        toSite: 0,
        filesWanted: 0,
        refused: 0,
        shed: 0,
        report: { storing: true, disk: { daysLeft: null }, alarms: 0 },
      },
    ],
    hasMore: false,
  });
  expect(lines.text.length).toBeLessThan(600);
  expect(detail.site.flows.find(({ name }) => name === 'events')).toMatchObject({
    at: 'site',
    head: 1,
    failures: 0,
    nextAttemptAt: null,
  });
  const { hours } = jsonOf<{ hours: { received: number }[] }>(
    expectStatus(await hub.call('GET', '/api/core/uplink/status/site-1/hours'), 200),
  );
  expect(hours).toEqual(
    jsonOf<{ hours: object[] }>(await hub.call('GET', '/api/core/uplink/status/site-1')).hours,
  );
  expect((await hub.call('GET', '/api/core/uplink/status/site-9/hours')).status).toBe(404);
  expect((await hub.call('GET', '/api/core/uplink/status/site-9')).status).toBe(404);

  await site.site.stop();
  await joined.far(id, 'a.jpg');
  const task = { tenant_code: 'acme', type: 'disposal', event_id: id, title: 'go', severity: 'high' };
  expectStatus(await hub.call('POST', '/api/core/objects/tasks', task), 202);
  const told = await fleet(joined);
  const here = Object.fromEntries(told.flows.filter(({ at }) => at === 'hq').map((one) => [one.name, one]));
  expect(here).toMatchObject({
    decisions: { waiting: 0, oldestAt: null },
    orders: { waiting: 1, failed: 0, oldestAt: expect.stringMatching(/^20/) as string },
    evidence: { waiting: 1, bytes: PICTURE.length, oldestAt: expect.stringMatching(/^20/) as string },
    notifications: { waiting: 0 },
  });
  expect(here['orders']?.bytes).toBeGreaterThan(20);
  const above = await figures(hub.call);
  expect(above).toMatch(/^fieldline_site_waiting\{site="site-1",flow="orders",at="hq"\} 1$/m);
  expect(above).toMatch(/^fieldline_site_waiting_bytes\{site="site-1",flow="evidence",at="hq"\} 50000$/m);
  expect(above).toMatch(/^fieldline_site_waiting\{site="site-1",flow="verdicts",at="site"\} \d/m);

  const rows = flowRows([told], { language: 'en', time: (at) => at.slice(0, 4) });
  expect(rows.map(([name, what, waits]) => [name, what, waits])).toEqual(
    expect.arrayContaining([
      ['site-1', 'orders, here', '1'],
      ['site-1', 'evidence, here', '1'],
    ]),
  );
  expect(flowColumns(told, 'en')).toMatchObject({ 0: 'current', 2: expect.stringMatching(/^2 \(/), 3: '0' });
});
