import { guessableLength } from '../session/guessable.ts';
import type { AdminKeyRecord } from './port.ts';

/** Characters of an admin key at least; `openssl rand -base64 24` makes 32. */
const MIN_LENGTH = 24;
/** Characters that are left when what can be guessed counts as one. */
const MIN_LEFT = 20;
/** A use is written down at most this often: at a site each write costs a sync. */
export const NOTE_USE_EVERY_MS = 5 * 60_000;

/**
 * What is wrong with the text of a configured admin key, which opens everything and can be tried by anybody
 * who reaches the port; null for nothing.
 */
export function adminKeyFault(text: string): string | null {
  const length = [...text].length;
  if (length < MIN_LENGTH)
    return `it has ${length} character${length === 1 ? '' : 's'}, and must have at least ${MIN_LENGTH}`;
  return guessableLength(text, []) < MIN_LEFT
    ? 'it is easy to guess: it repeats itself, or is made of sequences and common words'
    : null;
}

/** Whether that digest opens anything now: it is the live one, or the one before it and not yet past. */
export const isLive = (key: AdminKeyRecord, hash: string, now: number): boolean =>
  key.secretHash === hash || (key.previousUntil !== null && now < key.previousUntil);
