import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Actor } from '../actor.ts';
import { AppError, fault } from '../error.ts';
import type { KeptAnswer, KeyedRequest, RetryPort } from '../retry.ts';
import type { Context, Middleware } from '../state.ts';

export interface Retries {
  port: RetryPort;
  clock: Clock;
}

/** Characters of an answer that are kept. */
const MAX_KEPT = 256 * 1024;
/** Members of an answer that are shown once and kept nowhere in clear. */
const SECRETS = ['secret', 'client_secret', 'signingSecret', 'code'];
/** With these nothing was done, and the same may be sent again. */
const NOTHING_DONE = (status: number): boolean => status < 500 || status === 503 || status === 507;

/**
 * Carries a request with an `Idempotency-Key` out once. Its caller is proven, and its body is read and not
 * yet looked at; what is wrong with it frees the key again.
 */
export const answerRetries =
  ({ port, clock }: Retries): Middleware =>
  async (ctx, next) => {
    const key = keyOf(ctx);
    if (key === null) return next();
    const request = { caller: callerOf(ctx.state.actor), key, fingerprint: printOf(ctx), at: clock.now() };
    const answer = await claim(port, request);
    if (answer) {
      ctx.set({ 'Idempotency-Replayed': 'true', 'Content-Type': 'application/json; charset=utf-8' });
      ctx.status = answer.status;
      ctx.body = answer.body;
      return;
    }
    try {
      await next();
    } catch (error) {
      if (error instanceof AppError && NOTHING_DONE(error.status)) await port.release(request);
      throw error;
    }
    await port.settle(request, keptOf(ctx));
  };

/** In quotes, as the draft has it, or without. */
function keyOf({ req }: Context): string | null {
  const given = req.headers['idempotency-key'];
  if (given === undefined) return null;
  const key = String(given).replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw fault('Idempotency-Key', 'retry_key');
  return key;
}

const callerOf = (actor: Actor): string =>
  actor.kind === 'key' ? `key:${actor.purpose}:${actor.subject}` : `${actor.kind}:${actor.name}`;

const printOf = ({ method, url, state }: Context): string =>
  createHash('sha256').update(`${method} ${url}\n`).update(state.raw).digest('hex');

/** @returns the answer of the first request; null: this is the first @throws AppError 409, 422, 429 */
async function claim(port: RetryPort, request: KeyedRequest): Promise<KeptAnswer | null> {
  const claimed = await port.claim(request);
  switch (claimed.kind) {
    case 'first':
      return null;
    case 'answered':
      if (claimed.answer.body !== null) return claimed.answer;
      throw new AppError(
        409,
        'answer_not_kept',
        'The first request with this Idempotency-Key was carried out. Its answer shows a secret and is not ' +
          'kept: look up what was made, and give it a new secret where the first is lost.',
      );
    case 'under_way':
      throw new AppError(
        409,
        'request_under_way',
        'The first request with this Idempotency-Key is under way. Send the same again later.',
        { retryable: true, retryAfterSeconds: 1 },
      );
    case 'outcome_unknown':
      throw new AppError(
        409,
        'retry_outcome_unknown',
        'What came of the first request with this Idempotency-Key is not known. Look whether it was ' +
          'carried out, and send it under a new key if not.',
      );
    case 'other_request':
      throw new AppError(
        422,
        'idempotency_key_reused',
        'This Idempotency-Key was sent with another request. Use a new key for each.',
      );
    case 'too_many':
      throw new AppError(
        429,
        'too_many_retry_keys',
        'Too many Idempotency-Keys within 24 hours; use fewer.',
        {
          retryAfterSeconds: 3_600,
        },
      );
  }
}

function keptOf({ status, body }: Context): KeptAnswer {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : body;
  const keeps = typeof text === 'string' && text.length <= MAX_KEPT && !showsSecret(text);
  return { status, body: keeps ? text : null };
}

function showsSecret(text: string): boolean {
  const answer = JSON.parse(text) as unknown;
  return typeof answer === 'object' && answer !== null && SECRETS.some((name) => name in answer);
}
