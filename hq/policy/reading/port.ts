import type { Stamp } from '../../../common/clock.ts';
import type { Message } from '../../../common/message.ts';
import type { SubmitChunks } from '../command.ts';
import type { PolicyDocument } from '../record.ts';

export const readingStates = ['waiting', 'reading', 'read', 'failed'] as const;
export type ReadingState = (typeof readingStates)[number];

export const readingStages = ['text', 'recognition'] as const;

/** How far a reading is, as far as it says. */
export interface ReadingProgress {
  stage: (typeof readingStages)[number];
  page: number;
  pages: number;
}

/** What became of the reading of a file by headquarters. */
export interface Reading {
  tenantCode: string;
  docId: number;
  state: ReadingState;
  /** Not before this. */
  dueAt: number;
  /** How often it was begun. */
  attempts: number;
  /** Who reads it, until when that holds unless it is renewed. */
  lease: string | null;
  leasedUntil: number;
  stage: ReadingProgress['stage'] | null;
  page: number | null;
  pages: number | null;
  /** What its reviewer must know, or why it could not be read. */
  notes: Message[];
  updatedAt: number;
}

/** A reading beside the file that it is of; null: headquarters has not taken it up yet. */
export interface ReadingOfDocument {
  document: PolicyDocument;
  reading: Reading | null;
}

/** A file that is this reader's until its lease ends. */
export interface Claim {
  document: PolicyDocument;
  /** This one among them. */
  attempts: number;
  lease: string;
}

export interface ClaimTimes {
  /** A reading whose reader did not renew its lease is another's from then on. */
  leasedUntil: number;
  /** Files taken by another program before this, without clauses since, are lost there. */
  staleBefore: number;
  /** Files whose program may still bring their clauses itself came after this. */
  leftBefore: number;
}

export interface ReadingPort {
  /** Takes the next file that is to be read, for one reader alone. */
  claim(lease: string, times: ClaimTimes, stamp: Stamp): Promise<Claim | null>;
  /** Says how far it is, and holds the file. False: it is not this reader's any more. */
  renew(claim: Claim, until: number, progress: ReadingProgress | null, now: number): Promise<boolean>;
  /**
   * Stores what was read, as chunks for review. False, and nothing is stored, where the file is not this
   * reader's any more or has got chunks meanwhile.
   */
  end(
    claim: Claim,
    ended: { state: 'read' | 'failed'; notes: readonly Message[]; chunks: SubmitChunks },
    stamp: Stamp,
  ): Promise<boolean>;
  /** Leaves a file to whoever comes next. @param counted whether this attempt counts */
  release(claim: Claim, to: { dueAt: number; counted: boolean }, stamp: Stamp): Promise<void>;
  /** Those that wait, are read, or failed; or that of one file. Newest files first. */
  list(
    of: { tenantCode: string; docId: number | null },
    before: number | null,
    limit: number,
  ): Promise<ReadingOfDocument[]>;
  /**
   * Has a file read at once: one that waits, or that is in review and is read again. null: there is no such
   * file; `refused`: it has no original, or is past review.
   */
  ask(
    of: { tenantCode: string; docId: number; actor: string },
    stamp: Stamp,
  ): Promise<ReadingOfDocument | { refused: PolicyDocument } | null>;
}
