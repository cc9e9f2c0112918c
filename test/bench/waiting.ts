// A thousand consumers that wait for events at headquarters: what their waiting costs, and how late they are.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { expectStatus, signedCall, until } from '../support/request.ts';
import type { Bench } from './bench.ts';
import { postmasterOf, type Spent, spentBy } from './fleet/processor.ts';
import { ADMIN, type Program } from './program.ts';
import { atMost, median, mib, ms, type Row, whole } from './table.ts';

const CONSUMERS = 1_000;
const WAIT_S = 60;
/** How long the hub is watched without and with those who wait. */
const WATCHED_MS = 6_000;
/** Events for one consumer each, one after another. */
const SINGLE = 20;
/** Spec 2, "Pull rules" 4: so old is an event before it is served. */
const WATERMARK_MS = 2_000;

interface Came {
  /** Since the event may be served, ms. */
  lateMs: number;
}

export async function measureWaiting(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres({ fsync: 'on', synchronous_commit: 'on' });
  const database = await createDatabase(postgres.url);
  const agent = new Agent({ connections: CONSUMERS, headersTimeout: 0, bodyTimeout: 0 });
  const hub = await bench.start({
    program: 'hq',
    port: await freePort(),
    dir: bench.folder('hub-waiting'),
    env: { DATABASE_URL: database.url },
  });
  try {
    const watched = { hub, postmaster: await postmasterOf(postgres) };
    const post = await registered(hub);
    const idle = await spentBy(watched, () => sleep(WATCHED_MS));
    const single = await lateness(hub, agent, post, SINGLE, (turn) => `single.${turn}`);
    const waits = waiting(hub, agent);
    await held(hub, CONSUMERS);
    const { spent } = await spentBy(watched, () => sleep(WATCHED_MS));
    await post('all.alarm');
    const all = (await Promise.all(waits)).map(({ lateMs }) => lateMs);
    all.sort((a, b) => a - b);
    return [
      { what: 'nobody waits: the hub and Postgres, cores', measured: cores(idle.spent) },
      atMost(
        `${whole(CONSUMERS)} consumers wait: the hub and Postgres, cores more`,
        coresOf(spent) - coresOf(idle.spent),
        0.1,
        (value) => value.toFixed(3),
      ),
      atMost('  an event for one of them is there after the watermark, median', median(single), 100, ms),
      atMost(`  the latest of ${SINGLE}`, Math.max(...single), 100, ms),
      { what: '  an event for all of them, median', measured: ms(median(all)) },
      { what: '  the last of them', measured: ms(all.at(-1) ?? 0) },
      { what: '  peak memory of the hub', measured: mib(hub.memory().peak) },
    ];
  } finally {
    await agent.destroy();
    await hub.stop();
    await database.drop();
    await postgres.stop();
  }
}

/** @returns posts an event of a type */
async function registered(hub: Program): Promise<(type: string) => Promise<void>> {
  for (let index = 0; index < CONSUMERS; index += 1)
    await hub.call('POST', '/api/core/events/subscribe', {
      consumer: `c-${index}`,
      event_types: ['all.*', `single.${index}`],
    });
  const camera = { tenant_code: 'acme', name: 'gate' };
  const key = await hub.call<SigningKey>('POST', '/api/core/nodes', camera);
  let count = 0;
  return async (type) => {
    count += 1;
    const body = JSON.stringify({ idempotency_key: `e-${count}`, type });
    const url = `http://127.0.0.1:${hub.port}`;
    expectStatus(await signedCall({ url, key, method: 'POST', path: '/api/core/events', body }), 201);
  };
}

async function waitOnce(hub: Program, agent: Agent, index: number): Promise<Came> {
  const { body } = await request(
    `http://127.0.0.1:${hub.port}/api/core/events/since?consumer=c-${index}&wait=${WAIT_S}`,
    { dispatcher: agent, headers: ADMIN },
  );
  const { items } = (await body.json()) as { items: { receivedAt: string }[] };
  const came = Date.now();
  const [first] = items;
  if (!first) throw new Error('a consumer waited for nothing');
  return { lateMs: came - Date.parse(first.receivedAt) - WATERMARK_MS };
}

const waiting = (hub: Program, agent: Agent): Promise<Came>[] =>
  Array.from({ length: CONSUMERS }, (_, index) => waitOnce(hub, agent, index));

/** Each of them alone, at no round time of the look that serves them. */
async function lateness(
  hub: Program,
  agent: Agent,
  post: (type: string) => Promise<void>,
  turns: number,
  typeOf: (turn: number) => string,
): Promise<number[]> {
  const late: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const wait = waitOnce(hub, agent, turn);
    await held(hub, 1);
    await post(typeOf(turn));
    late.push((await wait).lateMs);
    await hub.call('POST', '/api/core/events/ack', { consumer: `c-${turn}`, cursor: turn + 1 });
  }
  return late;
}

const held = (hub: Program, count: number): Promise<true> =>
  until(`${count} wait`, async () => {
    const { body } = await request(`http://127.0.0.1:${hub.port}/metrics`, { headers: ADMIN });
    return new RegExp(`^fieldline_pulls_waiting\\S* ${count}$`, 'm').test(await body.text());
  });

const coresOf = ({ hubMs, postgresMs, seconds }: Spent): number => (hubMs + postgresMs) / seconds / 1000;
const cores = (spent: Spent): string => coresOf(spent).toFixed(3);
