/** What a login proved beside the password. */
export type Proof =
  /** A code of an authenticator app, by its time step, which is not taken a second time. */
  | { kind: 'totp'; step: number }
  /** A recovery code, which is gone then. */
  | { kind: 'recovery'; codeHash: string }
  /** A signature of a passkey, with how often it has signed. */
  | { kind: 'passkey'; id: string; counter: number };

export interface TotpRecord {
  /** The secret, sealed for its user. */
  sealed: string;
  /** Of the last code that was taken; earlier ones and this one are not taken again. */
  lastStep: number;
  /** When it was proved for the first time; null: not yet, and it opens nothing. */
  since: number | null;
}

export interface FactorState {
  totp: TotpRecord | null;
  /** Recovery codes that were not used. */
  codesLeft: number;
}

interface By {
  now: number;
  actor: string;
}

/**
 * The second factors of users. Each method is one transaction and is audited, but for the one that begins;
 * the audit shows no secret and no code.
 */
export interface FactorPort {
  get(userName: string): Promise<FactorState>;
  hasCode(userName: string, codeHash: string): Promise<boolean>;
  /** Keeps a secret that is to be proved, in place of one that was not. False: one is set already. */
  begin(userName: string, sealed: string): Promise<boolean>;
  /**
   * It was proved: it holds from now on, these recovery codes with it. The session that proved it has what
   * its user may do, and the others end. False when another secret waits by now, or the code was taken.
   */
  confirm(
    userName: string,
    what: { sealed: string; step: number; codeHashes: readonly string[]; session: string },
    by: By,
  ): Promise<boolean>;
  /** Other recovery codes. False: there is no second factor. */
  renewCodes(userName: string, codeHashes: readonly string[], by: By): Promise<boolean>;
  /**
   * Takes the authenticator app away, and ends the other sessions. @param keep id of the session that stays
   * @param needed whether the last second factor stays
   */
  remove(
    userName: string,
    { keep, needed }: { keep: string; needed: boolean },
    by: By,
  ): Promise<'removed' | 'none' | 'last'>;
  /** Takes every second factor away, passkeys among them, and ends all sessions. False: there is none. */
  reset(userName: string, by: By): Promise<boolean>;
}
