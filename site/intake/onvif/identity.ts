// Who a device is, and which pictures it has: asked once for a connection, and put to each of its messages.
import type { IncomingHttpHeaders } from 'node:http';

export interface Identity {
  serial: string | null;
  /** The video source by the token of a configuration or a profile of it. */
  sources: Readonly<Record<string, string>>;
  /** The path of the snapshot of a video source. */
  snapshots: Readonly<Record<string, string>>;
}

/** When an answer came, epoch ms. */
export interface Receipt {
  at: number;
  /** By the clock of the device, as the answer says; null: it does not say. */
  deviceAt: number | null;
  /** How far its clock is off, as it told when it was asked for it, ms; null: it did not tell. */
  clockOff: number | null;
}

const HEADER = 'onvif-identity';

export const NOBODY: Identity = { serial: null, sources: {}, snapshots: {} };

export const headersOf = (identity: Identity, receipt: Receipt): IncomingHttpHeaders => ({
  [HEADER]: JSON.stringify({ ...identity, ...receipt }),
});

export function identityIn(headers: IncomingHttpHeaders): Identity & Receipt {
  const told = headers[HEADER];
  return typeof told === 'string'
    ? (JSON.parse(told) as Identity & Receipt)
    : { ...NOBODY, at: 0, deviceAt: null, clockOff: null };
}

/** Topics name a source by its own token, or by that of something that uses it. */
export const sourceOf = (token: string, sources: Identity['sources']): string =>
  (Object.hasOwn(sources, token) ? sources[token] : undefined) ?? token;
