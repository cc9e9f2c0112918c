// What whoever cannot prove who he is is answered.
import { AppError } from '../error.ts';
import { SIGNATURE_TOLERANCE_S } from './signature.ts';

/** When a request is to come again that could not be checked, s. */
const UNREADABLE_RETRY_S = 60;

/** One text for an unknown key and a wrong signature, so that key ids cannot be probed. */
export const badSignature = (): AppError =>
  new AppError(
    401,
    'bad_signature',
    'The key is unknown or the signature does not match the request as it arrived.',
  );

/** It is this program's fault, and may be mended: whoever sends is to keep what it has and send it again. */
export const secretUnreadable = (what = 'The secret of this key', cause?: unknown): AppError =>
  new AppError(
    503,
    'secret_unreadable',
    `${what} cannot be read here, so that the request cannot be checked. Send it again later.`,
    { retryable: true, retryAfterSeconds: UNREADABLE_RETRY_S, cause },
  );

export function clockSkew(now: number): AppError {
  return new AppError(
    401,
    'clock_skew',
    `The timestamp is more than ${SIGNATURE_TOLERANCE_S} s from this server's time; set the clock by ` +
      'serverTime.',
    {
      extra: { serverTime: new Date(now).toISOString(), serverUnixSeconds: Math.floor(now / 1000) },
    },
  );
}
