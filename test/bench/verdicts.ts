// Verdicts at headquarters: as many a second as 32 people at once get answered, and what they wait, beside
// transactions that do no more than number a row.
import pg from 'pg';
import { Agent } from 'undici';
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { openHubStore } from '../../hq/stores.ts';
import { docOf, newEvent } from '../contract/samples.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import type { Bench } from './bench.ts';
import { ADMIN, Program } from './program.ts';
import { atLeast, ms, perSecond, type Row } from './table.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const EVENTS = 60_000;
const CALLERS = 32;
/** Connections of a hub process. */
const CONNECTIONS = 10;
const EACH_MS = 6_000;
const PER_SECOND = 1_000;

export async function measureVerdicts(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const { url } = await createDatabase(postgres.url);
    const hub = bench.own(
      Program.spawn({
        program: 'hq',
        port: await freePort(),
        dir: bench.folder('hub-verdicts'),
        env: { DATABASE_URL: url },
      }),
    );
    await hub.ready();
    await fill(url);
    const floor = await numbered(url);
    const took: number[] = [];
    let next = 0;
    const rate = await during(CALLERS, async () => {
      const begun = performance.now();
      await verdict(hub.port, (next += 1));
      took.push(performance.now() - begun);
    });
    await hub.stop();
    const sorted = took.toSorted((a, b) => a - b);
    const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return [
      {
        what: `verdicts: bare numbered rows, ${CONNECTIONS} connections`,
        measured: perSecond(floor, 'rows'),
      },
      atLeast(`verdicts: ${CALLERS} people at once`, rate, PER_SECOND, 'verdicts'),
      { what: '  answered, p50', measured: ms(quantile(0.5)) },
      { what: '  answered, p99', measured: ms(quantile(0.99)) },
    ];
  } finally {
    await postgres.stop();
  }
}

async function fill(url: string): Promise<void> {
  const store = await openHubStore({ url, clock: systemClock, log: silentLogger() });
  const doc = docOf({ description: 'a person without a helmet near the north gate' });
  for (let from = 0; from < EVENTS; from += 1_000) {
    await store.events.ingest(
      Array.from({ length: 1_000 }, (_, i) => newEvent(`k${from + i}`, { doc })),
      Date.now(),
    );
  }
  await store.close();
}

/** One row a transaction under a locked counter, a second. */
async function numbered(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  await pool.query(
    'create table floor_counter (value bigint); insert into floor_counter values (0); create table ' +
      'floor_rows (id bigint primary key, text text)',
  );
  const rate = await during(CONNECTIONS, async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const {
        rows: [counter],
      } = await client.query<{ value: string }>('select value from floor_counter for update');
      await client.query('insert into floor_rows values ($1, $2)', [Number(counter?.value) + 1, 'a row']);
      await client.query('update floor_counter set value = value + 1');
      await client.query('commit');
    } finally {
      client.release();
    }
  });
  await pool.end();
  return rate;
}

/** Calls answered a second. */
async function during(callers: number, call: () => Promise<void>): Promise<number> {
  const started = performance.now();
  let answered = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - started < EACH_MS) {
        await call();
        answered += 1;
      }
    }),
  );
  return (answered * 1000) / (performance.now() - started);
}

const agent = new Agent({ connections: CALLERS });

/** @throws Error when the answer is not 200 */
async function verdict(port: number, eventId: number): Promise<void> {
  const { statusCode, body } = await agent.request({
    origin: `http://127.0.0.1:${port}`,
    method: 'POST',
    path: `/api/core/events/${eventId}/verdict`,
    headers: { ...ADMIN, 'content-type': 'application/json' },
    body: JSON.stringify({ verdict: 'false_alarm', by: 'li', note: 'a shadow of the crane' }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`event ${eventId} was answered ${statusCode}: ${text}`);
}
