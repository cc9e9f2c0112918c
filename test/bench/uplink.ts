// 100,000 queued events drain to the hub on the same machine, over a durable Postgres; the same with
// verdicts, tasks and groups beside them, with and without pictures that wait to go up.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { clientOf, createDatabase, startTestPostgres } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { type Bench, STORED } from './bench.ts';
import { Ends } from './ends.ts';
import { measurePictures } from './pictures.ts';
import { measurePreviews } from './previews.ts';
import { atLeast, atMost, mib, ms, perSecond, type Row, whole } from './table.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
/** How long the site runs without a hub before the hub comes. */
const ALONE_MS = 3_000;
const DRAIN_WITHIN_MS = 90_000;

interface Drain {
  /** From the hub's first accepted connection, milliseconds. */
  firstMs: number;
  allMs: number;
  /** Resident memory of the site: when the link returned, and its peak over each half of the drain, MiB. */
  before: number;
  halves: [number, number];
  events: number;
  distinct: number;
}

export async function measureUplink(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const plain = await drain(bench, postgres.url, { name: 'drain', batch: 1_000, kills: [] });
    const small = await drain(bench, postgres.url, { name: 'small', batch: 200, kills: [] });
    const killed = await drain(bench, postgres.url, {
      name: 'killed',
      batch: 1_000,
      kills: ['site', 'hq', 'site', 'hq'],
    });
    return [
      ...plainRows(plain),
      { what: '  in batches of 200', measured: perSecond(rateOf(small), 'events') },
      ...killedRows(killed),
      ...(await measurePreviews(bench, postgres.url)),
      ...(await measurePictures(bench, postgres.url)),
    ];
  } finally {
    await postgres.stop();
  }
}

const rateOf = ({ allMs }: Drain): number => (STORED * 1000) / allMs;
const nothingLost = ({ events, distinct }: Drain): boolean => events === STORED && distinct === STORED;

function plainRows(plain: Drain): Row[] {
  const [first, second] = plain.halves;
  return [
    atLeast(
      `uplink of ${whole(STORED)} queued events in batches of 1000, from the link's return`,
      rateOf(plain),
      20_000,
      'events',
    ),
    atMost("  first event at the hub after the link's return", plain.firstMs, 1_000, ms),
    {
      what: '  resident memory of the site: before, peak of each half',
      measured: [plain.before, first, second].map((value) => mib(value)).join(', '),
      target: 'second ≤ first + 10%',
      ok: second <= first * 1.1,
    },
    {
      what: '  events at the hub, distinct',
      measured: `${whole(plain.events)}, ${whole(plain.distinct)}`,
      target: `${whole(STORED)} each`,
      ok: nothingLost(plain),
    },
  ];
}

function killedRows(killed: Drain): Row[] {
  return [
    {
      what: '  with two SIGKILLs of the site and two of the hub on the way',
      measured: perSecond(rateOf(killed), 'events'),
    },
    {
      what: '  events at the hub, distinct',
      measured: `${whole(killed.events)}, ${whole(killed.distinct)}`,
      target: `${whole(STORED)} each`,
      ok: nothingLost(killed),
    },
  ];
}

interface DrainPlan {
  name: string;
  batch: number;
  /** Who is killed at equal shares of the way. */
  kills: readonly ('site' | 'hq')[];
}

async function drain(bench: Bench, postgresUrl: string, plan: DrainPlan): Promise<Drain> {
  const database = await createDatabase(postgresUrl);
  const ends = new Ends(bench, {
    ...plan,
    databaseUrl: database.url,
    hubPort: await freePort(),
    siteDir: await bench.storedCopy(plan.name),
  });
  await ends.introduce();
  await ends.startSite();
  await sleep(ALONE_MS);
  const client = clientOf(database.url);
  await client.connect();
  try {
    await ends.startHub();
    return await watch(client, ends, plan.kills);
  } finally {
    await client.end();
    await ends.stop();
    await database.drop();
  }
}

/** Follows the hub's event counter to the end, and kills on the way. */
async function watch(client: pg.Client, ends: Ends, kills: readonly ('site' | 'hq')[]): Promise<Drain> {
  const returned = performance.now();
  const before = ends.siteMemory();
  const halves: [number, number] = [0, 0];
  let [firstMs, done, killed] = [0, 0, 0];
  while (done < STORED) {
    await sleep(done === 0 ? 2 : 10);
    const { rows } = await client.query<{ value: string }>("select value from counters where name = 'event'");
    done = Number(rows[0]?.value ?? 0);
    const now = performance.now() - returned;
    if (done > 0 && firstMs === 0) firstMs = now;
    if (now > DRAIN_WITHIN_MS)
      throw new Error(
        `after ${DRAIN_WITHIN_MS / 1000} s the hub holds ${done} of ${STORED} events; ${ends.said()}`,
      );
    const half = done * 2 < STORED ? 0 : 1;
    halves[half] = Math.max(halves[half], ends.siteMemory());
    const victim = kills[killed];
    if (victim && done < STORED && done >= (STORED * (killed + 1)) / (kills.length + 1)) {
      killed += 1;
      await ends.kill(victim);
    }
  }
  const allMs = performance.now() - returned;
  if (killed < kills.length) throw new Error(`the drain was over after ${killed} of ${kills.length} kills`);
  const { rows } = await client.query<{ events: string; distinct: string }>(
    'select count(*) as events, count(distinct idempotency_key) as distinct from events',
  );
  return {
    firstMs,
    allMs,
    before,
    halves,
    events: Number(rows[0]?.events),
    distinct: Number(rows[0]?.distinct),
  };
}
