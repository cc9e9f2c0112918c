import type { Clock } from '../../common/clock.ts';
import { TransportError, type HttpClient, type OutgoingAnswer } from '../../common/http/outbound/client.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import type { LinkFault } from '../site-messages.ts';
import { readFailure } from './answer.ts';

/** Bound on one call, ms. */
const CALL_MS = 60_000;
const MAX_ANSWER = 4 * 1024 * 1024;

export interface HubCallOptions {
  client: HttpClient;
  /** Read for each call. @throws Error with what is wrong with it */
  key: () => SigningKey;
  /** Address of headquarters, CORE_UPLINK_URL. */
  url: string;
  clock: Clock;
}

/** `unreachable`: no answer came. */
export type Failed = {
  kind: 'failed';
  fault: LinkFault;
  unreachable: boolean;
  retryAfterMs: number;
};

export interface HubCall {
  body: Buffer;
  type: string;
  signal: AbortSignal;
  /** Bound on the call, ms; a minute unless given. */
  timeoutMs?: number;
}

/** Calls of headquarters beside the channels, signed as those. */
export class HubCalls {
  #client: HttpClient;
  #key: () => SigningKey;
  #clock: Clock;
  #base: string;

  constructor(options: HubCallOptions) {
    this.#client = options.client;
    this.#key = options.key;
    this.#clock = options.clock;
    this.#base = options.url.replace(/\/+$/, '');
  }

  async send(
    method: 'POST' | 'PUT',
    target: string,
    { body, type, signal, timeoutMs = CALL_MS }: HubCall,
  ): Promise<OutgoingAnswer | Failed> {
    const url = `${this.#base}${target}`;
    const key = this.#readKey();
    if ('kind' in key) return key;
    const { pathname, search } = new URL(url);
    try {
      return await this.#client.send({
        method,
        url,
        body,
        timeoutMs,
        maxAnswer: MAX_ANSWER,
        signal,
        headers: {
          'content-type': type,
          ...signedHeaders(key, this.#clock.now(), method, pathname + search, body),
        },
      });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const fault = { code: 'hub_unreachable', params: { fault: error.fault } } as const;
      return { kind: 'failed', fault, unreachable: true, retryAfterMs: 0 };
    }
  }

  /** An answer that decides nothing. */
  failed(http: OutgoingAnswer): Failed {
    const { fault, retryAfterMs } = readFailure(http, this.#clock.now());
    return { kind: 'failed', fault, unreachable: false, retryAfterMs };
  }

  #readKey(): SigningKey | Failed {
    try {
      return this.#key();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const fault = { code: 'key_unreadable', params: { reason } } as const;
      return { kind: 'failed', fault, unreachable: false, retryAfterMs: 0 };
    }
  }
}

export function jsonOf({ body }: OutgoingAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The answer is not from headquarters; the caller's schema refuses it.
    return null;
  }
}
