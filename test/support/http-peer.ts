// An HTTP server that keeps what it is sent and answers as a test tells it.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  method: string;
  target: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export interface PeerAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** What to answer; a promise holds the answer back, null never answers. */
export type Respond = (heard: Heard) => PeerAnswer | null | Promise<PeerAnswer | null>;

export class HttpPeer {
  readonly heard: Heard[] = [];
  respond: Respond = () => ({});
  #server = http.createServer((request, response) => void this.#handle(request, response));
  #waiting: { count: number; resolve: () => void }[] = [];

  /** @param host a loopback address */
  async open(host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve));
    return this;
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** Resolves when that many requests have been heard in all. */
  hears(count: number): Promise<void> {
    if (this.heard.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const heard = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts),
    };
    this.heard.push(heard);
    for (const waiting of this.#waiting) if (this.heard.length >= waiting.count) waiting.resolve();
    const answer = await this.respond(heard);
    if (answer === null) return;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '');
  }
}
