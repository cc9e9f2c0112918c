import type * as z from 'zod/mini';
import type { Schema } from '../../http/route.ts';
import type { SessionDraft, SessionRecord } from './record.ts';

export interface LoginAttempt {
  /** Whom the caller claims to be; guesses are counted under it. */
  name: string;
  /**
   * Checks the credentials and stores the session in the same transaction as the last check. null: they are
   * wrong.
   */
  open(draft: SessionDraft, ip: string): Promise<SessionRecord | null>;
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
