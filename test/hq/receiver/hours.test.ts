// The last week of a site by hours, put together of the reports of its days.
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { SiteAlarms } from '../../../hq/receiver/alarm/alarms.ts';
import { hoursIn, joined } from '../../../hq/receiver/hours/decide.ts';
import { SiteReports } from '../../../hq/receiver/report.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { HOUR, TestClock } from '../../support/clock.ts';
import { hubStores, T0 } from '../store/hub.ts';

const hub = hubStores();
const DAY = 24 * HOUR;
let store: HubStore;
let clock: TestClock;
let reports: SiteReports;
beforeEach(async () => {
  clock = new TestClock(Math.floor(T0 / HOUR) * HOUR);
  store = await hub.open((await hub.database()).url, clock);
  await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, clock.now(), 'admin');
  reports = openReports();
});
const openReports = (): SiteReports =>
  new SiteReports({
    sites: store.sites,
    hours: store.siteHours,
    alarms: store.alarms,
    siteAlarms: new SiteAlarms({ ...store, clock, log: silentLogger(), self: 'hq' }),
    clock,
    log: silentLogger(),
    self: 'hq',
  });

interface Told {
  at: string;
  received: number;
  backlog: number;
  room_bytes: number | null;
}
const hour = (at: number, received: number): Told => ({
  at: new Date(at).toISOString(),
  received,
  backlog: 1,
  room_bytes: null,
});
const tell = (hours: Told[]): Promise<void> =>
  reports.keep('site-1', {
    at: new Date(clock.now()).toISOString(),
    state: 'well',
    storing: true,
    disk: { level: 'ok', room_bytes: 1, used_bytes: 1, refused: 0 },
    shed: { events: 0, evidence: 0, evidence_bytes: 0, observations: 0 },
    clock_suspect: false,
    life_used_percent: null,
    silent_cameras: 0,
    order: { run: 'run-1', no: 1 },
    alarms: [],
    hours,
  });
/** What a site tells of the day before this hour, which is the last. */
const lastDay = (received = 1): Told[] =>
  Array.from({ length: 24 }, (_, index) => hour(clock.now() - (23 - index) * HOUR, received));

test('of the hours that reports tell, a week is kept and no more', async () => {
  for (let day = 0; day < 12; day += 1) {
    await tell(lastDay(day));
    clock.advance(DAY);
  }
  const kept = await store.siteHours.of('site-1');
  expect(kept.length).toBeLessThanOrEqual(8 * 24 + 1);
  const week = joined(kept, [], clock.now());
  expect(week.length).toBeGreaterThan(6 * 24 - 24);
  expect(week.every(({ at }) => at > clock.now() - 7 * DAY)).toBe(true);
  expect(week.map(({ at }) => at)).toEqual([...new Set(week.map(({ at }) => at))].sort((a, b) => a - b));
});

test('the hour that goes on is that of the newest report, and one that is over is written once', async () => {
  const started = clock.now();
  await tell([hour(started - HOUR, 5), hour(started, 1)]);
  await tell([hour(started - HOUR, 9), hour(started, 2)]);
  expect(await store.siteHours.of('site-1')).toEqual([
    { at: started - HOUR, received: 5, backlog: 1, roomBytes: null },
  ]);
  clock.advance(HOUR);
  await tell([hour(started - HOUR, 9), hour(started, 3), hour(started + HOUR, 0)]);
  const kept = await store.siteHours.of('site-1');
  expect(kept.map(({ received }) => received)).toEqual([9, 3]);
  const told = hoursIn({ hours: [hour(started + HOUR, 7)] }, clock.now());
  expect(joined(kept, told, clock.now()).map(({ received }) => received)).toEqual([9, 3, 7]);
});

test('hours of a clock that is wrong, and one hour told twice, leave no rows behind', async () => {
  const now = clock.now();
  await tell([
    hour(now - 30 * DAY, 1),
    hour(now + 30 * DAY, 1),
    { ...hour(now, 1), at: 'no time' },
    hour(now - HOUR, 2),
    hour(now - HOUR + 60_000, 3),
    hour(now, 4),
  ]);
  expect(await store.siteHours.of('site-1')).toEqual([
    { at: now - HOUR, received: 3, backlog: 1, roomBytes: null },
  ]);
  // A site whose clock was set right again, at a hub that has started anew.
  clock.wall += 40 * DAY;
  reports = openReports();
  await tell(lastDay());
  expect((await store.siteHours.of('site-1')).every(({ at }) => at > clock.now() - 2 * DAY)).toBe(true);
});
