// The open interface at headquarters: tokens, and snapshots of many projects.
import { silentLogger } from '../../common/log.ts';
import { Database } from '../../hq/store/engine/database.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import type { Program } from './program.ts';
import { request } from './requests.ts';
import { atLeast, type Row, whole } from './table.ts';

const TENANT = 'T-BENCH';
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const PROJECTS = 10_000;
const CALLERS = 32;
const EACH_MS = 5_000;
const WARMUP_MS = 1_000;

interface Client {
  client_id: string;
  client_secret: string;
}

export async function measureOpen(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const { url } = await createDatabase(postgres.url);
    const hub = await bench.start({
      program: 'hq',
      dir: bench.folder('hub-open'),
      env: { DATABASE_URL: url },
    });
    await fill(url);
    const rows = await openInterface(bench, hub);
    await hub.stop();
    return rows;
  } finally {
    await postgres.stop();
  }
}

async function fill(url: string): Promise<void> {
  const database = new Database({ url, log: silentLogger(), poolSize: 1 });
  await database.pool.query(
    'insert into projects (tenant_code, project_id, code, name, status, milestones_total, ' +
      `milestones_at_risk, open_ncr) select $1, n, 'P-' || n, 'Project ' || n, 2, 5, 1, 3 from ` +
      'generate_series(1, $2::int) n',
    [TENANT, PROJECTS],
  );
  await database.pool.query('analyze projects');
  await database.close();
}

async function openInterface(bench: Bench, hub: Program): Promise<Row[]> {
  const client = await hub.call<Client>('POST', '/api/integration/clients', {
    tenant_code: TENANT,
    name: 'bench',
  });
  const body = JSON.stringify({ client_id: client.client_id, client_secret: client.client_secret });
  const ask = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant-code': TENANT },
    body,
  };
  const answer = await fetch(`http://127.0.0.1:${hub.port}/open/v1/oauth/token`, ask);
  const { data } = (await answer.json()) as { data: { access_token: string } };
  const headers = { authorization: `Bearer ${data.access_token}` };
  // In no order that the database could profit from.
  const projects = Array.from({ length: PROJECTS }, (_, index) => 1 + ((index * 7_919) % PROJECTS));
  const tokens = await rate(bench, hub, [
    request('POST', '/open/v1/oauth/token', { 'x-tenant-code': TENANT }, body),
  ]);
  const snapshots = await rate(
    bench,
    hub,
    projects.map((project) => request('GET', `/open/v1/project/P-${project}/snapshot`, headers)),
  );
  return [
    atLeast('tokens', tokens, 1_000, 'tokens'),
    atLeast(`snapshots of ${whole(PROJECTS)} projects`, snapshots, 2_000, 'snapshots'),
  ];
}

/** Answers a second to a generator in a process of its own. @throws Error when one is not 2xx */
async function rate(bench: Bench, hub: Program, requests: readonly Buffer[]): Promise<number> {
  const result = await bench.load({
    kind: 'repeat',
    port: hub.port,
    clients: CALLERS,
    measureMs: EACH_MS,
    warmupMs: WARMUP_MS,
    requests: requests.map(String),
  });
  if (Object.keys(result.refused).length > 0)
    throw new Error(`the hub refused requests: ${JSON.stringify(result.refused)}; ${hub.said}`);
  return result.perSecond;
}
