import { type Clock, stampOf } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import type { Question, RankedTerm, Ranking } from '../../../common/policy/index/rank.ts';
import { answerOf } from '../../../common/policy/search/answer.ts';
import type { CertainNote, SearchInput, SearchView, VecNote } from '../../../common/policy/search/schema.ts';
import type { SynonymTables } from '../../../common/policy/search/synonym-tables.ts';
import { queryTermsOf } from '../../../common/policy/terms/terms.ts';
import { type EmbedBudget, type EmbedClient, EmbedError } from '../embed/client.ts';
import { noteOf, unknownWords } from '../open-question/note.ts';
import { MOST_QUESTIONS, type OpenQuestionPort } from '../open-question/port.ts';
import type { PolicyContents, Visibility } from '../port.ts';
import type { ChunkWithDocument } from '../record.ts';
import { isInForce } from '../validity.ts';

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

interface QueryVector {
  vector: Float32Array | null;
  model: string | null;
  note: VecNote;
}

/** Clauses that a summary is made with. */
const EXCERPTS = 2;
/** Characters of a logged question that are looked at. */
const MAX_ASKED = 1_000;

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
    const { index, contents, clock, synonyms } = this.#options;
    const { tenantCode, maxRank } = visibility;
    const ranking = await index.search({
      filter: { tenantCode, maxRank, now: clock.now(), sources: input.src_systems ?? null },
      terms: queryTermsOf(input.query, await synonyms.of(tenantCode)),
      vector,
      model,
      explain: input.explain,
    });
    const clauses = async (ids: readonly number[]): Promise<ChunkWithDocument[]> => {
      const rows = await contents.chunksWithDocuments(ids);
      return rows.filter(({ document }) => isInForce(document, clock.now()));
    };
    const view = await answerOf(ranking, { input, visibility, clauses, vectorNote });
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

  /** Words of a question that no clause has which the asker may see. @throws AppError 503 */
  async unknownWords(question: string, { tenantCode, maxRank }: Visibility): Promise<string[]> {
    const { index, synonyms, clock } = this.#options;
    const { terms } = await index.search({
      filter: { tenantCode, maxRank, now: clock.now(), sources: null },
      terms: queryTermsOf(question.slice(0, MAX_ASKED), await synonyms.of(tenantCode)),
      ...{ vector: null, model: null, explain: false },
    });
    return unknownWords(terms);
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
}
