// What stands at headquarters of the alarms that a site tells, whoever holds its key.
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { SiteAlarms } from '../../../hq/receiver/alarm/alarms.ts';
import { SiteReports } from '../../../hq/receiver/report.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { TestClock } from '../../support/clock.ts';
import { hubStores, T0 } from '../store/hub.ts';

const hub = hubStores();
let store: HubStore;
let clock: TestClock;
let reports: SiteReports;
let told = 0;
beforeEach(async () => {
  clock = new TestClock(T0);
  store = await hub.open((await hub.database()).url, clock);
  await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, clock.now(), 'admin');
  const siteAlarms = new SiteAlarms({ ...store, clock, log: silentLogger(), self: 'hq' });
  const { sites, siteHours: hours, alarms } = store;
  reports = new SiteReports({ sites, hours, alarms, siteAlarms, clock, log: silentLogger(), self: 'hq' });
});

const tell = (
  alarms: readonly { key: string; severity: 'warning' | 'critical' }[],
  machine: object = {},
): Promise<void> =>
  reports.keep('site-1', {
    at: new Date(clock.now()).toISOString(),
    state: 'look',
    storing: true,
    disk: { level: 'ok', room_bytes: 1, used_bytes: 1, refused: 0 },
    shed: { events: 0, evidence: 0, evidence_bytes: 0, observations: 0 },
    clock_suspect: false,
    life_used_percent: null,
    silent_cameras: 0,
    order: { run: 'run-1', no: (told += 1) },
    ...machine,
    alarms: alarms.map((one) => ({
      ...one,
      message: `${one.key} as the site says it`,
      raised_at: new Date(clock.now()).toISOString(),
    })),
  });
const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => ({ key: `${name}-${n}`, severity: 'warning' as const }));
const standing = async (instance: string): Promise<string[]> =>
  (await store.alarms.list({ tenantCode: null, includeCleared: false, instance }, 1_000)).map(
    ({ key }) => key,
  );

test('of more alarms than a person reads the most severe stand, and that there are more is told', async () => {
  await tell([...many(99, 'small'), { key: 'fire', severity: 'critical' }]);
  const keys = await standing('site-1');
  expect([keys.length, keys.includes('fire')]).toEqual([40, true]);
  expect(await standing('hq')).toEqual(['site_alarms_many:site-1']);
  await tell(many(3, 'small'));
  expect((await standing('site-1')).sort()).toEqual(['small-0', 'small-1', 'small-2']);
  expect(await standing('hq')).toEqual([]);
});

test('alarms that come and go are taken at a bounded rate, and stand as they are again afterwards', async () => {
  for (let round = 0; round < 10; round += 1) await tell(many(20, `round-${round}`));
  expect(await standing('hq')).toEqual(['site_alarms_many:site-1']);
  expect(await standing('site-1')).not.toContain('round-9-0');
  clock.advance(60_000);
  await tell(many(20, 'round-9'));
  expect((await standing('site-1')).sort()).toEqual(
    many(20, 'round-9')
      .map(({ key }) => key)
      .sort(),
  );
  expect(await standing('hq')).toEqual([]);
});

test('never more stand than may, whatever new names a site gives them', async () => {
  for (let round = 0; round < 8; round += 1) {
    await tell(many(100, `round-${round}`));
    expect((await standing('site-1')).length).toBeLessThanOrEqual(40);
    if (round % 3 === 2) clock.advance(30_000);
  }
  clock.advance(3_600_000);
  await tell(many(40, 'last'));
  const wanted = many(40, 'last').map(({ key }) => key);
  expect((await standing('site-1')).sort()).toEqual(wanted.sort());
});

test('a site whose disk takes no writes cannot keep an alarm, so that headquarters raises one', async () => {
  await tell([], { storing: false });
  await tell([], { storing: false });
  const [alarm, ...others] = await store.alarms.list({ tenantCode: null, includeCleared: false }, 10);
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ key: 'site_not_storing:site-1', severity: 'critical', count: 2 });
  await tell([]);
  expect(await standing('hq')).toEqual([]);
});

test('a full disk is told by the site itself', async () => {
  await tell([], { storing: false, disk: { level: 'full', room_bytes: 0, used_bytes: 1, refused: 3 } });
  expect(await standing('hq')).toEqual([]);
});

test('what stood when headquarters began anew is over with the first report that says so', async () => {
  await tell([], { storing: false });
  const siteAlarms = new SiteAlarms({ ...store, clock, log: silentLogger(), self: 'hq' });
  const { sites, siteHours: hours, alarms } = store;
  reports = new SiteReports({ sites, hours, alarms, siteAlarms, clock, log: silentLogger(), self: 'hq' });
  await tell([]);
  expect(await standing('hq')).toEqual([]);
});
