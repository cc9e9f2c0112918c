// Requests that are sent again under the same `Idempotency-Key`, as draft-ietf-httpapi-idempotency-key-header
// has it: the first is carried out, and those after it get its answer.

/** How long an answer is kept, ms. */
export const KEPT_MS = 24 * 3_600_000;
/** Keys of one caller that are kept at a time. */
export const KEYS_OF_CALLER = 10_000;
/** A request that has had no answer for so long has lost the process that carried it out, ms. */
export const UNDER_WAY_MS = 120_000;

/** An answer as it is kept; `body` null: it shows a secret, or is too large, and is not kept. */
export interface KeptAnswer {
  status: number;
  body: string | null;
}

export interface KeyedRequest {
  /** Who calls; another caller's keys are others. */
  caller: string;
  key: string;
  /** Of method, address and body. */
  fingerprint: string;
  /** Epoch ms. */
  at: number;
}

export type KeyClaim =
  /** Nobody has sent this key before: it is to be carried out, and settled or released. */
  | { kind: 'first' }
  | { kind: 'answered'; answer: KeptAnswer }
  | { kind: 'under_way' }
  /** Its process was lost, or failed, before the answer was known. */
  | { kind: 'outcome_unknown' }
  /** The key stands for another request. */
  | { kind: 'other_request' }
  /** The caller has `KEYS_OF_CALLER` already. */
  | { kind: 'too_many' };

export interface RetryPort {
  /** Of several claims at once, in any process, one is `first`. */
  claim(request: KeyedRequest): Promise<KeyClaim>;
  settle(request: KeyedRequest, answer: KeptAnswer): Promise<void>;
  /** Nothing was done: the key is free again. */
  release(request: KeyedRequest): Promise<void>;
}

/** What a kept request means for one that comes now. */
export function claimOf(
  kept: { fingerprint: string; at: number; status: number | null; body: string | null },
  request: KeyedRequest,
): KeyClaim {
  if (kept.fingerprint !== request.fingerprint) return { kind: 'other_request' };
  if (kept.status !== null) return { kind: 'answered', answer: { status: kept.status, body: kept.body } };
  return { kind: request.at - kept.at < UNDER_WAY_MS ? 'under_way' : 'outcome_unknown' };
}
