// The keyword leg: weighted coverage of the question's terms (spec 3, search step 3). A term weighs by how
// few of the chunks have it that this asker may see: what is above the asker's level changes no score, so no
// score tells of it.
import type Sqlite from 'better-sqlite3';
import type { QueryTerm } from '../terms/terms.ts';
import { statement } from './layout.ts';
import type { Rows } from './rows.ts';

/**
 * Marks of a file in `VisibleFiles.mask`: the asker may see it; the asker may see it and asked for its
 * source.
 */
export const VISIBLE = 1;
export const WANTED = 2;

export interface VisibleFiles {
  tenant: number;
  /** By file number: 0 (the asker may not see it), VISIBLE or WANTED. */
  mask: Uint8Array;
  /** Chunks of all files that the asker may see. */
  chunks: number;
}

export interface Keywords {
  /** Coverage by chunk number, 0 to 1. */
  scoreOf: (no: number) => number;
  /** Chunk numbers that have at least one of the terms, of wanted files, in no order. */
  hits: Uint32Array;
  /** Which terms a chunk has, as positions in the question's terms. */
  matched(no: number): number[];
  weights: number[];
}

/**
 * Inverse document frequency. A term that occurs nowhere says nothing of the library and weighs nothing:
 * otherwise the pieces of a long question that straddle words would outweigh those that answer it.
 */
const weightOf = (having: number, chunks: number): number =>
  having === 0 ? 0 : Math.log(1 + (chunks - having + 0.5) / (having + 0.5));

export function findKeywords(
  db: Sqlite.Database,
  rows: Rows,
  visible: VisibleFiles,
  terms: readonly QueryTerm[],
): Keywords {
  const room = rows.highest + 1;
  const scores = new Float64Array(room);
  const lists = terms.map((term) => chunksWith(db, rows, visible, term));
  const weights = lists.map((list) => weightOf(list.length, visible.chunks));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const touched: number[] = [];
  lists.forEach((list, at) => {
    const weight = weights[at] as number;
    for (const no of list) {
      if (visible.mask[rows.docOf[no] as number] !== WANTED) continue;
      if (scores[no] === 0) touched.push(no);
      (scores[no] as number) += weight;
    }
  });
  return {
    // The same sum in the same order: a chunk with every term has exactly 1.
    scoreOf: (no) => (total === 0 ? 0 : (scores[no] ?? 0) / total),
    hits: Uint32Array.from(touched),
    matched: (no) => lists.flatMap((list, at) => (list.includes(no) ? [at] : [])),
    weights,
  };
}

/**
 * A term of a tenant as the full-text index holds it, so that no tenant's question reads what others have.
 * Terms hold no quote, no capital of ASCII and no ASCII sign but those that the tokenizer takes as part of a
 * word.
 */
const tokenOf = (tenant: number, term: string): string => `${tenant}:${term}`;

/** Enters the terms of a new chunk. */
export function addTerms(db: Sqlite.Database, tenant: number, no: number, terms: Iterable<string>): void {
  const tokens = Array.from(terms, (term) => tokenOf(tenant, term));
  statement(db, 'insert into terms (rowid, words) values (?, ?)').run(no, tokens.join(' '));
}

/**
 * Numbers of the chunks that have a term, or one of its synonyms, and that the asker may see, each once;
 * deleted chunks are left out.
 */
function chunksWith(
  db: Sqlite.Database,
  rows: Rows,
  visible: VisibleFiles,
  { term, prefix, anyOf }: QueryTerm,
): Uint32Array {
  const quoted = (one: string): string => `"${tokenOf(visible.tenant, one)}"`;
  const query = anyOf
    ? anyOf.map((all) => `(${all.map(quoted).join(' AND ')})`).join(' OR ')
    : `${quoted(term)}${prefix ? '*' : ''}`;
  // One text of all numbers is read twice as fast as a row for each.
  const find = statement(db, 'select json_group_array(rowid) from terms where terms match ?').pluck();
  const nos = JSON.parse(find.get(query) as string) as number[];
  return Uint32Array.from(
    nos.filter((no) => {
      const doc = rows.docOf[no] ?? 0;
      return doc !== 0 && visible.mask[doc] !== 0;
    }),
  );
}

/**
 * The best of `candidates`, best first. Equal scores are ordered by file and position in the file, which are
 * the same in every index, so that every index gives the same result.
 */
export function best(
  rows: Rows,
  candidates: Uint32Array,
  scoreOf: (no: number) => number,
  limit: number,
): number[] {
  let chosen: Iterable<number> = candidates;
  if (candidates.length > limit) {
    const scores = Float64Array.from(candidates, scoreOf).sort();
    const threshold = scores[scores.length - limit] as number;
    const above = candidates.filter((no) => scoreOf(no) > threshold);
    const level = candidates.filter((no) => scoreOf(no) === threshold);
    chosen = [...above, ...[...level].sort(byFilePosition(rows)).slice(0, limit - above.length)];
  }
  const order = byFilePosition(rows);
  return [...chosen].sort((a, b) => scoreOf(b) - scoreOf(a) || order(a, b));
}

export function byFilePosition(rows: Rows): (a: number, b: number) => number {
  const docId = (no: number): number => rows.docIds[rows.docOf[no] as number] as number;
  return (a, b) => docId(a) - docId(b) || (rows.seqOf[a] as number) - (rows.seqOf[b] as number);
}
