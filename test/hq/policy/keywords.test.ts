// The keyword leg against a plain reading of the specification, over random libraries that change.
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { load as loadVectorExtension } from 'sqlite-vec';
import { expect, test } from 'vitest';
import type { IndexChange, IndexChunk, IndexDocument } from '../../../common/policy/index/change.ts';
import type { HardFilter } from '../../../common/policy/index/filter.ts';
import { createTables } from '../../../common/policy/index/layout.ts';
import { rank } from '../../../common/policy/index/rank.ts';
import { Rows } from '../../../common/policy/index/rows.ts';
import { IndexWriter } from '../../../common/policy/index/writer.ts';
import { queryTermsOf, termsOf } from '../../../common/policy/terms/terms.ts';
import { campaign } from '../../support/campaign.ts';

const RECALL = 200;
const TENANTS = ['t1', 't2', 't21'];
const NOW = 1_000;

type Step =
  | {
      kind: 'document';
      id: number;
      source: string;
      effective: boolean;
      level: number;
      from: number;
      until: number;
    }
  | { kind: 'chunks'; doc: number; texts: string[][]; times: number }
  | { kind: 'chunks_gone'; doc: number }
  | { kind: 'tenant_gone'; tenant: string };

const word = fc.constantFrom(
  '火',
  '火灾',
  '动火作业',
  '𠮷',
  '𠮷火𠮷',
  '高处 作业',
  'gb',
  'g',
  'GB-9087',
  'gb/t 3.2.1',
  '第12条',
  '第十二条',
  '(三)',
  '〇',
  'é',
  'Ünïcode',
  'ｐｐｒ－９',
  'e_mail',
  '"',
  '* OR NOT',
  'near(',
  'scaffolding',
  'scaffold guard rail',
  '《安全条例》',
  `${'x'.repeat(63)}𝒜𝒜`,
  '1:火',
  'चित्र',
);
const doc = fc.integer({ min: 1, max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('document' as const),
      id: doc,
      source: fc.constantFrom('a', 'b'),
      effective: fc.boolean(),
      level: fc.integer({ min: 0, max: 3 }),
      from: fc.constantFrom(0, NOW, NOW + 1),
      until: fc.constantFrom(NOW, NOW + 1, 9_999),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('chunks' as const),
      doc,
      texts: fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 6 }),
      times: fc.constantFrom(1, 1, 1, 60),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('chunks_gone' as const), doc }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('tenant_gone' as const), tenant: fc.constantFrom(...TENANTS) }),
  },
);
const ask = fc.record({
  tenantCode: fc.constantFrom(...TENANTS),
  maxRank: fc.integer({ min: 0, max: 3 }),
  sources: fc.option(fc.subarray(['a', 'b', 'never'])),
  text: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('')),
});

/** A file belongs to one tenant. */
const tenantOf = (id: number): string => TENANTS[id % TENANTS.length] as string;

test('finds, weighs and orders as the specification words it, whatever changed before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 4 }),
      fc.array(ask, { minLength: 1, maxLength: 5 }),
      (batches, asks) => {
        const db = new Sqlite(':memory:');
        loadVectorExtension(db);
        createTables(db);
        const rows = new Rows();
        const writer = new IndexWriter(db, rows);
        const reference = new Reference();
        for (const batch of batches) {
          const changes = batch.flatMap((one) => reference.changesOf(one));
          for (const one of changes) reference.apply(one);
          writer.apply(changes);
        }
        for (const { text, ...asked } of asks) {
          const filter = { ...asked, now: NOW };
          const { candidates, terms } = rank(db, rows, {
            filter,
            terms: queryTermsOf(text),
            vector: null,
            model: null,
            explain: true,
          });
          const expected = reference.search(filter, text);
          expect(candidates.map(({ chunkId, score, matched }) => ({ chunkId, score, matched }))).toEqual(
            expected.found,
          );
          if (candidates.length > 0) expect(terms.map(({ weight }) => weight)).toEqual(expected.weights);
        }
        db.close();
      },
    ),
    { numRuns: campaign('KEYWORD_RUNS', 50, 150) },
  );
});

test('a term of thousands of chunks is known of each, in whatever parts they came', () => {
  const db = new Sqlite(':memory:');
  loadVectorExtension(db);
  createTables(db);
  const rows = new Rows();
  const reference = new Reference();
  const [file] = reference.changesOf({
    kind: 'document',
    id: 1,
    source: 'a',
    effective: true,
    level: 0,
    from: 0,
    until: 9_999,
  });
  const writer = new IndexWriter(db, rows);
  writer.apply(file ? [file] : []);
  let having = 0;
  // Parts of many chunks and of one, begun anew as after a start.
  for (const size of [1, 7_000, 1, 3, 1_500, 1]) {
    const texts = Array.from({ length: size }, (_, at) => (at % 3 === 0 ? ['火灾'] : ['火', '火']));
    having += texts.filter(([one]) => one === '火灾').length;
    new IndexWriter(db, rows).apply(reference.changesOf({ kind: 'chunks', doc: 1, texts, times: 1 }));
  }
  const weightFor = (count: number): number =>
    Math.log(1 + (rows.alive - count + 0.5) / (count + 0.5)) ** 1.7;
  const { terms } = rank(db, rows, {
    filter: { tenantCode: tenantOf(1), maxRank: 3, now: NOW, sources: null },
    terms: [{ term: '火灾' }, { term: '灾' }, { term: '火' }],
    vector: null,
    model: null,
    explain: false,
  });
  expect(terms.map(({ weight }) => weight)).toEqual([
    weightFor(having),
    weightFor(having),
    weightFor(rows.alive),
  ]);
  db.close();
});

const isNumber = (term: string): boolean => /^第\d+[条款项章节]$|^\d+(?:\.\d+)+$/.test(term);

/** How often each term stands in the chunk, and its length; a number in its path and its title count more. */
function heldBy({ title, path, text }: IndexChunk): { times: Map<string, number>; length: number } {
  const times = termsOf(`${path ?? ''}\n${text}`);
  const length = [...times.values()].reduce((sum, one) => sum + one, 0);
  const more = (term: string, count: number): unknown => times.set(term, (times.get(term) ?? 0) + count);
  for (const term of termsOf(path ?? '').keys()) if (isNumber(term)) more(term, 4);
  for (const term of termsOf(title).keys()) if ([...term].length > 1) more(term, 2);
  if (title !== '') more(`《${title}》`, 1);
  return { times, length };
}

/** What once, twice, three times and five times cover; between them as the fewer. */
function covered(times: number, share: number): number {
  const told = [5, 3, 2, 1].find((least) => times >= least) ?? 0;
  return told === 0 ? 0 : told / (told + 1.2 * share);
}

class Reference {
  #documents = new Map<number, IndexDocument & { changeNo: number }>();
  #chunks = new Map<number, IndexChunk & { changeNo: number }>();
  #changeNo = 0;
  #lastChunk = 0;

  changesOf(change: Step): IndexChange[] {
    if (change.kind === 'document')
      return [{ ...change, tenant: tenantOf(change.id), changeNo: (this.#changeNo += 1) }];
    if (change.kind !== 'chunks') return [{ ...change, changeNo: (this.#changeNo += 1) }];
    return Array.from({ length: change.times }, () => change.texts)
      .flat()
      .map((words) => ({
        kind: 'chunk',
        changeNo: (this.#changeNo += 1),
        id: (this.#lastChunk += 1),
        tenant: tenantOf(change.doc),
        doc: change.doc,
        seq: this.#lastChunk,
        title: change.doc % 2 === 0 ? '' : '安全条例',
        path: words.length % 2 === 0 ? null : (words[0] ?? null),
        text: words.join(' '),
        embedding: null,
        model: null,
        dim: null,
      }));
  }

  apply(change: IndexChange): void {
    const drop = (rows: Map<number, { changeNo: number }>, which: (row: never) => boolean): void => {
      for (const [id, row] of rows)
        if (row.changeNo < change.changeNo && which(row as never)) rows.delete(id);
    };
    if (change.kind === 'document') this.#documents.set(change.id, change);
    else if (change.kind === 'chunk') this.#chunks.set(change.id, change);
    else if (change.kind === 'chunks_gone') drop(this.#chunks, (row: IndexChunk) => row.doc === change.doc);
    else
      for (const rows of [this.#chunks, this.#documents])
        drop(rows, (row: IndexDocument | IndexChunk) => row.tenant === change.tenant);
  }

  search(
    filter: HardFilter,
    text: string,
  ): { found: { chunkId: number; score: number; matched: number[] }[]; weights: number[] } {
    const fileOf = (chunk: IndexChunk): IndexDocument | undefined => this.#documents.get(chunk.doc);
    const seen = [...this.#chunks.values()]
      .filter((chunk) => {
        const file = fileOf(chunk);
        return (
          file !== undefined &&
          file.tenant === filter.tenantCode &&
          file.effective &&
          file.level <= filter.maxRank &&
          file.from <= NOW &&
          NOW < file.until
        );
      })
      .map((chunk) => ({ chunk, ...heldBy(chunk) }));
    const average = seen.reduce((sum, { length }) => sum + length, 0) / seen.length || 1;
    const asked = queryTermsOf(text);
    const weights = asked.map(({ term, share = 1 }) => {
      const having = seen.filter(({ times }) => times.has(term)).length;
      // What nobody has says nothing.
      const rarity = having === 0 ? 0 : Math.log(1 + (seen.length - having + 0.5) / (having + 0.5));
      const weight =
        (term.endsWith('_') ? 0.5 : isNumber(term) || term.startsWith('《') ? 3 : 1) * rarity ** 1.7;
      return share * weight;
    });
    const isOne = (term: string): boolean => /^\p{Script=Han}$/u.test(term);
    const inOrder = [...asked.entries()].toSorted(
      ([, one], [, other]) => Number(isOne(one.term)) - Number(isOne(other.term)),
    );
    const having = seen
      .filter(({ chunk }) => filter.sources === null || filter.sources.includes(fileOf(chunk)?.source ?? ''))
      .map(({ chunk, times, length }) => ({
        chunk,
        matched: asked.flatMap(({ term }, at) => (times.has(term) ? [at] : [])),
        sum: inOrder.reduce((sum, [at, { term }]) => {
          const share = /[\p{N}《]/u.test(term) ? 1 : length / average;
          return sum + (weights[at] ?? 0) * covered(times.get(term) ?? 0, share);
        }, 0),
      }))
      .filter(({ matched }) => matched.length > 0);
    // What has single characters alone is found only where nothing has more.
    const more = having.filter(({ matched }) => matched.some((at) => !isOne(asked[at]?.term ?? '')));
    const sums = more.length > 0 ? more : having;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const found = sums.map(({ chunk, matched, sum }) => {
      const best = sums.filter((one) => one.chunk.doc === chunk.doc).map((one) => one.sum);
      const ten = best.sort((one, other) => other - one).slice(0, 10);
      const file = ten.reduce((all, one) => all + one, 0) / 10;
      return { chunk, matched, score: 1 - (1 - (sum + 0.3 * file) / (1.3 * total)) ** 4 };
    });
    found.sort((a, b) => b.score - a.score || a.chunk.doc - b.chunk.doc || a.chunk.seq - b.chunk.seq);
    return {
      found: found
        .slice(0, RECALL)
        .map(({ chunk, score, matched }) => ({ chunkId: chunk.id, score, matched })),
      weights,
    };
  }
}
