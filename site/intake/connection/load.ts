import type { DeviceKind } from '../record.ts';
import type { Connector } from './session.ts';

/** Loads how devices of a kind are connected to when the first one with an address is there. */
const connectors: Readonly<Partial<Record<DeviceKind, () => Promise<Connector>>>> = {
  hikvision: async () => (await import('../hikvision/stream.ts')).alertStream,
  frigate: async () => (await import('../frigate/connector.ts')).frigateConnector,
  axis: async () => (await import('../axis/connector.ts')).axisConnector,
  onvif: async () => (await import('../onvif/connector.ts')).pullPoint,
  dahua: async () => (await import('../dahua/connector.ts')).eventManager,
};

/** @throws Error for a kind whose devices post */
export function loadConnector(kind: DeviceKind): Promise<Connector> {
  const load = connectors[kind];
  if (!load) throw new Error(`devices of the kind ${kind} are not connected to`);
  return load();
}
