// What goes out over HTTP, and what comes of it. Each program brings its own implementation: headquarters
// undici, a site node:http, since undici costs it 22 MB of 88 resident. Both keep the one contract of
// test/contract/http-client.ts.
import type { Readable } from 'node:stream';
import type { PeerCertificate } from 'node:tls';
import { say } from '../../message.ts';
import { AddressRefused, checkLiteral, type Networks, type Resolve } from './address.ts';
import { type TransportFault, transportMessages } from './transport-messages.ts';

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Record<string, string>;
  body?: Buffer | string | OutgoingStream;
  /** Bound on everything from connecting to the last byte of the answer, milliseconds. */
  timeoutMs: number;
  /**
   * Longest silence of the peer, from the whole request being handed to the system to the end of the answer,
   * ms; `timeoutMs` alone bounds it unless given. The code of the fault is `silent`.
   */
  silentMs?: number;
  /** Bytes of the answer that are kept, MAX_ANSWER unless given; more is an error. */
  maxAnswer?: number;
  /**
   * Bytes after which the answer is cut off instead; `maxAnswer` does not matter then. Of the body only what
   * came is kept: one that breaks off or is not over in time makes an answer all the same, since its head has
   * said what became of the request.
   */
  keepAnswer?: number;
  /** Told of bytes of the answer as they come; what it throws ends the exchange. */
  onBytes?: (bytes: number) => void;
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

/**
 * A request that got no whole answer; its message is the fault in English. `code` is the system's
 * (ECONNREFUSED …), `timeout`, `silent`, `answer_too_large` or `address_refused`; ABORT_ERR when the caller
 * gave it up.
 */
export class TransportError extends Error {
  readonly fault: TransportFault;
  readonly code: string;
  /** Status of an answer that was too large. */
  readonly status: number | null;
  constructor(fault: TransportFault, code: string, cause?: unknown, status: number | null = null) {
    super(say(transportMessages, fault, 'en'), cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.fault = fault;
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
 * Outgoing HTTP/1.1: kept connections, one bound over the whole exchange, a cap on the answer, no redirects
 * followed, every resolved address judged when connecting.
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
 * What every implementation does around its exchange: the bound in time, the address in the URL, the words of
 * a failure.
 * @throws TransportError
 */
export async function bounded(
  request: OutgoingRequest,
  networks: Networks,
  exchange: (url: URL, signal: AbortSignal) => Promise<OutgoingAnswer>,
): Promise<OutgoingAnswer> {
  const url = new URL(request.url);
  const late = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, late]) : late;
  try {
    checkLiteral(url.hostname, networks);
    return await exchange(url, signal);
  } catch (error) {
    if (error instanceof TransportError) throw error;
    if (late.aborted)
      throw new TransportError({ code: 'answer_late', params: { ms: request.timeoutMs } }, 'timeout', error);
    if (signal.aborted) throw new TransportError({ code: 'given_up', params: {} }, 'ABORT_ERR', error);
    const { code, message, cert } = error as { code?: string; message: string; cert?: Shown };
    throw new TransportError(
      error instanceof AddressRefused ? error.fault : transportFault(url.host, code ?? '', message, cert),
      code ?? 'connection_failed',
      error,
    );
  }
}

export const fellSilent = (ms: number): TransportError =>
  new TransportError({ code: 'answer_late', params: { ms } }, 'silent');

export const answerTooLarge = (max: number, status: number | null): TransportError =>
  new TransportError({ code: 'answer_too_large', params: { max } }, 'answer_too_large', undefined, status);

/** A body that is not as long as its `size` said cannot be sent. */
export const bodyNotAsTold = (size: number): TransportError =>
  new TransportError({ code: 'body_not_as_told', params: { size } }, 'body_not_as_told');

export const isStream = (body: OutgoingRequest['body']): body is OutgoingStream =>
  body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);

/** Bytes. */
export const sizeOf = (body: Buffer | string | OutgoingStream): number =>
  isStream(body) ? body.size : Buffer.byteLength(body);

/** Characters of an address that a message shows. */
const SHOWN_ADDRESS = 200;

/** Where a redirect leads, in brackets; empty when it does not say. */
export const leadsTo = ({ location }: AnswerHeaders): string =>
  location ? ` (${location.slice(0, SHOWN_ADDRESS)})` : '';

/** Codes of certificates whose issuer is not known here. */
const UNKNOWN_ISSUER = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** A certificate that is judged by the clock of this machine. */
const OF_TIME = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);

const BY_SYSTEM = {
  ECONNREFUSED: 'nothing_listens',
  ENOTFOUND: 'name_unknown',
  EAI_AGAIN: 'name_not_looked_up',
  EHOSTUNREACH: 'no_way',
  ENETUNREACH: 'no_way',
  ENETDOWN: 'no_way',
  ETIMEDOUT: 'host_silent',
  EPIPE: 'closed_early',
} as const satisfies Record<string, keyof typeof transportMessages>;

const isKnown = (system: string): system is keyof typeof BY_SYSTEM => Object.hasOwn(BY_SYSTEM, system);
/** Node's and OpenSSL's codes for a handshake or a certificate that is not accepted. */
const isOfTls = (system: string): boolean =>
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|INVALID_CA$|HOSTNAME_MISMATCH$|EPROTO$)/.test(system);

/** What Node gives with a certificate that is for other names. */
type Shown = Pick<PeerCertificate, 'subject'>;

/**
 * Why nothing came.
 * @param host with the port where the address names one
 * @param system the system's code; '' for none
 * @param message the system's own, which tells apart what shares a code
 * @param certificate that the host showed, where it is for other names
 */
export function transportFault(
  host: string,
  system: string,
  message: string,
  certificate?: Shown,
): TransportFault {
  if (isKnown(system)) return { code: BY_SYSTEM[system], params: { host, system } };
  if (system === 'ECONNRESET') {
    return { code: message === 'aborted' ? 'broke_off' : 'closed_early', params: { host, system } };
  }
  // EPROTO, or OpenSSL's own code where TLS begins on a connection that stands.
  if (isOfTls(system) && message.includes('wrong version number')) {
    return { code: 'no_tls', params: { host, system } };
  }
  if (system === 'HPE_HEADER_OVERFLOW') return { code: 'headers_too_long', params: { host, system } };
  if (system.startsWith('HPE_')) return { code: 'no_http', params: { host, system } };
  if (OF_TIME.has(system)) return { code: 'certificate_time', params: { host, system } };
  if (UNKNOWN_ISSUER.has(system)) return { code: 'issuer_unknown', params: { host, system } };
  if (system === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { code: 'certificate_names', params: { host, system, names: namesOf(message, certificate) } };
  const reason = message.trim() || system || 'the connection failed';
  if (isOfTls(system)) return { code: 'tls_refused', params: { host, system, reason } };
  return { code: 'connection_failed', params: { reason } };
}

/**
 * The names of a certificate that does not fit, as Node lists them at the end of its message. It lists none
 * for an address of numbers and a certificate that has a common name alone.
 */
function namesOf(message: string, certificate: Shown | undefined): string {
  const list = /cert's (?:altnames|list|CN): ?(.*?)\.?$/.exec(message)?.[1]?.trim() ?? '';
  const names = list.replaceAll(/\b(?:DNS|IP Address):/g, '').trim();
  if (names !== '') return names;
  const { CN } = (certificate?.subject ?? {}) as { CN?: string | string[] };
  return CN === undefined ? '-' : `CN=${String(CN)}`;
}
