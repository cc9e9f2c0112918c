import { type Clock, stampOf } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import { type EmbedBudget, type EmbedClient, EmbedError } from '../embed/client.ts';
import {
  type Candidate,
  JUDGED,
  KEYWORD_SHARE,
  type Question,
  type RankedTerm,
  type Ranking,
  VECTOR_SHARE,
} from '../index/rank.ts';
import { noteOf } from '../open-question/note.ts';
import { MOST_QUESTIONS, type OpenQuestionPort } from '../open-question/port.ts';
import type { PolicyContents, Visibility } from '../port.ts';
import { type ChunkWithDocument, levelOf } from '../record.ts';
import type { SynonymTables } from '../synonyms/tables.ts';
import { queryTermsOf } from '../terms/terms.ts';
import { isInForce } from '../validity.ts';
import { certainNoteOf } from './certainty.ts';
import {
  type CertainNote,
  type HitView,
  leastScore,
  type SearchInput,
  type SearchView,
  type TwinView,
  type VecNote,
} from './schema.ts';
import { repeats, type Wording, wordingOf } from './twins.ts';

export interface SearchServiceOptions {
  index: { search(question: Question): Promise<Ranking> };
  contents: Pick<PolicyContents, 'chunksWithDocuments'>;
  synonyms: Pick<SynonymTables, 'of'>;
  questions: Pick<OpenQuestionPort, 'note'>;
  /** null: none is configured. */
  embedder: EmbedClient | null;
  budget: Pick<EmbedBudget, 'take'>;
  clock: Clock;
  log: Logger;
}

interface Found {
  candidate: Candidate;
  found: ChunkWithDocument;
}
interface Hit extends Found {
  wording: Wording;
  twins: Found[];
}

interface QueryVector {
  vector: Float32Array | null;
  model: string | null;
  note: VecNote;
}

/** Clauses that a summary is made with. */
const EXCERPTS = 2;
/** Repetitions that stand with one clause; further ones stand by themselves. */
const MOST_TWINS = 20;
/** Candidates that are looked up in the database at a time. */
const SLICE = 20;

export class SearchService {
  readonly #options: SearchServiceOptions;

  constructor(options: SearchServiceOptions) {
    this.#options = options;
  }

  /**
   * Search within what the asker may see (spec 3, "Search body"). @throws AppError 503 while the index is
   * being made
   */
  async search(input: SearchInput, visibility: Visibility): Promise<SearchView> {
    const { view, ranking } = await this.#find(input, visibility);
    await this.#note(input, visibility.tenantCode, view.certain_note, ranking.terms);
    return view;
  }

  async #find(input: SearchInput, visibility: Visibility): Promise<{ view: SearchView; ranking: Ranking }> {
    const { vector, model, note: vectorNote } = await this.#vectorOf(input, visibility.tenantCode);
    const sources = input.src_systems ?? null;
    const now = this.#options.clock.now();
    const filter = { tenantCode: visibility.tenantCode, maxRank: visibility.maxRank, now, sources };
    const ranking = await this.#options.index.search({
      filter,
      terms: queryTermsOf(input.query, await this.#options.synonyms.of(visibility.tenantCode)),
      vector,
      model,
      explain: input.explain,
    });
    const best = ranking.candidates[0]?.score ?? 0;
    const least = input.min_score ?? leastScore(best, ranking.model !== null);
    const shown = ranking.candidates.filter(({ score }) => score >= least);
    const hits = await this.#confirmed(shown, { visibility, sources, top: input.top_k });
    const items = hits.map((hit) => viewOf(hit, input.explain ? ranking : null));
    const note = certainNoteOf(ranking, hits.length === 0 ? [] : shown.slice(0, JUDGED));
    const view: SearchView = {
      items,
      index_version: ranking.model === null ? 'kb1/lex' : `kb1/hybrid/${ranking.model}`,
      min_score: least,
      left_out: ranking.candidates.length - shown.length,
      certain: note === '',
      certain_note: note,
      vec_note: vector === null ? vectorNote : (ranking.obstacle ?? ''),
      ...(input.explain ? { terms: ranking.terms.filter(({ beside }) => !beside).map(termView) } : {}),
    };
    return { view, ranking };
  }

  /**
   * A question without a certain answer is noted for who keeps the library, unless only a part of it was
   * asked. The answer does not wait on a store that cannot take it.
   */
  async #note(
    input: SearchInput,
    tenantCode: string,
    note: CertainNote,
    terms: readonly RankedTerm[],
  ): Promise<void> {
    if (note === '' || (input.src_systems ?? null) !== null || (input.min_score ?? null) !== null) return;
    const { questions, clock, log } = this.#options;
    try {
      const command = noteOf({ tenantCode, question: input.query, note }, terms);
      await questions.note(command, MOST_QUESTIONS, stampOf(clock));
    } catch (error) {
      log.warn({ err: error }, 'a question without a certain answer was not noted');
    }
  }

  /** For a model that summarises an event: a few clauses with where they stand. @throws AppError 503 */
  async excerpts(tenantCode: string, query: string): Promise<string[]> {
    const input = { query, top_k: EXCERPTS, auto_embed: true, explain: false };
    const { view } = await this.#find(input, { tenantCode, maxRank: 0 });
    return view.items.map(({ title, clausePath, text }) => `《${title}》${clausePath ?? ''}：${text}`);
  }

  /** The caller's vector, or one of the embedding service (spec 3, "vec_note"). */
  async #vectorOf(input: SearchInput, tenantCode: string): Promise<QueryVector> {
    const without = (note: VecNote): QueryVector => ({ vector: null, model: null, note });
    if (input.query_embedding) {
      const model = input.embed_model ?? this.#options.embedder?.model ?? null;
      if (this.#options.embedder && model !== this.#options.embedder.model)
        return without('embed_model_mismatch');
      return { vector: Float32Array.from(input.query_embedding), model, note: '' };
    }
    if (!input.auto_embed) return without('no_query_embedding');
    if (!this.#options.embedder) return without('embed_not_configured');
    if (input.embed_model && input.embed_model !== this.#options.embedder.model)
      return without('embed_model_mismatch');
    if (!(await this.#options.budget.take(tenantCode))) return without('embed_unavailable');
    try {
      const [vector] = await this.#options.embedder.embed([input.query]);
      return {
        vector: vector ?? null,
        model: this.#options.embedder.model,
        note: vector ? '' : 'embed_unavailable',
      };
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error;
      this.#options.log.warn({ why: error.message }, 'a question got no vector; it was searched by keywords');
      return without(error.kind === 'other_model' ? 'embed_model_mismatch' : 'embed_unavailable');
    }
  }

  /**
   * Every hit is looked up in the database once more: the index only proposes. What repeats a better one
   * of another file stands with it, and takes the place of no other.
   */
  async #confirmed(
    candidates: readonly Candidate[],
    within: { visibility: Visibility; sources: readonly string[] | null; top: number },
  ): Promise<Hit[]> {
    const hits: Hit[] = [];
    for (let from = 0; from < candidates.length && hits.length < within.top; from += SLICE) {
      const slice = candidates.slice(from, from + Math.max(SLICE, within.top));
      const rows = await this.#options.contents.chunksWithDocuments(slice.map((one) => one.chunkId));
      const now = this.#options.clock.now();
      const allowed = new Map(
        rows.filter((row) => mayShow(row, within, now)).map((row) => [row.chunk.id, row]),
      );
      for (const candidate of slice) {
        const found = allowed.get(candidate.chunkId);
        if (found) place(hits, { candidate, found }, within.top);
      }
    }
    return hits;
  }
}

/** The hard filter once more, on what the database says now. */
function mayShow(
  { document }: ChunkWithDocument,
  within: { visibility: Visibility; sources: readonly string[] | null },
  now: number,
): boolean {
  const { visibility, sources } = within;
  return (
    document.tenantCode === visibility.tenantCode &&
    document.level <= visibility.maxRank &&
    isInForce(document, now) &&
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
