import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { loggedInReply, sessionOf } from '../../../common/core/session/routes.ts';
import { identityView } from '../../../common/core/session/schema.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { DEVICE_COOKIE, readCookie, setCookie } from '../../../common/http/cookie.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import { passwordProof } from '../factor/schema.ts';
import { CHALLENGE_MS, type PasskeyPlace, type PasskeyRecord, type PlaceMissing } from './record.ts';
import { passkeysOff } from './refusals.ts';
import {
  newPasskey,
  passkeyAddedView,
  passkeyChange,
  passkeyOptions,
  passkeyParams,
  passkeySignIn,
  passkeysView,
  type passkeyView,
} from './schema.ts';
import type { PasskeyService } from './service.ts';
import type { PasskeySignIn } from './sign-in.ts';

const OWN = { tag: 'Sessions', access: ['session'], permission: 'self' } as const;
const PATH = '/api/core/session/passkeys';
const SIGN_IN_PATH = '/api/core/session/passkey';
const COOKIE = 'fieldline_passkey';
const PASSWORD_ERRORS = { 403: 'invalid_credentials, csrf', 429: 'too_many_attempts', 503: 'overloaded' };
const NOT_TRUE = 'passkey_stale, passkey_refused';
/** A credential, and nothing that is larger. */
const MOST_BYTES = 64 * 1024;

export interface PasskeyRouteOptions {
  service: PasskeyService;
  place: PasskeyPlace | PlaceMissing;
  /** null: passkeys cannot be at the address of this hub. */
  signIn: PasskeySignIn | null;
  /** Whether the caller came by TLS. */
  secure: (request: IncomingMessage) => boolean;
}

/** One's own passkeys, and signing in by one. */
export function passkeyRoutes({ service, place, ...signIn }: PasskeyRouteOptions): Route[] {
  return [
    listRoute(service, place),
    beginRoute(service),
    addRoute(service),
    renameRoute(service),
    removeRoute(service),
    startRoute(signIn),
    finishRoute(signIn),
  ];
}

const listRoute = (service: PasskeyService, place: PasskeyPlace | PlaceMissing): Route =>
  route({
    ...OWN,
    method: 'GET',
    path: PATH,
    summary: 'Your passkeys, and at which address of the console passkeys can be',
    description:
      '`origin` is that address, of AGENT_LINK_URL; where it is null, `off` says why: there is none, it ' +
      'has no name of a host, or it is not https.',
    replies: { 200: { description: 'The oldest first', schema: passkeysView } },
    handle: async ({ actor }) => {
      const items = (await service.own(sessionOf(actor))).map(viewOf);
      const where =
        typeof place === 'string' ? { origin: null, off: place } : { origin: place.origin, off: null };
      return { body: { items, ...where } };
    },
  });

const beginRoute = (service: PasskeyService): Route =>
  route({
    ...OWN,
    method: 'POST',
    path: `${PATH}/begin`,
    body: passwordProof,
    summary: 'Begin to register a passkey: what the browser is asked',
    description: 'For `navigator.credentials.create`. The challenge is good for five minutes and one answer.',
    errors: { ...PASSWORD_ERRORS, 404: 'passkeys_off' },
    replies: { 200: { description: 'As WebAuthn writes it', schema: passkeyOptions } },
    handle: async ({ actor, body }) => ({
      body: { options: { ...(await service.begin(sessionOf(actor), body.current_password)) } },
    }),
  });

const addRoute = (service: PasskeyService): Route =>
  route({
    ...OWN,
    method: 'POST',
    path: PATH,
    body: newPasskey,
    maxBody: MOST_BYTES,
    summary: 'Register the passkey that the browser made; your other sessions end',
    description:
      'It is a second factor from then on, and signs in alone where it verifies its owner. Of a first ' +
      'second factor the answer has ten recovery codes, each for one login without it; they are shown ' +
      'this once.',
    errors: { 403: `${NOT_TRUE}, csrf`, 404: 'passkeys_off', 409: 'passkey_known, passkeys_many' },
    replies: { 201: { description: 'Registered', schema: passkeyAddedView } },
    handle: async (call) => {
      const { id, codes } = await service.add(sessionOf(call.actor), call.body, actorOf(call));
      return { status: 201, body: { id, recoveryCodes: codes } };
    },
  });

const renameRoute = (service: PasskeyService): Route =>
  route({
    ...OWN,
    method: 'PATCH',
    path: `${PATH}/{id}`,
    params: passkeyParams,
    body: passkeyChange,
    summary: 'Give a passkey of yours another name',
    errors: { ...PASSWORD_ERRORS, 404: 'not_found' },
    replies: { 200: { description: 'Renamed', schema: z.object({ renamed: z.boolean() }) } },
    handle: async (call) => {
      const { name, current_password: password } = call.body;
      await service.rename(sessionOf(call.actor), { id: call.params.id, name, password }, actorOf(call));
      return { body: { renamed: true } };
    },
  });

const removeRoute = (service: PasskeyService): Route =>
  route({
    ...OWN,
    method: 'POST',
    path: `${PATH}/{id}/remove`,
    params: passkeyParams,
    body: passwordProof,
    summary: 'Remove a passkey of yours; your other sessions end',
    errors: { ...PASSWORD_ERRORS, 404: 'not_found', 409: 'second_factor_demanded' },
    replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
    handle: async (call) => {
      const what = { id: call.params.id, password: call.body.current_password };
      await service.remove(sessionOf(call.actor), what, actorOf(call));
      return { body: { removed: true } };
    },
  });

type SignInRoutes = Pick<PasskeyRouteOptions, 'signIn' | 'secure'>;

const startRoute = ({ signIn, secure }: SignInRoutes): Route =>
  route({
    method: 'POST',
    path: `${SIGN_IN_PATH}/start`,
    tag: 'Sessions',
    access: ['public'],
    summary: 'Begin to sign in by a passkey alone: what the browser is asked',
    description:
      'For `navigator.credentials.get`. The answer sets a cookie that binds the sign-in to this browser, ' +
      'for five minutes and one answer.',
    errors: { 404: 'passkeys_off', 429: 'too_many_attempts' },
    replies: { 200: { description: 'As WebAuthn writes it', schema: passkeyOptions } },
    handle: async ({ ip, request }) => {
      if (!signIn) throw passkeysOff();
      const { options, browser } = await signIn.begin(ip);
      const maxAgeSeconds = CHALLENGE_MS / 1000;
      const cookie = { path: SIGN_IN_PATH, maxAgeSeconds, secure: secure(request) };
      return {
        body: { options: { ...options } },
        headers: { 'Set-Cookie': [setCookie(COOKIE, browser, cookie)] },
      };
    },
  });

const finishRoute = ({ signIn, secure }: SignInRoutes): Route =>
  route({
    method: 'POST',
    path: `${SIGN_IN_PATH}/finish`,
    tag: 'Sessions',
    access: ['public'],
    body: passkeySignIn,
    maxBody: MOST_BYTES,
    summary: 'Sign in with what the passkey signed; sets the cookie of the session',
    description:
      'The passkey must have verified its owner, by finger, face or number. It stands in place of password ' +
      'and second factor, for whom a password would let in (`CORE_PASSWORD_LOGIN`).',
    errors: { 403: `${NOT_TRUE}, passkey_unknown, account_disabled`, 404: 'passkeys_off' },
    replies: { 200: { description: 'Who you are now', schema: identityView } },
    handle: async ({ body, ip, request }) => {
      if (!signIn) throw passkeysOff();
      const origin = {
        ip,
        userAgent: request.headers['user-agent'] ?? null,
        device: readCookie(request, DEVICE_COOKIE),
      };
      const loggedIn = await signIn.finish(body.credential, readCookie(request, COOKIE), origin);
      return loggedInReply(loggedIn, secure(request));
    },
  });

const viewOf = ({ id, name, rpId, createdAt, lastUsedAt }: PasskeyRecord): z.infer<typeof passkeyView> => ({
  ...{ id, name, host: rpId },
  createdAt: formatTime(createdAt),
  lastUsedAt: formatTimeOrNull(lastUsedAt),
});
