import { createHash } from 'node:crypto';
import type http from 'node:http';
import Koa from 'koa';
import Router from '@koa/router';
import type { Logger } from '../log.ts';
import type { NetworkList } from './address.ts';
import type { Actor } from './actor.ts';
import type { Authenticator, Credentials } from './auth.ts';
import { decompress, DEFAULT_MAX_BODY, parseForm, parseJson, readRaw, readStream, refuseEncoded } from './body.ts';
import { AppError } from './error.ts';
import { parseExactJson } from './exact-json.ts';
import { nextRequestId, send, sendError, type ErrorForm, type Exchange } from './exchange.ts';
import { callerOf } from './forwarded.ts';
import { isLocal } from './listen.ts';
import { readParams, readQuery } from './query.ts';
import { RefusalLog } from './refusal-log.ts';
import type { Reply, Route, StreamedBody } from './route.ts';
import type { BodyDigest } from './signature.ts';
import { validate } from './validate.ts';

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

type Serving = HttpAppOptions & { refusals: RefusalLog };

/**
 * The request handler of a program, from its route table. Koa and its router find the
 * routes with parameters and refuse what there is not; a request whose path is a route's
 * to the letter does without them, which spares intake a tenth of its time.
 */
export function createHttpApp(given: HttpAppOptions): http.RequestListener {
  const options = { ...given, refusals: new RefusalLog(given.log) };
  const direct = new Map<string, Route>();
  for (const route of options.routes) if (!route.path.includes('{')) direct.set(`${route.method} ${route.path}`, route);
  const routed = routedApp(options).callback();
  return (request, response) => {
    const target = request.url ?? '';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const route = direct.get(`${request.method} ${path}`);
    if (route === undefined) void routed(request, response);
    else void serve({ request, response, requestId: nextRequestId(), path, queryText: mark < 0 ? '' : target.slice(mark + 1), params: {}, route }, options);
  };
}

function routedApp(options: Serving): Koa {
  const app = new Koa();
  const router = new Router({ sensitive: true });
  for (const route of options.routes) {
    router.register(route.path.replace(/\{(\w+)\}/g, ':$1'), [route.method], async (ctx: Koa.Context) => {
      ctx.respond = false;
      await serve({ ...exchangeOf(ctx), params: ctx.params as Record<string, string>, route }, options);
    });
  }
  app.use(async (ctx, next) => {
    ctx.state.requestId = nextRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId as string);
    try {
      await next();
      if (ctx.respond === false) return;
      if (ctx.status === 501) throw new AppError(501, 'not_implemented', 'That method is not known here.');
      if (ctx.status === 405) throw new AppError(405, 'method_not_allowed', `This path takes ${ctx.response.get('Allow')}; see /openapi.json.`);
      if (ctx.status === 404) throw new AppError(404, 'not_found', `There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}; see /openapi.json.`);
    } catch (error) {
      ctx.respond = false;
      refuse(exchangeOf(ctx), error, options);
    }
  });
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.on('error', (error) => options.log.warn({ err: error }, 'response failed'));
  return app;
}

const exchangeOf = (ctx: Koa.Context): Exchange =>
  ({ request: ctx.req, response: ctx.res, requestId: ctx.state.requestId as string, path: ctx.path, queryText: ctx.querystring, params: {}, route: null });

/** Never rejects. */
async function serve(exchange: Exchange, options: Serving): Promise<void> {
  try {
    const reply = await answer(exchange, exchange.route as Route, options);
    send(exchange, reply, options.log);
    options.onAnswer?.(exchange.route, reply.status ?? 200);
  } catch (error) {
    refuse(exchange, error, options);
  }
}

function refuse(exchange: Exchange, error: unknown, { log, refusals, errorForms = [], onAnswer }: Serving): void {
  const status = sendError(exchange, error, { log, refusals, forms: errorForms });
  onAnswer?.(exchange.route, status);
}

async function answer(exchange: Exchange, route: Route, { authenticator, trustedProxies = [] }: HttpAppOptions): Promise<Reply> {
  const { request, requestId } = exchange;
  const identified = authenticator.identify(request, route, isLocal(request));
  const credentials = identified instanceof Promise ? await identified : identified;
  const max = route.maxBody ?? DEFAULT_MAX_BODY;
  const stream = route.stream ? streamed(request, credentials, authenticator, max) : undefined;
  if (stream && 'key' in credentials && !takesKeys(route)) stream.prove(await digestOf(stream));
  const raw = stream ? NO_BODY : await readRaw(request, max);
  const actor = stream ? NOBODY : authenticator.verify(credentials, request, raw);
  const params = readParams(route, exchange.params);
  const query = readQuery(route, exchange.queryText);
  let body: unknown;
  if (route.body) {
    if (!route.compressed) refuseEncoded(request);
    const plain = route.compressed ? await decompress(request, raw, max) : raw;
    body = validate(route.body, parseBody(route, request, plain));
  }
  return route.handle({ actor, params, query, body, ...(stream ? { stream } : {}), ip: callerOf(request, trustedProxies), requestId, request });
}

function parseBody({ form, bodyOptional, exactNumbers }: Route, request: http.IncomingMessage, plain: Buffer): unknown {
  if (bodyOptional && plain.length === 0) return {};
  return form ? parseForm(request, plain) : parseJson(request, plain, exactNumbers ? parseExactJson : JSON.parse);
}

const NO_BODY = Buffer.alloc(0);
const NOBODY: Actor = { kind: 'public', name: 'public', tenantCode: null };

const takesKeys = ({ access }: Route): boolean => access.some((way) => way === 'node' || way === 'site' || way === 'consumer');

/** Reads the body for its digest alone: until it is proved that the holder of the key sent it, nobody is told that the key is not for the call. */
async function digestOf(stream: StreamedBody): Promise<BodyDigest> {
  const hash = createHash('sha256');
  for await (const part of stream.read()) hash.update(part);
  return { sha256: hash.digest('hex') };
}

function streamed(request: http.IncomingMessage, credentials: Credentials, authenticator: Authenticator, max: number): StreamedBody {
  return {
    read: () => readStream(request, max),
    claimedTenant: 'key' in credentials ? (credentials.key?.tenantCode ?? null) : credentials.actor.tenantCode,
    prove: (digest) => authenticator.verify(credentials, request, digest),
  };
}
