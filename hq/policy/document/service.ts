import type { Readable } from 'node:stream';
import { type Clock, stampOf } from '../../../common/clock.ts';
import { type Page, pagedList } from '../../../common/cursor.ts';
import { AppError, notFound } from '../../../common/http/error.ts';
import type { EmbedResult } from '../command.ts';
import type { OriginalTransfer, Registered } from '../original/transfer.ts';
import { fault } from '../policy-fault-messages.ts';
import type { DocumentFilter, DocumentPort, Visibility } from '../port.ts';
import type { ChunkText, PolicyDocument } from '../record.ts';
import type { ChunksInput, EmbedInput, RegisterInput, StateInput } from '../schema.ts';
import { PARSING_TIMEOUT_MS } from './decide.ts';
import { chunkSetOf, registrationOf, vectorsOf } from './input.ts';
import { sourceKeyTaken, stateRefusal, submitRefusal } from './refusal.ts';

const DOCUMENTS = pagedList('kb-docs', ['number']);

export interface DocumentServiceOptions {
  documents: DocumentPort;
  transfer: OriginalTransfer;
  clock: Clock;
}

const nameOf = (id: number): string => `Policy file ${id}`;

export class DocumentService {
  readonly counts = {
    registered: 0,
    uploaded: 0,
    refused: 0,
    submitted: 0,
    effective: 0,
    scheduled: 0,
    superseded: 0,
    withdrawn: 0,
    conflicts: 0,
    embedded: 0,
  };
  readonly #options: DocumentServiceOptions;

  constructor(options: DocumentServiceOptions) {
    this.#options = options;
  }

  /** @throws AppError 400 for `supersedes`, 409 source_key_taken */
  async register(
    input: RegisterInput,
    { name, text: actor }: { name: string; text: string },
  ): Promise<{ document: PolicyDocument; created: boolean }> {
    const outcome = await this.#options.documents.register(
      { ...registrationOf(input), createdBy: name, actor },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'bad_supersedes') throw fault('supersedes', 'file_of_tenant');
    if (outcome.kind === 'taken') throw sourceKeyTaken(outcome.document);
    if (outcome.kind === 'registered') this.counts.registered += 1;
    return { document: outcome.document, created: outcome.kind === 'registered' };
  }

  /** @throws AppError 404, also above the reader's clearance */
  async get(id: number, visibility: Visibility): Promise<PolicyDocument> {
    const document = await this.#options.documents.get(id, visibility);
    if (!document) throw notFound(nameOf(id));
    return document;
  }

  /** The file with its chunks. @throws AppError 404 */
  async detail(
    id: number,
    visibility: Visibility,
  ): Promise<{ document: PolicyDocument; chunks: ChunkText[] }> {
    const document = await this.get(id, visibility);
    return { document, chunks: await this.#options.documents.chunks(id, visibility) };
  }

  /** Newest first. @throws AppError 400 for another list's cursor */
  async list(
    filter: DocumentFilter,
    visibility: Visibility,
    cursor: string | undefined,
    limit: number,
  ): Promise<Page<PolicyDocument>> {
    const before = DOCUMENTS.positionOf(cursor)?.[0] ?? null;
    const rows = await this.#options.documents.list(filter, visibility, before, limit + 1);
    return DOCUMENTS.page(rows, limit, ({ id }) => [id]);
  }

  /** @param take hands each file to this caller only, as `parsing` */
  pending(
    tenants: readonly string[] | null,
    limit: number,
    take: { actor: string } | null,
  ): Promise<PolicyDocument[]> {
    const stamp = stampOf(this.#options.clock);
    const staleBefore = stamp.now - PARSING_TIMEOUT_MS;
    return take
      ? this.#options.documents.take(tenants, staleBefore, limit, { actor: take.actor, stamp })
      : this.#options.documents.pending(tenants, staleBefore, limit);
  }

  /** @throws AppError 404; 400 no_original; 422 original_mismatch; 503; 507 */
  async upload(
    id: number,
    visibility: Visibility,
    body: () => AsyncIterable<Buffer>,
    actor: string,
  ): Promise<{ document: PolicyDocument; stored: boolean }> {
    const before = await this.get(id, visibility);
    const registered = registeredOf(before);
    try {
      await this.#options.transfer.take(registered, body());
    } catch (error) {
      this.counts.refused += 1;
      throw error;
    }
    if (
      !(await this.#options.documents.stored(
        { docId: id, tenantCode: registered.tenantCode, sha256: registered.sha256, actor },
        stampOf(this.#options.clock),
      ))
    ) {
      // The tenant was deleted meanwhile, so its original must not stay behind.
      await this.#options.transfer.remove(registered);
      throw notFound(nameOf(id));
    }
    this.counts.uploaded += 1;
    return { document: await this.get(id, visibility), stored: before.storedAt === null };
  }

  /** @throws AppError 404 not_found, original_missing; 500 original_damaged; 503 */
  async original(
    id: number,
    visibility: Visibility,
  ): Promise<{ document: PolicyDocument; content: Readable }> {
    const document = await this.#withOriginal(id, visibility);
    return { document, content: await this.#options.transfer.give(registeredOf(document)) };
  }

  /** @throws AppError 400 presign_unavailable; as `original` */
  async presigned(id: number, visibility: Visibility): Promise<string> {
    const document = await this.#withOriginal(id, visibility);
    return this.#options.transfer.presign(registeredOf(document), document.fileName ?? `${id}`);
  }

  async #withOriginal(id: number, visibility: Visibility): Promise<PolicyDocument> {
    const document = await this.get(id, visibility);
    if (document.storedAt === null)
      throw new AppError(404, 'original_missing', 'The original of this file has not been uploaded.');
    return document;
  }

  /**
   * Replaces the whole set. @throws AppError 404; 409 chunks_closed, original_pending,
   * another_version_effective
   */
  async submitChunks(
    id: number,
    input: ChunksInput,
    actor: string,
  ): Promise<{ document: PolicyDocument; superseded: number | null }> {
    const outcome = await this.#options.documents.submitChunks(
      { docId: id, ...chunkSetOf(input), actor },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'submitted') {
      this.counts.submitted += 1;
      if (outcome.document.status === 'effective') this.counts.effective += 1;
      if (outcome.document.status === 'scheduled') this.counts.scheduled += 1;
      if (outcome.superseded !== null) this.counts.superseded += 1;
      return outcome;
    }
    if (outcome.kind === 'no_document') throw notFound(nameOf(id));
    this.counts.conflicts += 1;
    throw submitRefusal(outcome);
  }

  async embed(input: EmbedInput, actor: string): Promise<EmbedResult[]> {
    const results = await this.#options.documents.embed(
      { ...vectorsOf(input), actor },
      stampOf(this.#options.clock),
    );
    this.counts.embedded += results.filter(({ stored }) => stored).length;
    return results;
  }

  /** @throws AppError 404; 409 state_refused, stale_chunks, no_chunks, another_version_effective */
  async setState(
    id: number,
    input: StateInput,
    actor: string,
  ): Promise<{ document: PolicyDocument; superseded: number | null }> {
    const outcome = await this.#options.documents.setState(
      {
        docId: id,
        tenantCode: input.tenant_code,
        to: input.state,
        expectChunksSha256: input.expect_chunks_sha256 ?? null,
        acceptMissing: input.accept_missing_numbers ?? false,
        reason: input.reason ?? null,
        by: input.by,
        actor,
      },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'changed') {
      if (outcome.document.status === 'scheduled') this.counts.scheduled += 1;
      else this.counts[input.state] += 1;
      if (outcome.superseded !== null) this.counts.superseded += 1;
      return outcome;
    }
    if (outcome.kind === 'no_document') throw notFound(nameOf(id));
    this.counts.conflicts += 1;
    throw stateRefusal(outcome, input.state);
  }
}

function registeredOf(document: PolicyDocument): Registered {
  const { id, tenantCode, size, sha256 } = document;
  if (size === null || sha256 === null)
    throw new AppError(
      400,
      'no_original',
      'This file was registered without size and sha256: it has no original, only chunks.',
    );
  return { id, tenantCode, size, sha256 };
}
