// Webhooks at headquarters: from event to receipt at 200 deliveries a second while one of ten receivers
// hangs.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '../../common/log.ts';
import { emitBusinessEvent } from '../../hq/integration/store/business-event.ts';
import { Database } from '../../hq/store/engine/database.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import type { Bench } from './bench.ts';
import { Program } from './program.ts';
import { atMost, ms, type Row } from './table.ts';

const TENANT = 'T-BENCH';
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const WEBHOOKS = 10;
/** Each is one delivery to every webhook. */
const EVENTS_PER_SECOND = 20;
const SECONDS = 20;
/** From event to receipt, ms. */
const P95_MS = 130;

export async function measureWebhooks(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const { url } = await createDatabase(postgres.url);
    const hub = bench.own(
      Program.spawn({
        program: 'hq',
        port: await freePort(),
        dir: bench.folder('hub-webhooks'),
        env: { DATABASE_URL: url, CORE_WEBHOOK_NETWORKS: '127.0.0.0/8' },
      }),
    );
    await hub.ready();
    const database = new Database({ url, log: silentLogger(), poolSize: 4 });
    try {
      return await deliveries(hub, database);
    } finally {
      await database.close();
      await hub.stop();
    }
  } finally {
    await postgres.stop();
  }
}

async function deliveries(hub: Program, database: Database): Promise<Row[]> {
  const begun: number[] = [];
  const took: number[] = [];
  const receiver = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        if (request.url === '/hang') return;
        took.push(
          performance.now() -
            (begun[(JSON.parse(Buffer.concat(parts).toString()) as { ncr_id: number }).ncr_id] ?? 0),
        );
        response.end();
      });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  for (let one = 0; one < WEBHOOKS; one += 1) {
    await hub.call('POST', '/api/integration/webhooks', {
      tenant_code: TENANT,
      name: `w${one}`,
      callback_url: `${at}/${one === 0 ? 'hang' : one}`,
    });
  }
  const started = performance.now();
  const total = EVENTS_PER_SECOND * SECONDS;
  for (let id = 0; id < total; id += 1) {
    await sleep(Math.max(0, started + (id * 1000) / EVENTS_PER_SECOND - performance.now()));
    begun[id] = performance.now();
    await database.transaction((tx) =>
      emitBusinessEvent(tx, {
        tenantCode: TENANT,
        at: Date.now(),
        newId: () => crypto.randomUUID(),
        event: { event: 'ncr.created', project_id: 1, ncr_id: id, code: `N-${id}`, title: 'crack', level: 1 },
      }),
    );
  }
  const wanted = total * (WEBHOOKS - 1);
  for (let waited = 0; took.length < wanted && waited < 10_000; waited += 100) await sleep(100);
  receiver.closeAllConnections();
  receiver.close();
  const sorted = took.toSorted((a, b) => a - b);
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
  return [
    {
      what: `webhooks: ${EVENTS_PER_SECOND * WEBHOOKS} deliveries/s, one of ten hangs: received`,
      measured: `${took.length} of ${wanted}`,
      target: 'all',
      ok: took.length === wanted,
    },
    { what: '  from event to receipt, p50', measured: ms(quantile(0.5)) },
    atMost('  from event to receipt, p95', quantile(0.95), P95_MS, ms),
  ];
}
