import type { Stamp } from '../../../common/clock.ts';
import type { CertainNote } from '../../../common/policy/search/schema.ts';

/** Questions of a tenant that are kept. */
export const MOST_QUESTIONS = 500;

/** A question to which the library had no certain answer. */
export interface OpenQuestion {
  tenantCode: string;
  /** Of what was asked, however often. */
  id: string;
  question: string;
  note: Exclude<CertainNote, ''>;
  /** Words of it that no clause has which the last asker may see. */
  unknown: string[];
  /** How often it was asked. */
  times: number;
  firstAt: number;
  lastAt: number;
}

export type NoteQuestion = Pick<OpenQuestion, 'tenantCode' | 'id' | 'question' | 'note' | 'unknown'>;

export interface OpenQuestionPort {
  /** Counts a question. Of more than `most` of a tenant those go that were not asked for longest. */
  note(command: NoteQuestion, most: number, stamp: Stamp): Promise<void>;
  /** Those asked last first; after a place of the list when given. */
  list(
    tenantCode: string,
    after: { lastAt: number; id: string } | null,
    limit: number,
  ): Promise<OpenQuestion[]>;
  /** Takes a question off the list, audited. False where it is not on it. */
  settle(of: { tenantCode: string; id: string; actor: string }, stamp: Stamp): Promise<boolean>;
}
