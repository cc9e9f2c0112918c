// How guesses are held up.
import { AppError } from '../../http/error.ts';
import type { LoginAttemptPort } from './port.ts';
import type { AttemptScope } from './record.ts';

const MINUTE_MS = 60_000;
/** Guesses at one name from one address, from one browser that is known to its owner, or at one secret. */
export const OWN_ATTEMPTS = { free: 5, longestMs: 15 * MINUTE_MS };
/** Guesses from one address at any names. Many people may share an address, so the delay stays short. */
export const SHARED_ATTEMPTS = { free: 20, longestMs: MINUTE_MS };

/** Counts an attempt. @returns null, or AppError 429 too_many_attempts with the seconds to wait */
export async function countAttempt(
  attempts: LoginAttemptPort,
  scopes: readonly AttemptScope[],
  now: number,
): Promise<AppError | null> {
  const until = await attempts.begin(scopes, now);
  if (until === null) return null;
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new AppError(429, 'too_many_attempts', `Too many attempts have failed. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
}
