import { createHash } from 'node:crypto';
import type http from 'node:http';
import Koa from 'koa';
import Router from '@koa/router';
import { timeSlice } from '../time-slice.ts';
import type { Logger } from '../log.ts';
import { addressAllowed, type NetworkList } from './address.ts';
import type { Actor } from './actor.ts';
import type { Authenticator, Credentials, Guard } from './auth.ts';
import {
  announcedBytes,
  decompress,
  DEFAULT_MAX_BODY,
  discard,
  isCompressed,
  NO_BODY_MAX,
  readStream,
  readWhole,
  refuseEncoded,
} from './body/body.ts';
import { isLarge, type BodyBudget, type BodyHold, type Standing } from './body/budget.ts';
import { readCookie, SESSION_COOKIE } from './cookie.ts';
import { AppError } from './error.ts';
import { parseExactJson } from './body/exact-json.ts';
import { nextRequestId, PLAIN_HEADERS, send, sendError, type ErrorForm, type Exchange } from './exchange.ts';
import { callerOf } from './forwarded.ts';
import { isForm, parseForm, parseJson } from './body/json.ts';
import { DEFAULT_LIMITS } from './body/json-extent.ts';
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
  bodies: BodyBudget;
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
  for (const route of options.routes)
    if (!route.path.includes('{')) direct.set(`${route.method} ${route.path}`, route);
  const routed = routedApp(options).callback();
  return (request, response) => {
    const target = request.url ?? '';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const route = direct.get(`${request.method} ${path}`);
    if (route === undefined) void routed(request, response);
    else
      void serve(
        {
          request,
          response,
          requestId: nextRequestId(),
          path,
          queryText: mark < 0 ? '' : target.slice(mark + 1),
          params: {},
          route,
        },
        options,
      );
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
    ctx.set({ 'X-Request-Id': ctx.state.requestId as string, ...PLAIN_HEADERS });
    try {
      await next();
      if (ctx.respond === false) return;
      if (ctx.status === 501) throw new AppError(501, 'not_implemented', 'That method is not known here.');
      if (ctx.status === 405)
        throw new AppError(
          405,
          'method_not_allowed',
          `This path takes ${ctx.response.get('Allow')}; see /openapi.json.`,
        );
      if (ctx.status === 404)
        throw new AppError(
          404,
          'not_found',
          `There is nothing at ${ctx.method} ${ctx.path.slice(0, 200)}; see /openapi.json.`,
        );
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

const exchangeOf = (ctx: Koa.Context): Exchange => ({
  request: ctx.req,
  response: ctx.res,
  requestId: ctx.state.requestId as string,
  path: ctx.path,
  queryText: ctx.querystring,
  params: {},
  route: null,
});

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

function refuse(
  exchange: Exchange,
  error: unknown,
  { log, refusals, errorForms = [], onAnswer }: Serving,
): void {
  const status = sendError(exchange, error, { log, refusals, forms: errorForms });
  onAnswer?.(exchange.route, status);
}

async function answer(exchange: Exchange, route: Route, options: HttpAppOptions): Promise<Reply> {
  const { request } = exchange;
  const { authenticator, trustedProxies = [] } = options;
  const ip = callerOf(request, trustedProxies);
  const identified = authenticator.identify(request, guardOf(route, request, ip), isLocal(request));
  const credentials = identified instanceof Promise ? await identified : identified;
  if (route.stream) {
    const stream = streamed(request, credentials, authenticator, route.maxBody ?? DEFAULT_MAX_BODY);
    if ('key' in credentials && !takesKeys(route)) stream.prove(await digestOf(stream));
    return route.handle({
      ...readTarget(exchange, route),
      actor: NOBODY,
      body: undefined,
      stream,
      ip,
      requestId: exchange.requestId,
      request,
    });
  }
  const max = route.body ? (route.maxBody ?? DEFAULT_MAX_BODY) : NO_BODY_MAX;
  // What is too large for the call is so at any time, and told before there is no room.
  const hold = options.bodies.open(
    standingOf(credentials),
    ip,
    announcedBytes(request) > max ? 0 : announcedBytes(request),
  );
  try {
    return await answerWhole({ exchange, route, credentials, ip, hold, max }, options);
  } finally {
    hold.release();
  }
}

interface Arriving {
  exchange: Exchange;
  route: Route;
  credentials: Credentials;
  ip: string;
  hold: BodyHold;
  /** Most bytes of the body. */
  max: number;
}

async function answerWhole(
  { exchange, route, credentials, ip, hold, max }: Arriving,
  { authenticator, bodies }: HttpAppOptions,
): Promise<Reply> {
  const { request, requestId } = exchange;
  const claimed = 'key' in credentials;
  const { raw, signed } = await readWhole(request, {
    max,
    hold,
    signed: claimed,
    kept: !claimed || credentials.key !== null,
  });
  const large = isLarge(raw.length, isCompressed(request));
  let done: (() => void) | null = null;
  try {
    const actor = authenticator.verify(credentials, request, signed);
    hold.prove();
    const target = readTarget(exchange, route);
    if (large) done = await bodies.turn();
    const parsed = route.body ? parseBody(route, request, raw, hold) : undefined;
    const value = parsed instanceof Promise ? await parsed : parsed;
    discard(raw, hold);
    // What was parsed in turn is checked in turn.
    if (parsed instanceof Promise) await timeSlice();
    const body = route.body ? validate(route.body, value) : undefined;
    return await route.handle({ ...target, actor, body, ip, requestId, request });
  } finally {
    done?.();
    discard(raw, hold);
  }
}

const readTarget = (exchange: Exchange, route: Route): { params: unknown; query: unknown } => ({
  params: readParams(route, exchange.params),
  query: readQuery(route, exchange.queryText),
});

const standingOf = (credentials: Credentials): Standing =>
  'actor' in credentials ? (credentials.actor.kind === 'public' ? 'anonymous' : 'proven') : 'claimed';

/**
 * With credentials they decide, also where nobody would be let in. What a proxy brings that is not trusted
 * comes from anywhere.
 */
function guardOf(route: Route, request: http.IncomingMessage, ip: string): Guard {
  const { openTo } = route;
  if (openTo === undefined || isLocal(request)) return route;
  const { headers } = request;
  const named = headers['x-core-key'] ?? headers['x-admin-key'] ?? readCookie(request, SESSION_COOKIE);
  const proxied =
    (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined && ip === request.socket.remoteAddress;
  const open = named === undefined && (openTo === null || (!proxied && addressAllowed(ip, openTo)));
  return open ? { ...route, access: [...route.access, 'public'] } : route;
}

/** At once where it is small and plain. */
function parseBody(route: Route, request: http.IncomingMessage, raw: Buffer, hold: BodyHold): unknown {
  if (isCompressed(request)) {
    if (!route.compressed) refuseEncoded(request);
    return parseCompressed(route, request, raw, hold);
  }
  return parsePlain(route, request, raw, hold);
}

async function parseCompressed(
  route: Route,
  request: http.IncomingMessage,
  raw: Buffer,
  hold: BodyHold,
): Promise<unknown> {
  const plain = await decompress(request, raw, route.maxBody ?? DEFAULT_MAX_BODY, hold);
  const value = await parsePlain(route, request, plain, hold);
  discard(plain, hold);
  return value;
}

function parsePlain(route: Route, request: http.IncomingMessage, plain: Buffer, hold: BodyHold): unknown {
  if (route.bodyOptional && plain.length === 0) return {};
  if (route.form && isForm(request)) return parseForm(plain);
  return parseJson(request, plain, {
    limits: route.limits ? { ...DEFAULT_LIMITS, ...route.limits } : DEFAULT_LIMITS,
    parse: route.exactNumbers ? parseExactJson : JSON.parse,
    onExtent: (bytes) => hold.take(bytes),
  });
}

const NOBODY: Actor = { kind: 'public', name: 'public', tenantCode: null };

const takesKeys = ({ access }: Route): boolean =>
  access.some((way) => way === 'node' || way === 'site' || way === 'consumer');

/**
 * Reads the body for its digest alone: until it is proved that the holder of the key sent it, nobody is told
 * that the key is not for the call.
 */
async function digestOf(stream: StreamedBody): Promise<BodyDigest> {
  const hash = createHash('sha256');
  for await (const part of stream.read()) hash.update(part);
  return { sha256: hash.digest('hex') };
}

function streamed(
  request: http.IncomingMessage,
  credentials: Credentials,
  authenticator: Authenticator,
  max: number,
): StreamedBody {
  return {
    read: () => readStream(request, max),
    claimedTenant:
      'key' in credentials ? (credentials.key?.tenantCode ?? null) : credentials.actor.tenantCode,
    prove: (digest) => authenticator.verify(credentials, request, digest),
  };
}
