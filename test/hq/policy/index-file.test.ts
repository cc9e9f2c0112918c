// Whatever happens to the index file, searches give what the database holds.
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { load as loadVectorExtension } from 'sqlite-vec';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ModelBudget } from '../../../common/core/model-call/budget.ts';
import { silentLogger } from '../../../common/log.ts';
import { SearchIndex } from '../../../common/policy/index/search-index.ts';
import { EmbedClient } from '../../../hq/policy/embed/client.ts';
import { EmbeddingFiller } from '../../../hq/policy/embed/filler.ts';
import type { IndexKeeper } from '../../../hq/policy/index/keeper.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import { changeDocument, type SeededChunk, seedLibrary } from '../../support/policy-library.ts';
import { seededRandom } from '../../support/random.ts';
import { openPolicyRig, type PolicyRig } from './search-rig.ts';

const MEANS = { vectors: loadVectorExtension, cacheKib: 1_024, batch: 1_000, heldBytes: 1024 * 1024 };

let rig: PolicyRig;
let seeded: SeededChunk[];
let file: string;
beforeAll(async () => {
  rig = await openPolicyRig();
  file = path.join(rig.dir, '0', 'index.db');
  seeded = await seedLibrary(rig.client, [
    {
      chunks: Array.from({ length: 300 }, (_, at) => ({
        text: `clause ${at} about cranes and 吊装作业`,
        vector: [1, at / 100, 0],
      })),
    },
    { tenant: 'other', chunks: [{ text: 'cranes' }] },
  ]);
});
afterAll(() => rig.close());

const question = { query: 'clause 7 cranes', query_embedding: [1, 0.07, 0], embed_model: 'm' };
const expectRight = async (index: IndexKeeper) => {
  const { items, index_version } = await rig.ask(index, question);
  expect(index_version).toBe('kb1/hybrid/m');
  expect(items[0]?.chunkId).toBe(seeded[7]?.id);
  expect(items).toHaveLength(20);
};
/**
 * A word without digits, which would be words of their own, and with a beginning of its own, by which words
 * are found too.
 */
const beacon = (round: number): string =>
  `${String(round).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}beacon`;
const reason = async (index: IndexKeeper) => (await index.status()).lastBuild?.reason ?? null;

describe('a file that was closed in order', () => {
  let whole: Buffer;
  let mark: Buffer;
  beforeAll(async () => {
    const index = rig.index();
    await expectRight(index);
    await index.stop();
    [whole, mark] = [readFileSync(file), readFileSync(`${file}.seal`)];
  });
  beforeEach(() => {
    writeFileSync(file, whole);
    writeFileSync(`${file}.seal`, mark);
  });

  test('is taken up as it is, and what changed meanwhile is caught up with before the answer', async () => {
    const [late] = await seedLibrary(rig.client, [{ chunks: [{ text: 'a lighthouse on the site' }] }]);
    const index = rig.index();
    expect((await rig.ask(index, { query: 'lighthouse' })).items.map((item) => item.chunkId)).toEqual([
      late?.id,
    ]);
    expect(await reason(index)).toBe(null);
    await changeDocument(rig.client, late?.docId ?? 0, { status: 'withdrawn' });
    expect((await rig.ask(index, { query: 'lighthouse' })).items).toEqual([]);
    await expectRight(index);
    await index.stop();
  });

  const faults: [string, () => void, RegExp][] = [
    ['deleted', () => rmSync(file), /no index file/],
    ['truncated', () => truncateSync(file, statSync(file).size - 70_000), /not as it was left/],
    ['emptied', () => truncateSync(file, 0), /not as it was left/],
    ['replaced by something else', () => writeFileSync(file, 'not a database'), /not as it was left/],
    [
      'without its seal, and damaged',
      () => {
        rmSync(`${file}.seal`);
        truncateSync(file, 70_000);
      },
      /damaged|malformed|disk image/,
    ],
    [
      'without its seal, and no database',
      () => {
        rmSync(`${file}.seal`);
        writeFileSync(file, 'x'.repeat(200_000));
      },
      /not a database/,
    ],
    [
      'of an older version',
      () => alter(`update facts set value = '0' where name = 'version'`),
      /another version/,
    ],
    [
      'of another database',
      () => alter(`update facts set value = 'x' where name = 'epoch'`),
      /another state/,
    ],
    [
      'ahead of a database that was put back',
      () => alter(`update facts set value = '99999999' where name = 'change_no'`),
      /another state/,
    ],
  ];
  test.each(faults)('%s: it is not taken', async (_, spoil, why) => {
    spoil();
    await expect(SearchIndex.open(file, rig.source, MEANS)).rejects.toThrow(why);
  });

  test.each(faults.filter(([what]) => /deleted|truncated/.test(what)))(
    '%s: it is made anew by itself',
    async (_, spoil, why) => {
      spoil();
      const index = rig.index();
      await expectRight(index);
      expect(await reason(index)).toMatch(why);
      await index.stop();
    },
  );

  test('with any one bit flipped: it is noticed', { timeout: 120_000 }, async () => {
    const random = seededRandom(Date.now());
    for (let round = 0; round < 20; round += 1) {
      const [at, bit] = [random.whole(0, whole.length - 1), random.whole(0, 7)];
      writeFileSync(file, whole);
      writeFileSync(`${file}.seal`, mark);
      flip(at, bit);
      await expect(
        SearchIndex.open(file, rig.source, MEANS),
        `seed ${random.seed}, byte ${at}, bit ${bit}`,
      ).rejects.toThrow('the index file is not as it was left');
    }
  });

  test('behind by more than a million changes: it is made anew', async () => {
    await rig.client.query(`update counters set value = value + 1000001 where name = 'kb_change'`);
    const [late] = await seedLibrary(rig.client, [{ chunks: [{ text: 'a windmill' }] }]);
    const index = rig.index();
    expect((await rig.ask(index, { query: 'windmill' })).items[0]?.chunkId).toBe(late?.id);
    expect(await reason(index)).toMatch(/too far behind/);
    await expectRight(index);
    await index.stop();
  });

  function alter(sql: string): void {
    const db = new Sqlite(file);
    db.exec(sql);
    db.close();
    rmSync(`${file}.seal`);
  }

  function flip(at: number, bit: number): void {
    const handle = openSync(file, 'r+');
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, at);
    writeSync(handle, Buffer.from([(byte[0] ?? 0) ^ (1 << bit)]), 0, 1, at);
    closeSync(handle);
  }
});

describe('a file in use', () => {
  test('spoilt under the running process: the answer is right all the same', async () => {
    const index = rig.index();
    await expectRight(index);
    // Longer than any cache: what is read next comes from the disk.
    writeFileSync(file, Buffer.alloc(statSync(file).size, 7));
    rmSync(`${file}-wal`, { force: true });
    await seedLibrary(rig.client, [{ chunks: [{ text: 'yet another change' }] }]);
    await expectRight(index);
    await index.stop();
  });

  test('removed under the running process: it serves, and is made anew beside', async () => {
    const index = rig.index();
    await expectRight(index);
    rmSync(file);
    await expectRight(index);
    expect(await index.status()).toMatchObject({ state: 'ready', facts: { bytes: 0 } });
    await index.round();
    await index.rebuild('joins the one under way');
    expect(await reason(index)).toBe('the file was removed');
    expect(existsSync(file)).toBe(true);
    await expectRight(index);
    await index.stop();
  });

  test('left by a process that was killed: it serves, and is made anew beside', async () => {
    const index = rig.index();
    await expectRight(index);
    const copy = path.join(rig.dir, 'killed', '0', 'index.db');
    const after = rig.index({ directory: path.join(rig.dir, 'killed') });
    await after.rebuild('to have the directory');
    await after.stop();
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    rmSync(`${copy}.seal`, { force: true });
    const next = rig.index({ directory: path.join(rig.dir, 'killed') });
    await expectRight(next);
    await next.rebuild('joins the one under way');
    expect(await reason(next)).toBe('the file was not closed in order');
    await expectRight(next);
    await index.stop();
  });

  test(
    'that cannot be followed by a new one: it serves on, an alarm says so, and goes when one could be ' +
      'made',
    async () => {
      const index = rig.index();
      await expectRight(index);
      const alarms = () => rig.store.alarms.list({ tenantCode: null, includeCleared: false }, 10);
      const obstacle = path.join(path.dirname(file), 'building.db');
      mkdirSync(path.join(obstacle, 'in-the-way'), { recursive: true });
      await expect(index.rebuild('asked for')).rejects.toMatchObject({ status: 503, code: 'index_building' });
      expect(await alarms()).toMatchObject([{ key: 'policy_index', details: { reason: 'asked for' } }]);
      await expectRight(index);
      expect(await index.status()).toMatchObject({ state: 'ready', building: false });
      rmSync(obstacle, { recursive: true });
      await index.rebuild('asked for again');
      expect(await alarms()).toEqual([]);
      await expectRight(index);
      await index.stop();
    },
  );

  test('two hub processes with one database and one directory have a file each', async () => {
    const [one, two] = [rig.index(), rig.index()];
    await Promise.all([expectRight(one), expectRight(two)]);
    expect(
      existsSync(path.join(rig.dir, '0', 'index.db')) && existsSync(path.join(rig.dir, '1', 'index.db')),
    ).toBe(true);
    const [late] = await seedLibrary(rig.client, [{ chunks: [{ text: 'a drawbridge' }] }]);
    for (const index of [one, two])
      expect((await rig.ask(index, { query: 'drawbridge' })).items[0]?.chunkId).toBe(late?.id);
    await one.stop();
    await two.stop();
  });

  test(
    'searches go on while it is made anew, and each sees what was committed before it',
    { timeout: 120_000 },
    async () => {
      const index = rig.index();
      await expectRight(index);
      let done = false;
      const building = index.rebuild('asked for').then(() => (done = true));
      for (let rounds = 0; !done || rounds < 3; rounds += 1) {
        const [late] = await seedLibrary(rig.client, [{ chunks: [{ text: beacon(rounds) }] }]);
        expect((await rig.ask(index, { query: beacon(rounds) })).items.map((item) => item.chunkId)).toEqual([
          late?.id,
        ]);
      }
      await building;
      await expectRight(index);
      await index.stop();
    },
  );

  test('chunks that were replaced and a tenant that was deleted are gone', async () => {
    const index = rig.index();
    await rig.client.query('begin');
    await rig.client.query(`delete from kb_chunks where doc_id = $1`, [seeded[300]?.docId]);
    await rig.client.query(`update counters set value = value + 1 where name = 'kb_change'`);
    await rig.client.query(
      `insert into kb_changes (change_no, tenant_code, doc_id, at) select value, 'other', $1, 0 from ` +
        `counters where name = 'kb_change'`,
      [seeded[300]?.docId],
    );
    await rig.client.query('commit');
    expect((await rig.ask(index, { query: 'cranes' }, { tenantCode: 'other' })).items).toEqual([]);
    const before = (await index.status()).facts?.chunks ?? 0;
    await seedLibrary(rig.client, [
      { tenant: 'short', chunks: [{ text: 'here', vector: [1, 0, 0] }, { text: 'there' }] },
    ]);
    expect((await rig.ask(index, { query: 'here' }, { tenantCode: 'short' })).items).toHaveLength(1);
    await rig.store.policy.deletion.deleteRows('short', 'test', { now: 0, newId: () => rig.clock.newId() });
    expect((await rig.ask(index, { query: 'here' }, { tenantCode: 'short' })).items).toEqual([]);
    expect((await index.status()).facts?.chunks).toBe(before);
    await index.stop();
  });
});

test(
  'a file that is more waste than use is made anew by itself, and shrinks',
  { timeout: 120_000 },
  async () => {
    const index = rig.index({ directory: path.join(rig.dir, 'waste') });
    await seedLibrary(rig.client, [
      { tenant: 'much', chunks: Array.from({ length: 20_500 }, () => ({ text: 'w' })) },
    ]);
    expect((await rig.ask(index, { query: 'w' }, { tenantCode: 'much' })).items).toHaveLength(20);
    await rig.store.policy.deletion.deleteRows('much', 'test', { now: 0, newId: () => rig.clock.newId() });
    await index.round();
    await index.rebuild('joins the one under way');
    expect(await reason(index)).toBe('more of the file is waste than in use');
    expect((await index.status()).facts?.wasted).toBe(0);
    expect((await rig.ask(index, { query: 'w' }, { tenantCode: 'much' })).items).toEqual([]);
    await index.stop();
  },
);

test(
  'missing vectors are computed in the background, by one process, and a text that the service refuses ' +
    'or makes nothing of stops no other',
  { timeout: 120_000 },
  async () => {
    const peer = await new HttpPeer().open();
    peer.respond = ({ body }) => {
      const { input } = JSON.parse(String(body)) as { input: string[] };
      if (input.some((text) => text.includes('poison'))) return { status: 400, body: '{}' };
      return {
        body: JSON.stringify({
          model: 'bge',
          data: input.map((text, index) => ({ index, embedding: text.includes('blank') ? [0, 0] : [0, 1] })),
        }),
      };
    };
    await rig.client.query('update kb_chunks set embed_model = null, embedding = null, dim = null');
    const chunks = await seedLibrary(rig.client, [
      { tenant: 'fill', chunks: [{ text: 'one' }, { text: 'poison' }, { text: 'three' }, { text: 'blank' }] },
    ]);
    const embedder = new EmbedClient({ url: peer.url, model: 'bge', key: () => null, timeoutMs: 20_000 });
    const filler = (most = 1_000) =>
      new EmbeddingFiller({
        embedder,
        budget: new ModelBudget({
          ...{ kind: 'embedding', most, calls: rig.store.modelCalls, alarms: rig.store.alarms },
          ...{ instance: 'hq', clock: rig.clock },
        }),
        contents: rig.store.policy.contents,
        documents: rig.store.policy.documents,
        lease: rig.store.policy.embeddingLease,
        alarms: rig.store.alarms,
        instance: 'hq',
        clock: rig.clock,
        log: silentLogger(),
      });
    const [one, two] = [filler(), filler()];
    const { signal } = new AbortController();
    await one.round(signal);
    expect(await rig.store.policy.contents.unembedded('bge', 0, 10)).toMatchObject([
      { id: chunks[1]?.id },
      { id: chunks[3]?.id },
    ]);
    const heard = peer.heard.length;
    await two.round(signal);
    await one.round(signal);
    expect(peer.heard.length).toBe(heard);
    expect(await rig.store.alarms.list({ tenantCode: null, includeCleared: false }, 10)).toMatchObject([
      { key: 'policy_embedding', details: { chunks: [chunks[1]?.id, chunks[3]?.id] } },
    ]);
    await seedLibrary(rig.client, [{ tenant: 'later', chunks: [{ text: 'late' }] }]);
    await one.round(signal);
    expect(peer.heard.length).toBe(heard + 1);
    rig.clock.advance(3_600_000);
    await one.round(signal);
    expect(peer.heard.length).toBe(heard + 4);
    expect(await rig.store.policy.contents.unembedded('bge', 0, 10)).toHaveLength(2);
    await one.stop();
    await seedLibrary(rig.client, [{ tenant: 'scarce', chunks: [{ text: 'first' }] }]);
    const scarce = filler(1);
    await scarce.round(signal);
    const [{ id } = { id: 0 }] = await seedLibrary(rig.client, [
      { tenant: 'scarce', chunks: [{ text: 'second' }] },
    ]);
    const waiting = async () =>
      (await rig.store.policy.contents.unembedded('bge', 0, 10)).some((chunk) => chunk.id === id);
    await scarce.round(signal);
    expect(await waiting()).toBe(true);
    rig.clock.advance(24 * 3_600_000);
    await scarce.round(signal);
    expect(await waiting()).toBe(false);
    await scarce.stop();
    const index = rig.index();
    expect(
      (await rig.ask(index, { query: 'three' }, { tenantCode: 'fill' }, embedder)).items
        .map((item) => item.chunkId)
        .sort(),
    ).toEqual([chunks[0]?.id, chunks[1]?.id, chunks[2]?.id].filter((id) => id !== chunks[1]?.id).sort());
    embedder.close();
    await peer.close();
  },
);
