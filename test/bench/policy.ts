// Search in the policy library: its speed over 100,000 chunks (another number with --chunks), and how good it
// is.
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { openHubStore } from '../../hq/stores.ts';
import { clientOf, createDatabase, startTestPostgres } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import { measureBesidePeers } from './policy/beside-peers.ts';
import { MODEL, PolicyData } from './policy/library-data.ts';
import { measurePolicyQuality } from './policy/quality.ts';
import type { Program } from './program.ts';
import { atLeast, atMost, mib, ms, type Row, whole } from './table.ts';

const STANDARD = 100_000;
const ASKED = 200;
const HYBRID_MS = 40;
const KEYWORD_MS = 20;
const BUILD_PER_S = 5_000;

interface IndexView {
  state: string;
  building: boolean;
  chunks: number | null;
  bytes: number | null;
  lastBuild: { ms: number } | null;
}

export async function measurePolicy(bench: Bench): Promise<Row[]> {
  const { chunks = STANDARD, explain, questions } = bench.options;
  return [
    ...measureBesidePeers(questions),
    ...(await measureSpeed(bench, chunks)),
    ...(await measurePolicyQuality(bench, explain)),
  ];
}

async function measureSpeed(bench: Bench, chunks: number): Promise<Row[]> {
  const postgres = await startTestPostgres();
  try {
    const database = await createDatabase(postgres.url);
    await (await openHubStore({ url: database.url, clock: systemClock, log: silentLogger() })).close();
    const client = clientOf(database.url);
    await client.connect();
    const data = new PolicyData();
    await data.fill(client, chunks);
    await client.query('vacuum analyze');
    await client.end();
    const hub = await bench.start({
      program: 'hq',
      dir: bench.folder('policy'),
      env: { DATABASE_URL: database.url, CORE_DOC_DIR: bench.folder('policy-originals') },
    });
    const rows = await speedRows(hub, data, chunks);
    await hub.stop();
    return rows;
  } finally {
    await postgres.stop();
  }
}

/** The targets are those of the standard size; of other sizes the figures alone are printed. */
async function speedRows(hub: Program, data: PolicyData, chunks: number): Promise<Row[]> {
  await built(hub);
  await hub.call('POST', '/api/core/kb/index/rebuild');
  const index = await built(hub);
  const perSecond = ((index.chunks ?? 0) / (index.lastBuild?.ms ?? Number.NaN)) * 1000;
  for (let at = 0; at < 10; at += 1)
    await hub.call('POST', '/api/core/kb/clearance', {
      tenant_code: data.tenant(at),
      subject: 'chief',
      level: 'secret',
    });
  const searches = new Searches(hub, data);
  const [low, high, words] = [
    await searches.ask('nobody', true),
    await searches.ask('chief', true),
    await searches.ask('chief', false),
  ];
  const resident = hub.memory().now;
  await hub.call('POST', '/api/core/kb/index/rebuild');
  const meanwhile = await searches.askUntil(
    async () => !(await hub.call<IndexView>('GET', '/api/core/kb/index')).building,
  );
  const row = (what: string, measured: string, target?: Row): Row => ({
    ...(chunks === STANDARD ? target : {}),
    what: `policy, ${whole(chunks)} chunks: ${what}`,
    measured,
  });
  const quick = (what: string, value: number, limit: number): Row =>
    row(what, ms(value), atMost(what, value, limit, ms));
  return [
    quick('hybrid P95, all levels', high.p95, HYBRID_MS),
    row('hybrid P50, all levels', ms(high.p50)),
    quick('hybrid P95, internal', low.p95, HYBRID_MS),
    quick('keyword P95, all levels', words.p95, KEYWORD_MS),
    row('keyword P50, all levels', ms(words.p50)),
    row('hybrid P95 while the index is made anew', ms(meanwhile.p95)),
    row(
      'index build',
      `${whole(perSecond)} chunks/s`,
      atLeast('index build', perSecond, BUILD_PER_S, 'chunks'),
    ),
    row('index file', mib((index.bytes ?? 0) / 1e6)),
    row('memory of the hub, resident', mib(resident)),
    row('memory of the hub, at most while the index is made anew', mib(hub.memory().peak)),
  ];
}

interface Times {
  /** Milliseconds. */
  p50: number;
  p95: number;
}

class Searches {
  #hub: Program;
  #data: PolicyData;
  #asked = 0;

  constructor(hub: Program, data: PolicyData) {
    this.#hub = hub;
    this.#data = data;
  }

  ask(subject: string, hybrid: boolean): Promise<Times> {
    const last = this.#asked + ASKED;
    return this.#timed(
      () => this.#one(subject, hybrid),
      () => Promise.resolve(this.#asked >= last),
    );
  }

  /** Hybrid, over all levels. */
  askUntil(done: () => Promise<boolean>): Promise<Times> {
    return this.#timed(() => this.#one('chief', true), done);
  }

  async #timed(search: () => Promise<number>, done: () => Promise<boolean>): Promise<Times> {
    const times: number[] = [];
    do times.push(await search());
    while (!(await done()));
    times.sort((a, b) => a - b);
    return {
      p50: times[times.length >> 1] ?? Number.NaN,
      p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
    };
  }

  /** @returns milliseconds */
  async #one(subject: string, hybrid: boolean): Promise<number> {
    const data = this.#data;
    const query = `${data.sentence(data.random.whole(3, 8))}第${data.random.whole(1, 50)}条`;
    const body = {
      tenant_code: data.tenant(this.#asked),
      subject,
      query,
      ...(hybrid ? { query_embedding: [...data.vector()], embed_model: MODEL } : {}),
    };
    this.#asked += 1;
    const began = performance.now();
    const { items } = await this.#hub.call<{ items: object[] }>('POST', '/api/core/kb/search', body);
    const took = performance.now() - began;
    if (items.length === 0) throw new Error('a search of the bench found nothing');
    return took;
  }
}

async function built(hub: Program): Promise<IndexView> {
  for (;;) {
    const view = await hub.call<IndexView>('GET', '/api/core/kb/index');
    if (view.state === 'failed') throw new Error('the index was not made');
    if (view.state === 'ready' && !view.building) return view;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
