// Lists, statistics, the timeline and incident groups over one million events: at headquarters, and at a site
// at rest and while cameras post at half the rate that it can take.
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { openHubStore } from '../../hq/stores.ts';
import { openSiteStore } from '../../site/store/open.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import { type Bench, CLIENTS } from './bench.ts';
import {
  DAYS,
  fillMirrored,
  fillSeason,
  ONE_MILLION,
  RARE_SEVERITY,
  RARE_TENANT,
  RARE_TYPE,
  type Season,
  TENANT,
} from './lists-data.ts';
import { ADMIN, type Program } from './program.ts';
import { mib, ms, type Row, whole } from './table.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const HUB_MS = 50;
/** Of what a screen shows beside its lists, over the whole season. */
const FIGURES_MS = 400;
const SITE_MS = 150;
const EACH_MS = 1_500;
const DAY_MS = 86_400_000;
/** It has a task and a group; the next one has those of a site. */
const SOME_EVENT = 50_001;

/** What is asked, by name. @param now epoch ms, the end of the season */
function targets(now: number): Record<string, string> {
  const time = (at: number): string => new Date(at).toISOString();
  const list = '/api/core/events/list';
  const tasks = '/api/core/objects/tasks';
  return {
    'events, newest': list,
    'events of a rare type': `${list}?type=${RARE_TYPE}`,
    'events of a rare tenant': `${list}?tenant_code=${RARE_TENANT}`,
    'events of a rare severity': `${list}?severity=${RARE_SEVERITY}`,
    'events, tenant, type and verdict': `${list}?tenant_code=${TENANT}&type=gas.leak&verdict=merged`,
    'events, no match': `${list}?tenant_code=${TENANT}&type=no.such&verdict=none`,
    'events of a camera, no match': `${list}?site_ref=site-3&camera_ref=cam-9`,
    'events of a day': `${list}?since=${time(now - 60 * DAY_MS)}&until=${time(now - 59 * DAY_MS)}`,
    [`statistics of ${DAYS} days`]: `/api/core/stats/window?tenant_code=${TENANT}&since=${time(now - DAYS * DAY_MS + 12_345)}&until=${time(now)}`,
    timeline: `/api/core/events/${SOME_EVENT}/timeline?tenant_code=TENANT`,
    'incident groups': `/api/core/incidents?tenant_code=${TENANT}`,
    'incident groups, no match': `/api/core/incidents?tenant_code=${TENANT}&site_ref=no-such`,
    'tasks, newest': tasks,
    'tasks, open': `${tasks}?tenant_code=${TENANT}&state=open`,
    'tasks, overdue': `${tasks}?overdue=true`,
    'tasks of a type': `${tasks}?tenant_code=${TENANT}&type=review`,
    'tasks of an event': `${tasks}?event_id=${SOME_EVENT + 1}`,
    'tasks of an organisation, no match': `${tasks}?tenant_code=${TENANT}&assignee_org=no-such`,
  };
}

/** What statistics say beyond the counts of a window, at headquarters alone. */
function figureTargets(now: number): Record<string, string> {
  const time = (at: number): string => new Date(at).toISOString();
  const window = `tenant_code=${TENANT}&since=${time(now - DAYS * DAY_MS + 12_345)}&until=${time(now)}`;
  return Object.fromEntries(
    ['hours', 'cameras', 'times'].map((what) => [
      `${what} of ${DAYS} days`,
      `/api/core/stats/${what}?${window}`,
    ]),
  );
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

/** Median and 99th percentile by what is asked, milliseconds. */
type Figures = Record<string, { p50: number; p99: number }>;

async function figures(bench: Bench, program: Program, asked: Record<string, string>): Promise<Figures> {
  const found: Figures = {};
  for (const [name, target] of Object.entries(asked)) {
    const result = await bench.reader(program.port, await askable(program, target), ADMIN, EACH_MS);
    if (Object.keys(result.refused).length > 0)
      throw new Error(`${target} was answered ${JSON.stringify(result.refused)}; ${program.said}`);
    found[name] = { p50: result.p50, p99: result.p99 };
  }
  return found;
}

const rowsOf = (found: Figures, where: string, bound: number): Row[] =>
  Object.entries(found).map(([name, { p50, p99 }]) => ({
    what: `${where}: ${name}, p50 (p99)`,
    measured: `${ms(p50)} (${ms(p99)})`,
    target: `≤ ${ms(bound)}`,
    ok: p50 <= bound,
  }));

const MIRRORED = ['tasks', 'task_entries', 'incidents', 'incident_members'];

/** One million events, or as many as were asked for and in proportion. */
function seasonOf({ options }: Bench): Season {
  const share = (options.events ?? ONE_MILLION.events) / ONE_MILLION.events;
  const { events, verdicts, tasks, incidents } = ONE_MILLION;
  const of = (count: number): number => Math.floor(count * share);
  return { events: of(events), verdicts: of(verdicts), tasks: of(tasks), incidents: of(incidents) };
}

async function atHub(bench: Bench, now: number): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const database = await createDatabase(postgres.url);
    const store = await openHubStore({ url: database.url, clock: systemClock, log: silentLogger() });
    const season = seasonOf(bench);
    await fillSeason(store, season, now);
    while ((await store.eventIndex.round()).again);
    await store.pool.query('vacuum analyze');
    const hub = await bench.start({
      program: 'hq',
      dir: bench.folder('lists-hub'),
      env: { DATABASE_URL: database.url },
    });
    const rows = rowsOf(await figures(bench, hub, targets(now)), 'headquarters', HUB_MS);
    // As when a site brings up what it has had for months: statistics know nothing of it yet.
    const query = (text: string, values: unknown[] = []) => store.pool.query(text, values);
    for (const table of MIRRORED) await query(`alter table ${table} set (autovacuum_enabled = off)`);
    const tasks = Math.floor(season.events * 0.18);
    const groups = Math.floor(season.events / 10);
    await fillMirrored(query, season, { tasks, groups });
    while ((await store.eventIndex.round()).again);
    await query('checkpoint');
    const withThem = `headquarters with ${whole(tasks)} tasks and ${whole(groups)} groups of sites`;
    rows.push(
      ...rowsOf(await figures(bench, hub, targets(now)), `${withThem}, analyzed before them`, HUB_MS),
    );
    await query('vacuum analyze');
    rows.push(...rowsOf(await figures(bench, hub, targets(now)), withThem, HUB_MS));
    rows.push(...rowsOf(await figures(bench, hub, figureTargets(now)), withThem, FIGURES_MS));
    await hub.stop();
    await store.close();
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
  await fillSeason(store, seasonOf(bench), now);
  await store.close();
  const site = await bench.site('lists-site');
  const rest = rowsOf(await figures(bench, site.program, targets(now)), 'site', SITE_MS);
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
    figures(bench, site.program, targets(now)),
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
