import type { ClauseOnTask } from '../../common/agent/act/record.ts';
import type { Clock } from '../../common/clock.ts';
import { AppError, notFound } from '../../common/http/error.ts';
import { rankOf } from '../../common/policy/level.ts';
import { answerOf } from '../../common/policy/search/answer.ts';
import type { SearchInput, SearchView, VecNote } from '../../common/policy/search/schema.ts';
import { SynonymTables } from '../../common/policy/search/synonym-tables.ts';
import { queryTermsOf } from '../../common/policy/terms/terms.ts';
import type { LibraryIndex } from './index.ts';
import type { KeptClause, Library, LibraryPort } from './port.ts';

const RETRY_AFTER_S = 30;
/** Nobody's clearance is known at a site: what is above this never comes down, and is shown to nobody. */
const SITE_RANK = rankOf('internal');
const LOWEST_RANK = rankOf('public');
/** Of a clause in a message. */
const MOST_LETTERS = 200;

export interface LibrarySearchOptions {
  libraries: Pick<LibraryPort, 'all' | 'synonyms' | 'clauses' | 'counts'>;
  index: Pick<LibraryIndex, 'search'>;
  clock: Clock;
}

/** Searches the policies in force that are here, in the order of a search by keywords at headquarters. */
export class LibrarySearch {
  readonly #options: LibrarySearchOptions;
  readonly #synonyms: SynonymTables;

  constructor(options: LibrarySearchOptions) {
    this.#options = options;
    const of = (tenantCode: string) => options.libraries.synonyms(tenantCode);
    this.#synonyms = new SynonymTables({
      revisionOf: (tenantCode) => Promise.resolve(of(tenantCode).revision),
      get: (tenantCode) => Promise.resolve(of(tenantCode)),
    });
  }

  /** @throws AppError 404 without a library of the tenant, 503 library_loading before it is here whole */
  async search(tenantCode: string, input: SearchInput, maxRank: number = SITE_RANK): Promise<SearchView> {
    this.#expectHere(tenantCode);
    const { libraries, index, clock } = this.#options;
    const ranking = await index.search({
      filter: { tenantCode, maxRank, now: clock.now(), sources: input.src_systems ?? null },
      terms: queryTermsOf(input.query, await this.#synonyms.of(tenantCode)),
      vector: null,
      model: null,
      explain: input.explain,
    });
    const clauses = (ids: readonly number[]): Promise<KeptClause[]> =>
      Promise.resolve(libraries.clauses(ids).filter((one) => isInForce(one, clock.now())));
    const answer = await answerOf(ranking, {
      input,
      visibility: { tenantCode, maxRank },
      clauses,
      vectorNote: vectorNoteOf(input),
    });
    // A rule that is changed while the link is away is gone here before its new form has come.
    const { coming } = libraries.counts(tenantCode);
    return coming === 0 ? answer : { ...answer, files_coming: coming };
  }

  /**
   * The clause that an event is certainly about, for its task and message: of the lowest level alone, since
   * whoever is of the tenant may read these, as for summaries at headquarters. null: none is, or is here.
   */
  async clauseFor(tenantCode: string, about: string): Promise<ClauseOnTask | null> {
    if (!this.#options.libraries.all().some((one) => one.tenantCode === tenantCode && isWhole(one)))
      return null;
    const input = { query: about, top_k: 1, auto_embed: false, explain: false };
    const { items, certain } = await this.search(tenantCode, input, LOWEST_RANK);
    const [best] = items;
    if (!best || !certain) return null;
    const { title, clausePath: path, text, version, docId, chunkId, sha256 } = best;
    return { title, path, text: beginningOf(text), version, docId, chunkId, sha256 };
  }

  #expectHere(tenantCode: string): void {
    const library = this.#options.libraries.all().find((one) => one.tenantCode === tenantCode);
    if (!library || library.version === '-') throw notFound(`A library of ${tenantCode}`);
    if (library.version === null)
      throw new AppError(
        503,
        'library_loading',
        'The policies in force have not all come from headquarters yet; a search would miss some of them.',
        { retryAfterSeconds: RETRY_AFTER_S },
      );
  }
}

const isWhole = ({ version }: Library): boolean => version !== null && version !== '-';

function beginningOf(text: string): string {
  const letters = [...text];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join('')}…` : text;
}

const isInForce = ({ document: { validFrom, endsAt } }: KeptClause, now: number): boolean =>
  validFrom <= now && now < endsAt;

/** As headquarters says it where no clause has a vector. */
function vectorNoteOf({ query_embedding: embedding, auto_embed: auto }: SearchInput): VecNote {
  if (embedding) return 'no_embedded_chunks';
  return auto ? 'embed_not_configured' : 'no_query_embedding';
}
