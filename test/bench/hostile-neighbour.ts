// What headquarters and its other sites pay for one site that sends the worst the wire allows: beside the
// same with that site away, and with one in its place that brings honest events as fast as it is answered.
import path from 'node:path';
import pg from 'pg';
import { createDatabase } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import { register } from './fleet/register.ts';
import type { FleetSite } from './fleet/site.ts';
import { stops } from './hostile.ts';
import type { HostileSiteJob, HostileSiteResult } from './hostile-site.ts';
import { Worker } from './jobs.ts';
import { ADMIN, type Program } from './program.ts';
import { atMost, mib, ms, type Row, whole } from './table.ts';

const OTHERS = 20;
const EVERY_MS = 200;
const MEASURE_MS = 15_000;
const AT_ONCE = 8;
/** The others may wait so many times as long as beside an honest site in its place. */
const RATIO = 3;
const HIGH_MB = 1_500;

/** What others get while something goes on. */
interface Paid {
  /** Calls of the other sites: half, and all but one in a hundred, are answered within, ms. */
  p50: number;
  p99: number;
  refused: number;
  /** Of a person who lists another tenant's events, ms. */
  lists: number;
  /** Processor time of the hub for each second. */
  cpu: number;
}

export async function hostileNeighbour(bench: Bench, server: string): Promise<Row[]> {
  const worker = new Worker('./hostile-site.ts');
  const database = await createDatabase(server);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    const dir = bench.folder('hostile-neighbour');
    const loopFile = path.join(dir, 'loop.json');
    const env = {
      ...{ DATABASE_URL: database.url, AGENT_CHANNEL_NETWORKS: '127.0.0.0/8', BENCH_LOOP_FILE: loopFile },
    };
    const nodeFlags = ['--import', path.join(import.meta.dirname, 'loop-watch.ts')];
    const hub = await bench.start({ program: 'hq', dir, env, nodeFlags });
    const others = await register(hub, OTHERS);
    const [honest, hostile] = [await siteOf(hub, 'honest'), await siteOf(hub, 'hostile')];
    // Nothing listens there: what is taken stays to be counted.
    await hub.call('POST', '/api/agent/channels', {
      ...{ tenant_code: hostile.tenant, name: 'chat', channel: 'chat', format: 'webhook' },
      url: 'http://127.0.0.1:9/chat',
    });
    const beside = async (site: FleetSite | null, as: HostileSiteJob['as'] = 'honest') => {
      const job = { port: hub.port, as, atOnce: AT_ONCE, measureMs: MEASURE_MS };
      const sending = site && worker.run<HostileSiteResult>({ ...job, site });
      const paid = await paidBy(bench, hub, others);
      return { paid, sent: await sending, stopped: await stops(hub, loopFile) };
    };
    await beside(null);
    const alone = (await beside(null)).paid;
    const { paid: floor, stopped: usual } = await beside(honest);
    const [before, bytes] = [hub.memory().peak, await sizeOf(client)];
    const { paid, sent, stopped } = await beside(hostile, 'hostile');
    const rows = [
      ...rowsOf(alone, floor, paid),
      {
        what: '  longest stop of the loop, processor time of it',
        measured: `${ms(stopped.longest)}, ${ms(stopped.worked)}`,
        floor: `${ms(usual.longest)}, ${ms(usual.worked)}`,
      },
      ...(await leftBehind(hub, client, bytes, before)),
      ...answers(sent),
    ];
    await hub.stop();
    return rows;
  } finally {
    worker.close();
    await client.end();
    await database.drop();
  }
}

async function siteOf(hub: Program, instance: string): Promise<FleetSite> {
  const tenant = `T-${instance}`;
  const key = await hub.call<{ keyId: string; secret: string }>('POST', '/api/core/sites', {
    ...{ instance, tenants: [tenant] },
  });
  return { instance, tenant, ...key };
}

async function paidBy(bench: Bench, hub: Program, sites: FleetSite[]): Promise<Paid> {
  const cpu = hub.cpuMs();
  const began = performance.now();
  const calm = { kind: 'calm', port: hub.port, sites, everyMs: EVERY_MS, eventEvery: 1 } as const;
  const [calls, lists] = await Promise.all([
    bench.fleet({ ...calm, measureMs: MEASURE_MS }),
    bench.reader(hub.port, '/api/core/events/list?tenant_code=T-0&limit=20', ADMIN, MEASURE_MS),
  ]);
  const refused = Object.values(calls.refused).reduce((sum, count) => sum + count, 0);
  const { p50, p99 } = calls;
  return { p50, p99, refused, lists: lists.p99, cpu: (hub.cpuMs() - cpu) / (performance.now() - began) };
}

const sizeOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return Number(rows[0]?.bytes) / 1024 / 1024;
};

function rowsOf(alone: Paid, floor: Paid, paid: Paid): Row[] {
  const row = (what: string, of: 'p50' | 'p99' | 'lists', bound: number | null): Row => {
    const ratio = paid[of] / floor[of];
    return {
      ...{ what, measured: ms(paid[of]), floor: ms(floor[of]), ratio },
      ...(bound === null ? {} : { target: `≤ ${bound}`, ok: ratio <= bound }),
    };
  };
  return [
    {
      what: `hostile site: calls of ${OTHERS} other sites without it, p50, p99`,
      measured: `${ms(alone.p50)}, ${ms(alone.p99)}`,
    },
    row('  beside it, floor: an honest site at full speed in its place, p50', 'p50', null),
    row('  p99', 'p99', RATIO),
    row('  p99 of the list of another tenant', 'lists', RATIO),
    {
      ...atMost('  calls of other sites that were refused', paid.refused, 0, whole),
      floor: whole(floor.refused),
    },
    {
      what: '  processor time of the hub for each second',
      measured: ms(paid.cpu * 1000),
      floor: ms(floor.cpu * 1000),
      ratio: paid.cpu / floor.cpu,
    },
  ];
}

/** What stays at headquarters of what it sent. */
async function leftBehind(hub: Program, client: pg.Client, bytes: number, before: number): Promise<Row[]> {
  const { items } = await hub.call<{ items: { instance: string }[] }>('GET', '/api/core/alarms?limit=500');
  const {
    rows: [kept],
  } = await client.query<{ notifications: string; wants: string }>(
    `select (select count(*) from notifications where tenant_code = 'T-hostile') as notifications,
       (select count(*) from evidence_wants where tenant_code = 'T-hostile') as wants`,
  );
  const own = items.filter(({ instance }) => instance === 'hostile').length;
  return [
    { ...atMost('  peak memory of the hub', hub.memory().peak, HIGH_MB, mib), floor: mib(before) },
    { what: '  what the database grew by', measured: mib((await sizeOf(client)) - bytes) },
    atMost('  alarms that stand under its name', own, 40, whole),
    atMost('  notifications that were taken of it', Number(kept?.notifications), 300, whole),
    { what: '  files that are wanted of it', measured: whole(Number(kept?.wants)) },
  ];
}

const answers = (sent: HostileSiteResult | null): Row[] =>
  Object.entries(sent?.byName ?? {}).map(([name, byStatus]) => ({
    what: `  ${name}`,
    measured: Object.entries(byStatus)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
  }));
