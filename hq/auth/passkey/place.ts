// Where passkeys can be: a browser makes them for the name of a host, and for pages that nobody can change on
// their way. Pure.
import { isIP } from 'node:net';

export interface PasskeyPlace {
  /** Of the console, as browsers write it. */
  origin: string;
  /** The name of the host. */
  rpId: string;
}

/** Why there are none: the console has no address, or one that browsers take for no passkeys. */
export const placesMissing = ['no_address', 'address_without_name', 'address_without_tls'] as const;
export type PlaceMissing = (typeof placesMissing)[number];

/** @param consoleUrl by which people reach the console; null: not said */
export function passkeyPlaceOf(consoleUrl: string | null): PasskeyPlace | PlaceMissing {
  if (consoleUrl === null) return 'no_address';
  const { protocol, hostname, origin } = new URL(consoleUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'address_without_name';
  // A browser counts its own machine as safe.
  const own = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (protocol !== 'https:' && !own) return 'address_without_tls';
  return { origin, rpId: hostname };
}
