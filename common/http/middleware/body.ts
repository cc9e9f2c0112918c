import { timeSlice } from '../../time-slice.ts';
import type { Credentials } from '../auth.ts';
import {
  announcedBytes,
  decompress,
  DEFAULT_MAX_BODY,
  discard,
  isCompressed,
  NO_BODY_MAX,
  readWhole,
  refuseEncoded,
} from '../body/body.ts';
import { type BodyBudget, type CallerProof, isLarge } from '../body/budget.ts';
import { parseExactJson } from '../body/exact-json.ts';
import { checkText, parseJson } from '../body/json.ts';
import { DEFAULT_LIMITS } from '../body/json-extent.ts';
import { isForm } from '../form/form.ts';
import type { FormReader } from '../form/reader.ts';
import { readTexts } from '../query.ts';
import type { Route } from '../route.ts';
import type { Context, Middleware } from '../state.ts';
import { validate } from '../validate.ts';

const mostBytes = (route: Route): number =>
  route.body || route.raw ? (route.maxBody ?? DEFAULT_MAX_BODY) : NO_BODY_MAX;

/** Opens a hold on the room for all bodies, and gives back what it took when the request is answered. */
export const reserveRoom =
  (route: Route, bodies: BodyBudget): Middleware =>
  async ({ state, req }, next) => {
    const announced = announcedBytes(req);
    // What is too large for the call is refused as such, whether or not there is room for it now.
    const wanted = announced > mostBytes(route) ? 0 : announced;
    state.hold = bodies.open(standingOf(state.credentials), state.ip, wanted);
    try {
      await next();
    } finally {
      state.hold.release();
    }
  };

const standingOf = (credentials: Credentials): CallerProof => {
  if (!('actor' in credentials)) return 'claimed';
  return credentials.actor.kind === 'public' ? 'anonymous' : 'proven';
};

/** Reads the body whole, and makes the digest of a signed one while it comes. */
export const readBody =
  (route: Route): Middleware =>
  async ({ state, req }, next) => {
    const { credentials, hold } = state;
    const signed = 'key' in credentials;
    const received = await readWhole(req, {
      max: mostBytes(route),
      hold,
      signed,
      kept: !signed || credentials.key !== null,
    });
    state.raw = received.raw;
    state.signed = received.signed;
    try {
      await next();
    } finally {
      discard(state.raw, hold);
    }
  };

/** Reads the body as `readBody` does, or the form that the route takes as well. */
export const readFormOrBody = (route: Route, forms: FormReader): Middleware => {
  const [form, body] = [forms.urlencoded(route), readBody(route)];
  return (ctx, next) => (isForm(ctx.req) ? form : body)(ctx, next);
};

/** Validates the texts of a form with files; numbers among them are written in digits. */
export const validateForm =
  (schema: NonNullable<Route['body']>): Middleware =>
  ({ state }, next) => {
    state.body = readTexts(schema, { ...state.form });
    return next();
  };

/** Turns the bytes into a valid value; a large body waits for its turn, and keeps it until the answer. */
export const parseBody =
  (route: Route, schema: NonNullable<Route['body']>, bodies: BodyBudget): Middleware =>
  async (ctx, next) => {
    const { state, req } = ctx;
    const done = isLarge(state.raw.length, isCompressed(req)) ? await bodies.turn() : null;
    try {
      const parsed = parse(route, ctx);
      const value = parsed instanceof Promise ? await parsed : parsed;
      discard(state.raw, state.hold);
      // What was heavy to parse is heavy to validate.
      if (parsed instanceof Promise) await timeSlice();
      state.body = validate(schema, value);
      await next();
    } finally {
      done?.();
    }
  };

/** A small plain body is parsed at once, any other in pieces. */
function parse(route: Route, { req, state }: Context): unknown {
  if (state.form !== undefined) return storable(state.form);
  if (!isCompressed(req)) return parsePlain(route, { req, state }, state.raw);
  if (!route.compressed) refuseEncoded(req);
  return parseCompressed(route, { req, state });
}

function storable(form: Record<string, string>): unknown {
  checkText(form, '');
  return form;
}

type Received = Pick<Context, 'req' | 'state'>;

async function parseCompressed(route: Route, received: Received): Promise<unknown> {
  const { req, state } = received;
  const plain = await decompress(req, state.raw, mostBytes(route), state.hold);
  const value = await parsePlain(route, received, plain);
  discard(plain, state.hold);
  return value;
}

function parsePlain(route: Route, { req, state }: Received, plain: Buffer): unknown {
  if (route.bodyOptional && plain.length === 0) return {};
  return parseJson(req, plain, {
    limits: route.limits ? { ...DEFAULT_LIMITS, ...route.limits } : DEFAULT_LIMITS,
    parse: route.exactNumbers ? parseExactJson : JSON.parse,
    onExtent: (bytes) => state.hold.take(bytes),
  });
}
