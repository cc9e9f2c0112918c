import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from './error.ts';
import { addressAllowed, type NetworkList } from './outbound/address.ts';
import { isSecure } from './outbound/transport.ts';

/**
 * Keeps pages of other servers from making changes with the cookie of a session.
 * @param trusted proxies whose `X-Forwarded-Host` is believed @throws AppError 403 csrf
 */
export function guardChange(request: IncomingMessage, trusted: NetworkList): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers['x-requested-with'] !== 'fieldline')
    throw new AppError(
      403,
      'csrf',
      'A change within a login session carries the header X-Requested-With: fieldline.',
    );
  if (comesFromHere(request, trusted)) return;
  throw new AppError(
    403,
    'csrf',
    'This change comes of a page of another server. A proxy in between passes the Host that was asked, or ' +
      'is named in CORE_TRUSTED_PROXIES and sends it as X-Forwarded-Host.',
  );
}

/**
 * Whether a request comes of a page of this server, as far as its browser says where it comes from: by
 * `Sec-Fetch-Site`, which no page can set, or else by `Origin` beside the host that was asked. What says
 * neither comes of no page of somebody else: browsers send `Origin` with every change.
 * @param trusted proxies whose `X-Forwarded-Host` is believed
 */
export function comesFromHere(request: IncomingMessage, trusted: NetworkList): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const asked = `${protocol}//${askedHost(request, trusted)}`;
  // The port of a scheme may be written or not.
  return URL.canParse(asked) && new URL(asked).host === host;
}

/** Where a request came to, as `https://host`. @param trusted proxies that say which host and scheme it was */
export const askedOrigin = (request: IncomingMessage, trusted: NetworkList): string =>
  `${isSecure(request, trusted) ? 'https' : 'http'}://${askedHost(request, trusted)}`;

function askedHost({ headers, socket }: IncomingMessage, trusted: NetworkList): string {
  const forwarded = headers['x-forwarded-host'];
  const { remoteAddress = '' } = socket;
  const proxied = isIP(remoteAddress) !== 0 && trusted.length > 0 && addressAllowed(remoteAddress, trusted);
  return (
    (proxied && typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : headers.host) ?? ''
  );
}
