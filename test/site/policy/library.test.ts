// The policies in force at a site, as the store, the loader and the search of the site have them: with a
// headquarters that tells the truth, and with one that does not.
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import type { SearchView } from '../../../common/policy/search/schema.ts';
import type { ClausesAnswer, FilesAnswer, LibraryRequest } from '../../../common/uplink/library.ts';
import { type SiteLevel, siteRank } from '../../../hq/policy/site/record.ts';
import { LibraryAnswers } from '../../../hq/policy/site/service.ts';
import { createHttpClient } from '../../../site/http-client.ts';
import { LibraryCalls } from '../../../site/policy/calls.ts';
import { LibraryIndex } from '../../../site/policy/index.ts';
import { LibraryLoader } from '../../../site/policy/loader.ts';
import { LibrarySearch } from '../../../site/policy/search.ts';
import { openSiteStore, type SiteStore } from '../../../site/store/open.ts';
import { openPolicyRig, type PolicyRig } from '../../hq/policy/search-rig.ts';
import { changeDocument, type SeedDocument, seedLibrary, sha256 } from '../../support/policy-library.ts';

type Body = FilesAnswer | ClausesAnswer;

let hub: PolicyRig;
let dir: string;
let site: SiteStore;
let loader: LibraryLoader;
let index: LibraryIndex;
let search: LibrarySearch;
let server: http.Server;
/** What headquarters lets go to sites, whose tenants they are, and what is done to its answers. */
let level: SiteLevel;
let tenants: string[];
let epoch: string;
let spoil: (answer: Body, ask: LibraryRequest['ask']) => Body | Buffer;
let asks: LibraryRequest['ask'][];

beforeAll(async () => {
  hub = await openPolicyRig();
});
afterAll(() => hub.close());

beforeEach(async () => {
  await hub.client.query('truncate kb_docs, kb_chunks, kb_changes, kb_synonyms, kb_site_libraries');
  dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-library-'));
  site = await openSiteStore({ dir, clock: hub.clock, log: silentLogger() });
  [level, tenants, epoch, asks] = ['internal', ['acme'], 'first', []];
  spoil = (answer) => answer;
  server = http.createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createHttpClient();
  server.on('close', () => client.close());
  loader = newLoader(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, client);
  index = new LibraryIndex({
    ...{ source: site.librarySource, directory: path.join(dir, 'library') },
    ...{ clock: hub.clock, log: silentLogger() },
  });
  search = new LibrarySearch({ libraries: site.libraries, index, clock: hub.clock });
});
afterEach(async () => {
  await index.stop();
  await site.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true, force: true });
});

function newLoader(url: string, client: ReturnType<typeof createHttpClient>): LibraryLoader {
  const key = () => ({ keyId: 'k', secret: 's' });
  return new LibraryLoader({
    libraries: site.libraries,
    calls: new LibraryCalls({ client, key, url, clock: hub.clock }),
    tenants: () => tenants,
    linked: () => true,
    envelope: () => ({ version: '1', instance: 'site-1', epoch: site.epoch() }),
    kbps: null,
    clock: hub.clock,
    log: silentLogger(),
    random: () => 0.5,
  });
}

/** Headquarters, as its own service answers, spoilt where a test says so. */
async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const asked = JSON.parse(Buffer.concat(parts).toString()) as LibraryRequest;
  asks.push(asked.ask);
  const answers = new LibraryAnswers({
    libraries: hub.store.policy.siteLibraries,
    tenantsOf: () => Promise.resolve(tenants),
    level,
    epoch: () => epoch,
  });
  const told = JSON.parse(gunzipSync(await answers.answer(asked)).toString()) as Body;
  const spoilt = spoil(told, asked.ask);
  response.end(Buffer.isBuffer(spoilt) ? spoilt : gzipSync(JSON.stringify(spoilt)));
}

/** Seeds files as the product writes them; a title of its own each. */
async function seed(...documents: SeedDocument[]): Promise<number[]> {
  const seeded = await seedLibrary(hub.client, documents);
  const ids = [...new Set(seeded.map(({ docId }) => docId))];
  for (const id of ids) {
    const own = seeded.filter(({ docId }) => docId === id);
    const digest = sha256(own.map(({ chunk }) => sha256(chunk.text)).join(''));
    await hub.client.query('update kb_docs set chunks_sha256 = $2 where id = $1', [id, digest]);
  }
  return ids;
}

/** Rounds until there is nothing to do; what rests after a failure is waited for by the clock. */
async function load(minutes = 16): Promise<void> {
  hub.clock.advance(minutes * 60_000);
  const signal = new AbortController().signal;
  for (let rounds = 0; rounds < 500; rounds += 1) {
    const { again } = await loader.round(signal);
    if (!again) return;
  }
  throw new Error('the loader does not come to an end');
}

const state = () => site.libraries.all()[0];
const ask = (query: string, more: object = {}): Promise<SearchView> =>
  search.search('acme', { query, top_k: 20, auto_embed: true, explain: true, ...more });
const found = async (query: string): Promise<number[]> => (await ask(query)).items.map(({ docId }) => docId);

describe('with the headquarters that it is of', () => {
  test('order, scores and notes are those of headquarters, for words of its own as well', async () => {
    const words = ['crane', 'rope', 'hook', '高处作业', '安全带', '护栏', '检查', '动火'];
    await seed(
      ...Array.from({ length: 12 }, (_, doc) => ({
        level: doc % 2,
        chunks: Array.from({ length: 9 }, (_, at) => ({
          text: `${words[(doc + at) % 8]} ${words[(doc * at) % 8]} clause ${at} of ${doc}`,
          clausePath: `第${at + 1}条`,
        })),
      })),
      { level: 2, chunks: [{ text: 'crane secrets of the crane' }] },
      { status: 'review', chunks: [{ text: 'a crane draft' }] },
      { tenant: 'bravo', chunks: [{ text: 'crane of others' }] },
    );
    await hub.store.policy.synonyms.set(
      { tenantCode: 'acme', groups: [['crane', '塔吊']], shipped: true, expected: null, actor: 'anna' },
      { now: hub.clock.now(), newId: () => 'x' },
    );
    await load();
    expect(state()).toMatchObject({ state: 'here', whole: false });
    const here = hub.index({});
    for (const query of ['塔吊 检查', 'crane rope', '第3条 安全带', '高处作业', 'file 7 hook', 'nothing zzz'])
      expect(await ask(query)).toEqual(await hub.ask(here, { query, explain: true }, { maxRank: 1 }));
    await here.stop();
  });

  test('what begins and ends does so by the clock, and a version ends on the day of the next', async () => {
    const day = 86_400_000;
    const now = hub.clock.now();
    const [ending, later, present, next] = await seed(
      { until: now + day, chunks: [{ text: 'ending crane' }] },
      { from: now + day, chunks: [{ text: 'later crane' }] },
      { chunks: [{ text: 'present crane' }] },
      { from: now + 2 * day, status: 'scheduled', chunks: [{ text: 'next crane' }] },
    );
    await hub.client.query('update kb_docs set policy_id = $1 where id = $2', [present, next]);
    await load();
    expect((await found('crane')).sort()).toEqual([ending, present].sort());
    hub.clock.advance(day);
    expect((await found('crane')).sort()).toEqual([later, present].sort());
    hub.clock.advance(day);
    expect((await found('crane')).sort()).toEqual([later, next].sort());
  });

  test('what was withdrawn goes with the first answer, before the clauses of what is new', async () => {
    const [old] = await seed({ chunks: [{ text: 'old crane' }] });
    await load();
    expect(await found('crane')).toEqual([old]);
    await changeDocument(hub.client, old ?? 0, { status: 'withdrawn' });
    await seed({ chunks: [{ text: 'new crane' }] });
    hub.clock.advance(16 * 60_000);
    await loader.round(new AbortController().signal);
    expect(await found('crane')).toEqual([]);
    await load();
    expect(await found('crane')).toHaveLength(1);
    const files = asks.filter(({ kind }) => kind === 'files');
    expect(files.at(-1)).toMatchObject({ whole: false });
  });

  test('a large file comes in pieces, goes on where it stood, and is found when it is whole', async () => {
    const text = 'crane '.repeat(2_000);
    const [doc] = await seed({ chunks: Array.from({ length: 60 }, (_, at) => ({ text: `${text} ${at}` })) });
    hub.clock.advance(1);
    const signal = new AbortController().signal;
    await loader.round(signal);
    await loader.round(signal);
    await expect(ask('crane')).rejects.toMatchObject({ code: 'library_loading', status: 503 });
    const before = site.libraries.wanted('acme', 10);
    expect(before[0]).toMatchObject({ id: doc });
    expect(before[0]?.after).toBeGreaterThan(0);
    await load();
    expect((await ask('crane')).items).toHaveLength(20);
    expect(site.libraries.counts('acme')).toEqual({ files: 1, clauses: 60, coming: 0 });
  });

  test('what was told of and has not come is said with each answer, since a rule may be missing', async () => {
    await seed({ chunks: [{ text: 'a crane' }] });
    await load();
    expect(await ask('crane')).not.toHaveProperty('files_coming');
    await seed({ chunks: [{ text: 'another crane' }] });
    hub.clock.advance(16 * 60_000);
    await loader.round(new AbortController().signal);
    expect(site.libraries.counts('acme')).toMatchObject({ files: 1, coming: 1 });
    expect(await ask('crane')).toMatchObject({ items: [{ text: 'a crane' }], files_coming: 1 });
    await load();
    const answer = await ask('crane');
    expect(answer.items).toHaveLength(2);
    expect(answer).not.toHaveProperty('files_coming');
  });

  test('another store of headquarters is gone through as a whole, and nothing of before is left', async () => {
    const [kept, lost] = await seed(
      { chunks: [{ text: 'kept crane' }] },
      { chunks: [{ text: 'lost crane' }] },
    );
    await load();
    await hub.client.query('delete from kb_docs where id = $1', [lost]);
    epoch = 'second';
    expect(await found('crane')).toHaveLength(2);
    await load();
    expect(await found('crane')).toEqual([kept]);
    expect(state()).toMatchObject({ hubEpoch: 'second', state: 'here', whole: false });
  });

  test('a change that was not told of is found by the digest, and all is gone through', async () => {
    const [doc] = await seed({ chunks: [{ text: 'a crane' }] });
    await load();
    await hub.client.query("update kb_docs set title = 'renamed' where id = $1", [doc]);
    await load();
    expect((await ask('crane')).items[0]?.title).toBe('renamed');
  });

  test('what is above the level that goes to sites, or of a tenant that is not its own, goes away', async () => {
    await seed(
      { level: 0, chunks: [{ text: 'open crane' }] },
      { level: 1, chunks: [{ text: 'inner crane' }] },
    );
    await load();
    expect(await found('crane')).toHaveLength(2);
    level = 'public';
    await load();
    expect(await found('crane')).toHaveLength(1);
    tenants = ['bravo'];
    await load();
    expect(site.libraries.counts('acme')).toEqual({ files: 0, clauses: 0, coming: 0 });
    await expect(ask('crane')).rejects.toMatchObject({ status: 404 });
  });

  test('an event gets the clause that it is certainly about, of the lowest level alone', async () => {
    await seed(
      { level: 0, chunks: [{ text: '进入施工现场的人员必须佩戴安全帽，系好帽带。', clausePath: '第1条' }] },
      { level: 1, chunks: [{ text: '未佩戴安全帽的人员由本单位按内部规定处理。' }] },
      { level: 0, chunks: Array.from({ length: 30 }, (_, at) => ({ text: `临边防护栏杆的规定 ${at}` })) },
    );
    expect(await search.clauseFor('acme', '未佩戴安全帽')).toBeNull();
    await load();
    expect(await search.clauseFor('acme', '未佩戴安全帽')).toMatchObject({ path: '第1条', version: '1' });
    expect(await search.clauseFor('acme', '夜间有噪声')).toBeNull();
    expect(await search.clauseFor('bravo', '未佩戴安全帽')).toBeNull();
  });

  test('each version waits in the inbox until the site has said that it has it', async () => {
    const libraries = hub.store.policy.siteLibraries;
    const add = `insert into sites (instance, tenants, continues, created_at)
      values ('site-1', array['acme'], '{}', 0) on conflict do nothing`;
    await hub.client.query(add);
    await seed({ chunks: [{ text: 'a crane' }] });
    const waiting = async (): Promise<string[]> => {
      const { entries } = await hub.store.inbox.page('site-1', { after: 0, kinds: ['library'], limit: 10 });
      return [...(await libraries.open(entries)).values()].map(({ version }) => version);
    };
    await libraries.renew(siteRank('internal'), 1);
    const [first] = await waiting();
    await libraries.renew(siteRank('internal'), 2);
    expect(await waiting()).toEqual([first]);
    await seed({ chunks: [{ text: 'another crane' }] });
    expect(await libraries.renew(siteRank('internal'), 3)).toBe(1);
    const [second, ...more] = await waiting();
    expect(second).not.toBe(first);
    expect(more).toEqual([]);
    await libraries.renew(null, 4);
    expect(await waiting()).toEqual(['-']);
    expect(await libraries.list({ tenants: ['acme'] })).toMatchObject([{ state: 'waiting', since: 4 }]);
  });
});

describe('with a headquarters that lies', () => {
  const onFiles = (change: (answer: FilesAnswer) => FilesAnswer | Buffer) => {
    spoil = (told, { kind }) => (kind === 'files' ? change(told as FilesAnswer) : told);
  };
  const onClauses = (change: (answer: ClausesAnswer) => ClausesAnswer) => {
    spoil = (told, { kind }) => (kind === 'clauses' ? change(told as ClausesAnswer) : told);
  };
  beforeEach(async () => {
    await seed({ chunks: [{ text: 'a crane' }, { text: 'a rope' }] });
  });
  const expectRefused = async (code: string): Promise<void> => {
    await load();
    expect(state()).toMatchObject({ state: 'refused', reason: { code } });
    await expect(ask('crane')).rejects.toMatchObject({ code: 'library_loading' });
    spoil = (told) => told;
    await load();
    expect(state()).toMatchObject({ state: 'here', reason: null });
    expect(await found('crane')).toHaveLength(1);
  };

  test('a bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '['));
    onFiles(() => bomb);
    await expectRefused('library_strange');
  });
  test('what is no library is refused', async () => {
    onFiles((told) => ({ ...told, through: -1 }));
    await expectRefused('library_strange');
  });
  test('another digest, after all was gone through once', async () => {
    onFiles((told) => ({ ...told, digest: told.digest && 'a'.repeat(64) }));
    await expectRefused('library_differs');
  });
  test('clauses that are others than their digest is of', async () => {
    onClauses((told) => ({
      ...told,
      texts: told.texts.map((one) => ({
        ...one,
        clauses: one.clauses.map((clause) => ({ ...clause, text: `${clause.text}!` })),
      })),
    }));
    await expectRefused('library_text');
  });
  test('clauses in another order, or none', async () => {
    onClauses((told) => ({
      ...told,
      texts: told.texts.map((one) => ({ ...one, clauses: one.clauses.toReversed() })),
    }));
    await expectRefused('library_text');
  });
  test('files without end', async () => {
    let pages = 0;
    onFiles((told) => {
      const [first] = told.files;
      if (!first) return told;
      const many = Array.from({ length: 500 }, (_, at) => ({ ...first, id: 1_000 + pages * 500 + at }));
      pages += 1;
      return { ...told, files: many, more: true, through: pages };
    });
    await load();
    expect(state()).toMatchObject({ state: 'refused', reason: { code: 'library_large' } });
  });
});
