/** Who computes missing vectors. Times are epoch ms. */
export interface EmbeddingLease {
  /** Takes or prolongs it. False: another process has it. */
  take(holder: string, now: number, until: number): Promise<boolean>;
  release(holder: string): Promise<void>;
}
