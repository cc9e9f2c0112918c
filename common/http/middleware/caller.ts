import type { IncomingMessage } from 'node:http';
import type { Authenticator, Guard } from '../auth.ts';
import { readCookie, SESSION_COOKIE } from '../cookie.ts';
import { callerOf, throughUnnamedProxy } from '../forwarded.ts';
import { isLocal } from '../listen.ts';
import { addressAllowed, type NetworkList } from '../outbound/address.ts';
import type { Route } from '../route.ts';
import type { Middleware } from '../state.ts';

/**
 * Looks at the credentials before the body is read: an admin key and a session are known for good then, with
 * their permission; a signing key is a claim that `verifyCaller` proves over the body.
 */
export const identify =
  (route: Route, authenticator: Authenticator, trustedProxies: NetworkList): Middleware =>
  async ({ state, req }, next) => {
    state.route = route;
    state.ip = callerOf(req, trustedProxies);
    state.credentials = await authenticator.identify(req, guardOf(route, req, state.ip), isLocal(req));
    await next();
  };

/** Proves the signature over the whole request, and that the key is for this route. */
export const verifyCaller =
  (authenticator: Authenticator): Middleware =>
  ({ state, req }, next) => {
    state.actor = authenticator.verify(state.credentials, req, state.signed);
    state.hold.prove();
    return next();
  };

/**
 * Who is let in: where the route is open to the caller's address, also one without credentials. Whoever shows
 * some is judged by them. A proxy that is not trusted may bring anybody, so that its address opens nothing.
 */
function guardOf(route: Route, request: IncomingMessage, ip: string): Guard {
  const { openTo } = route;
  if (openTo === undefined || isLocal(request)) return route;
  const { headers } = request;
  const shown = headers['x-core-key'] ?? headers['x-admin-key'] ?? readCookie(request, SESSION_COOKIE);
  const known = !throughUnnamedProxy(request, ip);
  const open = shown === undefined && (openTo === null || (known && addressAllowed(ip, openTo)));
  return open ? { ...route, access: [...route.access, 'public'] } : route;
}
