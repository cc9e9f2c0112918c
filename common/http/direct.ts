// Routes that are called all day long by every camera and site go past Koa and its router: intake, where an
// event takes 65 µs of processor time so, 85 through Koa (`npm run bench -- intake`, 64 clients, medians of
// six rounds of each in turn; of the HTTP layer alone it is 23 against 34), and the calls of sites, of which
// an empty one takes 0.32 ms of hub and Postgres so, 0.40 through Koa (`npm run bench -- fleet`, 1,000 sites,
// two rounds of each in turn). They go through the same middleware in the same order; what is spared is Koa's
// context of three objects with accessors, the head of the answer written header by header, and the search
// for the route.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '../log.ts';
import type { Route } from './route.ts';
import type { Context, Middleware, RequestState } from './state.ts';

/** Those that go past Koa; a request with a query goes the usual way, which refuses the query. */
export const isDirect = ({ direct, method, path }: Route): boolean =>
  direct === true && method === 'POST' && !path.includes('{');

/** Serves a request by these middleware alone. @param steps of which the last answers with a text or bytes */
export function serveDirectly(path: string, steps: readonly Middleware[], log: Logger): RequestListener {
  return (request, response) => {
    const ctx = new DirectContext(path, request, response);
    const run = (at: number): Promise<unknown> => steps[at]?.(ctx, () => run(at + 1)) ?? Promise.resolve();
    run(0)
      .then(() => ctx.send())
      .catch((error: Error) => {
        log.error({ err: error, requestId: ctx.state.requestId }, 'request failed');
        response.destroy();
      });
  };
}

/** As much of Koa's context as the middleware of such routes use. */
class DirectContext implements Context {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Each middleware sets its members before another reads them. */
  readonly state = {} as RequestState;
  readonly method = 'POST';
  readonly url: string;
  readonly path: string;
  readonly querystring = '';
  readonly response = { get: (name: string): string => String(this.#headers[name] ?? '') };
  status = 404;
  body: unknown = '';
  #headers: Record<string, string | string[] | number> = {};

  constructor(path: string, request: IncomingMessage, response: ServerResponse) {
    this.url = path;
    this.path = path;
    this.req = request;
    this.res = response;
  }

  set(given: Readonly<Record<string, string | string[]>> | string, value?: string): void {
    if (typeof given === 'string') this.#headers[given] = value ?? '';
    else Object.assign(this.#headers, given);
  }

  flushHeaders(): void {
    throw new Error('this route answers with no stream');
  }

  send(): void {
    const content = this.body as string | Buffer;
    this.#headers['Content-Length'] = Buffer.byteLength(content);
    this.res.writeHead(this.status, this.#headers).end(content);
  }
}
