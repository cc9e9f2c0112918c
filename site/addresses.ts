import { networkInterfaces } from 'node:os';
import type { SiteConfig } from './config.ts';

/** Addresses of this site, with scheme and port, as cameras and browsers of the network name it. */
export const siteAddresses = ({ listen, tls }: Pick<SiteConfig, 'listen' | 'tls'>): string[] =>
  gatewayAddresses(listen.host).map((one) => `${tls === null ? 'http' : 'https'}://${one}:${listen.port}`);

/**
 * What other machines of the network may reach this one under; none where it has no address.
 * @param listen host of CORE_LISTEN
 */
export function gatewayAddresses(listen: string): string[] {
  if (listen !== '0.0.0.0' && listen !== '::') return [listen.includes(':') ? `[${listen}]` : listen];
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter((one) => one.family === 'IPv4' && !one.internal)
    .map((one) => one.address);
}

/** Whether only this machine reaches the address, which has a scheme. */
export const isLoopback = (address: string): boolean =>
  /^(?:127\.|\[::1\]$|localhost$)/.test(new URL(address).hostname);
