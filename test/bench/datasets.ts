// A million rows of a business system into the project model of the hub, over a durable Postgres.
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import type { SourceJob } from './dataset-source.ts';
import { Worker } from './jobs.ts';
import type { Program } from './program.ts';
import { atLeast, mib, type Row } from './table.ts';

const ROWS = 1_000_000;
const PAGE_ROWS = 5_000;
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const WITHIN_MS = 300_000;

interface State {
  datasets: { rowsTotal: number; completedAt: string | null; lastError: string | null }[];
}

/** @param rows fewer only to try the bench itself */
export async function measureDatasets(bench: Bench, rows = ROWS): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  const worker = new Worker('./dataset-source.ts');
  try {
    const port = await worker.run<number>({ rows, pageRows: PAGE_ROWS } satisfies SourceJob);
    const { url } = await createDatabase(postgres.url);
    const hub = await bench.start({
      program: 'hq',
      dir: bench.folder('datasets'),
      env: { DATABASE_URL: url, CORE_DATASET_NETWORKS: '127.0.0.0/8' },
    });
    await hub.call('PUT', '/api/core/secrets/bench', {
      tenant_code: 'bench',
      use: 'dataset',
      host: `127.0.0.1:${port}`,
      secret: 'x',
    });
    const source = await hub.call<{ id: string }>('POST', '/api/dataset/sources', {
      tenant_code: 'bench',
      name: 'bench',
      base_url: `http://127.0.0.1:${port}`,
      key_id: 'k',
      secret_ref: 'bench',
      schedule: '0 0 1 1 *',
      page_rows: PAGE_ROWS,
      datasets: [{ dataset: 'wbs_nodes', processor: 'wbs_nodes' }],
    });
    const { seconds, halves } = await follow(hub, source.id, rows);
    await hub.stop();
    return [
      atLeast(
        `${rows} dataset rows landed and processed, pages of ${PAGE_ROWS}`,
        rows / seconds,
        20_000,
        'rows',
      ),
      {
        what: '  resident memory of the hub, peak of each half',
        measured: halves.map((value) => mib(value)).join(', '),
        target: 'second ≤ first + 10%',
        ok: halves[1] <= halves[0] * 1.1,
      },
    ];
  } finally {
    worker.close();
    await postgres.stop();
  }
}

async function follow(
  hub: Program,
  id: string,
  rows: number,
): Promise<{ seconds: number; halves: [number, number] }> {
  const started = performance.now();
  const halves: [number, number] = [0, 0];
  for (;;) {
    await sleep(50);
    const [state] = (await hub.call<State>('GET', `/api/dataset/sources/${id}`)).datasets;
    const half = (state?.rowsTotal ?? 0) * 2 < rows ? 0 : 1;
    halves[half] = Math.max(halves[half], hub.memory().now);
    const ms = performance.now() - started;
    if (state?.completedAt) return { seconds: ms / 1000, halves };
    if (state?.lastError || ms > WITHIN_MS)
      throw new Error(
        `the pull stands at ${state?.rowsTotal} rows: ${state?.lastError ?? 'too slow'}; ${hub.said}`,
      );
  }
}
