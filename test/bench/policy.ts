// Search in the policy library: its speed over 100,000 chunks (another number with --chunks), and how good it is.
import pg from 'pg';
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { openHubStore } from '../../hq/store/open.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import { MODEL, PolicyData } from './policy/library-data.ts';
import { measurePolicyQuality } from './policy/quality.ts';
import type { Program } from './program.ts';
import { atLeast, atMost, mib, ms, whole, type Row } from './table.ts';

const STANDARD = 100_000;
const ASKED = 200;
const HYBRID_MS = 80;
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
  const { chunks = STANDARD, explain } = bench.options;
  return [...(await measureSpeed(bench, chunks)), ...(await measurePolicyQuality(bench, explain))];
}

async function measureSpeed(bench: Bench, chunks: number): Promise<Row[]> {
  const postgres = await startTestPostgres();
  try {
    const database = await createDatabase(postgres.url);
    await (await openHubStore({ url: database.url, clock: systemClock, log: silentLogger() })).close();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const data = new PolicyData();
    await data.fill(client, chunks);
    await client.query('vacuum analyze');
    await client.end();
    const hub = await bench.start({ program: 'hq', dir: bench.folder('policy'), env: { DATABASE_URL: database.url, CORE_DOC_DIR: bench.folder('policy-originals') } });
    const rows = await speedRows(hub, data, chunks);
    await hub.stop();
    return rows;
  } finally {
    await postgres.stop();
  }
}

async function speedRows(hub: Program, data: PolicyData, chunks: number): Promise<Row[]> {
  await built(hub);
  await hub.call('POST', '/api/core/kb/index/rebuild');
  const index = await built(hub);
  const perSecond = ((index.chunks ?? 0) / (index.lastBuild?.ms ?? Number.NaN)) * 1000;
  for (let at = 0; at < 10; at += 1) await hub.call('POST', '/api/core/kb/clearance', { tenant_code: data.tenant(at), subject: 'chief', level: 'secret' });
  const name = (what: string): string => `policy, ${whole(chunks)} chunks: ${what}`;
  const asked = async (subject: string, hybrid: boolean): Promise<{ p50: number; p95: number }> => {
    const times: number[] = [];
    for (let at = 0; at < ASKED; at += 1) {
      const body = { tenant_code: data.tenant(at), subject, query: `${data.sentence(data.random.whole(3, 8))}第${data.random.whole(1, 50)}条`, ...(hybrid ? { query_embedding: [...data.vector()], embed_model: MODEL } : {}) };
      const began = performance.now();
      const { items } = await hub.call<{ items: object[] }>('POST', '/api/core/kb/search', body);
      times.push(performance.now() - began);
      if (items.length === 0) throw new Error('a search of the bench found nothing');
    }
    times.sort((a, b) => a - b);
    return { p50: times[ASKED >> 1] ?? Number.NaN, p95: times[Math.floor(ASKED * 0.95)] ?? Number.NaN };
  };
  const [low, high, words] = [await asked('nobody', true), await asked('chief', true), await asked('chief', false)];
  return [
    { ...atMost(name('hybrid P95, all levels'), high.p95, HYBRID_MS, ms) }, { what: name('hybrid P50, all levels'), measured: ms(high.p50) },
    atMost(name('hybrid P95, internal'), low.p95, HYBRID_MS, ms), atMost(name('keyword P95, all levels'), words.p95, KEYWORD_MS, ms), { what: name('keyword P50, all levels'), measured: ms(words.p50) },
    atLeast(name('index build'), perSecond, BUILD_PER_S, 'chunks'), { what: name('index file'), measured: mib((index.bytes ?? 0) / 1e6) },
    { what: name('memory of the hub, resident'), measured: mib(hub.memory().now) },
  ];
}

async function built(hub: Program): Promise<IndexView> {
  for (;;) {
    const view = await hub.call<IndexView>('GET', '/api/core/kb/index');
    if (view.state === 'failed') throw new Error('the index was not made');
    if (view.state === 'ready' && !view.building) return view;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
