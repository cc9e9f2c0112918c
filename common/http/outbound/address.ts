import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { say } from '../../message.ts';
import { type TransportFault, transportMessages } from './transport-messages.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type NetworkList = readonly [Address, number][];

/**
 * `deny` closes what `allow` leaves open; a network of `allow` that lies within a denied one opens it again.
 */
export interface NetworkPolicy {
  /** null: every address. */
  allow: NetworkList | null;
  deny: NetworkList;
  /** What opens parts of `deny` again; left out, `allow`. */
  open?: NetworkList;
}

/** Networks that an outgoing connection may reach; `null` allows every address. */
export type Networks = NetworkList | NetworkPolicy | null;

/** Private ranges: where cameras live. */
export const PRIVATE_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** This host, its link, groups of hosts, and where clouds answer for the machine itself (the last three). */
export const INNER_NETWORKS = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  '::1/128',
  'fe80::/10',
  'ff00::/8',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
];

/** @throws Error naming the first text that is no network */
export function parseNetworks(texts: readonly string[]): NetworkList {
  return texts.map((text) => {
    if (!ipaddr.isValidCIDR(text)) throw new Error(`"${text}" is not a network such as 192.168.0.0/16`);
    return ipaddr.parseCIDR(text);
  });
}

/**
 * Everything but the inner networks, or only what is listed; an inner network is open only when it is listed
 * itself.
 */
export function outerNetworks(listed: NetworkList | null): NetworkPolicy {
  return { allow: listed, deny: parseNetworks(INNER_NETWORKS) };
}

/** Networks that belong to nobody on the Internet: an address that a stranger chooses must not lead there. */
const INTRANETS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
  'fec0::/10',
  // Reserved for protocols and tests (RFC 6890), or not assigned yet.
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '100::/64',
  '2001:db8::/32',
];

/** The Internet, and of what is not the Internet only what is listed. */
export function publicNetworks(listed: NetworkList): NetworkPolicy {
  return { allow: null, deny: parseNetworks([...INNER_NETWORKS, ...INTRANETS]), open: listed };
}

/**
 * Addresses that this machine has now, loopback aside: who may connect to them reaches the program itself and
 * its neighbours.
 */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address);
}

/**
 * Whether a connection may go there. IPv4 addresses that arrive in IPv6 clothing (::ffff:a.b.c.d) are judged
 * as IPv4. Under a policy this machine's own addresses are closed, each until it is listed itself (as a /32
 * or /128).
 */
export function addressAllowed(
  address: string,
  networks: Networks,
  own: () => readonly string[] = ownAddresses,
): boolean {
  if (networks === null) return true;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (!('deny' in networks)) return within(parsed, networks);
  const { allow, open = allow ?? [] } = networks;
  const deny = [...networks.deny, ...own().map((one) => hostNetwork(one))];
  if (allow !== null && !within(parsed, allow)) return false;
  return [parsed, ...carriedBy(parsed)].every(
    (one) => !deny.some((denied) => matches(one, denied) && !opened(one, denied, open)),
  );
}

function hostNetwork(text: string): NetworkList[number] {
  const address = ipaddr.process(text.replace(/%.*$/, ''));
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

const matches = (address: Address, [network, bits]: NetworkList[number]): boolean =>
  network.kind() === address.kind() && address.match(network, bits);

const within = (address: Address, list: NetworkList): boolean =>
  list.some((network) => matches(address, network));

/** Whether a listed network that holds the address lies within the denied one. */
function opened(address: Address, denied: NetworkList[number], allow: NetworkList): boolean {
  return allow.some(
    (listed) => matches(address, listed) && listed[1] >= denied[1] && matches(listed[0], denied),
  );
}

/**
 * Prefixes of IPv6 addresses that hold an IPv4 address to which a gateway forwards the packets, and the
 * offsets of its bytes.
 */
const CARRIERS: readonly { prefix: NetworkList[number]; at: readonly number[]; flipped?: boolean }[] = [
  // NAT64 (RFC 6052, RFC 8215), whose /48 form leaves out byte 8; 6to4 (RFC 3056); Teredo (RFC 4380);
  // IPv4-compatible (RFC 4291).
  { prefix: ipaddr.parseCIDR('64:ff9b::/96'), at: [12, 13, 14, 15] },
  { prefix: ipaddr.parseCIDR('64:ff9b:1::/48'), at: [6, 7, 9, 10] },
  { prefix: ipaddr.parseCIDR('64:ff9b:1::/48'), at: [12, 13, 14, 15] },
  { prefix: ipaddr.parseCIDR('2002::/16'), at: [2, 3, 4, 5] },
  { prefix: ipaddr.parseCIDR('2001::/32'), at: [12, 13, 14, 15], flipped: true },
  { prefix: ipaddr.parseCIDR('::/96'), at: [12, 13, 14, 15] },
];

function carriedBy(address: Address): Address[] {
  // ::1 and :: lie under the IPv4-compatible prefix but hold no IPv4 address.
  if (address.kind() === 'ipv4' || address.range() === 'loopback' || address.range() === 'unspecified')
    return [];
  const bytes = address.toByteArray();
  return CARRIERS.filter(({ prefix }) => matches(address, prefix)).map(
    ({ at, flipped }) =>
      new ipaddr.IPv4(at.map((index) => (flipped ? (bytes[index] ?? 0) ^ 0xff : (bytes[index] ?? 0)))),
  );
}

export class AddressRefused extends Error {
  readonly code = 'address_refused';
  readonly host: string;
  readonly fault: TransportFault;
  constructor(host: string, address: string) {
    const fault: TransportFault =
      host === address
        ? { code: 'address_outside', params: { host } }
        : { code: 'name_outside', params: { host, address } };
    super(say(transportMessages, fault, 'en'));
    this.host = host;
    this.fault = fault;
    this.name = 'AddressRefused';
  }
}

/** Asks for every address of a name. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type LookupCallback = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/**
 * A resolver for sockets that refuses addresses at connect time, so that a name
 * which resolves differently between a check and the connection gains nothing.
 * One refused address among several refuses the whole name.
 */
export function guardedLookup(networks: Networks, resolve: Resolve = dnsLookup) {
  return (host: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error);
      try {
        const refused = addresses.find(({ address }) => !addressAllowed(address, networks));
        if (refused) return callback(new AddressRefused(host, refused.address));
      } catch (thrown) {
        // The system would not say which addresses are its own: nothing is let through.
        return callback(thrown as Error);
      }
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
