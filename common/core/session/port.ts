import type { AttemptScope, SessionRecord } from './record.ts';

export interface SessionPort {
  /** Audited as `session.started`. */
  create(session: SessionRecord, actor: string): Promise<void>;

  /** Also one that is past its time; the caller judges (`isLive`). */
  find(tokenHash: string): Promise<SessionRecord | null>;

  /** Notes a use. Never moves the time back, and brings no ended session back. */
  touch(id: string, now: number): Promise<void>;

  /**
   * Ends a session, audited as `session.ended`.
   * @param userName only if it is this user's; null: anyone's
   * @returns false when there is no such session
   */
  end(id: string, userName: string | null, now: number, actor: string): Promise<boolean>;

  /** Ends the sessions of a user but `except`, each audited. @returns how many */
  endAllOf(userName: string, except: string | null, now: number, actor: string): Promise<number>;

  /** Live ones, last used first, then by id. @param userName null: everyone's */
  list(userName: string | null, now: number, limit: number): Promise<SessionRecord[]>;

  /** Removes what is past its time. @returns how many */
  sweep(now: number): Promise<number>;
}

export interface LoginAttemptPort {
  /**
   * Counts an attempt under each scope as a failure, before the password is looked at: guesses sent at
   * once see each other. When one of the scopes is held up, nothing is counted.
   * @returns null, or the time before which no attempt is taken
   */
  begin(scopes: readonly AttemptScope[], now: number): Promise<number | null>;

  /**
   * The attempt was right: failures under the `own` scopes are forgotten, and under the `shared` ones this
   * attempt alone is taken back.
   */
  succeeded(own: readonly string[], shared: readonly string[]): Promise<void>;

  /** Removes what is forgotten. @returns how many */
  sweep(now: number): Promise<number>;
}
