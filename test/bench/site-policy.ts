// Search in the policies in force at a site: memory at rest with 10,000 clauses, and how long a search takes.
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { setFingerprint, textFingerprint } from '../../common/policy/fingerprint.ts';
import type { LibraryClause, LibraryFile } from '../../common/uplink/library.ts';
import { NEVER_UNTIL } from '../../hq/policy/record.ts';
import { openSiteStore } from '../../site/store/open.ts';
import type { Bench } from './bench.ts';
import { unitEnvironment } from './footprint.ts';
import { PolicyData } from './policy/library-data.ts';
import { atMost, mib, ms, type Row, whole } from './table.ts';

const FILES = 200;
const CLAUSES = 50;
const ASKED = 500;
const TENANT = 'T0';
/** Long enough for the site to make its index, to notice that it is at rest, and to give memory back. */
const REST_MS = 40_000;
const SEARCH_MS = 50;
const IDLE_MB = 85;

/** Fills the store of a site as the answers of headquarters do. */
async function fill(dir: string, data: PolicyData): Promise<void> {
  const store = await openSiteStore({ dir, clock: systemClock, log: silentLogger() });
  await store.libraries.begin(TENANT, 0);
  const answer = { protocol: 1, epoch: 'bench', version: '1', restart: false, through: 1, gone: [] };
  const synonyms = { revision: 0, shipped: true, groups: [] };
  const texts = Array.from({ length: FILES }, (_, doc) => clausesOf(doc, data));
  const files = texts.map((clauses, doc) => fileOf(doc + 1, clauses));
  await store.libraries.takeFiles(TENANT, { ...answer, files, more: false, synonyms, digest: null });
  for (const [doc, clauses] of texts.entries())
    await store.libraries.takeClauses(TENANT, {
      texts: [{ id: doc + 1, text_no: clauses[0]?.id ?? 0, clauses }],
      gone: [],
    });
  await store.libraries.settle(TENANT, null, { now: 1, newId: () => 'bench' });
  await store.close();
}

const clausesOf = (doc: number, data: PolicyData): LibraryClause[] =>
  Array.from({ length: CLAUSES }, (_, at) => ({
    ...{ id: doc * CLAUSES + at + 1, seq: at + 1, page: null },
    ...{ path: `第${at + 1}条`, text: data.clause() },
  }));

const fileOf = (id: number, clauses: readonly LibraryClause[]): LibraryFile => ({
  ...{ id, policy_id: id, title: `file ${id}`, doc_no: null, version: '1', src_system: 'bench' },
  ...{ src_key: `bench-${id}`, level: 1, effective_date: null, expiry_date: null, valid_from: 0 },
  ...{ valid_until: NEVER_UNTIL, scheduled: false, text_no: clauses[0]?.id ?? 0, clauses: clauses.length },
  text_sha256: setFingerprint(clauses.map(({ text }) => textFingerprint(text))),
});

export async function measureSitePolicy(bench: Bench): Promise<Row[]> {
  const data = new PolicyData();
  const dir = bench.folder('site-policy');
  await fill(dir, data);
  const env = unitEnvironment();
  const bare = await bench.start({ program: 'site', dir: bench.folder('site-without-policies'), env });
  await sleep(REST_MS);
  const without = bare.memory().now;
  await bare.stop();
  const site = await bench.start({ program: 'site', dir, env });
  await sleep(REST_MS);
  const idle = site.memory().now;
  const before = site.cpuMs();
  const times: number[] = [];
  for (let at = 0; at < ASKED; at += 1) {
    const began = performance.now();
    const query = `${data.sentence(6)} 第${(at % CLAUSES) + 1}条`;
    await site.call('POST', '/api/core/kb/search', { tenant_code: TENANT, query });
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const cpu = (site.cpuMs() - before) / ASKED;
  const p95 = times[Math.floor(ASKED * 0.95)] ?? Number.NaN;
  await sleep(REST_MS);
  const after = site.memory().now;
  await site.stop();
  const name = `policies at a site, ${whole(FILES * CLAUSES)} clauses`;
  return [
    atMost(`${name}: resident memory, idle after the index was made`, idle, IDLE_MB, mib),
    { what: '  of a site that has none', measured: mib(without) },
    atMost('  search P95', p95, SEARCH_MS, ms),
    // What a busy machine does not change.
    { what: '  processor time of a search', measured: ms(cpu) },
    { what: '  search P50', measured: ms(times[Math.floor(ASKED / 2)] ?? Number.NaN) },
    { what: '  at rest again after the searches', measured: mib(after) },
  ];
}
