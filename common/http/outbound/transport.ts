import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { addressAllowed, type NetworkList } from './address.ts';

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
