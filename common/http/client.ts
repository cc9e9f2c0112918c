import type { Readable } from 'node:stream';
import http from 'node:http';
import https from 'node:https';
import { checkLiteral, guardedLookup, type Networks, type Resolve } from './address.ts';

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Record<string, string>;
  body?: Buffer | string | OutgoingStream;
  /** Bound on everything from connecting to the last byte of the answer, milliseconds. */
  timeoutMs: number;
  /** Bytes of the answer that are kept; more is an error. */
  maxAnswer?: number;
  /** Bytes after which the answer is cut off instead; `maxAnswer` does not matter then. */
  keepAnswer?: number;
  signal?: AbortSignal;
}

/** A body that is read while it is sent. */
export interface OutgoingStream {
  open(): Readable;
  /** Bytes. */
  size: number;
}

export interface OutgoingAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** A request that got no whole answer; `code` is the system's (ECONNREFUSED …), `timeout`, `answer_too_large` or `address_refused`. */
export class TransportError extends Error {
  readonly code: string;
  /** Status of an answer that was too large. */
  readonly status: number | null;
  constructor(message: string, code: string, cause?: unknown, status: number | null = null) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.code = code;
    this.status = status;
  }
}

export interface HttpClientOptions {
  /** Connections to one address at once. */
  maxSockets?: number;
  /** false: a connection each, so that none is found closed by the peer. */
  keepAlive?: boolean;
  resolve?: Resolve | undefined;
}

/**
 * Outgoing HTTP: kept connections, one bound over the whole exchange, a cap on
 * the answer, no redirects followed, addresses checked when connecting.
 */
export class HttpClient {
  #networks: Networks;
  #lookup: ReturnType<typeof guardedLookup>;
  #http: http.Agent;
  #https: https.Agent;

  /** @param networks where connections may go; null is anywhere */
  constructor(networks: Networks = null, { maxSockets = 16, keepAlive = true, resolve }: HttpClientOptions = {}) {
    this.#networks = networks;
    this.#lookup = guardedLookup(networks, resolve);
    const options = { keepAlive, maxSockets, maxFreeSockets: 4, timeout: 60_000 };
    this.#http = new http.Agent(options);
    this.#https = new https.Agent(options);
  }

  /** @throws TransportError when no whole answer came; any HTTP status is an answer */
  async send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const url = new URL(request.url);
    const late = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, late]) : late;
    try {
      checkLiteral(url.hostname, this.#networks);
      return await this.#exchange(url, request, signal);
    } catch (error) {
      if (error instanceof TransportError) throw error;
      if (late.aborted) throw new TransportError(`no answer within ${request.timeoutMs} ms`, 'timeout', error);
      const { code, message } = error as { code?: string; message: string };
      throw new TransportError(reasonOf(url.host, code ?? '', message), code ?? 'connection_failed', error);
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #exchange(url: URL, request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> {
    const secure = url.protocol === 'https:';
    const max = request.maxAnswer ?? 1024 * 1024;
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? https : http).request(url, {
        method: request.method,
        headers: { ...request.headers, ...(request.body === undefined ? {} : { 'content-length': sizeOf(request.body) }) },
        agent: secure ? this.#https : this.#http,
        lookup: this.#lookup as never,
        signal,
      });
      outgoing.on('error', reject);
      outgoing.on('response', (answer) => {
        const parts: Buffer[] = [];
        let size = 0;
        answer.on('data', (part: Buffer) => {
          size += part.length;
          parts.push(part);
          if (request.keepAnswer !== undefined && size > request.keepAnswer) {
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts).subarray(0, request.keepAnswer) });
            outgoing.destroy();
          } else if (request.keepAnswer === undefined && size > max) {
            reject(new TransportError(`the answer is larger than ${max} bytes`, 'answer_too_large', undefined, answer.statusCode ?? null));
            outgoing.destroy();
          }
        });
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }));
        answer.on('close', () => {
          if (!answer.complete) reject(new TransportError('the answer broke off', 'ECONNRESET'));
        });
      });
      if (request.body === undefined || typeof request.body === 'string' || Buffer.isBuffer(request.body)) outgoing.end(request.body);
      else pour(request.body, outgoing, reject);
    });
  }
}

/** Characters of an address that a message shows. */
const SHOWN_ADDRESS = 200;

/** Where a redirect leads, in brackets; empty when it does not say. */
export const leadsTo = ({ location }: http.IncomingHttpHeaders): string => (location ? ` (${location.slice(0, SHOWN_ADDRESS)})` : '');

/** Codes of certificates whose issuer is not known here. */
const UNKNOWN_ISSUER = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']);

/** Why nothing came, in words beside the system's own code. @param host with the port where the address names one */
export function reasonOf(host: string, code: string, message: string): string {
  if (code === 'ECONNREFUSED') return `nothing listens at ${host} (${code})`;
  if (code === 'ENOTFOUND') return `the name of ${host} is not known (${code})`;
  if (code === 'EAI_AGAIN') return `the name of ${host} could not be looked up (${code})`;
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return `this machine has no way to ${host} (${code}); check its cable and router`;
  if (code === 'ETIMEDOUT') return `${host} does not answer (${code})`;
  if (code === 'ECONNRESET') return message === 'aborted' ? `${host} broke off its answer (${code})` : `${host} closed the connection before it answered (${code})`;
  if (code === 'EPROTO' && message.includes('wrong version number')) return `${host} does not speak TLS, as https:// asks for (${code})`;
  if (UNKNOWN_ISSUER.has(code)) return `the certificate of ${host} is of an issuer that is not known here (${code}); name the issuer's certificate in NODE_EXTRA_CA_CERTS`;
  return message.trim() || code || 'the connection failed';
}

const sizeOf = (body: Buffer | string | OutgoingStream): number => (typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.byteLength(body) : body.size);

function pour(body: OutgoingStream, outgoing: http.ClientRequest, reject: (error: unknown) => void): void {
  const source = body.open();
  source.on('error', (error) => {
    reject(error);
    outgoing.destroy();
  });
  outgoing.on('close', () => source.destroy());
  source.pipe(outgoing);
}
