// What became of a citation since the answer was given. Pure.
import type { Visibility } from './port.ts';
import type { ChunkText, PolicyDocument } from './record.ts';
import { outOfForce } from './validity.ts';
import type { CitationReason } from './verify/decide.ts';

/**
 * The reason why a citation does not hold, empty where it does. A file that was superseded or withdrawn is
 * named as that, also when its chunks are others by now.
 * @param sha256 fingerprint of the text that is cited
 */
export function decideCitation(
  seen: { document: PolicyDocument | undefined; chunk: Pick<ChunkText, 'textSha256' | 'docId'> | undefined },
  sha256: string,
  visibility: Visibility,
  now: number,
): CitationReason {
  const { document, chunk } = seen;
  if (!document || document.tenantCode !== visibility.tenantCode || document.level > visibility.maxRank)
    return 'not_found';
  if (document.status === 'superseded' || document.status === 'withdrawn') return document.status;
  if (!chunk || chunk.docId !== document.id) return 'not_found';
  if (chunk.textSha256 !== sha256) return 'hash_mismatch';
  return outOfForce(document, now);
}
