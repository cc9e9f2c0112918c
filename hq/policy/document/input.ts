// What callers send, as the commands of the store.
import { badRequest } from '../../../common/http/error.ts';
import { setFingerprint, textFingerprint } from '../../../common/policy/fingerprint.ts';
import { rankOf } from '../../../common/policy/level.ts';
import type { EmbedChunks, RegisterDocument, SubmitChunks } from '../command.ts';
import { gapsIn } from '../ingest/gaps.ts';
import { fault, faultAt } from '../policy-fault-messages.ts';
import type { ChunkInput } from '../record.ts';
import { type ChunksInput, type EmbedInput, MAX_PARSE_NOTE, type RegisterInput } from '../schema.ts';
import { validityOf } from '../validity.ts';

export function registrationOf(input: RegisterInput): Omit<RegisterDocument, 'createdBy' | 'actor'> {
  const dates = { effectiveDate: input.effective_date ?? null, expiryDate: input.expiry_date ?? null };
  return {
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
  };
}

/** @throws AppError 400 for vectors of several dimensions, or that no float32 can hold */
export function chunkSetOf(input: ChunksInput): Omit<SubmitChunks, 'docId' | 'actor'> {
  const dims = new Set(input.chunks.flatMap(({ embedding }) => (embedding ? [embedding.length] : [])));
  if (dims.size > 1) throw fault('chunks', 'vector_dimensions');
  const chunks = input.chunks.map((chunk): ChunkInput => ({
    clausePath: chunk.clause_path ?? null,
    page: chunk.page ?? null,
    text: chunk.text,
    textSha256: textFingerprint(chunk.text),
    embedding: chunk.embedding ? vectorBytes(chunk.embedding) : null,
    embedModel: chunk.embed_model ?? null,
    dim: chunk.embedding?.length ?? null,
  }));
  return {
    tenantCode: input.tenant_code,
    parseNote: cut(input.parse_note ?? null),
    chunks,
    chunksSha256: setFingerprint(chunks.map(({ textSha256 }) => textSha256)),
    missingNumbers: gapsIn(chunks),
  };
}

/** @throws AppError 400 for vectors that no float32 can hold */
export function vectorsOf(input: EmbedInput): Omit<EmbedChunks, 'actor'> {
  return {
    tenantCode: input.tenant_code,
    model: input.embed_model,
    items: input.items.map(({ chunk_id: chunkId, sha256, embedding }) => ({
      chunkId,
      textSha256: sha256,
      embedding: vectorBytes(embedding),
      dim: embedding.length,
    })),
  };
}

/** float32, little-endian. @throws AppError 400 for what no float32 can hold, or only as zeros */
function vectorBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4);
  for (const [index, value] of values.entries()) {
    const rounded = Math.fround(value);
    if (!Number.isFinite(rounded)) throw badRequest([faultAt('embedding', 'vector_number')]);
    bytes.writeFloatLE(rounded, index * 4);
  }
  if (values.every((value) => Math.fround(value) === 0))
    throw badRequest([faultAt('embedding', 'vector_zero_rounded')]);
  return bytes;
}

/** The longest note that is kept, of whole characters. */
const cut = (note: string | null): string | null =>
  note === null || note.length <= MAX_PARSE_NOTE
    ? note
    : [...note.slice(0, 2 * MAX_PARSE_NOTE + 1)].slice(0, MAX_PARSE_NOTE).join('').toWellFormed();
