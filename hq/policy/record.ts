// The policy library as the store keeps it (spec 3, "Resources and their fields"). Times are epoch
// milliseconds.

export const documentStates = [
  'uploaded',
  'parsing',
  'review',
  /** Reviewed, with a day to come; until then the version before it is effective. */
  'scheduled',
  'effective',
  'superseded',
  'withdrawn',
] as const;
export type DocumentState = (typeof documentStates)[number];

/** The six of the specification, which callers know; a scheduled file is an effective one that waits. */
export const shownStates = ['uploaded', 'parsing', 'review', 'effective', 'superseded', 'withdrawn'] as const;
export type ShownState = (typeof shownStates)[number];
export const shownState = (state: DocumentState): ShownState => (state === 'scheduled' ? 'effective' : state);

/** Before and after every date, so that undated files need no case of their own. */
export const ALWAYS_FROM = -62_167_219_200_000;
export const NEVER_UNTIL = 253_402_300_799_999;

/** A policy file: the ledger row. */
export interface PolicyDocument {
  id: number;
  tenantCode: string;
  /** All versions of one policy have the id of the first. */
  policyId: number;
  srcSystem: string;
  srcKey: string;
  title: string;
  docNo: string | null;
  version: string;
  /** Calendar days of Beijing, `YYYY-MM-DD`; the expiry date is the last day of validity. */
  effectiveDate: string | null;
  expiryDate: string | null;
  /** The same as moments: valid in [validFrom, validUntil). Without a date: always. */
  validFrom: number;
  validUntil: number;
  /** Rank of the security level. */
  level: number;
  fileName: string | null;
  contentType: string | null;
  /** Bytes and lowercase hex digest of the original; null where the file is text only. */
  size: number | null;
  sha256: string | null;
  /** When the original came; null: not yet. */
  storedAt: number | null;
  supersedes: number | null;
  supersededBy: number | null;
  status: DocumentState;
  /** Of a withdrawal, or of a supersession by hand. */
  reason: string | null;
  parseNote: string | null;
  /** Since when an ingestion program has it. */
  parsingSince: number | null;
  /** Numbers that are missing between those of its clauses: 第五条, 第七条–第九条. */
  missingNumbers: string[];
  /** When it first became effective. */
  effectiveAt: number | null;
  chunkCount: number;
  /** Fingerprint of the chunk set; null before the first. */
  chunksSha256: string | null;
  createdBy: string;
  createdAt: number;
  updatedAt: number;
  changeNo: number;
}

export interface PolicyChunk {
  id: number;
  tenantCode: string;
  docId: number;
  /** From 1, in the order of submission. */
  seq: number;
  clausePath: string | null;
  page: number | null;
  text: string;
  /** SHA-256 of the UTF-8 text, lowercase hex. */
  textSha256: string;
  /** float32 little-endian, `dim` of them; null without a vector. */
  embedding: Buffer | null;
  embedModel: string | null;
  dim: number | null;
  changeNo: number;
}

/** A chunk as people read it. */
export type ChunkText = Omit<PolicyChunk, 'embedding'>;

export interface ChunkInput {
  clausePath: string | null;
  page: number | null;
  text: string;
  textSha256: string;
  embedding: Buffer | null;
  embedModel: string | null;
  dim: number | null;
}

export interface ChunkWithDocument {
  chunk: ChunkText;
  document: PolicyDocument;
}

export interface Grant {
  tenantCode: string;
  subject: string;
  /** Rank. */
  level: number;
  grantedBy: string;
  grantedAt: number;
}

/** What an answer rests on, pinned: the chunk as it was when the answer was given. */
export interface Citation {
  chunkId: number;
  docId: number | null;
  /** Fingerprint of the text that was cited. */
  sha256: string;
  docVersion: string | null;
  clausePath: string | null;
}

export type QaFeedback = 'useful' | 'wrong';

export interface QaEntry {
  id: number;
  tenantCode: string;
  asker: string;
  question: string;
  answer: string | null;
  refusalReason: string | null;
  citations: Citation[];
  /** Highest rank of what is cited. */
  level: number;
  basisVersion: string | null;
  indexVersion: string | null;
  durationMs: number | null;
  feedback: QaFeedback | null;
  feedbackNote: string | null;
  feedbackAt: number | null;
  createdBy: string;
  createdAt: number;
}
