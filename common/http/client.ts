// What goes out over HTTP, and what comes of it. Each program brings its own implementation: headquarters undici, a site
// node:http, since undici costs it 22 MB of 88 resident. Both keep the one contract of test/contract/http-client.ts.
import type { Readable } from 'node:stream';
import { checkLiteral, type Networks, type Resolve } from './address.ts';

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Record<string, string>;
  body?: Buffer | string | OutgoingStream;
  /** Bound on everything from connecting to the last byte of the answer, milliseconds. */
  timeoutMs: number;
  /** Bytes of the answer that are kept, MAX_ANSWER unless given; more is an error. */
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

/** By name in small letters; of a header that came more than once, the first. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

export interface OutgoingAnswer {
  status: number;
  headers: AnswerHeaders;
  body: Buffer;
}

/** A request that got no whole answer; `code` is the system's (ECONNREFUSED …), `timeout`, `answer_too_large` or `address_refused`; ABORT_ERR when the caller gave it up. */
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
 * Outgoing HTTP/1.1: kept connections, one bound over the whole exchange, a cap on the answer, no redirects followed, every
 * resolved address judged when connecting.
 */
export interface HttpClient {
  /** @throws TransportError when no whole answer came; any HTTP status is an answer */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Ends every connection; a request under way fails. */
  close(): void;
}

/** A program's own way out. @param networks where connections may go; null, and left out, is anywhere */
export type CreateHttpClient = (networks?: Networks, options?: HttpClientOptions) => HttpClient;

/** Bytes of an answer that are kept where a request names no number. */
export const MAX_ANSWER = 1024 * 1024;
/** Connections to one address at once where a client is given no number. */
export const MAX_SOCKETS = 16;

/**
 * What every implementation does around its exchange: the bound in time, the address in the URL, the words of a failure.
 * @throws TransportError
 */
export async function bounded(
  request: OutgoingRequest, networks: Networks, exchange: (url: URL, signal: AbortSignal) => Promise<OutgoingAnswer>,
): Promise<OutgoingAnswer> {
  const url = new URL(request.url);
  const late = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, late]) : late;
  try {
    checkLiteral(url.hostname, networks);
    return await exchange(url, signal);
  } catch (error) {
    if (error instanceof TransportError) throw error;
    if (late.aborted) throw new TransportError(`no answer within ${request.timeoutMs} ms`, 'timeout', error);
    if (signal.aborted) throw new TransportError('The operation was aborted', 'ABORT_ERR', error);
    const { code, message } = error as { code?: string; message: string };
    throw new TransportError(reasonOf(url.host, code ?? '', message), code ?? 'connection_failed', error);
  }
}

export const answerTooLarge = (max: number, status: number | null): TransportError =>
  new TransportError(`the answer is larger than ${max} bytes`, 'answer_too_large', undefined, status);

/** A body that is not as long as its `size` said cannot be sent. */
export const bodyNotAsTold = (size: number): TransportError =>
  new TransportError(`what was to be sent is not the ${size} bytes that it was said to be`, 'body_not_as_told');

export const isStream = (body: OutgoingRequest['body']): body is OutgoingStream =>
  body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);

/** Bytes. */
export const sizeOf = (body: Buffer | string | OutgoingStream): number => (isStream(body) ? body.size : Buffer.byteLength(body));

/** Characters of an address that a message shows. */
const SHOWN_ADDRESS = 200;

/** Where a redirect leads, in brackets; empty when it does not say. */
export const leadsTo = ({ location }: AnswerHeaders): string => (location ? ` (${location.slice(0, SHOWN_ADDRESS)})` : '');

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
  if (code === 'HPE_HEADER_OVERFLOW') return `the headers of ${host} are longer than is read (${code})`;
  if (code.startsWith('HPE_')) return `${host} does not answer in HTTP (${code})`;
  if (UNKNOWN_ISSUER.has(code)) return `the certificate of ${host} is of an issuer that is not known here (${code}); name the issuer's certificate in NODE_EXTRA_CA_CERTS`;
  return message.trim() || code || 'the connection failed';
}
