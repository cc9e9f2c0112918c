import type { Stamp } from '../../common/clock.ts';
import type { Message } from '../../common/message.ts';
import type { ClausesAnswer, FilesAnswer, LibrarySynonyms } from '../../common/uplink/library.ts';

/** `loading`: it was never here whole. `refused`: it is not taken as headquarters has it. */
export const libraryStates = ['loading', 'here', 'refused'] as const;
export type LibraryState = (typeof libraryStates)[number];
/** `wanted`: its clauses are not all here. */
export type FileState = 'here' | 'wanted' | 'gone';

/** The library of a tenant here. */
export interface Library {
  seq: number;
  tenantCode: string;
  hubEpoch: string;
  through: number;
  whole: boolean;
  /** Version and digest that headquarters told last. */
  told: string | null;
  digest: string | null;
  /** Version that is here whole; null: none was yet. */
  version: string | null;
  state: LibraryState;
  reason: Message | null;
  at: number;
}

export interface LibraryCounts {
  /** That are here whole, and their clauses. */
  files: number;
  clauses: number;
  /** Files that headquarters has in force, of which not all clauses have come yet. */
  coming: number;
}

/** A clause with its file, in force or not. */
export interface KeptClause {
  chunk: {
    id: number;
    seq: number;
    clausePath: string | null;
    page: number | null;
    text: string;
    textSha256: string;
  };
  document: {
    id: number;
    tenantCode: string;
    title: string;
    docNo: string | null;
    version: string;
    srcSystem: string;
    srcKey: string;
    level: number;
    effectiveDate: string | null;
    expiryDate: string | null;
    validFrom: number;
    endsAt: number;
  };
}

/** What headquarters gave that cannot be kept; nothing of it was written. */
export class LibraryRefused extends Error {
  readonly reason: Message;
  constructor(reason: Message) {
    super(`the library is refused: ${reason.code}`);
    this.name = 'LibraryRefused';
    this.reason = reason;
  }
}

/** The policies in force of this site's tenants; what writes is one transaction each. */
export interface LibraryPort {
  all(): Library[];
  counts(tenantCode: string): LibraryCounts;
  /** One that is not here is loading from now on. */
  begin(tenantCode: string, now: number): Promise<void>;
  /**
   * Takes what changed among the files: what is gone is gone at once, with its clauses. @throws
   * LibraryRefused
   */
  takeFiles(tenantCode: string, answer: FilesAnswer): Promise<void>;
  /** Files that lack clauses, with the last one that is here. */
  wanted(tenantCode: string, limit: number): { id: number; text_no: number; after: number }[];
  /** Takes clauses of files; a file counts from its last one on. @throws LibraryRefused */
  takeClauses(tenantCode: string, answer: Pick<ClausesAnswer, 'texts' | 'gone'>): Promise<void>;
  /** Of all files that are here, or wanted. */
  digest(tenantCode: string): string;
  /** Headquarters is to be asked for all files once more. */
  again(tenantCode: string): Promise<void>;
  /**
   * What was told last is here whole, or is refused; headquarters is told of it with the log.
   * @param reason why it is refused; null: it is here
   */
  settle(tenantCode: string, reason: Message | null, stamp: Stamp): Promise<void>;
  /** 0 where headquarters told of no table. */
  synonyms(tenantCode: string): LibrarySynonyms;
  /** Of any tenant, in any order; of files that are whole here. */
  clauses(ids: readonly number[]): KeptClause[];
}
