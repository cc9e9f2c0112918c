import type { IncomingHttpHeaders } from 'node:http';
import type { DeviceConfig, DeviceKind, Part, Reading } from './record.ts';

/** What a message brought beside its parts. */
export interface Envelope {
  headers: IncomingHttpHeaders;
}

/**
 * How devices of one kind speak. A source has no state and does no I/O: the same message gives the same
 * readings.
 */
export interface Source {
  /** First word of idempotency keys, and of event types that no table has. */
  vendor: string;
  parse(parts: readonly Part[], config: DeviceConfig, envelope: Envelope): Reading[];
}

/** Loads a source when the first device of its kind is there: a site without one holds none of its code. */
const loaders: Readonly<Record<DeviceKind, () => Promise<Source>>> = {
  cloudevents: async () => (await import('./cloudevents/parse.ts')).cloudEvents,
  webhook: async () => (await import('./webhook/parse.ts')).webhook,
  hikvision: async () => (await import('./hikvision/parse.ts')).hikvision,
  frigate: async () => (await import('./frigate/parse.ts')).frigate,
  axis: async () => (await import('./axis/parse.ts')).axis,
  onvif: async () => (await import('./onvif/parse.ts')).onvif,
  dahua: async () => (await import('./dahua/parse.ts')).dahua,
};

export const loadSource = (kind: DeviceKind): Promise<Source> => loaders[kind]();
