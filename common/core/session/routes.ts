import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { CONFIGURED, permissionNames, permissionsOf } from '../../http/access.ts';
import type { Actor } from '../../http/actor.ts';
import { actorOf } from '../../http/caller.ts';
import { DEVICE_COOKIE, readCookie, SESSION_COOKIE, setCookie } from '../../http/cookie.ts';
import { fault, forbidden } from '../../http/error.ts';
import { limitParam, listOf } from '../../http/list.ts';
import { type Reply, type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import { ABSOLUTE_MS } from './decide.ts';
import type { LoginMethod } from './login.ts';
import type { SessionRecord } from './record.ts';
import { identityView, sessionParams, sessionView, userName } from './schema.ts';
import type { LoggedIn, SessionService } from './service.ts';

const DEVICE_SECONDS = 365 * 86_400;
const ended = { 200: { description: 'Ended', schema: z.object({ ended: z.boolean() }) } };

export interface SessionRouteOptions {
  service: SessionService;
  method: LoginMethod;
  /** Whether the caller came by TLS. */
  secure: (request: IncomingMessage) => boolean;
}

/** Login, logout, and the sessions of an account, which can be listed and ended. */
export function sessionRoutes(options: SessionRouteOptions): Route[] {
  return [
    loginRoute(options),
    logoutRoute(options),
    whoRoute(),
    listRoute(options.service),
    endRoute(options.service),
    endAllRoute(options.service),
  ];
}

function loginRoute({ service, method, secure }: SessionRouteOptions): Route {
  return route({
    method: 'POST',
    path: '/api/core/session/login',
    tag: 'Sessions',
    access: ['public'],
    body: method.body,
    maxBody: 16 * 1024,
    summary:
      'Log in; the answer sets the cookie fieldline_session, which ends after 12 h without use and ' +
      'after 7 days at the latest',
    description:
      'The answer is the same, and as late, whatever is wrong with the credentials. After five ' +
      'failures for one name from one address each further try waits longer, ' +
      '429 with `Retry-After`. The cookies are HttpOnly and SameSite=Lax, and Secure when the call ' +
      'came by TLS, also by that of a trusted proxy that sends `X-Forwarded-Proto: https`.',
    replies: { 200: { description: 'Who you are now', schema: identityView } },
    errors: { 401: ['invalid_credentials', ...(method.wants ?? [])].join(', '), 429: 'too_many_attempts' },
    handle: async ({ body, ip, request }) => {
      const origin = {
        ip,
        userAgent: request.headers['user-agent'] ?? null,
        device: readCookie(request, DEVICE_COOKIE),
      };
      return loggedInReply(await service.login(body, origin), secure(request));
    },
  });
}

/** The answer to who has logged in, with the cookies. */
export const loggedInReply = ({ session, ...secrets }: LoggedIn, secure: boolean): Reply => ({
  body: {
    name: session.userName,
    role: session.role,
    tenantCode: session.tenantCode,
    permissions: permissionsOf(session.role, session.permissions),
    expiresAt: formatTime(session.expiresAt),
  },
  headers: { 'Set-Cookie': cookiesOf(secrets, secure) },
});

function cookiesOf({ token, device }: { token: string; device: string }, secure: boolean): string[] {
  return [
    setCookie(SESSION_COOKIE, token, { path: '/', maxAgeSeconds: ABSOLUTE_MS / 1000, secure }),
    setCookie(DEVICE_COOKIE, device, { path: '/api/core/session', maxAgeSeconds: DEVICE_SECONDS, secure }),
  ];
}

function logoutRoute({ service, secure }: SessionRouteOptions): Route {
  return route({
    method: 'POST',
    path: '/api/core/session/logout',
    tag: 'Sessions',
    access: ['session'],
    permission: 'self',
    summary: 'End this session',
    replies: ended,
    handle: async (call) => {
      const { sessionId, userName: name } = sessionOf(call.actor);
      await service.end(sessionId, name, actorOf(call));
      return {
        body: { ended: true },
        headers: {
          'Set-Cookie': [
            setCookie(SESSION_COOKIE, '', { path: '/', maxAgeSeconds: 0, secure: secure(call.request) }),
          ],
        },
      };
    },
  });
}

function whoRoute(): Route {
  return route({
    method: 'GET',
    path: '/api/core/session',
    tag: 'Sessions',
    access: ['admin', 'session'],
    permission: 'self',
    summary: 'Who you are',
    replies: { 200: { description: 'You', schema: identityView } },
    handle: ({ actor }) => {
      if (actor.kind !== 'session') {
        return {
          body: {
            name: actor.name === 'local' ? CONFIGURED : actor.name,
            role: 'operator',
            tenantCode: null,
            permissions: permissionNames,
            expiresAt: null,
          },
        };
      }
      const { userName: name, role, tenantCode, permissions, expiresAt } = actor;
      return { body: { name, role, tenantCode, permissions, expiresAt: formatTime(expiresAt) } };
    },
  });
}

function listRoute(service: SessionService): Route {
  return route({
    method: 'GET',
    path: '/api/core/sessions',
    tag: 'Sessions',
    access: ['admin', 'session'],
    permission: 'self',
    summary: 'Your sessions; with the permission users.manage those of everyone, or of one user',
    query: z.strictObject({ user: z.optional(userName), limit: limitParam(100, 1000) }),
    replies: {
      200: {
        description: 'Live sessions, last used first',
        schema: listOf(sessionView),
      },
    },
    handle: async ({ actor, query }) => {
      const whose = limitOf(actor);
      if (whose !== null && query.user !== undefined && query.user.toLowerCase() !== whose)
        throw forbidden('You may only ask for your own sessions.');
      const rows = await service.list(whose ?? query.user?.toLowerCase() ?? null, query.limit + 1);
      const current = actor.kind === 'session' ? actor.sessionId : null;
      return {
        body: {
          items: rows.slice(0, query.limit).map((one) => viewOf(one, current)),
          nextCursor: null,
          hasMore: rows.length > query.limit,
        },
      };
    },
  });
}

function endRoute(service: SessionService): Route {
  return route({
    method: 'DELETE',
    path: '/api/core/sessions/{id}',
    tag: 'Sessions',
    access: ['admin', 'session'],
    permission: 'self',
    params: sessionParams,
    summary: "End a session of yours; with the permission users.manage anyone's",
    replies: ended,
    errors: { 404: 'not_found' },
    handle: async (call) => {
      await service.end(call.params.id, limitOf(call.actor), actorOf(call));
      return { body: { ended: true } };
    },
  });
}

function endAllRoute(service: SessionService): Route {
  return route({
    method: 'DELETE',
    path: '/api/core/sessions',
    tag: 'Sessions',
    access: ['admin', 'session'],
    permission: 'self',
    query: z.strictObject({ user: z.optional(userName) }),
    summary: "End all your sessions but this one; with the permission users.manage all of another user's",
    description: 'Without a session, `user` says whose.',
    replies: { 200: { description: 'How many were ended', schema: z.object({ ended: z.int() }) } },
    handle: async (call) => {
      const { actor, query } = call;
      const own = actor.kind === 'session' ? actor.userName : null;
      const user = query.user?.toLowerCase() ?? own;
      if (user === null) throw fault('user', 'required');
      if ((limitOf(actor) ?? user) !== user) throw forbidden('You may only end your own sessions.');
      const except = actor.kind === 'session' && user === own ? actor.sessionId : null;
      return { body: { ended: await service.endAllOf(user, except, actorOf(call)) } };
    },
  });
}

/** The only user whose sessions the caller may touch; null: everyone's. */
function limitOf(actor: Actor): string | null {
  return actor.kind === 'session' && !actor.permissions.includes('users.manage') ? actor.userName : null;
}

/** @throws AppError 403 when the caller is no session */
export function sessionOf(actor: Actor): Extract<Actor, { kind: 'session' }> {
  if (actor.kind !== 'session') throw forbidden('This call is for a login session.');
  return actor;
}

const viewOf = (one: SessionRecord, current: string | null): z.infer<typeof sessionView> => ({
  id: one.id,
  name: one.userName,
  role: one.role,
  tenantCode: one.tenantCode,
  permissions: permissionsOf(one.role, one.permissions),
  createdAt: formatTime(one.createdAt),
  lastSeenAt: formatTime(one.lastSeenAt),
  expiresAt: formatTime(one.expiresAt),
  ip: one.ip,
  userAgent: one.userAgent,
  current: one.id === current,
});
