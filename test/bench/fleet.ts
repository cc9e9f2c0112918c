// Many sites on one headquarters, spoken for by one program: what an idle fleet costs, what a working one
// does, and what happens when all links return at once. The figures to hold on to are those of processor time
// a call: what else the machine does changes latencies, and hardly them.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MAX_HOLD_MS } from '../../common/uplink/inbox.ts';
import { clientOf, createDatabase, startTestPostgres } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import type { Bench } from './bench.ts';
import { measureContact } from './fleet/contact.ts';
import type { CalmJob, FleetResult, HeldJob, StormJob } from './fleet/load.ts';
import { type Looked, OnLookers } from './fleet/onlookers.ts';
import { postmasterOf, resetPeak, type Spent, spentBy } from './fleet/processor.ts';
import { register } from './fleet/register.ts';
import type { FleetSite } from './fleet/site.ts';
import type { Program } from './program.ts';
import { atMost, median, mib, ms, perSecond, type Row, whole } from './table.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const SIZES = [1, 10, 100, 1_000];
/** A site calls as often as that with the settings that it comes with. */
const EVERY_MS = 3_000;
const CALM_MS = 12_000;
/** How long the hub is watched before anybody calls. */
const IDLE_MS = 6_000;
/** Fewest calls whose processor time is told: of fewer, the system's ticks of 10 ms would say more. */
const COUNTED_CALLS = 1_000;
/** How long calls are held open in all: once round, and half as long again. */
const HELD_MS = 1.5 * MAX_HOLD_MS;
/** Verdicts that are given meanwhile. */
const VERDICTS = 10;
/** Events that wait in all when the links return, shared by the sites; the command line may say another. */
const STORM_EVENTS = 100_000;
const STORM_BATCH = 200;
/** What a storm may take an event, so that one which does not end is given up, ms. */
const STORM_EVENT_MS = 1;

interface Stage {
  bench: Bench;
  hub: Program;
  postmaster: number;
  client: pg.Client;
  sites: FleetSite[];
}

export async function measureFleet(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const postmaster = await postmasterOf(postgres);
    const rows: Row[] = [];
    for (const size of bench.options.sites === undefined ? SIZES : [bench.options.sites])
      rows.push(...(await measureSize(bench, { url: postgres.url, postmaster }, size)));
    return rows;
  } finally {
    await postgres.stop();
  }
}

async function measureSize(
  bench: Bench,
  { url, postmaster }: { url: string; postmaster: number },
  size: number,
): Promise<Row[]> {
  const database = await createDatabase(url);
  const client = clientOf(database.url);
  const options = {
    program: 'hq' as const,
    port: await freePort(),
    dir: bench.folder(`hub-fleet-${size}`),
    env: { DATABASE_URL: database.url },
  };
  let hub = await bench.start(options);
  try {
    await client.connect();
    const sites = await register(hub, size);
    await hub.stop();
    hub = await bench.start(options);
    const stage = { bench, hub, postmaster, client, sites };
    return [
      ...(await measureContact(bench, hub, sites)),
      ...(await measureCalm(stage, 'only empty calls', 0)),
      ...(await measureCalm(stage, 'one event in three calls', 3)),
      ...(await measureHeld(stage)),
      ...(await measureStorm(stage)),
    ];
  } finally {
    await client.end();
    await hub.stop();
    await database.drop();
  }
}

/** What the background work of the hub costs by itself, ms of processor a second. */
async function idle(watched: { hub: Program; postmaster: number }): Promise<number> {
  const { spent } = await spentBy(watched, () => sleep(IDLE_MS));
  return (spent.hubMs + spent.postgresMs) / spent.seconds;
}

/** What a bare server spends for the same calls, ms of processor a call. */
async function echoCost(bench: Bench, job: CalmJob): Promise<number> {
  const { port } = await bench.fleetEcho();
  await bench.fleet({ ...job, port, measureMs: EVERY_MS });
  const before = await bench.fleetEcho();
  const { answered } = await bench.fleet({ ...job, port });
  return ((await bench.fleetEcho()).spentMs - before.spentMs) / answered;
}

async function measureCalm(stage: Stage, what: string, eventEvery: number): Promise<Row[]> {
  const { bench, hub, sites } = stage;
  const job: CalmJob = {
    kind: 'calm',
    port: hub.port,
    sites,
    everyMs: EVERY_MS,
    eventEvery,
    measureMs: CALM_MS,
  };
  const counted = (sites.length * CALM_MS) / EVERY_MS >= COUNTED_CALLS;
  // Before the sites have a position at the hub.
  const floor = eventEvery === 0 && counted ? await echoCost(bench, job) : null;
  // Once round, so that connections, keys and positions are there.
  await bench.fleet({ ...job, measureMs: EVERY_MS });
  const idleMs = await idle(stage);
  resetPeak(hub);
  // Nobody looks on meanwhile: at 1,000 sites a look takes as much as 100 calls.
  const { result, spent } = await spentBy(stage, () => bench.fleet(job));
  const lookers = new OnLookers(hub, false);
  const watched = await bench.fleet(job);
  const looked = await lookers.stop();
  const name = `${whole(sites.length)} sites, a call every 3 s, ${what}`;
  const wanted = (sites.length * 1000) / EVERY_MS;
  return [
    {
      what: name,
      measured: `${perSecond(result.answered / result.seconds, 'calls')}, p50 ${ms(result.p50)}, p99 ${ms(result.p99)}`,
      target: `≥ 95% of ${whole(wanted)}/s`,
      ok: result.answered / result.seconds >= 0.95 * wanted,
    },
    ...(counted ? [costRow(costOf(idleMs, result, spent), floor)] : []),
    { what: '  of it the hub and Postgres, cores', measured: coresOf(spent) },
    ...lookedRows(looked),
    ...refusedRows(result),
    ...refusedRows(watched),
    { what: '  peak memory of the hub', measured: mib(hub.memory().peak) },
  ];
}

/** All sites idle, each with one call open; verdicts are given, and come down by it. */
async function measureHeld(stage: Stage): Promise<Row[]> {
  const { bench, hub, sites } = stage;
  const job: HeldJob = { kind: 'held', port: hub.port, sites, holdMs: MAX_HOLD_MS, measureMs: HELD_MS };
  resetPeak(hub);
  const running = spentBy(stage, () => bench.fleet(job));
  // Every site has its call open by now.
  await sleep(MAX_HOLD_MS + 500);
  const given: number[] = [];
  const { items } = await hub.call<{ items: { id: number }[] }>(
    'GET',
    `/api/core/events/list?limit=${VERDICTS}`,
  );
  for (const { id } of items) {
    given.push(Date.now());
    await hub.call('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'bench' });
  }
  const { result, spent } = await running;
  const took = result.brought.map((at) => at - (given.findLast((one) => one <= at) ?? at));
  return [
    {
      what: `${whole(sites.length)} idle sites, each with a call held for up to ${MAX_HOLD_MS / 1000} s`,
      measured: perSecond(result.answered / result.seconds, 'calls'),
    },
    { what: '  of it the hub and Postgres, cores', measured: coresOf(spent) },
    atMost(
      `  ${result.brought.length} of ${given.length} verdicts came down after, median`,
      median(took),
      100,
      ms,
    ),
    ...refusedRows(result),
    { what: '  peak memory of the hub', measured: mib(hub.memory().peak) },
  ];
}

async function measureStorm(stage: Stage): Promise<Row[]> {
  const { bench, hub, sites, client } = stage;
  const waiting = Math.ceil((bench.options.events ?? STORM_EVENTS) / sites.length);
  const job: StormJob = {
    kind: 'storm',
    port: hub.port,
    sites,
    waiting,
    batch: STORM_BATCH,
    withinMs: waiting * sites.length * STORM_EVENT_MS,
  };
  const before = await eventsHeld(client);
  resetPeak(hub);
  const lookers = new OnLookers(hub, true);
  const { result, spent } = await spentBy(stage, () => bench.fleet(job));
  const looked = await lookers.stop();
  const held = await eventsHeld(client);
  const came = held.events - before.events;
  return [
    {
      what: `${whole(sites.length)} links return at once, ${whole(waiting)} events at each, in batches of ${STORM_BATCH}`,
      measured: `${perSecond(result.events / result.seconds, 'events')}, p50 ${ms(result.p50)}, p99 ${ms(result.p99)}`,
    },
    { what: '  of it the hub and Postgres, cores', measured: coresOf(spent) },
    {
      what: '  processor of hub, Postgres and the program that speaks for the sites, per 100,000 events',
      measured: [spent.hubMs, spent.postgresMs, result.speakerMs]
        .map((used) => `${((used / result.events) * 100).toFixed(1)} s`)
        .join(', '),
    },
    {
      what: '  the first and the last site had nothing left after',
      measured: `${result.firstDone.toFixed(1)} s, ${result.lastDone.toFixed(1)} s`,
    },
    ...lookedRows(looked),
    ...refusedRows(result),
    atMost('  peak memory of the hub', hub.memory().peak, 450, mib),
    {
      what: '  events at the hub, distinct',
      measured: `${whole(came)}, ${whole(held.distinct - before.distinct)}`,
      target: `${whole(waiting * sites.length)} each`,
      ok: came === waiting * sites.length && held.events === held.distinct,
    },
  ];
}

const costOf = (idleMs: number, { answered }: FleetResult, spent: Spent): number =>
  (spent.hubMs + spent.postgresMs - idleMs * spent.seconds) / answered;

/** @param floor what a bare server takes for an empty call */
function costRow(cost: number, floor: number | null): Row {
  const what = '  processor of hub and Postgres a call';
  if (floor === null) return { what, measured: ms(cost) };
  return { ...atMost(what, cost, 0.3, ms), floor: ms(floor), ratio: cost / floor };
}

const coresOf = ({ hubMs, postgresMs, seconds }: Spent): string =>
  [hubMs, postgresMs].map((spent) => (spent / 1000 / seconds).toFixed(2)).join(' and ');

const lookedRows = (looked: readonly Looked[]): Row[] =>
  looked.map(({ what, p50, p99 }) => atMost(`  ${what}, p99 (p50 ${ms(p50)})`, p99, 200, ms));

const refusedRows = ({ refused }: FleetResult): Row[] =>
  Object.entries(refused).map(([status, count]) => ({
    what: status === '0' ? '  calls whose connection broke' : `  answers ${status}`,
    measured: whole(count),
  }));

async function eventsHeld(client: pg.Client): Promise<{ events: number; distinct: number }> {
  const { rows } = await client.query<{ events: string; distinct: string }>(
    'select count(*) as events, count(distinct (tenant_code, idempotency_key)) as distinct from events',
  );
  return { events: Number(rows[0]?.events), distinct: Number(rows[0]?.distinct) };
}
