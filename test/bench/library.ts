// Knowledge objects and the ledger of the policy library at headquarters: lists over many rows, and chunk
// sets coming in. Its search is measured by the part `policy`.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { refOf } from '../../hq/knowledge/decide.ts';
import { type HubStore, openHubStore } from '../../hq/stores.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import { ADMIN, type Program } from './program.ts';
import { atLeast, atMost, ms, type Row } from './table.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const SCALE = Number(process.env.BENCH_LIBRARY_SCALE ?? 1);
const OBJECTS = Math.ceil(300_000 * SCALE);
const FILES = Math.ceil(50_000 * SCALE);
const SETS = Math.ceil(40 * SCALE);
const CHUNKS = 250;
const DIM = 1024;
const EACH_MS = 1_500;
const LIST_MS = 50;
const TENANT = 'tenant-1';

const TARGETS: Record<string, string> = {
  'knowledge, newest 100 with bodies': `/api/core/objects/knowledge?tenant_code=${TENANT}`,
  'knowledge, all tenants, without bodies': '/api/core/objects/knowledge?fields=meta',
  'knowledge, by reference': `/api/core/objects/knowledge?tenant_code=${TENANT}&ref_key=site&ref_value=s77&fields=meta`,
  'knowledge, last page': `/api/core/objects/knowledge?tenant_code=${TENANT}&fields=meta&offset=10000`,
  'policy files, newest 100': `/api/core/kb/docs?tenant_code=${TENANT}`,
  'policy files, by state and source': `/api/core/kb/docs?tenant_code=${TENANT}&status=withdrawn&src_system=manual`,
};

/** Ten tenants with rows of every level. */
async function fill(store: HubStore): Promise<void> {
  const body = JSON.stringify({ sections: { summary: { text: 'x'.repeat(1_000), editable: 'human' } } });
  const site = refOf('site', 's');
  await store.pool.query(
    `insert into knowledge (id, tenant_code, src_system, src_pk, title, kind, source_ref, refs,
      security_level, version, body, machine_generated, created_by, created_at, updated_at)
     select i, 'tenant-' || i % 10, 'agent', i::text, 'Shift ' || i, (array['checklist', 'shift_handover',
       'weekly_report'])[1 + i % 3], '{"site":"s' || i % 1000 || '"}',
       array[$2 || (i % 1000)], 'internal', 1, $3, false, 'agent', i, i from generate_series(1, $1::int) i`,
    [OBJECTS, site, body],
  );
  await store.pool.query(
    `insert into kb_docs (id, tenant_code, policy_id, src_system, src_key, title, version, valid_from,
      valid_until, level, status, chunk_count, created_by, created_at, updated_at, change_no)
     select i, 'tenant-' || i % 10, i, 'manual', i::text, 'Policy ' || i, '1', 0, 253402300799999, i / 10 % 4,
       (array['effective', 'review', 'withdrawn'])[1 + i % 3], 0, 'admin', i, i, i
     from generate_series(1, $1::int) i`,
    [FILES],
  );
  await store.pool.query(
    `update counters set value = $1 where name in ('knowledge', 'kb_doc', 'kb_change')`,
    [Math.max(OBJECTS, FILES)],
  );
  await store.pool.query('vacuum analyze');
}

export async function measureLibrary(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres(DURABLE);
  try {
    const database = await createDatabase(postgres.url);
    const store = await openHubStore({ url: database.url, clock: systemClock, log: silentLogger() });
    await fill(store);
    await store.close();
    const dir = bench.folder('library-hub');
    const hub = await bench.start({
      program: 'hq',
      dir,
      env: { DATABASE_URL: database.url, CORE_DOC_DIR: `${dir}/kbdocs` },
    });
    const rows: Row[] = [];
    for (const [name, target] of Object.entries(TARGETS)) {
      const { p50, refused } = await bench.reader(
        hub.port,
        target,
        { ...ADMIN, ...(target.includes('/kb/') ? { 'x-core-subject': 'bench' } : {}) },
        EACH_MS,
      );
      if (Object.keys(refused).length > 0)
        throw new Error(`${target} was answered ${JSON.stringify(refused)}; ${hub.said}`);
      rows.push(atMost(name, p50, LIST_MS, ms));
    }
    rows.push(
      atLeast(`chunks with vectors of ${DIM}, ${CHUNKS} a set`, await chunksPerSecond(hub), 1_000, 'chunks'),
    );
    await hub.stop();
    return rows;
  } finally {
    await postgres.stop();
  }
}

async function chunksPerSecond(hub: Program): Promise<number> {
  const embedding = Array.from({ length: DIM }, () => randomBytes(2).readInt16LE() / 32_768);
  const chunks = Array.from({ length: CHUNKS }, (_, index) => ({
    text: `第${index}条 `.padEnd(400, '安全'),
    embedding,
    embed_model: 'bench',
  }));
  const ids: number[] = [];
  for (let one = 0; one < SETS; one += 1) {
    const { docId } = await hub.call<{ docId: number }>('POST', '/api/core/kb/docs', {
      tenant_code: TENANT,
      src_system: 'manual',
      src_key: `set-${one}`,
      title: 'set',
      version: '1',
    });
    ids.push(docId);
  }
  const started = performance.now();
  for (const id of ids)
    await hub.call('POST', `/api/core/kb/docs/${id}/chunks`, { tenant_code: TENANT, chunks });
  return (SETS * CHUNKS * 1000) / (performance.now() - started);
}
