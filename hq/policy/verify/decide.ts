import { outOfForce } from '../validity.ts';
import type { CitedChunkNow } from './port.ts';

/** Why a chunk may not be cited; the empty string: it may be (spec 3, "Citation check reasons"). */
export const citationReasons = [
  '',
  'not_found',
  'hash_mismatch',
  'superseded',
  'withdrawn',
  'not_effective',
  'expired',
  'not_yet_effective',
] as const;
export type CitationReason = (typeof citationReasons)[number];

/**
 * The first reason that holds, in the order of the specification's table.
 * @param seen null: missing, another tenant's, or above the asker's clearance
 * @param claimed the fingerprint that the caller has; null: it names none
 */
export function citationReason(
  seen: Omit<CitedChunkNow, 'chunkId'> | null,
  claimed: string | null,
  now: number,
): CitationReason {
  if (!seen) return 'not_found';
  if (!seen.intact || (claimed !== null && claimed !== seen.textSha256)) return 'hash_mismatch';
  return outOfForce(seen.document, now);
}
