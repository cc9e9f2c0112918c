import type { Visibility } from '../port.ts';
import type { PolicyDocument } from '../record.ts';

/** A chunk as the citation check sees it. */
export interface CitedChunkNow {
  chunkId: number;
  /** The stored fingerprint. */
  textSha256: string;
  /** Whether the stored text still has it. */
  intact: boolean;
  document: Pick<PolicyDocument, 'status' | 'validFrom' | 'validUntil'>;
}

export interface CitationPort {
  /**
   * In any order. What is gone, another tenant's or above the rank is left out, after the same work for each
   * of them.
   */
  cited(visibility: Visibility, chunkIds: readonly number[]): Promise<CitedChunkNow[]>;
}
