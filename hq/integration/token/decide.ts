// How many wrong requests for tokens are borne, without I/O. Secrets have 256 bits: what is limited is the
// work and the noise of guesses, and nobody may stop by wrong requests what others do with right ones.

import type { QuotaLeft } from '../record.ts';

/** Failed token requests that are borne within `FAILURE_WINDOW_MS`. */
export const FAILURE_LIMITS = { client: 10, address: 200 } as const;
export const FAILURE_WINDOW_MS = 15 * 60_000;

interface Asker {
  tenantCode: string;
  clientId: string;
  ip: string;
}

export interface FailureScope {
  /** `client`: of one client and address; `address`: of all clients from it. */
  quota: QuotaLeft['quota'];
  scope: string;
}

export interface Failures {
  failures: number;
  /** When the first of them came, epoch ms. */
  since: number;
}

/** Begins the scopes of one client, from whatever address. */
export const clientScope = ({ tenantCode, clientId }: Omit<Asker, 'ip'>): string =>
  `client:${tenantCode}\n${clientId}\n`;

/** Another address's failures never count, so that a stranger cannot lock the owner out. */
export const failureScopes = (asker: Asker): FailureScope[] => [
  { quota: 'client', scope: `${clientScope(asker)}${asker.ip}` },
  { quota: 'address', scope: `address:${asker.ip}` },
];

/** What is left at a time, epoch ms. */
export function quotaLeft(
  quota: FailureScope['quota'],
  failures: Failures | undefined,
  now: number,
): QuotaLeft {
  const counted = failures && failures.since + FAILURE_WINDOW_MS > now ? failures : null;
  return {
    quota,
    left: Math.max(0, FAILURE_LIMITS[quota] - (counted?.failures ?? 0)),
    until: (counted?.since ?? now) + FAILURE_WINDOW_MS,
  };
}

/**
 * The quota that a request is refused for; null: none. A right secret is refused for its own client and
 * address alone, so that whoever sends wrong requests for other clients from the same address holds nobody
 * up, and not even for these where the address may be a proxy's.
 */
export function refusedFor(
  quotas: readonly QuotaLeft[],
  { proven, unsureIp }: { proven: boolean; unsureIp: boolean },
): QuotaLeft | null {
  const counting = quotas.filter(({ quota }) => !proven || (quota === 'client' && !unsureIp));
  return counting.find(({ left }) => left === 0) ?? null;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers; what is counted is wrong requests. */
export function quotaHeaders(quotas: readonly QuotaLeft[], now: number): Record<string, string> {
  const policy = quotas.map(
    ({ quota }) => `"${quota}";q=${FAILURE_LIMITS[quota]};w=${FAILURE_WINDOW_MS / 1000}`,
  );
  const left = quotas.map((one) => `"${one.quota}";r=${one.left};t=${secondsTo(one.until, now)}`);
  return { 'RateLimit-Policy': policy.join(', '), RateLimit: left.join(', ') };
}

export const secondsTo = (until: number, now: number): number => Math.max(1, Math.ceil((until - now) / 1000));
