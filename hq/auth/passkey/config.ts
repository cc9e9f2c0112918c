// Where passkeys can be: a browser makes them for the name of a host, and for pages that nobody can change on
// their way. Pure.
import type { PasskeyPlace, PlaceMissing } from './record.ts';

/** An address, as `URL` writes it whatever it was given as. */
const NUMBER = /^(?:\d+(?:\.\d+){3}|\[.*\])$/;

/** @param consoleUrl by which people reach the console; null: not said */
export function passkeyPlaceOf(consoleUrl: string | null): PasskeyPlace | PlaceMissing {
  if (consoleUrl === null) return 'no_address';
  const { protocol, hostname, origin } = new URL(consoleUrl);
  if (NUMBER.test(hostname)) return 'address_without_name';
  // A browser counts its own machine as safe.
  const own = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (protocol !== 'https:' && !own) return 'address_without_tls';
  return { origin, rpId: hostname };
}
