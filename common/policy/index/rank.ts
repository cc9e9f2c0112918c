import type Sqlite from 'better-sqlite3';
import type { QueryTerm } from '../terms/terms.ts';
import { type Condition, conditionOf, type HardFilter } from './filter.ts';
import {
  best,
  byFilePosition,
  findKeywords,
  type Keywords,
  VISIBLE,
  type VisibleFiles,
  WANTED,
} from './keywords.ts';
import { statement } from './layout.ts';
import type { Rows } from './rows.ts';
import { nearest, scoreIn, type Space } from './vectors.ts';

/** Most chunks that each leg brings (spec 3, "Limits"). */
const KEYWORD_RECALL = 200;
const VECTOR_RECALL = 50;
/** Best candidates by which it is judged whether the question is answered. */
export const JUDGED = 3;
export const KEYWORD_SHARE = 0.35;
export const VECTOR_SHARE = 0.65;

export interface Question {
  filter: HardFilter;
  terms: readonly QueryTerm[];
  vector: Float32Array | null;
  /** Model of the vector; null: whatever has its dimension. */
  model: string | null;
  explain: boolean;
}

export interface Candidate {
  chunkId: number;
  docId: number;
  seq: number;
  score: number;
  keyword: number;
  vector: number | null;
  /** Which legs found it. */
  by: ('keyword' | 'vector')[];
  /** Positions in `terms`; of the first `JUDGED`, and of all when asked for. */
  matched: number[];
}

/** Why a vector that was given could not be used. */
export type Obstacle = 'no_embedded_chunks' | 'embed_model_mismatch' | 'dim_mismatch';

export interface RankedTerm {
  term: string;
  weight: number;
  /** Inverse document frequency; 0 where no chunk has it. */
  rarity: number;
  /** It stands beside another that says the same. */
  beside: boolean;
  synonyms: boolean;
}

export interface Ranking {
  /** Best first; at most KEYWORD_RECALL + VECTOR_RECALL. */
  candidates: Candidate[];
  terms: RankedTerm[];
  /** Chunks that the asker may see. */
  chunks: number;
  /** Model that the vectors were compared in; null where only keywords counted. */
  model: string | null;
  obstacle: Obstacle | null;
}

/**
 * Ranks the chunks that the filter leaves (spec 3, search steps 1 to 4). The same question to the same
 * library gives the same ranking.
 */
export function rank(db: Sqlite.Database, rows: Rows, question: Question): Ranking {
  const { filter, terms } = question;
  const tenant = numberOf(db, 'tenant', filter.tenantCode);
  const sources =
    filter.sources === null ? null : filter.sources.flatMap((name) => numberOf(db, 'source', name) ?? []);
  if (tenant === null) return nothingFor(question);
  const visible = visibleFiles(db, rows, { tenant, ...filter }, sources);
  const keywords = findKeywords(db, rows, visible, terms);
  const condition = conditionOf({ tenant, ...filter }, sources);
  const byKeyword = best(rows, keywords.hits, keywords.scoreOf, KEYWORD_RECALL);
  const { space, cosines } = nearestOf(db, rows, question, condition);
  const hybrid = question.vector !== null && cosines.size > 0;
  const inKeyword = new Set(byKeyword);
  const scored = [...new Set([...byKeyword, ...cosines.keys()])].map((no) => {
    const keyword = keywords.scoreOf(no);
    const vector =
      hybrid && question.vector && space
        ? (cosines.get(no) ?? scoreIn(db, space, rows, question.vector, no))
        : null;
    return {
      no,
      keyword,
      vector,
      score: vector === null ? keyword : KEYWORD_SHARE * keyword + VECTOR_SHARE * vector,
    };
  });
  const order = byFilePosition(rows);
  scored.sort((a, b) => b.score - a.score || b.keyword - a.keyword || order(a.no, b.no));
  return {
    candidates: scored.map(({ no, ...scores }, at) => ({
      ...scores,
      chunkId: rows.idOf[no] as number,
      docId: rows.docIds[rows.docOf[no] as number] as number,
      seq: rows.seqOf[no] as number,
      by: [
        ...(inKeyword.has(no) ? ['keyword' as const] : []),
        ...(cosines.has(no) ? ['vector' as const] : []),
      ],
      matched: question.explain || at < JUDGED ? keywords.matched(no) : [],
    })),
    terms: rankedTerms(terms, keywords),
    chunks: visible.chunks,
    model: hybrid && space ? space.model : null,
    obstacle: question.vector && !hybrid ? obstacleOf(db, rows, visible, question.vector.length) : null,
  };
}

const rankedTerms = (terms: readonly QueryTerm[], { weights, rarities }: Keywords): RankedTerm[] =>
  terms.map(({ term, anyOf, share }, at) => ({
    term,
    weight: weights[at] as number,
    rarity: rarities[at] as number,
    beside: share !== undefined,
    synonyms: anyOf !== undefined,
  }));

/** The answer of an empty library. */
export const nothingFor = ({ vector }: Question): Ranking => ({
  candidates: [],
  terms: [],
  chunks: 0,
  model: null,
  obstacle: vector ? 'no_embedded_chunks' : null,
});

interface VisibilityFilter {
  tenant: number;
  maxRank: number;
  now: number;
}

/** The files that the hard filter leaves, once for weights and once for results. */
function visibleFiles(
  db: Sqlite.Database,
  rows: Rows,
  filter: VisibilityFilter,
  sources: readonly number[] | null,
): VisibleFiles {
  const mask = new Uint8Array(rows.docIds.length);
  const nosBy = (wanted: readonly number[] | null): number[] => {
    const { sql, values } = conditionOf(filter, wanted);
    return statement(db, `select no from docs where ${sql}`)
      .pluck()
      .all(...values) as number[];
  };
  let [chunks, length] = [0, 0];
  for (const no of nosBy(null)) {
    mask[no] = sources === null ? WANTED : VISIBLE;
    chunks += rows.chunksOf[no] ?? 0;
    length += rows.lengthsOf[no] ?? 0;
  }
  if (sources !== null) for (const no of nosBy(sources)) mask[no] = WANTED;
  return { tenant: filter.tenant, mask, chunks, length };
}

function numberOf(db: Sqlite.Database, kind: 'tenant' | 'source' | 'model', name: string): number | null {
  return (
    (statement(db, 'select no from names where kind = ? and name = ?').pluck().get(kind, name) as
      number | undefined) ?? null
  );
}

/**
 * The nearest chunks with their scores. Only vectors of one model are compared with each other. If the
 * question names no model, it is the first one by name of which the asker may see a vector.
 */
function nearestOf(
  db: Sqlite.Database,
  rows: Rows,
  question: Question,
  condition: Condition,
): { space: Space | null; cosines: Map<number, number> } {
  const { vector, model } = question;
  if (vector === null) return { space: null, cosines: new Map() };
  const spaces = statement(
    db,
    'select s.no, s.dim, n.name as model from spaces s join names n on n.no = s.model where s.dim = ? ' +
      'order by n.name',
  ).all(vector.length) as Space[];
  for (const space of spaces.filter((one) => model === null || one.model === model)) {
    const cosines = nearest(db, rows, { vector, space, condition }, VECTOR_RECALL);
    if (cosines.size > 0) return { space, cosines };
  }
  return { space: null, cosines: new Map() };
}

/**
 * Why the vector of the question could not be used. Only chunks that the asker may see are looked at, so that
 * the reason tells nothing about the others.
 */
function obstacleOf(db: Sqlite.Database, rows: Rows, visible: VisibleFiles, dim: number): Obstacle {
  const seen = new Set<number>();
  for (let no = 1; no <= rows.highest; no += 1) {
    const space = rows.spaceOf[no] ?? 0;
    if (space > 0 && visible.mask[rows.docOf[no] as number] === WANTED) seen.add(space);
  }
  seen.delete(0);
  if (seen.size === 0) return 'no_embedded_chunks';
  const dims = [...seen].map(
    (space) => statement(db, 'select dim from spaces where no = ?').pluck().get(space) as number,
  );
  return dims.includes(dim) ? 'embed_model_mismatch' : 'dim_mismatch';
}
