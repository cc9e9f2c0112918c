import type { IncomingMessage } from 'node:http';
import { loggedInReply, sessionOf } from '../../../common/core/session/routes.ts';
import { identityView } from '../../../common/core/session/schema.ts';
import type { SessionService } from '../../../common/core/session/service.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { DEVICE_COOKIE, readCookie, SESSION_COOKIE, setCookie } from '../../../common/http/cookie.ts';
import { type Route, route } from '../../../common/http/route.ts';
import type { PasswordLogins } from './record.ts';
import { providerOff } from './refusals.ts';
import { goToView, logoutView, providerAnswer, waysView } from './schema.ts';
import { type ProviderService, SIGN_IN_MS } from './service.ts';

const SIGN_IN_COOKIE = 'fieldline_sign_in';
const COOKIE_PATH = '/api/core/session/provider';

export interface ProviderRouteOptions {
  /** null: there is none. */
  provider: ProviderService | null;
  passwords: PasswordLogins;
  /** The address of the console at which passkeys can be; null: none. */
  passkeys: string | null;
  sessions: SessionService;
  /** Whether the caller came by TLS. */
  secure: (request: IncomingMessage) => boolean;
}

/** Sign-in by the provider of identities. */
export function providerRoutes(options: ProviderRouteOptions): Route[] {
  return [waysRoute(options), startRoute(options), finishRoute(options), logoutRoute(options)];
}

const waysRoute = ({ provider, passwords, passkeys }: ProviderRouteOptions): Route =>
  route({
    method: 'GET',
    path: '/api/core/session/ways',
    tag: 'Sessions',
    access: ['public'],
    summary:
      'How people log in here: who by password, by which provider of identities, and at which address by ' +
      'passkeys',
    replies: { 200: { description: 'The ways', schema: waysView } },
    handle: () => ({ body: { password: passwords, provider: provider?.name ?? null, passkeys } }),
  });

const startRoute = ({ provider, secure }: ProviderRouteOptions): Route =>
  route({
    method: 'POST',
    path: '/api/core/session/provider/start',
    tag: 'Sessions',
    access: ['public'],
    summary: 'Begin to sign in by the provider of identities: where the browser goes',
    description:
      'OpenID Connect, code flow with PKCE, state and nonce. The answer sets a cookie that binds the ' +
      'sign-in to this browser, for ten minutes and one answer. The provider sends the browser back to ' +
      '`/login/return` of the console.',
    errors: { 404: 'provider_off', 429: 'too_many_attempts', 502: 'provider_away' },
    replies: { 200: { description: 'Where to go', schema: goToView } },
    handle: async ({ ip, request }) => {
      if (!provider) throw providerOff();
      const { goTo, browser } = await provider.begin(ip);
      const maxAgeSeconds = SIGN_IN_MS / 1000;
      const cookie = { path: COOKIE_PATH, maxAgeSeconds, secure: secure(request) };
      return { body: { goTo }, headers: { 'Set-Cookie': [setCookie(SIGN_IN_COOKIE, browser, cookie)] } };
    },
  });

const finishRoute = ({ provider, secure }: ProviderRouteOptions): Route =>
  route({
    method: 'POST',
    path: '/api/core/session/provider/finish',
    tag: 'Sessions',
    access: ['public'],
    body: providerAnswer,
    maxBody: 16 * 1024,
    summary: 'Sign in with what the provider sent the browser back with; sets the cookie of the session',
    description:
      'A person is known by issuer and subject alone, and made a user the first time. Role, tenant and ' +
      'clearances are what the claims give, at each sign-in; whoever is given nothing any more is kept ' +
      'out, and the sessions end.',
    errors: {
      403:
        'sign_in_stale, provider_denied, provider_answer_refused, provider_no_name, provider_no_role, ' +
        'provider_no_tenant, provider_several_tenants, account_disabled',
      404: 'provider_off',
      409: 'provider_name_taken',
      502: 'provider_away',
    },
    replies: { 200: { description: 'Who you are now', schema: identityView } },
    handle: async ({ body, ip, request }) => {
      if (!provider) throw providerOff();
      const origin = {
        ip,
        userAgent: request.headers['user-agent'] ?? null,
        device: readCookie(request, DEVICE_COOKIE),
      };
      const loggedIn = await provider.finish(body.query, readCookie(request, SIGN_IN_COOKIE), origin);
      return loggedInReply(loggedIn, secure(request));
    },
  });

const logoutRoute = ({ provider, sessions, secure }: ProviderRouteOptions): Route =>
  route({
    method: 'POST',
    path: '/api/core/session/provider/logout',
    tag: 'Sessions',
    access: ['session'],
    permission: 'self',
    summary: 'End this session, and say where the browser goes to end that of the provider',
    description: '`goTo` is null where the provider did not begin it, or knows no such address.',
    replies: { 200: { description: 'Ended', schema: logoutView } },
    handle: async (call) => {
      const { sessionId, userName } = sessionOf(call.actor);
      const goTo = (await provider?.logoutAddress(sessionId)) ?? null;
      await sessions.end(sessionId, userName, actorOf(call));
      const gone = { path: '/', maxAgeSeconds: 0, secure: secure(call.request) };
      return {
        body: { ended: true, goTo },
        headers: { 'Set-Cookie': [setCookie(SESSION_COOKIE, '', gone)] },
      };
    },
  });
