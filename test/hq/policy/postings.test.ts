// What the index says has a term, against a plain map of who has which.
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTables } from '../../../hq/policy/index/layout.ts';
import { eachWith, PostingWriter } from '../../../hq/policy/index/postings.ts';

const PART = 16_384;

test('each term has its chunks, whatever is written together, across parts and tenants', () => {
  const term = fc.constantFrom('火', '火灾', '火作', '动火', '𠮷', '𠮷火', '火𠮷', 'gb', 'g', 'gb-9087', '第12条', '〇', '三', 'é', '\u{ffff}', '火\u{ffff}');
  const chunk = fc.record({ tenant: fc.constantFrom(1, 2), step: fc.constantFrom(1, 1, 1, 2, PART - 1, PART, 3 * PART), terms: fc.uniqueArray(term), flush: fc.boolean() });
  fc.assert(fc.property(fc.array(chunk, { maxLength: 40 }), (chunks) => {
    const db = new Sqlite(':memory:');
    createTables(db);
    const writer = new PostingWriter(db);
    const expected = new Map<string, number[]>();
    let no = 0;
    for (const { tenant, step, terms, flush } of chunks) {
      no += step;
      writer.add(tenant, no, terms);
      for (const one of terms) expected.set(`${tenant} ${one}`, [...(expected.get(`${tenant} ${one}`) ?? []), no]);
      if (flush) writer.flush();
    }
    writer.flush();
    const found = (tenant: number, query: { term: string; prefix: boolean }): number[] => {
      const nos: number[] = [];
      eachWith(db, tenant, query, (one) => nos.push(one));
      return nos;
    };
    for (const [key, nos] of expected) expect(found(Number(key[0]), { term: key.slice(2), prefix: false })).toEqual(nos);
    for (const tenant of [1, 2]) {
      const byPrefix = [...expected].filter(([key]) => key.startsWith(`${tenant} 火`)).flatMap(([, nos]) => nos);
      expect(new Set(found(tenant, { term: '火', prefix: true }))).toEqual(new Set(byPrefix));
      expect(found(tenant, { term: '灾', prefix: false })).toEqual([]);
    }
    db.close();
  }), { numRuns: 200 });
});
