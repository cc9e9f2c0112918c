import type { NetworkList } from '../outbound/address.ts';
import { isSecure } from '../outbound/transport.ts';
import type { Middleware } from '../state.ts';

/** Of every answer that does not say otherwise: nobody keeps it, and it is what its type says. */
export const PLAIN_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * A browser that has come by TLS once comes by nothing else for this long, seconds: a year, as OWASP asks
 * for.
 */
const STRICT_SECONDS = 31_536_000;

/**
 * Sets what every answer carries, and tells browsers that came by TLS to come by TLS from then on (RFC 6797).
 */
export const securityHeaders =
  (trustedProxies: NetworkList): Middleware =>
  (ctx, next) => {
    ctx.set(PLAIN_HEADERS);
    if (isSecure(ctx.req, trustedProxies)) ctx.set('Strict-Transport-Security', `max-age=${STRICT_SECONDS}`);
    return next();
  };
