/** A code by which a site may fetch a key of its own, once. */
export interface JoiningCode {
  /** At most one a site: a new one takes the place of the one before. */
  instance: string;
  /** Lowercase hex SHA-256. */
  codeHash: string;
  /** Epoch ms. */
  expiresAt: number;
  /** Who had it made, as the audit names them. */
  createdBy: string;
}

export interface JoiningCodePort {
  /** Audited as `site.code_issued` on `site:<instance>`. */
  put(code: JoiningCode, now: number): Promise<void>;
  /**
   * Takes a code that is still good out of the store: of several who come with it at once one gets it.
   * @param instance that the code must be for; null: any
   * @returns null when there is no such code
   */
  take(codeHash: string, instance: string | null, now: number): Promise<JoiningCode | null>;
}
