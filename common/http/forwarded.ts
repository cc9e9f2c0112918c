import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressAllowed, type NetworkList } from './outbound/address.ts';

/**
 * Address of the caller behind proxies that are trusted: from the nearest hop backwards through
 * `X-Forwarded-For`, the first that is no trusted proxy. What a caller itself wrote into the header lies
 * further left and is never believed.
 * @param remote address of the other end of the connection
 */
export function callerAddress(
  remote: string,
  forwardedFor: string | undefined,
  trusted: NetworkList,
): string {
  if (forwardedFor === undefined || trusted.length === 0) return remote;
  const hops = forwardedFor.split(',').map((hop) => plain(hop.trim()));
  let caller = remote;
  while (isIP(caller) !== 0 && addressAllowed(caller, trusted)) {
    const next = hops.pop();
    if (next === undefined || isIP(next) === 0) break;
    caller = next;
  }
  return caller;
}

/** Address of the caller of a request; empty for the local socket. */
export const callerOf = (request: IncomingMessage, trusted: NetworkList): string =>
  callerAddress(
    request.socket.remoteAddress ?? '',
    request.headers['x-forwarded-for'] as string | undefined,
    trusted,
  );

/**
 * Whether the request says that it went through a proxy which is not trusted, so that its address may be that
 * of many callers. @param ip of the caller, as `callerOf` has it
 */
export const throughUnnamedProxy = ({ headers, socket }: IncomingMessage, ip: string): boolean =>
  (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined && ip === socket.remoteAddress;

/** Some proxies write the port, and brackets around IPv6. */
const plain = (hop: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
