// The keyword leg: weighted coverage of the question's terms (spec 3, search step 3). A term weighs by how
// few of the chunks have it that this asker may see: what is above the asker's level changes no score, so no
// score tells of it.
import type Sqlite from 'better-sqlite3';
import { isCharacter, isWhole, type QueryTerm } from '../terms/terms.ts';
import { hasEntry, levelOf, listOf, noOf, type TermList } from './lists.ts';
import type { Rows } from './rows.ts';
import { coverage, FileBest, rarityOf, scoreOf, weightOf } from './score.ts';

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
  /** Chunks of all files that the asker may see, and their length together. */
  chunks: number;
  length: number;
}

export interface Keywords {
  /** By chunk number, 0 to 1. */
  scoreOf: (no: number) => number;
  /** Chunk numbers that have at least one of the terms, of wanted files, in no order. */
  hits: Uint32Array;
  /** Which terms a chunk has, as positions in the question's terms. */
  matched(no: number): number[];
  weights: number[];
  /** How rare each term is among the chunks that the asker may see; 0 where none has it. */
  rarities: number[];
}

export function findKeywords(
  db: Sqlite.Database,
  rows: Rows,
  visible: VisibleFiles,
  terms: readonly QueryTerm[],
): Keywords {
  const lists = terms.map((term) => visibleOf(rows, visible, listOf(db, visible.tenant, term)));
  const rarities = lists.map((list) => rarityOf(list.length, visible.chunks));
  const weights = terms.map(({ term, share = 1 }, at) => share * weightOf(term, rarities[at] ?? 0));
  const sums = new Float64Array(rows.highest + 1);
  const hits: number[] = [];
  // Clauses may have no word at all.
  const average = visible.length === 0 ? 1 : visible.length / visible.chunks;
  const cover = (at: number, finds: boolean): void => {
    // The length of a clause says nothing of whether it is the one of that number.
    const whole = isWhole(terms[at]?.term ?? '');
    for (const entry of lists[at] ?? []) {
      const no = noOf(entry);
      if (sums[no] === 0 && !finds) continue;
      if (visible.mask[rows.docOf[no] as number] !== WANTED) continue;
      if (sums[no] === 0) hits.push(no);
      const length = whole ? 1 : (rows.lengthOf[no] as number) / average;
      (sums[no] as number) += (weights[at] as number) * coverage(levelOf(entry), length);
    }
  };
  const [characters, others] = parted(terms);
  for (const at of others) cover(at, true);
  // Nearly every clause has one of the characters: they find something where nothing else does, and otherwise
  // only say more of what was found.
  const finds = hits.length === 0;
  for (const at of characters) cover(at, finds);
  const scores = scoresOf(rows, hits, sums, weights);
  return {
    scoreOf: (no) => scores[no] ?? 0,
    hits: Uint32Array.from(hits),
    matched: (no) => lists.flatMap((list, at) => (hasEntry(list, no) ? [at] : [])),
    weights,
    rarities,
  };
}

/** The entries of chunks that the asker may see; deleted ones are left out. */
function visibleOf(rows: Rows, { mask }: VisibleFiles, list: TermList): TermList {
  const seen = new Uint32Array(list.length);
  let count = 0;
  for (const entry of list) {
    const doc = rows.docOf[noOf(entry)] ?? 0;
    if (doc === 0 || mask[doc] === 0) continue;
    seen[count] = entry;
    count += 1;
  }
  return seen.subarray(0, count);
}

/** Positions of the terms that are one character, and of the others. */
function parted(terms: readonly QueryTerm[]): [number[], number[]] {
  const [characters, others]: [number[], number[]] = [[], []];
  for (const [at, { term }] of terms.entries()) (isCharacter(term) ? characters : others).push(at);
  return [characters, others];
}

function scoresOf(
  rows: Rows,
  hits: readonly number[],
  sums: Float64Array,
  weights: readonly number[],
): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const files = new Map<number, FileBest>();
  for (const no of hits) fileOf(files, rows.docOf[no] as number).add(sums[no] as number);
  const averages = new Map([...files].map(([doc, best]) => [doc, best.average]));
  const scores = new Float64Array(sums.length);
  for (const no of hits)
    scores[no] = scoreOf(sums[no] as number, averages.get(rows.docOf[no] as number) as number, total);
  return scores;
}

function fileOf(files: Map<number, FileBest>, doc: number): FileBest {
  let best = files.get(doc);
  if (!best) files.set(doc, (best = new FileBest()));
  return best;
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
    // A loop, since `from` with a function is slower.
    const scores = new Float64Array(candidates.length);
    for (const [at, no] of candidates.entries()) scores[at] = scoreOf(no);
    const threshold = scores.slice().sort()[scores.length - limit] as number;
    const above = candidates.filter((_, at) => (scores[at] as number) > threshold);
    const level = candidates.filter((_, at) => scores[at] === threshold);
    chosen = [...above, ...[...level].sort(byFilePosition(rows)).slice(0, limit - above.length)];
  }
  const order = byFilePosition(rows);
  return [...chosen].sort((a, b) => scoreOf(b) - scoreOf(a) || order(a, b));
}

export function byFilePosition(rows: Rows): (a: number, b: number) => number {
  const docId = (no: number): number => rows.docIds[rows.docOf[no] as number] as number;
  return (a, b) => docId(a) - docId(b) || (rows.seqOf[a] as number) - (rows.seqOf[b] as number);
}
