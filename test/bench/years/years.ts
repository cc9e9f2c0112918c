// Headquarters with the events of years: lists, statistics, timeline and intake beside those at one million,
// and what it takes to delete a month.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { systemClock } from '../../../common/clock.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import { silentLogger } from '../../../common/log.ts';
import { partsOf } from '../../../hq/store/partition/parts.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { clientOf, createDatabase, startTestPostgres } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { ADMIN } from '../program.ts';
import { ms, type Row, whole } from '../table.ts';
import { fillYears, RARE_TYPE } from './fill.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '2GB' };
const MILLION = 1_000_000;
const MANY = 10_000_000;
const DAY_MS = 86_400_000;
const EACH_MS = 1_500;
const BATCH = 500;
const TENANT = 'T-3';

/** @param now epoch ms, the end of what is stored */
function targets(now: number, events: number): Record<string, string> {
  const time = (at: number): string => new Date(at).toISOString();
  const list = '/api/core/events/list';
  const stats = `/api/core/stats/window?tenant_code=${TENANT}&until=${time(now)}`;
  const some = Math.floor(events / 2);
  return {
    'events, newest': list,
    'events of a rare type': `${list}?type=${RARE_TYPE}`,
    'events, tenant, type and verdict': `${list}?tenant_code=${TENANT}&type=gas.leak&verdict=confirmed`,
    'events, no match': `${list}?tenant_code=${TENANT}&type=no.such&verdict=none`,
    'events of a camera': `${list}?site_ref=ref-29&camera_ref=cam-4`,
    'events of a camera, no match': `${list}?site_ref=ref-29&camera_ref=cam-x`,
    'events of a day': `${list}?since=${time(now - 60 * DAY_MS)}&until=${time(now - 59 * DAY_MS)}`,
    'statistics of 31 days': `${stats}&since=${time(now - 31 * DAY_MS + 12_345)}`,
    timeline: `/api/core/events/${some}/timeline?tenant_code=T-${some % 5}`,
  };
}

type Figures = Record<string, { p50: number; p99: number }>;

export async function measureYears(bench: Bench): Promise<Row[]> {
  const now = Date.now();
  const many = bench.options.events ?? MANY;
  const postgres = await startTestPostgres(DURABLE);
  try {
    const filled = async (events: number, days: number): Promise<string> => {
      const { url } = await createDatabase(postgres.url);
      const store = await openHubStore({ url, clock: systemClock, log: silentLogger() });
      await store.close();
      const client = clientOf(url);
      await client.connect();
      const partEvents = Math.max(MILLION, Math.ceil((events / days) * 31));
      await fillYears(client, { events, days, partEvents, now });
      await client.query('vacuum analyze');
      await client.end();
      return url;
    };
    const one = await figuresOf(bench, await filled(MILLION, 93), now, MILLION);
    const url = await filled(many, 365);
    const all = await figuresOf(bench, url, now, many);
    const rows = Object.entries(all).map(([name, { p50, p99 }]): Row => {
      const base = one[name]?.p50 ?? 0;
      return {
        what: `${name}, p50 (p99): of one million, of ${whole(many)}`,
        measured: `${ms(base)}, ${ms(p50)} (${ms(p99)})`,
        target: '≤ twice',
        ok: p50 <= 2 * base,
      };
    });
    return [...rows, ...(await measureMonth(url, many))];
  } finally {
    await postgres.stop();
  }
}

/** Also the intake, as "events a second", under `p50`. */
export async function figuresOf(bench: Bench, url: string, now: number, events: number): Promise<Figures> {
  const hub = await bench.start({
    program: 'hq',
    dir: bench.folder(`years-${events}`),
    env: { DATABASE_URL: url },
  });
  const found: Figures = {};
  for (const [name, target] of Object.entries(targets(now, events))) {
    await bench.reader(hub.port, target, ADMIN, EACH_MS);
    const result = await bench.reader(hub.port, target, ADMIN, EACH_MS);
    if (Object.keys(result.refused).length > 0)
      throw new Error(`${target} was answered ${JSON.stringify(result.refused)}; ${hub.said}`);
    found[name] = { p50: result.p50, p99: result.p99 };
  }
  await hub.stop();
  const store = await openHubStore({ url, clock: systemClock, log: silentLogger() });
  await store.pool.query('checkpoint');
  const perEvent = (await ingest(store, 100_000, 'new')).perEvent;
  const again = (await ingest(store, 20_000, 'new')).perEvent;
  await store.close();
  found['milliseconds for 1,000 new events'] = { p50: perEvent * 1_000, p99: perEvent * 1_000 };
  found['milliseconds for 1,000 events that come again'] = { p50: again * 1_000, p99: again * 1_000 };
  return found;
}

/** Batches in turn, two on their way. @returns milliseconds an event, and the slowest batch */
async function ingest(store: HubStore, count: number, run: string) {
  const begun = performance.now();
  let slowest = 0;
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const from = (next += BATCH) - BATCH;
      const at = performance.now();
      await store.events.ingest(
        Array.from({ length: BATCH }, (_, index) => event(`${run}-${from + index}`, from + index)),
        Date.now(),
      );
      slowest = Math.max(slowest, performance.now() - at);
    }
  };
  await Promise.all([lane(), lane()]);
  return { perEvent: (performance.now() - begun) / count, slowest };
}

/** When what comes arose: the same where it comes again. */
const AT = Date.now();

const event = (key: string, number: number): NewEvent => ({
  tenantCode: `T-${number % 5}`,
  idempotencyKey: key,
  type: 'gas.leak',
  kind: 'alert',
  source: 'video',
  severity: 'high',
  occurredAt: AT,
  isTest: false,
  nodeKey: null,
  origin: { instance: `site-${number % 40}`, originId: 1e9 + number, receivedAt: AT },
  doc: `{"siteRef":"ref-${number % 40}","cameraRef":"cam-${number % 10}","title":"${'gas '.repeat(60)}"}`,
});

/** Deletes the oldest partition while events come in. */
export async function measureMonth(url: string, events: number): Promise<Row[]> {
  const store = await openHubStore({ url, clock: systemClock, log: silentLogger() });
  const [oldest] = await partsOf(store.pool, 'events');
  const through = (oldest?.to ?? events) - 1;
  const command = { before: Date.now(), through, limit: 500, holdUnsent: false, now: Date.now() };
  let deleted = 0;
  const alone = await besideIntake(store, 'alone', () => sleep(5_000));
  const month = await besideIntake(store, 'month', async () => {
    deleted = (await store.retention.dropEvents(command)).counts.events ?? 0;
  });
  const dead = await deadRows(store.pool);
  const vacuum = await besideIntake(store, 'vacuum', () => store.pool.query('vacuum'));
  await store.close();
  return [
    {
      what: `a month of ${whole(deleted)} events deleted, while events come in`,
      measured: ms(month.took),
      target: '≤ 30 s',
      ok: month.took <= 30_000,
    },
    {
      what: '  the slowest batch of 500 events: with nothing else, meanwhile',
      measured: `${ms(alone.slowest)}, ${ms(month.slowest)}`,
    },
    { what: '  dead rows that are left to vacuum', measured: whole(dead) },
    {
      what: '  a vacuum of all tables at full speed; the slowest batch meanwhile',
      measured: `${ms(vacuum.took)}, ${ms(vacuum.slowest)}`,
    },
  ];
}

/** How long something takes while events come in, and the slowest batch of them, ms. */
async function besideIntake(store: HubStore, run: string, body: () => Promise<unknown>) {
  let ended = false;
  let slowest = 0;
  const intake = (async () => {
    for (let round = 0; !ended; round += 1)
      slowest = Math.max(slowest, (await ingest(store, 2_000, `${run}-${round}`)).slowest);
  })();
  const begun = performance.now();
  try {
    await body();
  } finally {
    ended = true;
  }
  const took = performance.now() - begun;
  await intake;
  return { took, slowest };
}

async function deadRows(pool: pg.Pool): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ dead: number }>(
    'select sum(n_dead_tup)::bigint as dead from pg_stat_user_tables',
  );
  return rows[0]?.dead ?? 0;
}
