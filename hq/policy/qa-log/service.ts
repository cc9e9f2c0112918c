import { type Clock, stampOf } from '../../../common/clock.ts';
import { type Page, pagedList } from '../../../common/cursor.ts';
import { badRequest, notFound } from '../../../common/http/error.ts';
import { decideCitation } from '../citation.ts';
import type { Viewer } from '../origin.ts';
import type { PolicyContents, QaFilter, QaLogPort } from '../port.ts';
import type { Citation, QaEntry, QaFeedback } from '../record.ts';
import type { CitationReason } from '../verify/decide.ts';
import type { AnswerInput } from './schema.ts';

const ENTRIES = pagedList('kb-qa', ['number']);

export interface QaLogServiceOptions {
  log: QaLogPort;
  contents: Pick<PolicyContents, 'chunksWithDocuments' | 'documentsById'>;
  clock: Clock;
}

export type ReopenedCitation = Citation & { reason: CitationReason; supersededBy: number | null };
export interface Reopened {
  entry: QaEntry;
  citations: ReopenedCitation[];
  asOf: number;
}

/** Questions, answers and refusals (spec 3, "Question-and-answer log"). */
export class QaLogService {
  readonly counts = { answers: 0, refusals: 0, useful: 0, wrong: 0 };
  readonly #options: QaLogServiceOptions;

  constructor(options: QaLogServiceOptions) {
    this.#options = options;
  }

  /** @throws AppError 400 naming each citation that is no chunk of the tenant */
  async add(input: AnswerInput, actor: string): Promise<QaEntry> {
    const outcome = await this.#options.log.add(
      {
        tenantCode: input.tenant_code,
        asker: input.subject,
        question: input.question,
        answer: input.answer ?? null,
        refusalReason: input.refusal_reason ?? null,
        citations: input.citations.map(({ chunk_id: chunkId, sha256 }) => ({
          chunkId,
          sha256: sha256 ?? null,
        })),
        basisVersion: input.basis_version ?? null,
        indexVersion: input.index_version ?? null,
        durationMs: input.duration_ms ?? null,
        actor,
      },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'bad_citations') throw badRequest(outcome.faults);
    const { entry } = outcome;
    this.counts[entry.answer === null ? 'refusals' : 'answers'] += 1;
    return entry;
  }

  /** Newest first. @throws AppError 400 for another list's cursor */
  async list(
    eyes: Viewer,
    more: Pick<QaFilter, 'asker' | 'feedback' | 'since' | 'until'>,
    cursor: string | undefined,
    limit: number,
  ): Promise<Page<QaEntry>> {
    const before = ENTRIES.positionOf(cursor)?.[0] ?? null;
    const rows = await this.#options.log.list(filterOf(eyes, more), before, limit + 1);
    return ENTRIES.page(rows, limit, ({ id }) => [id]);
  }

  /**
   * An old answer, with what became of what it rests on. @throws AppError 404, also for another's and above
   * the reader's clearance
   */
  async reopen(id: number, eyes: Viewer): Promise<Reopened> {
    const entry = await this.#options.log.get(id, filterOf(eyes, {}));
    if (!entry) throw notFound(`Answer ${id}`);
    const chunks = new Map(
      (await this.#options.contents.chunksWithDocuments(entry.citations.map(({ chunkId }) => chunkId))).map(
        (found) => [found.chunk.id, found.chunk],
      ),
    );
    const documents = await this.#documents(entry, eyes);
    const now = this.#options.clock.now();
    const citations = entry.citations.map((citation): ReopenedCitation => {
      const document = citation.docId === null ? undefined : documents.get(citation.docId);
      const chunk = chunks.get(citation.chunkId);
      const reason = decideCitation(
        { document, chunk: chunk && chunk.tenantCode === eyes.tenantCode ? chunk : undefined },
        citation.sha256,
        eyes,
        now,
      );
      const successor = document?.supersededBy ?? null;
      return {
        ...citation,
        reason,
        supersededBy: successor !== null && documents.has(successor) ? successor : null,
      };
    });
    return { entry, citations, asOf: now };
  }

  /** The files cited and those that superseded them, as far as the reader may know of them. */
  async #documents(entry: QaEntry, eyes: Viewer) {
    const read = async (ids: number[]) =>
      ids.length === 0 ? [] : this.#options.contents.documentsById(ids, eyes);
    const cited = await read(entry.citations.flatMap(({ docId }) => docId ?? []));
    const successors = await read(cited.flatMap(({ supersededBy }) => supersededBy ?? []));
    return new Map([...successors, ...cited].map((document) => [document.id, document]));
  }

  /** @param eyes those of the asker, who alone may mark @throws AppError 404 */
  async mark(
    id: number,
    eyes: Viewer & { subject: string },
    mark: { feedback: QaFeedback; note: string | null; actor: string },
  ): Promise<QaEntry> {
    const marked = await this.#options.log.mark(id, filterOf(eyes, {}), mark, stampOf(this.#options.clock));
    if (!marked) throw notFound(`Answer ${id}`);
    this.counts[mark.feedback] += 1;
    return marked;
  }
}

/** An account sees what it asked itself; all levels is everyone's. */
function filterOf(eyes: Viewer, more: Pick<QaFilter, 'asker' | 'feedback' | 'since' | 'until'>): QaFilter {
  const { asker: named, ...rest } = more;
  const asker = eyes.subject ?? named;
  return {
    ...rest,
    tenantCode: eyes.tenantCode,
    maxRank: eyes.maxRank,
    ...(asker === undefined ? {} : { asker }),
  };
}
