import { createHash, hash } from 'node:crypto';

/** Fingerprint of a text: SHA-256 of its UTF-8 bytes, lowercase hex (DESIGN.md, "Policy library"). */
export const textFingerprint = (text: string): string => hash('sha256', text);

/**
 * Fingerprint of a chunk set: SHA-256 over the fingerprints of its texts as hex, in order, without
 * separators.
 */
export function setFingerprint(fingerprints: readonly string[]): string {
  const digest = createHash('sha256');
  for (const one of fingerprints) digest.update(one);
  return digest.digest('hex');
}
