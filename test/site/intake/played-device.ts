// A camera or recorder, played by an HTTP server with real Digest: who shows no or another password is
// refused, nonces grow old, counts must rise.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Scene } from '../../support/process.ts';

export interface DigestForm {
  /** As in the header; null: the header names none. */
  algorithm: string | null;
  qop: string | null;
}

export interface Asked {
  method: string;
  url: string;
  authorized: boolean;
  body: string;
}

type Answering = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void;

const HASH: Record<string, string> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' };

export class PlayedDevice {
  user = 'events';
  password = 'right"one';
  form: DigestForm = { algorithm: 'MD5', qop: 'auth' };
  /** 'digest', 'basic', or none at all. */
  auth: 'digest' | 'basic' | 'open' = 'digest';
  /** Uses of a nonce until it is too old. */
  nonceUses = Infinity;
  /** Whether an old nonce is said to be stale. */
  saysStale = true;
  readonly asked: Asked[] = [];
  /** Credentials that were shown and were wrong. */
  wrong = 0;
  readonly streams = new Set<http.ServerResponse>();
  /** What is answered without credentials. */
  openTo: (body: string) => boolean = () => false;
  answering: Answering = (_request, response) => void response.writeHead(404).end();
  #nonces = new Map<string, number>();
  /** The keys of sessions, by nonce: each is made once, of the first answer (RFC 2617, 3.2.2.2). */
  #sessions = new Map<string, string>();
  #sockets = new Set<Socket>();
  #server: http.Server;
  port = 0;

  constructor(tls?: { key: string; cert: string }) {
    const take = (request: http.IncomingMessage, response: http.ServerResponse) =>
      void this.#take(request, response);
    this.#server = tls ? https.createServer(tls, take) : http.createServer(take);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
  }

  static async start(scene: Scene, tls?: { key: string; cert: string }): Promise<PlayedDevice> {
    const device = new PlayedDevice(tls);
    await device.listen();
    scene.onClose(() => device.close());
    return device;
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `${this.#server instanceof https.Server ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  /** Ends every connection; a request that comes is taken. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Writes to everybody who listens to the stream. */
  say(bytes: string | Buffer): void {
    for (const stream of this.streams) stream.write(bytes);
  }

  /** An answer that does not end. */
  stream(response: http.ServerResponse, headers: http.OutgoingHttpHeaders): void {
    response.writeHead(200, headers);
    response.flushHeaders();
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '' } = request;
    const right = this.#letIn(request, body);
    this.asked.push({ method, url, authorized: right === true, body });
    if (right === true) return this.answering(request, response, body);
    response.writeHead(401, { 'www-authenticate': this.#challenge(right === 'stale') });
    response.end('<userCheck><statusValue>401</statusValue></userCheck>');
  }

  #challenge(stale: boolean): string[] | string {
    if (this.auth === 'basic') return 'Basic realm="IP Camera(C1234)"';
    const nonce = randomBytes(12).toString('hex');
    this.#nonces.set(nonce, 0);
    const { algorithm, qop } = this.form;
    return [
      'Digest realm="IP Camera, \\"Gate\\""',
      ...(qop === null ? [] : [`qop="${qop}"`]),
      `nonce="${nonce}"`,
      ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
      'opaque="0a1b"',
      ...(stale && this.saysStale ? ['stale=TRUE'] : []),
    ].join(', ');
  }

  #letIn(request: http.IncomingMessage, body: string): boolean | 'stale' {
    if (this.auth === 'open' || this.openTo(body)) return true;
    const header = request.headers.authorization;
    if (header === undefined) return false;
    const right = this.auth === 'basic' ? this.#basic(header) : this.#digest(header, request);
    if (right === false) this.wrong += 1;
    return right;
  }

  #basic = (header: string): boolean =>
    header === `Basic ${Buffer.from(`${this.user}:${this.password}`).toString('base64')}`;

  #digest(header: string, { method = '', url = '' }: http.IncomingMessage): boolean | 'stale' {
    if (!header.startsWith('Digest ')) return false;
    const told: Record<string, string> = {};
    for (const [, name = '', quoted, plain] of header
      .slice(7)
      .matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))/g))
      told[name] = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    const { algorithm, qop } = this.form;
    const used = this.#nonces.get(told.nonce ?? '');
    if (used === undefined || told.uri !== url || told.realm !== 'IP Camera, "Gate"') return false;
    if (told.opaque !== '0a1b' || told.username !== this.user) return false;
    if (algorithm !== null && told.algorithm !== algorithm) return false;
    const name = (algorithm ?? 'MD5').replace('-sess', '');
    const hash = (text: string): string =>
      createHash(HASH[name] ?? 'md5')
        .update(text)
        .digest('hex');
    const secret = hash(`${this.user}:${told.realm}:${this.password}`);
    const key = this.#sessions.get(told.nonce ?? '') ?? hash(`${secret}:${told.nonce}:${told.cnonce}`);
    const ha1 = algorithm?.endsWith('-sess') ? key : secret;
    const ha2 = hash(`${method}:${url}`);
    const middle = qop === null ? told.nonce : `${told.nonce}:${told.nc}:${told.cnonce}:auth`;
    if (qop !== null && (told.qop !== 'auth' || !/^[0-9a-f]{8}$/.test(told.nc ?? ''))) return false;
    if (told.response !== hash(`${ha1}:${middle}:${ha2}`)) return false;
    const count = qop === null ? used + 1 : Number.parseInt(told.nc ?? '', 16);
    if (count <= used) return false;
    if (count > this.nonceUses) return 'stale';
    this.#nonces.set(told.nonce ?? '', count);
    this.#sessions.set(told.nonce ?? '', key);
    return true;
  }
}
