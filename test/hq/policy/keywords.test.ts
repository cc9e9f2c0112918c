// The keyword leg against a plain reading of the specification, over random libraries that change.
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { load as loadVectorExtension } from 'sqlite-vec';
import { expect, test } from 'vitest';
import type { IndexChange, IndexChunk, IndexDocument } from '../../../hq/policy/index/change.ts';
import type { HardFilter } from '../../../hq/policy/index/filter.ts';
import { createTables } from '../../../hq/policy/index/layout.ts';
import { rank } from '../../../hq/policy/index/rank.ts';
import { Rows } from '../../../hq/policy/index/rows.ts';
import { IndexWriter } from '../../../hq/policy/index/writer.ts';
import { queryTermsOf, termsOf } from '../../../hq/policy/terms/terms.ts';
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
      .map((chunk) => ({ chunk, terms: [...termsOf(`${chunk.path ?? ''}\n${chunk.text}`)] }));
    const asked = queryTermsOf(text);
    const has = (terms: readonly string[], { term, prefix }: { term: string; prefix: boolean }): boolean =>
      terms.some((one) => (prefix ? one.startsWith(term) : one === term));
    const weights = asked.map((term) => {
      const having = seen.filter(({ terms }) => has(terms, term)).length;
      // What nobody has says nothing.
      return having === 0 ? 0 : Math.log(1 + (seen.length - having + 0.5) / (having + 0.5));
    });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const found = seen
      .filter(({ chunk }) => filter.sources === null || filter.sources.includes(fileOf(chunk)?.source ?? ''))
      .map(({ chunk, terms }) => {
        const matched = asked.flatMap((term, at) => (has(terms, term) ? [at] : []));
        return {
          chunk,
          matched,
          score: matched.reduce((sum, at) => sum + (weights[at] as number), 0) / total,
        };
      })
      .filter(({ matched }) => matched.length > 0);
    found.sort((a, b) => b.score - a.score || a.chunk.doc - b.chunk.doc || a.chunk.seq - b.chunk.seq);
    return {
      found: found
        .slice(0, RECALL)
        .map(({ chunk, score, matched }) => ({ chunkId: chunk.id, score, matched })),
      weights,
    };
  }
}
