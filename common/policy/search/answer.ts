// What is answered to a question, out of the ranking of its index: what may be shown, with its twins, and
// whether it is an answer.
import {
  type Candidate,
  JUDGED,
  KEYWORD_SHARE,
  type RankedTerm,
  type Ranking,
  VECTOR_SHARE,
} from '../index/rank.ts';
import { levelOf } from '../level.ts';
import { certainNoteOf } from './certainty.ts';
import {
  type HitView,
  leastScore,
  type SearchInput,
  type SearchView,
  type TwinView,
  type VecNote,
} from './schema.ts';
import { repeats, type Wording, wordingOf } from './twins.ts';

/** A clause with its file, as an answer shows them. */
export interface FoundClause {
  chunk: {
    id: number;
    seq: number;
    clausePath: string | null;
    page: number | null;
    text: string;
    textSha256: string;
  };
  document: {
    id: number;
    tenantCode: string;
    title: string;
    docNo: string | null;
    version: string;
    srcSystem: string;
    srcKey: string;
    /** Rank. */
    level: number;
    effectiveDate: string | null;
    expiryDate: string | null;
  };
}

/** What an answer is made with. */
export interface Answering {
  input: SearchInput;
  visibility: { tenantCode: string; maxRank: number };
  /** Those of these clauses whose files are in force now, in any order. */
  clauses: (ids: readonly number[]) => Promise<FoundClause[]>;
  /** Why the question has no vector; empty where it has one. */
  vectorNote: VecNote;
}

interface Found {
  candidate: Candidate;
  found: FoundClause;
}
interface Hit extends Found {
  wording: Wording;
  twins: Found[];
}

/** Repetitions that stand with one clause; further ones stand by themselves. */
const MOST_TWINS = 20;
/** Candidates that are looked up at a time. */
const SLICE = 20;

export async function answerOf(ranking: Ranking, answering: Answering): Promise<SearchView> {
  const { input, vectorNote } = answering;
  const best = ranking.candidates[0]?.score ?? 0;
  const least = input.min_score ?? leastScore(best, ranking.model !== null);
  const shown = ranking.candidates.filter(({ score }) => score >= least);
  const hits = await confirmed(shown, answering);
  const note = certainNoteOf(ranking, hits.length === 0 ? [] : shown.slice(0, JUDGED));
  return {
    items: hits.map((hit) => viewOf(hit, input.explain ? ranking : null)),
    index_version: ranking.model === null ? 'kb1/lex' : `kb1/hybrid/${ranking.model}`,
    min_score: least,
    left_out: ranking.candidates.length - shown.length,
    certain: note === '',
    certain_note: note,
    vec_note: vectorNote === '' ? (ranking.obstacle ?? '') : vectorNote,
    ...(input.explain ? { terms: ranking.terms.filter(({ beside }) => !beside).map(termView) } : {}),
  };
}

/**
 * Every hit is looked up in the store once more: the index only proposes. What repeats a better one of
 * another file stands with it, and takes the place of no other.
 */
async function confirmed(candidates: readonly Candidate[], answering: Answering): Promise<Hit[]> {
  const top = answering.input.top_k;
  const hits: Hit[] = [];
  for (let from = 0; from < candidates.length && hits.length < top; from += SLICE) {
    const slice = candidates.slice(from, from + Math.max(SLICE, top));
    const rows = await answering.clauses(slice.map((one) => one.chunkId));
    const allowed = new Map(rows.filter((row) => mayShow(row, answering)).map((row) => [row.chunk.id, row]));
    for (const candidate of slice) {
      const found = allowed.get(candidate.chunkId);
      if (found) place(hits, { candidate, found }, top);
    }
  }
  return hits;
}

/** The hard filter once more, on what the store says now. */
function mayShow({ document }: FoundClause, { visibility, input }: Answering): boolean {
  const sources = input.src_systems ?? null;
  return (
    document.tenantCode === visibility.tenantCode &&
    document.level <= visibility.maxRank &&
    (sources === null || sources.includes(document.srcSystem))
  );
}

function place(hits: Hit[], one: Found, top: number): void {
  const { chunk, document } = one.found;
  const wording = wordingOf(chunk.text);
  // Clauses of one file stand beside one another on purpose.
  const known = hits.find(
    ({ found, twins, wording: first }) =>
      found.document.id !== document.id && twins.length < MOST_TWINS && repeats(first, wording),
  );
  if (known) known.twins.push(one);
  else if (hits.length < top) hits.push({ ...one, wording, twins: [] });
}

function viewOf({ candidate, found: { chunk, document }, twins }: Hit, explained: Ranking | null): HitView {
  const { title, docNo, version, srcSystem, srcKey, effectiveDate, expiryDate } = document;
  const view: HitView = {
    chunkId: chunk.id,
    docId: document.id,
    seq: chunk.seq,
    title,
    docNo,
    version,
    srcSystem,
    srcKey,
    securityLevel: levelOf(document.level),
    effectiveDate,
    expiryDate,
    clausePath: chunk.clausePath,
    page: chunk.page,
    text: chunk.text,
    sha256: chunk.textSha256,
    score: candidate.score,
    twins: twins.map(twinOf),
  };
  if (!explained) return view;
  const hybrid = candidate.vector !== null;
  return {
    ...view,
    explain: {
      keywordScore: candidate.keyword,
      vectorScore: candidate.vector,
      keywordShare: hybrid ? KEYWORD_SHARE : 1,
      vectorShare: hybrid ? VECTOR_SHARE : 0,
      foundBy: candidate.by,
      matchedTerms: candidate.matched
        .flatMap((at) => explained.terms[at] ?? [])
        .filter(({ beside }) => !beside)
        .map(termView),
    },
  };
}

function twinOf({ candidate, found: { chunk, document } }: Found): TwinView {
  const { title, docNo, version } = document;
  return {
    chunkId: chunk.id,
    docId: document.id,
    title,
    docNo,
    version,
    clausePath: chunk.clausePath,
    page: chunk.page,
    sha256: chunk.textSha256,
    score: candidate.score,
  };
}

const termView = ({ term, weight, synonyms }: RankedTerm) => ({ term, weight, synonyms });
