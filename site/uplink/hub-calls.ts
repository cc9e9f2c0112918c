import type { Clock } from '../../common/clock.ts';
import { type HttpClient, type OutgoingAnswer, TransportError } from '../../common/http/outbound/client.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import type { LinkFault } from '../site-messages.ts';
import { readFailure } from './answer.ts';
import { Patience } from './patience.ts';

/** Bound on one call, ms. */
const CALL_MS = 60_000;
const MAX_ANSWER = 4 * 1024 * 1024;

export interface HubCallOptions {
  client: HttpClient;
  /**
   * Read for each call, so that a renewed secret needs no restart.
   * @throws Error that says why it cannot be read
   */
  key: () => SigningKey;
  /** Address of headquarters, CORE_UPLINK_URL. */
  url: string;
  clock: Clock;
}

/**
 * `unreachable`: no answer came. `late`: a connection was made, but the answer took too long. `skewSeconds`:
 * how far this clock is ahead of headquarters'; null: that is not what is wrong.
 */
export type Failed = {
  kind: 'failed';
  fault: LinkFault;
  unreachable: boolean;
  late: boolean;
  retryAfterMs: number;
  skewSeconds: number | null;
};

export interface HubCall {
  body: Buffer;
  type: string;
  encoding?: 'zstd';
  signal: AbortSignal;
  /** Bound on the call, ms; a minute unless given. */
  timeoutMs?: number;
  /** Bytes of the answer at most; 4 MiB unless given. */
  maxAnswer?: number;
  /** Longest silence before and within the answer, ms; what headquarters is known to need unless given. */
  silentMs?: number;
}

/** The one signed call of headquarters. */
export class HubCalls {
  readonly #options: HubCallOptions;
  #base: string;
  #patience = new Patience();

  constructor(options: HubCallOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
  }

  async send(
    method: 'GET' | 'POST' | 'PUT',
    target: string,
    call: HubCall,
  ): Promise<OutgoingAnswer | Failed> {
    const url = `${this.#base}${target}`;
    const key = this.#readKey();
    if ('kind' in key) return key;
    const { body, type, encoding, signal, timeoutMs = CALL_MS } = call;
    const { pathname, search } = new URL(url);
    const began = this.#options.clock.monotonic();
    try {
      const http = await this.#options.client.send({
        method,
        url,
        ...(method === 'GET' ? {} : { body }),
        timeoutMs,
        silentMs: call.silentMs ?? this.#patience.forBody(body.length),
        maxAnswer: call.maxAnswer ?? MAX_ANSWER,
        signal,
        headers: {
          ...(method === 'GET' ? {} : { 'content-type': type }),
          ...(encoding ? { 'content-encoding': encoding } : {}),
          ...signedHeaders(key, this.#options.clock.now(), method, pathname + search, body),
        },
      });
      if (call.silentMs === undefined) this.#patience.answered(this.#options.clock.monotonic() - began);
      return http;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const late = error.code === 'timeout' || error.code === 'silent';
      if (late && call.silentMs === undefined) this.#patience.failed();
      const fault = { code: 'hub_unreachable', params: { fault: error.fault } } as const;
      return failedFor(fault, { unreachable: true, late });
    }
  }

  /** An answer that decides nothing. */
  failed(http: OutgoingAnswer): Failed {
    const { fault, retryAfterMs, skewSeconds } = readFailure(http, this.#options.clock.now());
    return { ...failedFor(fault, { unreachable: false, late: false }), retryAfterMs, skewSeconds };
  }

  #readKey(): SigningKey | Failed {
    try {
      return this.#options.key();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const fault = { code: 'key_unreadable', params: { reason } } as const;
      return failedFor(fault, { unreachable: false, late: false });
    }
  }
}

const failedFor = (fault: LinkFault, how: Pick<Failed, 'unreachable' | 'late'>): Failed => ({
  kind: 'failed',
  fault,
  ...how,
  retryAfterMs: 0,
  skewSeconds: null,
});
