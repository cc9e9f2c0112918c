// Intake of events, POST /api/core/events, goes past Koa and its router. It is the one call that cameras make
// all day long, and an event takes 65 µs of processor time so, 85 through Koa (`npm run bench -- intake`, 64
// clients, medians of six rounds of each in turn; of the HTTP layer alone it is 23 against 34). It goes
// through the same middleware in the same order; what is spared is Koa's context of three objects with
// accessors, the head of the answer written header by header, and the search for the route.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '../log.ts';
import type { Context, Middleware, RequestState } from './state.ts';

export const DIRECT = { method: 'POST', path: '/api/core/events' } as const;

/** Whether a request is served directly; one with a query goes the usual way, which refuses the query. */
export const isDirect = ({ method, url }: IncomingMessage): boolean =>
  method === DIRECT.method && url === DIRECT.path;

/** Serves a request by these middleware alone. @param steps of which the last answers with a text or bytes */
export function serveDirectly(steps: readonly Middleware[], log: Logger): RequestListener {
  return (request, response) => {
    const ctx = new DirectContext(request, response);
    const run = (at: number): Promise<unknown> => steps[at]?.(ctx, () => run(at + 1)) ?? Promise.resolve();
    run(0)
      .then(() => ctx.send())
      .catch((error: Error) => {
        log.error({ err: error, requestId: ctx.state.requestId }, 'request failed');
        response.destroy();
      });
  };
}

/** As much of Koa's context as the middleware of intake use. */
class DirectContext implements Context {
  readonly req: IncomingMessage;
  /** Each middleware sets its members before another reads them. */
  readonly state = {} as RequestState;
  readonly method = DIRECT.method;
  readonly url = DIRECT.path;
  readonly path = DIRECT.path;
  readonly querystring = '';
  readonly response = { get: (name: string): string => String(this.#headers[name] ?? '') };
  status = 404;
  body: unknown = '';
  #response: ServerResponse;
  #headers: Record<string, string | string[] | number> = {};

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.req = request;
    this.#response = response;
  }

  set(given: Readonly<Record<string, string | string[]>> | string, value?: string): void {
    if (typeof given === 'string') this.#headers[given] = value ?? '';
    else Object.assign(this.#headers, given);
  }

  flushHeaders(): void {
    throw new Error('intake answers with no stream');
  }

  send(): void {
    const content = this.body as string | Buffer;
    this.#headers['Content-Length'] = Buffer.byteLength(content);
    this.#response.writeHead(this.status, this.#headers).end(content);
  }
}
