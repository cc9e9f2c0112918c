import type { ChallengeRow, PasskeyRecord } from './record.ts';

interface By {
  now: number;
  actor: string;
}

export type PasskeyAdded =
  /** `first`: it is the first second factor of its user, and the recovery codes hold. */
  | { kind: 'added'; first: boolean }
  /** Somebody has this one, or it is one too many. */
  | { kind: 'known' }
  | { kind: 'many' };

/**
 * The passkeys of users, and what browsers were asked. Each method is one transaction; changes are audited,
 * without keys.
 */
export interface PasskeyPort {
  /** The oldest first. */
  list(userName: string): Promise<PasskeyRecord[]>;
  find(credentialId: string): Promise<PasskeyRecord | null>;
  /** Keeps a challenge, and bounds how many wait. */
  ask(row: ChallengeRow, now: number): Promise<void>;
  /** Takes a challenge away. False: there is none of that name for that asker, or its time is over. */
  take(id: string, boundTo: string, now: number): Promise<boolean>;
  /** The session has what its user may do from now on, and the user's others end. */
  add(
    passkey: PasskeyRecord,
    what: { codeHashes: readonly string[]; session: string },
    by: By,
  ): Promise<PasskeyAdded>;
  /** False: the user has no such one. */
  rename(userName: string, id: string, name: string, by: By): Promise<boolean>;
  /**
   * Ends the other sessions. @param keep id of the session that stays; @param needed whether the last second
   * factor stays
   */
  remove(
    userName: string,
    id: string,
    { keep, needed }: { keep: string; needed: boolean },
    by: By,
  ): Promise<'removed' | 'none' | 'last'>;
}
