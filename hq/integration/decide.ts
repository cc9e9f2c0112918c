// The rules of deliveries and token requests, without I/O.
import type { AttemptResult, ClaimedDelivery, SettleDelivery, WebhookRecord } from './record.ts';

/** Spec 1, "Limits". */
export const MAX_ATTEMPTS = 5;
export const ATTEMPT_MS = 10_000;
export const TOKEN_LIFETIME_S = 7_200;
/** Bytes of an answer that are kept. */
export const KEPT_ANSWER = 4 * 1024;

/**
 * Waits after the first to the fourth failed attempt, ms: attempts at about 0 s, 30 s, 5 min, 30 min and 2 h.
 */
const RETRY_WAITS_MS = [30_000, 270_000, 1_500_000, 5_400_000] as const;
/** Wait after an attempt that could not be made here, ms. */
const UNSENT_WAIT_MS = 60_000;
const JITTER = 0.2;
/** `Retry-After` may stretch a wait to so many times its length. */
const STRETCH = 2;

/**
 * @param attempt the one that failed, from 1
 * @param retryAfterMs what the receiver asked for: never less than the wait itself, at most twice as much
 * @param random in [0, 1)
 */
function retryWait(attempt: number, retryAfterMs: number | null, random: number): number {
  const step = RETRY_WAITS_MS[Math.min(attempt, RETRY_WAITS_MS.length) - 1] ?? RETRY_WAITS_MS[0];
  const spread = Math.round(step * (1 + JITTER * (2 * random - 1)));
  return retryAfterMs === null ? spread : Math.max(spread, Math.min(retryAfterMs, step * STRETCH));
}

/** The delivery after an attempt (spec 1, "States"). */
export function decideAttempt(
  claimed: ClaimedDelivery,
  result: AttemptResult,
  now: number,
  random: number,
): SettleDelivery {
  const { tenantCode, id, webhookId, claim, attempts } = claimed;
  const { responseCode, responseBody, error, told } = result;
  const row = {
    tenantCode,
    id,
    webhookId,
    claim,
    responseCode,
    responseBody,
    lastError: error,
    told,
    at: now,
    unsent: result.unsent ?? false,
  };
  if (row.unsent) return { ...row, status: 'pending', nextAt: now + UNSENT_WAIT_MS };
  if (error === null) return { ...row, status: 'success', nextAt: now };
  if (attempts >= MAX_ATTEMPTS) return { ...row, status: 'failed', nextAt: now };
  return { ...row, status: 'pending', nextAt: now + retryWait(attempts, result.retryAfterMs, random) };
}

/** `Retry-After` as seconds or as a date, ms from now; null when it says nothing. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value.trim()) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/**
 * Attempts that may run at once: `all` by one process; `one` to one webhook, and `failing` to one that does
 * not answer well, by all processes together.
 */
export const IN_FLIGHT = { all: 256, one: 16, failing: 2 } as const;
/** Failures in a row from which on a webhook counts as failing. */
export const FAILING_FROM = 2;

/** Since when, by whom and why, of a webhook that is given this status. */
export const disabledFields = (
  status: WebhookRecord['status'],
  { at, by, reason = null }: { at: number; by: string; reason?: string | null | undefined },
): Pick<WebhookRecord, 'disabledAt' | 'disabledBy' | 'disabledReason'> =>
  status === 'disabled'
    ? { disabledAt: at, disabledBy: by, disabledReason: reason }
    : { disabledAt: null, disabledBy: null, disabledReason: null };
