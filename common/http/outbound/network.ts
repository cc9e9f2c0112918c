import ipaddr from 'ipaddr.js';

/**
 * The network that counts as one caller: one household or office has a whole /64 of IPv6 addresses. `local`
 * for no address.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'local';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
