import type * as z from 'zod/mini';
import type { AppError } from '../../http/error.ts';
import type { Schema } from '../../http/route.ts';
import type { SessionDraft, SessionRecord } from './record.ts';

export interface LoginAttempt {
  /** Whom the caller claims to be; guesses are counted under it. */
  name: string;
  /**
   * Checks the credentials and stores the session in the same transaction as the last check. null: they are
   * wrong.
   */
  open(draft: SessionDraft, ip: string): Promise<SessionRecord | Wanting | null>;
}

/** The credentials are right, and something beside them is missing or wrong. */
export interface Wanting {
  wanting: AppError;
  /** Whether it was given, and is wrong: that is a refused login, and audited. */
  guessed: boolean;
}

/** How one logs in to a program: with the admin key at a site, with name and password at headquarters. */
export interface LoginMethod {
  body: Schema;
  /**
   * Whether nobody can guess what is shown: a right one is then let in whatever others have shown from the
   * same address.
   */
  unguessable?: boolean;
  /** Said when the credentials are wrong; the same whatever is wrong with them. */
  refusal: string;
  /** Codes of 401 for what is wanting beside right credentials. */
  wants?: readonly string[];
  attempt(body: unknown): LoginAttempt;
}

export function loginMethod<S extends Schema>(
  body: S,
  refusal: string,
  attempt: (body: z.infer<S>) => LoginAttempt,
): LoginMethod {
  return { body, refusal, attempt: attempt as (body: unknown) => LoginAttempt };
}

/** Who did it, for the audit. */
export const sessionActor = (name: string, ip: string): string => `user:${name} from ${ip || 'local socket'}`;
