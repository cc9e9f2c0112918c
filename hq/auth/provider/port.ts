import type { SessionDraft, SessionRecord } from '../../../common/core/session/record.ts';
import type { Rights } from './record.ts';

/** A sign-in that was sent to the provider. */
export interface SignInRow {
  /** SHA-256 of the state. */
  id: string;
  /** SHA-256 of what only the browser has that began. */
  browserHash: string;
  /** What the answer is checked against, sealed. */
  sealed: string;
  expiresAt: number;
}

/** Whom the provider means: nobody else ever has this subject of this issuer. */
export interface Person {
  issuer: string;
  subject: string;
}

export interface ProviderPort {
  /** Also removes what is past its time. */
  begin(row: SignInRow, now: number): Promise<void>;
  /** The row of that state, once: it is gone then. null: there is none, or it is past its time. */
  take(id: string, now: number): Promise<SignInRow | null>;
  /**
   * Makes the user at the first sign-in, gives it what the claims give, and starts a session. Another role or
   * tenant ends the sessions that stand. Audited. `disabled`: by somebody here;
   * `name_taken`: by another user.
   */
  enter(
    person: Person & { rights: Rights; idToken: string | null },
    draft: SessionDraft,
    actor: (name: string) => string,
  ): Promise<SessionRecord | 'disabled' | 'name_taken'>;
  /** The provider gives the person nothing any more: disabled until it does, and the sessions end. */
  withdraw(person: Person, by: { now: number; actor: string }): Promise<void>;
  /** The sealed id token of a session; null: it was not begun by the provider, or there is none. */
  idTokenOf(sessionId: string): Promise<string | null>;
}
