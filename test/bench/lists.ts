// Lists, statistics, the timeline and incident groups over one million events: at headquarters, and at a site
// at rest and while cameras post at half the rate that it can take.
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { openHubStore } from '../../hq/stores.ts';
import { openSiteStore } from '../../site/store/open.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import { CLIENTS, type Bench } from './bench.ts';
import { DAYS, fillSeason, ONE_MILLION, RARE_TENANT, RARE_TYPE, TENANT } from './lists-data.ts';
import { ADMIN, type Program } from './program.ts';
import { atMost, mib, ms, whole, type Row } from './table.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const HUB_MS = 50;
const SITE_MS = 150;
const EACH_MS = 1_500;
const DAY_MS = 86_400_000;
const SOME_EVENT = 500_001;

/** What is asked, by name. @param now epoch ms, the end of the season */
function targets(now: number): Record<string, string> {
  const time = (at: number): string => new Date(at).toISOString();
  const list = '/api/core/events/list';
  return {
    'events, newest': list,
    'events of a rare type': `${list}?type=${RARE_TYPE}`,
    'events of a rare tenant': `${list}?tenant_code=${RARE_TENANT}`,
    'events, tenant, type and verdict': `${list}?tenant_code=${TENANT}&type=gas.leak&verdict=merged`,
    'events, no match': `${list}?tenant_code=${TENANT}&type=no.such&verdict=none`,
    'events of a camera, no match': `${list}?site_ref=site-3&camera_ref=cam-9`,
    'events of a day': `${list}?since=${time(now - 60 * DAY_MS)}&until=${time(now - 59 * DAY_MS)}`,
    [`statistics of ${DAYS} days`]: `/api/core/stats/window?tenant_code=${TENANT}&since=${time(now - DAYS * DAY_MS + 12_345)}&until=${time(now)}`,
    timeline: `/api/core/events/${SOME_EVENT}/timeline?tenant_code=TENANT`,
    'incident groups': `/api/core/incidents?tenant_code=${TENANT}`,
  };
}

export async function measureLists(bench: Bench): Promise<Row[]> {
  const now = Date.now();
  return [...(await atHub(bench, now)), ...(await atSite(bench, now))];
}

/** The target with the tenant of its event. */
async function askable(program: Program, target: string): Promise<string> {
  if (!target.endsWith('=TENANT')) return target;
  const { tenantCode } = await program.call<{ tenantCode: string }>('GET', `/api/core/events/${SOME_EVENT}`);
  return target.replace(/TENANT$/, tenantCode);
}

interface Medians {
  [name: string]: number;
}

async function medians(bench: Bench, program: Program, now: number): Promise<Medians> {
  const found: Medians = {};
  for (const [name, target] of Object.entries(targets(now))) {
    const result = await bench.reader(program.port, await askable(program, target), ADMIN, EACH_MS);
    if (Object.keys(result.refused).length > 0)
      throw new Error(`${target} was answered ${JSON.stringify(result.refused)}; ${program.said}`);
    found[name] = result.p50;
  }
  return found;
}

const rowsOf = (found: Medians, where: string, bound: number): Row[] =>
  Object.entries(found).map(([name, p50]) => atMost(`${where}: ${name}`, p50, bound, ms));

async function atHub(bench: Bench, now: number): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const database = await createDatabase(postgres.url);
    const store = await openHubStore({ url: database.url, clock: systemClock, log: silentLogger() });
    await fillSeason(store, ONE_MILLION, now);
    while ((await store.eventIndex.round()).again);
    await store.pool.query('vacuum analyze');
    await store.close();
    const hub = await bench.start({
      program: 'hq',
      dir: bench.folder('lists-hub'),
      env: { DATABASE_URL: database.url },
    });
    const rows = rowsOf(await medians(bench, hub, now), 'headquarters', HUB_MS);
    await hub.stop();
    return rows;
  } finally {
    await postgres.stop();
  }
}

async function atSite(bench: Bench, now: number): Promise<Row[]> {
  const store = await openSiteStore({
    dir: bench.folder('lists-site'),
    clock: systemClock,
    log: silentLogger(),
  });
  await fillSeason(store, ONE_MILLION, now);
  await store.close();
  const site = await bench.site('lists-site');
  const rest = rowsOf(await medians(bench, site.program, now), 'site', SITE_MS);
  const post = (measureMs: number, perSecond?: number) =>
    bench.post(site, {
      clients: CLIENTS,
      batch: 1,
      keys: 'sequential',
      measureMs,
      built: Math.ceil(((measureMs + 1_000) / 1000) * (perSecond ?? 20_000)),
      ...(perSecond === undefined ? {} : { perSecond }),
    });
  const full = await post(3_000);
  const half = Math.floor(full.perSecond / 2);
  const alone = await post(3_000, half);
  const asked = Object.keys(targets(now)).length;
  const [busy, beside] = await Promise.all([
    medians(bench, site.program, now),
    post(asked * (EACH_MS + 100), half),
  ]);
  const { peak } = site.program.memory();
  await site.program.stop();
  return [
    ...rest,
    ...rowsOf(busy, `site, intake at ${whole(half)}/s`, SITE_MS),
    {
      what: `intake at ${whole(half)}/s: p99 alone, beside these reads`,
      measured: `${ms(alone.p99)}, ${ms(beside.p99)}`,
    },
    { what: '  events a second beside these reads', measured: whole(beside.perSecond) },
    { what: '  peak resident memory of the site over the whole part', measured: mib(peak) },
  ];
}
