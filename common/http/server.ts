import http from 'node:http';
import https from 'node:https';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import Koa from 'koa';
import Router from '@koa/router';
import * as z from 'zod/mini';
import type { Logger } from '../log.ts';
import type { NetworkList } from './address.ts';
import type { Actor, Authenticator, Credentials } from './auth.ts';
import { DEFAULT_MAX_BODY, decompress, parseForm, parseJson, readRaw, readStream, storableText, validate } from './body.ts';
import { AppError, badRequest, fault, type Fault } from './error.ts';
import { callerAddress } from './forwarded.ts';
import type { Reply, Route, StreamedBody } from './route.ts';

export interface HttpAppOptions {
  routes: readonly Route[];
  authenticator: Authenticator;
  log: Logger;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies?: NetworkList;
  /** How errors under a path of its own conventions look; other paths have the one form (design §5). */
  errorForms?: readonly ErrorForm[];
  /** Counts answers by status for the metrics. */
  onAnswer?: (route: Route | null, status: number) => void;
}

export interface ErrorForm {
  /** Beginning of the paths. */
  prefix: string;
  render: (error: AppError, requestId: string) => { body: object; headers: Record<string, string> };
}

/** Marks the requests of a listener whose file permissions are the authentication. */
const LOCAL = Symbol('local listener');

const requestIdPrefix = randomBytes(6).toString('base64url');
let requestCount = 0;
const nextRequestId = (): string => `${requestIdPrefix}-${(requestCount++).toString(36)}`;

/** Builds the Koa application of a program from its route table. */
export function createHttpApp(options: HttpAppOptions): Koa {
  const app = new Koa();
  const router = new Router();
  /** Routes without parameters by `METHOD path`: the router tries its patterns one after another. */
  const direct = new Map<string, (ctx: Koa.Context) => Promise<void>>();
  for (const route of options.routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    const serve = async (ctx: Koa.Context): Promise<void> => {
      ctx.state.route = route;
      send(ctx, await answer(ctx, route, options));
    };
    router.register(path, [route.method], serve);
    if (path === route.path) direct.set(`${route.method} ${path}`, serve);
  }
  app.use(async (ctx, next) => {
    ctx.state.requestId = nextRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId as string);
    try {
      await (direct.get(`${ctx.method} ${ctx.path}`)?.(ctx) ?? next());
      if (ctx.status === 404 && ctx.body === undefined) throw new AppError(404, 'not_found', `There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}; see /openapi.json.`);
    } catch (error) {
      renderError(ctx, error, options);
    }
    options.onAnswer?.((ctx.state.route as Route | undefined) ?? null, ctx.status);
  });
  app.use(router.routes());
  app.use(router.allowedMethods({ throw: true, methodNotAllowed: () => new AppError(405, 'method_not_allowed', 'This path does not take that method; see /openapi.json.'), notImplemented: () => new AppError(501, 'not_implemented', 'That method is not known here.') }));
  app.on('error', (error) => options.log.warn({ err: error }, 'response failed'));
  return app;
}

async function answer(ctx: Koa.Context, route: Route, { authenticator, trustedProxies = [] }: HttpAppOptions): Promise<Reply> {
  const request = ctx.req;
  const local = (ctx.req.socket as { server?: { [LOCAL]?: boolean } }).server?.[LOCAL] === true;
  const credentials = await authenticator.identify(request, route, local);
  const max = route.maxBody ?? DEFAULT_MAX_BODY;
  const stream = route.stream ? streamed(request, credentials, authenticator, max) : undefined;
  const raw = stream ? NO_BODY : await readRaw(request, max);
  const actor = stream ? NOBODY : authenticator.verify(credentials, request, raw);
  const params = route.params ? validate(route.params, checkedText(ctx.params as Record<string, string>)) : undefined;
  const query = validateQuery(route, ctx);
  let body: unknown;
  if (route.body) {
    const plain = route.compressed ? await decompress(request, raw, max) : raw;
    body = validate(route.body, route.form ? parseForm(request, plain) : parseJson(request, plain));
  }
  return route.handle({ actor, params, query, body, ...(stream ? { stream } : {}), ip: callerAddress(ctx.ip, request.headers['x-forwarded-for'] as string | undefined, trustedProxies), requestId: ctx.state.requestId as string, request });
}

const NO_BODY = Buffer.alloc(0);
const NOBODY: Actor = { kind: 'public', name: 'public', tenantCode: null };

function streamed(request: http.IncomingMessage, credentials: Credentials, authenticator: Authenticator, max: number): StreamedBody {
  return {
    read: () => readStream(request, max),
    claimedTenant: 'key' in credentials ? credentials.key.tenantCode : credentials.actor.tenantCode,
    prove: (digest) => authenticator.verify(credentials, request, digest),
  };
}

const NO_QUERY = z.strictObject({});

function validateQuery(route: Route, ctx: Koa.Context): unknown {
  if (!route.query && ctx.search === '') return undefined;
  const repeated: Fault[] = [];
  for (const [name, value] of Object.entries(ctx.query)) {
    if (Array.isArray(value)) repeated.push({ path: name, message: 'is given more than once' });
  }
  if (repeated.length > 0) throw badRequest(repeated);
  return validate(route.query ?? NO_QUERY, checkedText({ ...ctx.query } as Record<string, string>));
}

function checkedText(values: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(values)) {
    if (!storableText(value)) throw fault(name, 'must be well-formed Unicode without NUL');
  }
  return values;
}

/** Characters of an answer from which on it is handed over as bytes. */
const ENCODE_ABOVE = 16 * 1024;

function send(ctx: Koa.Context, reply: Reply): void {
  ctx.status = reply.status ?? 200;
  if (reply.headers) ctx.set(reply.headers);
  ctx.set('Content-Type', reply.contentType ?? 'application/json; charset=utf-8');
  if (reply.body instanceof Readable) {
    ctx.body = reply.body;
    return;
  }
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  // Koa measures a string before node encodes it; a page of events is encoded once.
  ctx.body = text.length > ENCODE_ABOVE ? Buffer.from(text) : text;
}

function renderError(ctx: Koa.Context, thrown: unknown, { log, errorForms = [] }: HttpAppOptions): void {
  const error = thrown instanceof AppError ? thrown : hidden(ctx, thrown, log);
  if (error.status >= 500 && thrown instanceof AppError) log.warn({ err: error, requestId: ctx.state.requestId as string }, 'request refused');
  ctx.status = error.status;
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  // What was not read of a refused body must not be taken for the next request.
  if (!ctx.req.complete) ctx.set('Connection', 'close');
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  const requestId = ctx.state.requestId as string;
  const form = errorForms.find(({ prefix }) => ctx.path.startsWith(prefix));
  const { body, headers } = form ? form.render(error, requestId) : { body: { ...error.toBody(), requestId }, headers: {} };
  ctx.set(headers);
  ctx.body = JSON.stringify(body);
}

function hidden(ctx: Koa.Context, thrown: unknown, log: Logger): AppError {
  if (thrown instanceof URIError) return new AppError(400, 'validation_failed', 'The path is not validly percent-encoded.');
  const status = (thrown as { status?: unknown }).status;
  if (status === 400) return new AppError(400, 'validation_failed', 'The request line is not valid.');
  log.error({ err: thrown, requestId: ctx.state.requestId as string, method: ctx.method, path: ctx.path }, 'request failed');
  return new AppError(500, 'internal', 'Something failed here; the log has the details under this request id.');
}

export interface Listening {
  port: number;
  close(): Promise<void>;
}

export interface ListenOptions {
  /** `host:port`, or a path of a Unix socket. */
  at: { host: string; port: number } | { socket: string };
  tls?: { cert: Buffer; key: Buffer };
}

/**
 * Opens a listener. Slow senders are cut off: 10 s for the headers, 30 s for
 * the whole request. `close` lets running requests end and drops idle connections.
 */
export async function listen(app: Koa, options: ListenOptions): Promise<Listening> {
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000, keepAliveTimeout: 75_000, maxHeaderSize: 16 * 1024 };
  const handle = app.callback();
  const onRequest: http.RequestListener = (request, response) => void handle(request, response);
  const server = options.tls ? https.createServer({ ...limits, ...options.tls }, onRequest) : http.createServer(limits, onRequest);
  server.on('clientError', refuseBroken);
  if ('socket' in options.at) Object.assign(server, { [LOCAL]: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const ready = (): void => {
      server.removeListener('error', reject);
      resolve();
    };
    if ('socket' in options.at) server.listen(options.at.socket, ready);
    else server.listen(options.at.port, options.at.host, ready);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => closeServer(server),
  };
}

/** Running requests have this long to end once the listener closes, ms. */
const CLOSE_GRACE_MS = 3_000;
const CLOSE_LOOK_MS = 25;

/** A connection that was busy turns idle after its answer and would otherwise be kept alive: it is looked for again and again. */
async function closeServer(server: http.Server | https.Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_LOOK_MS);
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeIdleConnections();
    });
  } finally {
    clearInterval(sweep);
    clearTimeout(force);
  }
}

function refuseBroken(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable) return;
  const [status, code, message] = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive; nothing was stored.']
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are larger than 16 KiB.']
      : ['400 Bad Request', 'malformed_request', 'This is not a valid HTTP request.'];
  const requestId = nextRequestId();
  const body = JSON.stringify({ error: code, message, requestId });
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}
