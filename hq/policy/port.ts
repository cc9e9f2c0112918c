import type { Stamp } from '../../common/clock.ts';
import type {
  EmbedChunks,
  EmbedResult,
  LogAnswer,
  LogOutcome,
  RegisterDocument,
  RegisterOutcome,
  SetState,
  StateOutcome,
  StoredOriginal,
  SubmitChunks,
  SubmitOutcome,
} from './command.ts';
import type { OpenQuestionPort } from './open-question/port.ts';
import type { StorageMarker } from './original/original.ts';
import type { ReadingPort } from './reading/port.ts';
import type {
  ChunkText,
  ChunkWithDocument,
  DocumentState,
  Grant,
  PolicyDocument,
  QaEntry,
  QaFeedback,
} from './record.ts';
import type { SiteLibraryPort } from './site/port.ts';
import type { SynonymPort } from './synonyms/port.ts';

/**
 * What search and the question-and-answer log read of the library; indexes follow its changes
 * (index/change.ts).
 */
export interface PolicyContents {
  /** The newest change number given out and committed; 0 for none. */
  head(): Promise<number>;
  /** Chunks with their files as they are now, of any tenant, in any order; what is gone is left out. */
  chunksWithDocuments(ids: readonly number[]): Promise<ChunkWithDocument[]>;
  /** Files of a tenant up to a rank, in any order; what is gone is left out. */
  documentsById(ids: readonly number[], visibility: Visibility): Promise<PolicyDocument[]>;
  /**
   * Chunks of files not superseded or withdrawn that have no vector of this model, change number > `after`,
   * ascending.
   */
  unembedded(model: string, after: number, limit: number): Promise<ChunkText[]>;
}

/** Only files up to this rank exist for the reader. */
export interface Visibility {
  tenantCode: string;
  maxRank: number;
}

export interface DocumentFilter {
  /** Any of them. */
  states?: readonly DocumentState[];
  srcSystem?: string;
  srcKeyPrefix?: string;
  /** Stands in the title or the number, in whatever case. */
  text?: string;
}

/** A file that is in force and ends. */
export type EndingPolicy = Pick<PolicyDocument, 'tenantCode' | 'id' | 'expiryDate'>;

export interface DocumentPort {
  register(command: RegisterDocument, stamp: Stamp): Promise<RegisterOutcome>;
  /**
   * null: not of the tenant, or above the rank. `supersedes` and `supersededBy` are null where that file is
   * above it.
   */
  get(id: number, visibility: Visibility): Promise<PolicyDocument | null>;
  /** Ids descending, id < `before` when given. */
  list(
    filter: DocumentFilter,
    visibility: Visibility,
    before: number | null,
    limit: number,
  ): Promise<PolicyDocument[]>;
  chunks(id: number, visibility: Visibility): Promise<ChunkText[]>;
  /**
   * Notes that the original is in its place. False when there is no such file any more, or another digest is
   * registered.
   */
  stored(original: StoredOriginal, stamp: Stamp): Promise<boolean>;
  /**
   * Files that wait for an ingestion program, oldest first: `uploaded` with their original, or `parsing`
   * since before `staleBefore`.
   */
  pending(tenants: readonly string[] | null, staleBefore: number, limit: number): Promise<PolicyDocument[]>;
  /** As `pending`, each file handed to one caller only: it is `parsing` from now on. */
  take(
    tenants: readonly string[] | null,
    staleBefore: number,
    limit: number,
    by: { actor: string; stamp: Stamp },
  ): Promise<PolicyDocument[]>;
  submitChunks(command: SubmitChunks, stamp: Stamp): Promise<SubmitOutcome>;
  /**
   * Results in the order of the command's items. A text that changed since keeps its chunk from getting a
   * vector of the old one.
   */
  embed(command: EmbedChunks, stamp: Stamp): Promise<EmbedResult[]>;
  setState(command: SetState, stamp: Stamp): Promise<StateOutcome>;
  /** Scheduled files whose day has come, at most `limit`. */
  due(now: number, limit: number): Promise<{ tenantCode: string; id: number }[]>;
  /** Brings a scheduled file into force, or back into review. null: it is not due any more. */
  promoteDue(tenantCode: string, id: number, stamp: Stamp): Promise<PolicyDocument | null>;
  /**
   * Effective files that are valid at `now` and end before `until`, without a scheduled version of their
   * policy; those that end first.
   */
  ending(now: number, until: number, limit: number): Promise<EndingPolicy[]>;
  /** Files by state, over all tenants. */
  counts(): Promise<{ status: DocumentState; count: number }[]>;
}

export interface ClearancePort {
  /** The rank of an account; that of `internal` when it was never granted one. */
  rankOf(tenantCode: string, subject: string): Promise<number>;
  grant(grant: Grant, stamp: Stamp): Promise<{ before: number | null }>;
  /** Subjects ascending, subject > `after` when given. */
  list(tenantCode: string, after: string | null, limit: number): Promise<Grant[]>;
}

export interface QaFilter {
  tenantCode: string;
  asker?: string;
  feedback?: QaFeedback;
  /** Only those that nobody who keeps the library has dealt with. */
  unsettled?: boolean;
  /** [since, until), epoch ms. */
  since?: number;
  until?: number;
  /** Only entries whose citations are at most of this rank. */
  maxRank: number;
}

export interface QaLogPort {
  /**
   * Also when a cited chunk has been replaced by now; nothing is written where one never was the tenant's.
   */
  add(command: LogAnswer, stamp: Stamp): Promise<LogOutcome>;
  get(id: number, filter: QaFilter): Promise<QaEntry | null>;
  /** Newest first, id < `before` when given. */
  list(filter: QaFilter, before: number | null, limit: number): Promise<QaEntry[]>;
  /** By the asker; a later mark replaces an earlier one. null: no such entry within the filter. */
  mark(
    id: number,
    filter: QaFilter,
    mark: { feedback: QaFeedback; note: string | null; actor: string },
    stamp: Stamp,
  ): Promise<QaEntry | null>;
  /** Notes that it was dealt with, audited; a later mark undoes that. False: none such within the filter. */
  settle(id: number, filter: QaFilter, actor: string, stamp: Stamp): Promise<boolean>;
}

/** What is kept of a tenant, or was deleted. */
export interface PolicyCounts {
  docs: number;
  chunks: number;
  clearance: number;
  qaLog: number;
}

export interface Deletion {
  id: string;
  tenantCode: string;
  /**
   * Highest file number at the time of the deletion; files with greater numbers were registered afterwards.
   */
  lastDocId: number;
  counts: PolicyCounts;
  requestedBy: string;
  requestedAt: number;
}

export interface DeletionPort {
  /** Files of the tenant whose originals the ledger knows to be stored. */
  stored(tenantCode: string): Promise<{ id: number; tenantCode: string; sha256: string }[]>;
  count(tenantCode: string): Promise<PolicyCounts>;
  /** Deletes the four tables' rows of a tenant and notes that the originals are still to go. */
  deleteRows(tenantCode: string, actor: string, stamp: Stamp): Promise<Deletion>;
  /** Deletions whose originals may still be there. */
  unfinished(limit: number): Promise<Deletion[]>;
  finish(deletion: Deletion, originals: number, stamp: Stamp): Promise<void>;
}

export interface RetentionScope {
  tenantCode: string;
  scope: 'qa_log';
  days: number;
  setBy: string;
  setAt: number;
  deletedTotal: number;
}

export interface RetentionScopePort {
  list(tenantCode: string | null): Promise<RetentionScope[]>;
  set(
    scope: { tenantCode: string; scope: 'qa_log'; days: number; actor: string },
    stamp: Stamp,
  ): Promise<RetentionScope>;
  /** Ends the deletion of a scope. False when none was set. */
  clear(tenantCode: string, scope: 'qa_log', actor: string, stamp: Stamp): Promise<boolean>;
  /**
   * Deletes at most `limit` entries of a tenant that were written before a time, audited. @returns how many
   */
  dropAnswers(tenantCode: string, before: number, limit: number, stamp: Stamp): Promise<number>;
}

export interface PolicyStore {
  contents: PolicyContents;
  documents: DocumentPort;
  readings: ReadingPort;
  clearance: ClearancePort;
  qaLog: QaLogPort;
  storageMarker: StorageMarker;
  deletion: DeletionPort;
  retentionScopes: RetentionScopePort;
  synonyms: SynonymPort;
  questions: OpenQuestionPort;
  siteLibraries: SiteLibraryPort;
}
