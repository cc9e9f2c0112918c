import { backoffDelay, LONGEST_WAIT_MS } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { type HttpClient, TransportError } from '../../http/outbound/client.ts';
import { signedHeaders } from '../../http/signing/signature.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { SecretError } from '../../secret/secret.ts';
import { isOfStore } from '../left-out/row-by-row.ts';
import { failureFor, failureText, transportFailure } from './failure.ts';
import type { FeedbackPort } from './port.ts';
import type { FeedbackRecord } from './record.ts';

/** The first try is made within the request that wrote the verdict (DESIGN.md, "Feedback"). */
const FIRST_TRY_MS = 2_000;
const TRY_MS = 10_000;
/** A message older than this is given up and shown as expired. */
const FEEDBACK_LIFETIME_MS = 7 * 24 * 3_600_000;
const BACKOFF = { first: 5_000, cap: LONGEST_WAIT_MS, jitter: 0.2 };
/** Longer than any try, so that a claimed row is not tried twice at once. */
const LEASE_MS = 30_000;
const CLAIM = 32;

/**
 * Brings a message to a node that takes it in a form of its own. @returns null for a node that takes it as it
 * is; otherwise what went wrong, as it is kept, or null when it is told
 */
export type CarryFeedback = (
  record: FeedbackRecord,
  bounds: { timeoutMs: number; signal: AbortSignal },
) => Promise<{ error: string | null } | null>;

export interface FeedbackSenderOptions {
  feedback: FeedbackPort;
  /** Newest secret of a live key; null when it is gone. */
  signingSecret: (keyId: string) => Promise<string | null>;
  client: HttpClient;
  carry?: CarryFeedback | undefined;
  clock: Clock;
  log: Logger;
  /** Milliseconds between rounds. */
  interval?: number;
}

export interface TryResult {
  delivered: boolean;
  error: string | null;
}

/** Brings verdicts back to the camera that raised the alarm: once in the request, then in the background. */
export class FeedbackSender {
  readonly loop: Loop;
  readonly counts = { delivered: 0, failed: 0, expired: 0 };
  readonly #options: FeedbackSenderOptions;

  constructor(options: FeedbackSenderOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'feedback',
      interval: options.interval ?? 1_000,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /**
   * The try within the request; never throws, the verdict stands whatever comes of it (spec 2, "Feedback to
   * edge nodes").
   * @param reader who is told of a failure: bound to one tenant, of its class only
   */
  async firstTry(id: string, reader: { tenantCode: string | null }): Promise<TryResult> {
    const record = await this.#options.feedback.get(id);
    if (!record) return { delivered: false, error: 'the message is gone' };
    const { delivered, error } = await this.#attempt(record, FIRST_TRY_MS);
    return { delivered, error: failureFor(reader, error) };
  }

  /** Sends what is due. A camera that hangs delays only its own messages of this round. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    const due = await this.#options.feedback.claimDue(this.#options.clock.now(), LEASE_MS, CLAIM);
    const perCamera = Map.groupBy(due, ({ url }) => (URL.canParse(url) ? new URL(url).host : url));
    await Promise.all(
      [...perCamera.values()].map(async (records) => {
        for (const record of records) {
          if (signal.aborted) return;
          await this.#attempt(record, TRY_MS, signal);
        }
      }),
    );
    return { again: due.length === CLAIM && !signal.aborted };
  }

  async #attempt(record: FeedbackRecord, timeoutMs: number, signal?: AbortSignal): Promise<TryResult> {
    const error = await this.#post(record, timeoutMs, signal).catch((thrown: unknown) => {
      if (isOfStore(thrown)) throw thrown;
      // One that nothing can be made of is a failed try, and keeps no other waiting.
      this.#options.log.error({ err: thrown, feedback: record.id }, 'a message to a camera cannot be made');
      return failureText('not sent', thrown instanceof Error ? thrown.message : String(thrown));
    });
    if (error === null) {
      this.counts.delivered += 1;
      await this.#options.feedback.delivered(record.id, this.#options.clock.now());
      return { delivered: true, error: null };
    }
    if (signal?.aborted) return { delivered: false, error };
    this.counts.failed += 1;
    const nextAt = this.#nextAt(record);
    if (nextAt === null) {
      this.counts.expired += 1;
      this.#options.log.warn(
        { feedback: record.id, eventId: record.eventId, error },
        'feedback given up after 7 days',
      );
    }
    await this.#options.feedback.failed(record.id, error, nextAt, this.#options.clock.now());
    return { delivered: false, error };
  }

  #nextAt(record: FeedbackRecord): number | null {
    const now = this.#options.clock.now();
    if (now - record.createdAt >= FEEDBACK_LIFETIME_MS) return null;
    return now + backoffDelay(record.attempts + 1, BACKOFF, Math.random());
  }

  /** @returns what went wrong, null when the camera took it */
  async #post(record: FeedbackRecord, timeoutMs: number, signal?: AbortSignal): Promise<string | null> {
    const late = AbortSignal.timeout(timeoutMs);
    const bounds = { timeoutMs, signal: signal ? AbortSignal.any([signal, late]) : late };
    const carried = await this.#options.carry?.(record, bounds);
    if (carried) return carried.error;
    const url = new URL(record.url);
    const target = url.pathname + url.search;
    try {
      const secret = record.nodeKey === null ? null : await this.#options.signingSecret(record.nodeKey);
      const signed =
        secret === null || record.nodeKey === null
          ? {}
          : signedHeaders(
              { keyId: record.nodeKey, secret },
              this.#options.clock.now(),
              'POST',
              target,
              record.body,
            );
      const answer = await this.#options.client.send({
        method: 'POST',
        url: record.url,
        body: record.body,
        timeoutMs,
        maxAnswer: 64 * 1024,
        headers: { 'content-type': 'application/json', ...signed },
        ...(signal ? { signal } : {}),
      });
      return answer.status >= 200 && answer.status < 300
        ? null
        : failureText('answered with an error', `HTTP ${answer.status}`);
    } catch (error) {
      if (error instanceof SecretError) return failureText('not sent', error.message);
      if (!(error instanceof TransportError)) throw error;
      return transportFailure(error);
    }
  }
}
