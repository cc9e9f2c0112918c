// Calls a program as a browser does: it keeps cookies and marks what it sends.
import http from 'node:http';
import type { Answer } from './request.ts';

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Address of this machine to call from; all of 127.0.0.0/8 will do. */
  from?: string;
}

/** Keeps the cookies that it is given, as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>();
  #url: string;
  #from: string;

  constructor(url: string, from = '127.0.0.1') {
    this.#url = url;
    this.#from = from;
  }

  /** With the header that marks calls of the console, unless `headers` are given. */
  call(method: string, target: string, options: CallOptions = {}): Promise<Answer> {
    const { hostname, port } = new URL(this.#url);
    const body = options.body === undefined ? '' : JSON.stringify(options.body);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return new Promise((resolve, reject) => {
      const request = http.request({
        hostname, port, path: target, method, agent: false, localAddress: options.from ?? this.#from,
        headers: {
          ...(cookie === '' ? {} : { cookie }), ...(options.headers ?? { 'x-requested-with': 'fieldline' }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      });
      request.on('error', reject);
      request.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', reject);
        answer.on('end', () => {
          this.#keep(answer.headers['set-cookie'] ?? []);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      });
      request.end(body);
    });
  }

  #keep(lines: string[]): void {
    for (const line of lines) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*);(.*)$/.exec(line) ?? [];
      if (/Max-Age=0(?:;|$)/.test(rest)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
