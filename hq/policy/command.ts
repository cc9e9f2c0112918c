// What the policy library is asked to do, and what came of it.
import type { Fault } from '../../common/http/fault/fault.ts';
import type { ChunkInput, PolicyDocument, QaEntry } from './record.ts';

export interface RegisterDocument {
  tenantCode: string;
  srcSystem: string;
  srcKey: string;
  title: string;
  docNo: string | null;
  version: string;
  effectiveDate: string | null;
  expiryDate: string | null;
  validFrom: number;
  validUntil: number;
  /** Rank; null: the registration does not say. */
  level: number | null;
  fileName: string | null;
  contentType: string | null;
  size: number | null;
  sha256: string | null;
  supersedes: number | null;
  /** Name of who registers it. */
  createdBy: string;
  actor: string;
}

export type RegisterOutcome =
  | { kind: 'registered'; document: PolicyDocument }
  /** The source key is registered with the same content. */
  | { kind: 'known'; document: PolicyDocument }
  /** The source key is registered with other content. */
  | { kind: 'taken'; document: PolicyDocument }
  | { kind: 'bad_supersedes' };

export interface StoredOriginal {
  docId: number;
  tenantCode: string;
  sha256: string;
  actor: string;
}

export interface SubmitChunks {
  docId: number;
  tenantCode: string;
  /** Already cut to its limit. */
  parseNote: string | null;
  chunks: readonly ChunkInput[];
  chunksSha256: string;
  /** Numbers that are missing between those of the chunks. */
  missingNumbers: string[];
  /** Headquarters read them by itself: what it may have read wrong is for a person to look at. */
  read?: boolean;
  actor: string;
}

/** Why a version may not become effective. */
export type VersionConflict =
  | { kind: 'already_replaced'; by: number | null }
  | { kind: 'another_effective'; by: number }
  | { kind: 'newer_was_effective'; by: number };

export type SubmitOutcome =
  | { kind: 'submitted'; document: PolicyDocument; superseded: number | null }
  | { kind: 'no_document' }
  | { kind: 'not_open'; document: PolicyDocument }
  | { kind: 'original_missing' }
  | VersionConflict;

export interface EmbedChunks {
  tenantCode: string;
  model: string;
  items: readonly { chunkId: number; textSha256: string; embedding: Buffer; dim: number }[];
  actor: string;
}

export interface EmbedResult {
  chunkId: number;
  stored: boolean;
  reason: 'not_found' | 'hash_mismatch' | null;
}

export interface SetState {
  docId: number;
  tenantCode: string;
  to: 'effective' | 'withdrawn' | 'superseded';
  expectChunksSha256: string | null;
  /** Numbers are missing, and so they do in the original. */
  acceptMissing: boolean;
  reason: string | null;
  by: string;
  actor: string;
}

export type StateOutcome =
  | { kind: 'changed'; document: PolicyDocument; superseded: number | null }
  | { kind: 'no_document' }
  | { kind: 'refused'; document: PolicyDocument }
  /** It could not be read, so that nothing of it could be found or cited. */
  | { kind: 'no_chunks' }
  | { kind: 'stale_chunks'; document: PolicyDocument }
  | { kind: 'numbers_missing'; document: PolicyDocument }
  | VersionConflict;

export type LogOutcome = { kind: 'logged'; entry: QaEntry } | { kind: 'bad_citations'; faults: Fault[] };

export interface LogAnswer {
  tenantCode: string;
  asker: string;
  question: string;
  answer: string | null;
  refusalReason: string | null;
  citations: readonly { chunkId: number; sha256: string | null }[];
  basisVersion: string | null;
  indexVersion: string | null;
  durationMs: number | null;
  actor: string;
}
