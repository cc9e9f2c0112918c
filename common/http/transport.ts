import type { IncomingMessage, RequestListener } from 'node:http';
import { TLSSocket } from 'node:tls';
import { addressAllowed, type NetworkList } from './address.ts';

/**
 * A browser that has come by TLS once comes by nothing else for this long, seconds: a year, as OWASP asks
 * for.
 */
const STRICT_SECONDS = 31_536_000;

/**
 * Whether the caller's own connection is encrypted: by TLS of this program, or by that of a proxy that is
 * trusted and says so in `X-Forwarded-Proto`. From anybody else that header proves nothing.
 */
export function isSecure(request: IncomingMessage, trusted: NetworkList): boolean {
  const { socket } = request;
  if (socket instanceof TLSSocket) return true;
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || trusted.length === 0 || !addressAllowed(remoteAddress, trusted))
    return false;
  // A chain of proxies writes one after another; the first of them is the one that the caller came to.
  return (
    String(request.headers['x-forwarded-proto'] ?? '')
      .split(',')[0]
      ?.trim()
      .toLowerCase() === 'https'
  );
}

/** Tells browsers that came by TLS to come by TLS from then on, with every answer (RFC 6797). */
export function withStrictTransport(app: RequestListener, trusted: NetworkList): RequestListener {
  return (request, response) => {
    if (isSecure(request, trusted))
      response.setHeader('Strict-Transport-Security', `max-age=${STRICT_SECONDS}`);
    app(request, response);
  };
}
