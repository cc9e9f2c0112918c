// One address in front of several programs: each request goes to the next one, whoever has sent it and over
// whichever connection. One that is away is passed over.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passed {
  /** Index of the program that took it. */
  to: number;
  method: string;
  target: string;
  answer: { status: number; body: string } | null;
}

export class Balancer {
  /** In the order in which they came. */
  readonly passed: Passed[] = [];
  #ports: readonly number[];
  #next = 0;
  #server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => this.#pass(request, Buffer.concat(parts), response, this.#next++));
  });

  constructor(ports: readonly number[]) {
    this.#ports = ports;
    // It never ends a connection under the next request of a caller that was held up for seconds.
    this.#server.keepAliveTimeout = 0;
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** @param turn says which program is asked; where it is not there, the one after it, each once */
  #pass(
    request: http.IncomingMessage,
    body: Buffer,
    response: http.ServerResponse,
    turn: number,
    triesLeft = this.#ports.length,
  ): void {
    const to = turn % this.#ports.length;
    const { method = '', url: target = '', headers } = request;
    const where = { host: '127.0.0.1', port: this.#ports[to], path: target };
    // A connection for each: one that is kept breaks with its program, under a request that did nothing.
    const onward = http.request({ ...where, method, headers, agent: false });
    const passed: Passed = { to, method, target, answer: null };
    onward.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', () => response.destroy());
      answer.on('end', () => {
        const bytes = Buffer.concat(parts);
        passed.answer = { status: answer.statusCode ?? 0, body: bytes.toString() };
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(bytes);
      });
    });
    onward.on('error', (error: { code?: string }) => {
      // Nothing has reached it.
      if (error.code === 'ECONNREFUSED' && triesLeft > 1)
        this.#pass(request, body, response, turn + 1, triesLeft - 1);
      else response.destroy();
    });
    response.on('close', () => onward.destroy());
    this.passed.push(passed);
    onward.end(body);
  }
}
