import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { Socket } from 'node:net';
import { GatheredBytes } from '../../../common/http/body/gathered-bytes.ts';
import { answerTooLarge } from '../../../common/http/outbound/client.ts';
import { answerable, type Challenge, challengesOf, digestAnswer, isStale } from './digest.ts';
import { ConnectionFault, connectionFault } from './fault.ts';
import type { Session } from './session.ts';

/** For the head of an answer, and for the whole of one that ends, ms. */
const ANSWER_MS = 15_000;
/** Bytes of an answer that ends. */
const MAX_ANSWER = 1024 * 1024;

/** What is needed of a session to ask a device. */
export type DeviceSession = Pick<
  Session,
  'device' | 'password' | 'signal' | 'alive' | 'socket' | 'hold' | 'free'
>;

export interface DeviceRequest {
  method?: 'GET' | 'POST';
  /** Path and query, or an address at the same host and port. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Whether user and password are left out, where the body brings them. */
  open?: boolean;
  timeoutMs?: number;
  maxAnswer?: number;
  /** Whether the answer belongs to the message that is being stored, and is held until that is. */
  kept?: boolean;
}

export interface DeviceAnswer {
  status: number;
  contentType: string | undefined;
  /** Where a redirect leads. */
  location: string | undefined;
  body: Buffer;
}

/**
 * HTTP with one device: Digest, or Basic where it was allowed; a connection each; no redirect followed, and
 * no other host or port asked.
 */
export class DeviceHttp {
  readonly base: URL;
  #session: DeviceSession;
  #challenge: Challenge | null = null;
  #count = 0;
  #cnonce = '';

  constructor(session: DeviceSession) {
    this.#session = session;
    this.base = new URL(session.device.config.address ?? '');
  }

  /** Whether the device asked for Digest, and was last answered so. */
  get answersChallenge(): boolean {
    return this.#challenge !== null;
  }

  /** The answer, as soon as its head is there. @throws ConnectionFault also for a status of no success */
  async open(request: DeviceRequest): Promise<http.IncomingMessage> {
    const answer = await this.#exchange(request);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    answer.destroy();
    throw statusFault(this.base.host, request.path, status, answer.headers.location);
  }

  /** An answer that ends, whatever its status but 401. @throws ConnectionFault, TransportError */
  async send(request: DeviceRequest): Promise<DeviceAnswer> {
    const { timeoutMs = ANSWER_MS, maxAnswer = MAX_ANSWER, kept = false } = request;
    const { signal } = this.#session;
    const answer = await this.#exchange(request);
    const late = setTimeout(() => answer.destroy(tooLate(timeoutMs)), timeoutMs);
    const gathered = new GatheredBytes(maxAnswer);
    let counted = 0;
    try {
      for await (const part of answer as AsyncIterable<Buffer>) {
        this.#session.alive();
        if (gathered.length + part.length > maxAnswer)
          throw answerTooLarge(maxAnswer, answer.statusCode ?? null);
        if (!kept) counted += part.length;
        await this.#session.hold(part.length, { signal, kept });
        gathered.push(part);
      }
      const { 'content-type': contentType, location } = answer.headers;
      return { status: answer.statusCode ?? 0, contentType, location, body: gathered.take() };
    } catch (error) {
      throw connectionFault(error, this.base.host);
    } finally {
      clearTimeout(late);
      answer.destroy();
      this.#session.free(counted);
    }
  }

  /** The path of an address of this device; null for one of somebody else. */
  pathOf(address: string): string | null {
    if (!URL.canParse(address, this.base.href)) return null;
    const url = new URL(address, this.base);
    return url.host === this.base.host && url.protocol === this.base.protocol
      ? url.pathname + url.search
      : null;
  }

  /** @throws ConnectionFault when the device does not let us in */
  async #exchange(request: DeviceRequest): Promise<http.IncomingMessage> {
    let shown = this.#challenge ? this.#digest(this.#challenge, request) : undefined;
    for (let tries = 0; ; tries += 1) {
      const answer = await this.#ask(request, shown);
      if (answer.statusCode !== 401 || request.open) return answer;
      answer.destroy();
      const offered = challengesOf(answer.headersDistinct['www-authenticate']?.join(', ') ?? '');
      const challenge = answerable(offered);
      // The first went without a password, or with a nonce that was kept; a nonce of this moment may be too
      // old once.
      if (tries > 1 || (tries === 1 && !(challenge && isStale(challenge)))) throw this.#refused();
      shown = this.#credentials(offered, challenge, request);
    }
  }

  #refused(): ConnectionFault {
    this.#challenge = null;
    return new ConnectionFault({ code: 'device_password_refused', params: { host: this.base.host } });
  }

  #credentials(offered: readonly Challenge[], challenge: Challenge | null, request: DeviceRequest): string {
    const { device, password } = this.#session;
    const { host } = this.base;
    const { user, auth } = device.config;
    if (user === undefined || password === null)
      throw new ConnectionFault({ code: 'device_password_wanted', params: { host } });
    if (challenge) {
      this.#challenge = challenge;
      this.#count = 0;
      this.#cnonce = randomBytes(8).toString('hex');
      return this.#digest(challenge, request);
    }
    if (!offered.some(({ scheme }) => scheme === 'basic')) throw this.#refused();
    if (auth !== 'basic') throw new ConnectionFault({ code: 'device_password_open', params: { host } });
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  }

  #digest(challenge: Challenge, { method = 'GET', path }: DeviceRequest): string {
    const { device, password } = this.#session;
    this.#count += 1;
    return digestAnswer(challenge, {
      user: device.config.user ?? '',
      password: password ?? '',
      method,
      uri: path,
      count: this.#count,
      cnonce: this.#cnonce,
    });
  }

  async #ask(request: DeviceRequest, authorization: string | undefined): Promise<http.IncomingMessage> {
    const { method = 'GET', path, headers, body, timeoutMs = ANSWER_MS } = request;
    const { signal } = this.#session;
    const { hostname, host, protocol, port } = this.base;
    const secure = protocol === 'https:';
    const socket = await this.#session.socket({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 443 : 80) : Number(port),
      secure,
    });
    return new Promise((resolve, reject) => {
      const outgoing = requestOn(socket, {
        method,
        path,
        headers: {
          host,
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...(authorization === undefined ? {} : { authorization }),
        },
      });
      const late = setTimeout(() => outgoing.destroy(tooLate(timeoutMs)), timeoutMs);
      const stop = (): void => void outgoing.destroy(new Error('given up'));
      signal.addEventListener('abort', stop, { once: true });
      socket.once('close', () => signal.removeEventListener('abort', stop));
      outgoing.on('error', (error) => {
        clearTimeout(late);
        reject(connectionFault(error, host));
      });
      outgoing.on('response', (answer) => {
        clearTimeout(late);
        this.#session.alive();
        resolve(answer);
      });
      // A change of protocol (101) that nobody asked for ends the connection without an error.
      outgoing.on('close', () => {
        clearTimeout(late);
        reject(new ConnectionFault({ code: 'device_closed', params: { host } }));
      });
      if (signal.aborted) stop();
      outgoing.end(body);
    });
  }
}

/** @throws TypeError for a path that HTTP does not have; the connection is then over */
function requestOn(socket: Socket, options: http.RequestOptions): http.ClientRequest {
  try {
    return http.request({ ...options, createConnection: () => socket });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const tooLate = (ms: number): ConnectionFault => new ConnectionFault({ code: 'answer_late', params: { ms } });

/** What a status of no success says of the device. @param to where it sends us instead */
export function statusFault(
  host: string,
  path: string,
  status: number,
  to: string | undefined,
): ConnectionFault {
  const shown = path.replace(/\?.*$/, '');
  if (status === 403) return new ConnectionFault({ code: 'device_right_missing', params: { host } });
  if (status === 404 || status === 405 || status === 501)
    return new ConnectionFault({ code: 'device_path_unknown', params: { host, path: shown, status } });
  if (status >= 300 && status < 400)
    return new ConnectionFault({
      code: 'device_redirects',
      params: { host, status, to: (to ?? '-').slice(0, 200) },
    });
  return new ConnectionFault({ code: 'device_status', params: { host, path: shown, status } });
}
