import { TransportError, type HttpClient } from '../../common/http/outbound/client.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import type { Clock } from '../../common/clock.ts';
import type { LinkFault } from '../site-messages.ts';
import { readAnswer, type Outcome } from './answer.ts';
import type { Batch } from './batch/batch.ts';

/** Bound on one request, ms. After a batch that takes longer, the next ones are smaller. */
const REQUEST_MS = 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface HubOptions {
  client: HttpClient;
  /**
   * Read for each request, so that a renewed secret needs no restart.
   * @throws Error that says why it cannot be read
   */
  key: () => SigningKey;
  /** Address of headquarters, CORE_UPLINK_URL. */
  url: string;
  clock: Clock;
}

/** No complete answer came. `late`: a connection was made, but the answer took too long. */
export type Unreachable = { kind: 'unreachable'; fault: LinkFault; late: boolean };

/** Sends a batch to headquarters and reads its answer. */
export class Hub {
  #client: HttpClient;
  #key: () => SigningKey;
  #clock: Clock;
  #base: string;

  constructor(options: HubOptions) {
    this.#client = options.client;
    this.#key = options.key;
    this.#clock = options.clock;
    this.#base = options.url.replace(/\/+$/, '');
  }

  async post(batch: Batch, signal: AbortSignal): Promise<Outcome | Unreachable> {
    const url = `${this.#base}/api/core/uplink/${batch.channel}`;
    const key = this.#readKey();
    if ('unreadable' in key) {
      const fault = { code: 'key_unreadable', params: { reason: key.unreadable } } as const;
      return { kind: 'failed', fault, retryAfterMs: 0, skewSeconds: null };
    }
    try {
      const signed = signedHeaders(key, this.#clock.now(), 'POST', new URL(url).pathname, batch.body);
      const http = await this.#client.send({
        method: 'POST',
        url,
        body: batch.body,
        timeoutMs: REQUEST_MS,
        maxAnswer: MAX_ANSWER_BYTES,
        signal,
        headers: {
          'content-type': 'application/json',
          ...(batch.compressed ? { 'content-encoding': 'zstd' } : {}),
          ...signed,
        },
      });
      return readAnswer(batch, http, this.#clock.now());
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const fault = { code: 'hub_unreachable', params: { fault: error.fault } } as const;
      return { kind: 'unreachable', fault, late: error.code === 'timeout' };
    }
  }

  #readKey(): SigningKey | { unreadable: string } {
    try {
      return this.#key();
    } catch (error) {
      return { unreadable: error instanceof Error ? error.message : String(error) };
    }
  }
}
