// Calls a program as a browser does: it keeps cookies and marks what it sends.
import { Agent, type Dispatcher } from 'undici';
import { agentOptions, type Answer, asOfNode } from './request.ts';

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Address of this machine to call from; all of 127.0.0.0/8 will do. */
  from?: string;
}

const agents = new Map<string, Agent>();

/** A connection for each call, from that address. */
function callingFrom(localAddress: string): Agent {
  const agent = agents.get(localAddress) ?? new Agent(agentOptions({ localAddress, pipelining: 0 }));
  agents.set(localAddress, agent);
  return agent;
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
  async call(method: string, target: string, options: CallOptions = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { statusCode, headers, body } = await callingFrom(options.from ?? this.#from).request({
      origin: new URL(this.#url).origin,
      path: target,
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(options.headers ?? { 'x-requested-with': 'fieldline' }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: options.body === undefined ? null : JSON.stringify(options.body),
    });
    const answer = { status: statusCode, headers: asOfNode(headers), text: await body.text() };
    this.#keep(answer.headers['set-cookie'] ?? []);
    return answer;
  }

  #keep(lines: string[]): void {
    for (const line of lines) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*);(.*)$/.exec(line) ?? [];
      if (/Max-Age=0(?:;|$)/.test(rest)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
