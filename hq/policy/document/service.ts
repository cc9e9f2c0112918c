import type { Readable } from 'node:stream';
import { stampOf, type Clock } from '../../../common/clock.ts';
import { decodeCursor, encodeCursor } from '../../../common/cursor.ts';
import { AppError, badRequest, conflict, fault, notFound } from '../../../common/http/error.ts';
import type { EmbedResult, VersionConflict } from '../command.ts';
import { PARSING_TIMEOUT_MS } from './decide.ts';
import { setFingerprint, textFingerprint } from '../fingerprint.ts';
import type { OriginalTransfer, Registered } from '../original/transfer.ts';
import type { DocumentFilter, DocumentPort, Visibility } from '../port.ts';
import { rankOf, type ChunkInput, type ChunkText, type PolicyDocument } from '../record.ts';
import {
  MAX_PARSE_NOTE,
  type ChunksInput,
  type EmbedInput,
  type RegisterInput,
  type StateInput,
} from '../schema.ts';
import { validityOf } from '../validity.ts';

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
    superseded: 0,
    withdrawn: 0,
    conflicts: 0,
    embedded: 0,
  };
  #options: DocumentServiceOptions;

  constructor(options: DocumentServiceOptions) {
    this.#options = options;
  }

  /** @throws AppError 400 for `supersedes`, 409 source_key_taken */
  async register(
    input: RegisterInput,
    { name, text: actor }: { name: string; text: string },
  ): Promise<{ document: PolicyDocument; created: boolean }> {
    const dates = { effectiveDate: input.effective_date ?? null, expiryDate: input.expiry_date ?? null };
    const outcome = await this.#options.documents.register(
      {
        tenantCode: input.tenant_code,
        srcSystem: input.src_system,
        srcKey: input.src_key,
        title: input.title,
        docNo: input.doc_no ?? null,
        version: input.version,
        ...dates,
        ...validityOf(dates.effectiveDate, dates.expiryDate),
        level: input.security_level === undefined ? null : rankOf(input.security_level),
        fileName: input.file_name ?? null,
        contentType: input.content_type ?? null,
        size: input.size ?? null,
        sha256: input.sha256 ?? null,
        supersedes: input.supersedes ?? null,
        createdBy: name,
        actor,
      },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'bad_supersedes') throw fault('supersedes', 'must be a policy file of this tenant');
    if (outcome.kind === 'taken') {
      throw new AppError(
        409,
        'source_key_taken',
        'This source key is registered with another content. Register a new version under a key of its ' +
          'own, with supersedes.',
        { retryable: false, extra: { docId: outcome.document.id } },
      );
    }
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
  ): Promise<{ items: PolicyDocument[]; nextCursor: string | null; hasMore: boolean }> {
    const before = cursor === undefined ? null : decodeCursor('kb-docs', cursor)[0];
    if (before !== null && typeof before !== 'number')
      throw fault('cursor', 'is not a cursor of this list; leave it out to start from the beginning');
    const rows = await this.#options.documents.list(filter, visibility, before, limit + 1);
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return {
      items,
      nextCursor: last ? encodeCursor('kb-docs', [last.id]) : null,
      hasMore: last !== undefined,
    };
  }

  /** @param take hands each file to this caller only, as `parsing` */
  pending(
    tenants: readonly string[] | null,
    limit: number,
    take: { actor: string } | null,
  ): Promise<PolicyDocument[]> {
    const { documents, clock } = this.#options;
    const stamp = stampOf(clock);
    const staleBefore = stamp.now - PARSING_TIMEOUT_MS;
    return take
      ? documents.take(tenants, staleBefore, limit, { actor: take.actor, stamp })
      : documents.pending(tenants, staleBefore, limit);
  }

  /** @throws AppError 404; 400 no_original; 422 original_mismatch; 503; 507 */
  async upload(
    id: number,
    visibility: Visibility,
    body: () => AsyncIterable<Buffer>,
    actor: string,
  ): Promise<{ document: PolicyDocument; stored: boolean }> {
    const { transfer, documents, clock } = this.#options;
    const before = await this.get(id, visibility);
    const registered = registeredOf(before);
    try {
      await transfer.take(registered, body());
    } catch (error) {
      this.counts.refused += 1;
      throw error;
    }
    if (
      !(await documents.stored(
        { docId: id, tenantCode: registered.tenantCode, sha256: registered.sha256, actor },
        stampOf(clock),
      ))
    ) {
      // The tenant was deleted meanwhile; nothing may stay of it.
      await transfer.remove(registered);
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
    const dims = new Set(input.chunks.flatMap(({ embedding }) => (embedding ? [embedding.length] : [])));
    if (dims.size > 1) throw fault('chunks', 'must have vectors of one dimension');
    const chunks = input.chunks.map((chunk): ChunkInput => ({
      clausePath: chunk.clause_path ?? null,
      page: chunk.page ?? null,
      text: chunk.text,
      textSha256: textFingerprint(chunk.text),
      embedding: chunk.embedding ? vectorBytes(chunk.embedding) : null,
      embedModel: chunk.embed_model ?? null,
      dim: chunk.embedding?.length ?? null,
    }));
    const outcome = await this.#options.documents.submitChunks(
      {
        docId: id,
        tenantCode: input.tenant_code,
        parseNote: cut(input.parse_note ?? null),
        chunks,
        chunksSha256: setFingerprint(chunks.map(({ textSha256 }) => textSha256)),
        actor,
      },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'submitted') {
      this.counts.submitted += 1;
      if (outcome.document.status === 'effective') this.counts.effective += 1;
      if (outcome.superseded !== null) this.counts.superseded += 1;
      return outcome;
    }
    if (outcome.kind === 'no_document') throw notFound(nameOf(id));
    this.counts.conflicts += 1;
    if (outcome.kind === 'not_open')
      throw closed(
        outcome.document,
        'Chunks are taken until a file has been effective; register a new version',
      );
    if (outcome.kind === 'original_missing')
      throw conflict(
        'original_pending',
        'The original of this file has not been uploaded yet; upload it first.',
      );
    throw versionConflict(outcome);
  }

  async embed(input: EmbedInput, actor: string): Promise<EmbedResult[]> {
    const results = await this.#options.documents.embed(
      {
        tenantCode: input.tenant_code,
        model: input.embed_model,
        actor,
        items: input.items.map(({ chunk_id: chunkId, sha256, embedding }) => ({
          chunkId,
          textSha256: sha256,
          embedding: vectorBytes(embedding),
          dim: embedding.length,
        })),
      },
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
        reason: input.reason ?? null,
        by: input.by,
        actor,
      },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'changed') {
      this.counts[input.state] += 1;
      if (outcome.superseded !== null) this.counts.superseded += 1;
      return outcome;
    }
    if (outcome.kind === 'no_document') throw notFound(nameOf(id));
    this.counts.conflicts += 1;
    if (outcome.kind === 'refused')
      throw closed(
        outcome.document,
        input.state === 'effective'
          ? 'Only a file in review is made effective'
          : `Only an effective file is ${input.state}`,
        'state_refused',
      );
    if (outcome.kind === 'no_chunks')
      throw conflict(
        'no_chunks',
        'The file has no chunks, so that nothing of it could be found or cited; parse_note says why. ' +
          'Submit its chunks first.',
      );
    if (outcome.kind === 'stale_chunks') {
      throw new AppError(
        409,
        'stale_chunks',
        'The chunks were submitted again since they were reviewed; look at them as they are now.',
        { retryable: false, extra: { chunksSha256: outcome.document.chunksSha256 } },
      );
    }
    throw versionConflict(outcome);
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

/** float32, little-endian. @throws AppError 400 for what no float32 can hold, or only as zeros */
function vectorBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4);
  for (const [index, value] of values.entries()) {
    const rounded = Math.fround(value);
    if (!Number.isFinite(rounded))
      throw badRequest([{ path: 'embedding', message: 'has a number that is too large for float32' }]);
    bytes.writeFloatLE(rounded, index * 4);
  }
  if (values.every((value) => Math.fround(value) === 0))
    throw badRequest([{ path: 'embedding', message: 'must not be all zero as float32' }]);
  return bytes;
}

/** Whole characters only. */
const cut = (note: string | null): string | null =>
  note === null || note.length <= MAX_PARSE_NOTE
    ? note
    : [...note.slice(0, 2 * MAX_PARSE_NOTE + 1)].slice(0, MAX_PARSE_NOTE).join('').toWellFormed();

const closed = (document: PolicyDocument, why: string, code = 'chunks_closed'): AppError =>
  new AppError(409, code, `${why}; this one is ${document.status}.`, {
    retryable: false,
    extra: { state: document.status },
  });

function versionConflict(outcome: VersionConflict): AppError {
  const why = {
    already_replaced: 'The version that this one supersedes was superseded by another',
    another_effective: 'Another version of this policy is effective, and this one does not supersede it',
    newer_was_effective: 'A newer version of this policy has been effective',
  }[outcome.kind];
  return new AppError(
    409,
    'another_version_effective',
    `${why}; register a version that supersedes that one.`,
    { retryable: false, extra: { docId: outcome.by } },
  );
}
