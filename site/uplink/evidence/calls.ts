import * as z from 'zod/mini';
import type { Clock } from '../../../common/clock.ts';
import { TransportError, type HttpClient, type OutgoingAnswer } from '../../../common/http/client.ts';
import { signedHeaders, type SigningKey } from '../../../common/http/signature.ts';
import { piecePath, STATES_PATH, type StatesRequest } from '../../../common/uplink/evidence.ts';
import type { LinkFault } from '../../site-messages.ts';
import { readFailure } from '../answer.ts';

/** Bound on one call, ms. */
const CALL_MS = 60_000;
const MAX_ANSWER = 4 * 1024 * 1024;

export interface EvidenceCallOptions {
  client: HttpClient;
  /** Read for each call. @throws Error with what is wrong with it */
  key: () => SigningKey;
  /** Address of headquarters, CORE_UPLINK_URL. */
  url: string;
  clock: Clock;
}

/** `unreachable`: no answer came. `notWanted`: headquarters does not know the want, or the call itself. */
export type Failed = {
  kind: 'failed';
  fault: LinkFault;
  unreachable: boolean;
  retryAfterMs: number;
};
export type PieceOutcome =
  | { kind: 'held'; offset: number; done: boolean }
  /** Headquarters holds another number of bytes. */
  | { kind: 'elsewhere'; offset: number }
  | { kind: 'not_wanted' }
  | Failed;
export type StatesOutcome =
  | { kind: 'answered'; wants: unknown[] }
  /** Headquarters is from before these calls. */
  | { kind: 'unknown_there' }
  | Failed;

const statesForm = z.object({ evidence: z.array(z.unknown()) });
const pieceForm = z.object({ offset: z.int().check(z.minimum(0)), done: z._default(z.boolean(), false) });

/** The calls that bring evidence to headquarters, signed as those of the channels. */
export class EvidenceCalls {
  #options: EvidenceCallOptions;
  #base: string;

  constructor(options: EvidenceCallOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
  }

  async states(request: StatesRequest, signal: AbortSignal): Promise<StatesOutcome> {
    const body = Buffer.from(JSON.stringify(request));
    const http = await this.#send('POST', STATES_PATH, { body, type: 'application/json', signal });
    if ('kind' in http) return http;
    if (http.status === 404 || http.status === 405) return { kind: 'unknown_there' };
    const parsed = http.status === 200 ? statesForm.safeParse(jsonOf(http)) : null;
    return parsed?.success ? { kind: 'answered', wants: parsed.data.evidence } : this.#failed(http);
  }

  async piece(wantId: string, offset: number, body: Buffer, signal: AbortSignal): Promise<PieceOutcome> {
    const type = 'application/octet-stream';
    const http = await this.#send('PUT', piecePath(wantId, offset), { body, type, signal });
    if ('kind' in http) return http;
    if (http.status === 404) return { kind: 'not_wanted' };
    const parsed = pieceForm.safeParse(jsonOf(http));
    if (parsed.success && http.status === 200) return { kind: 'held', ...parsed.data };
    if (parsed.success && (http.status === 409 || http.status === 422))
      return { kind: 'elsewhere', offset: parsed.data.offset };
    return this.#failed(http);
  }

  #failed(http: OutgoingAnswer): Failed {
    const { fault, retryAfterMs } = readFailure(http, this.#options.clock.now());
    return { kind: 'failed', fault, unreachable: false, retryAfterMs };
  }

  async #send(
    method: 'POST' | 'PUT',
    target: string,
    { body, type, signal }: { body: Buffer; type: string; signal: AbortSignal },
  ): Promise<OutgoingAnswer | Failed> {
    const { client, clock } = this.#options;
    const url = `${this.#base}${target}`;
    const key = this.#key();
    if ('kind' in key) return key;
    const { pathname, search } = new URL(url);
    try {
      return await client.send({
        method,
        url,
        body,
        timeoutMs: CALL_MS,
        maxAnswer: MAX_ANSWER,
        signal,
        headers: {
          'content-type': type,
          ...signedHeaders(key, clock.now(), method, pathname + search, body),
        },
      });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const fault = { code: 'hub_unreachable', params: { fault: error.fault } } as const;
      return { kind: 'failed', fault, unreachable: true, retryAfterMs: 0 };
    }
  }

  #key(): SigningKey | Failed {
    try {
      return this.#options.key();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const fault = { code: 'key_unreadable', params: { reason } } as const;
      return { kind: 'failed', fault, unreachable: false, retryAfterMs: 0 };
    }
  }
}

function jsonOf({ body }: OutgoingAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // Not of headquarters; whoever asked sees that it has no form.
    return null;
  }
}
