import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Networks that an outgoing connection may reach; `null` allows every address. */
export type Networks = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] | null;

/** Private and loopback ranges: where cameras live. */
export const PRIVATE_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16', '::1/128', 'fc00::/7', 'fe80::/10'];

/** @throws Error naming the first text that is no network */
export function parseNetworks(texts: readonly string[]): Networks {
  return texts.map((text) => {
    if (!ipaddr.isValidCIDR(text)) throw new Error(`"${text}" is not a network such as 192.168.0.0/16`);
    return ipaddr.parseCIDR(text);
  });
}

/** IPv4 addresses that arrive in IPv6 clothing (::ffff:a.b.c.d) are judged as IPv4. */
export function addressAllowed(address: string, networks: Networks): boolean {
  if (networks === null) return true;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  return networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

export class AddressRefused extends Error {
  readonly code = 'address_refused';
  constructor(host: string, address: string) {
    super(`${host} is at ${address}, outside the allowed networks`);
    this.name = 'AddressRefused';
  }
}

type LookupCallback = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/**
 * A resolver for sockets that refuses addresses at connect time, so that a name
 * which resolves differently between a check and the connection gains nothing.
 * One refused address among several refuses the whole name.
 */
export function guardedLookup(networks: Networks) {
  return (host: string, options: LookupOptions, callback: LookupCallback): void => {
    dnsLookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error);
      const refused = addresses.find(({ address }) => !addressAllowed(address, networks));
      if (refused) return callback(new AddressRefused(host, refused.address));
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      if (!first) return callback(new Error(`${host} has no address`));
      callback(null, first.address, first.family);
    });
  };
}

/** The resolver is not asked about literal addresses; they are checked here. @throws AddressRefused */
export function checkLiteral(hostname: string, networks: Networks): void {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0 && !addressAllowed(bare, networks)) throw new AddressRefused(bare, bare);
}
