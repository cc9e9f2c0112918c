import type { Connections } from '../intake/connection/connections.ts';
import type { Connector } from '../intake/connection/session.ts';
import { recordingSink, type SinkParts } from '../intake/connection/sink.ts';
import type { ShownPasswords } from '../intake/device/password.ts';
import { isPulled } from '../intake/device/settings.ts';
import type { Source } from '../intake/driver.ts';
import { driverOf } from '../intake/drivers.ts';
import type { Device } from '../intake/record.ts';
import type { DeviceRooms } from '../intake/room.ts';
import type { ConnectionView } from '../intake/schema.ts';
import type { Base } from './base.ts';

/** The devices that this site connects to. Nothing of it is loaded before the first one is registered. */
export interface Connected {
  follow(devices: readonly Device[]): Promise<void>;
  view: (keyId: string) => ConnectionView | null;
  retry: (keyId: string) => void;
}

export interface ConnectedParts extends SinkParts {
  shown: ShownPasswords;
  rooms: DeviceRooms;
}

export function createConnected(
  base: Base,
  { recorder, trials, states, shown, rooms, admit }: ConnectedParts,
): Connected {
  const { config, store, clock, log, lifecycle } = base;
  let connections: Connections | null = null;
  const load = async (): Promise<Connections> => {
    const room = await import('../intake/connection/connections.ts');
    connections ??= new room.Connections({
      devices: store.devices,
      alarms: store.alarms,
      self: config.instance,
      networks: config.feedbackNetworks,
      rooms,
      taking: recordingSink({ recorder, trials, states, admit }),
      load: ({ kind }) => loadPulled(kind),
      password: (device) => shown.open(device),
      clock,
      log,
    });
    return connections;
  };
  let stopped = false;
  lifecycle.onStop('device connections', async () => {
    stopped = true;
    await connections?.stop();
  });
  return {
    follow: async (devices) => {
      const pulled = devices.filter((one) => isPulled(one.config));
      if (!connections && pulled.length === 0) return;
      const loaded = await load();
      // Now and not with the first connection: an upgrade takes the files away while the site runs.
      await Promise.all([...new Set(pulled.map(({ kind }) => kind))].map(loadPulled));
      if (!stopped) loaded.follow(devices);
    },
    view: (keyId) => connections?.view(keyId) ?? null,
    retry: (keyId) => connections?.retry(keyId),
  };
}

/** What a connection to a device of a kind needs. @throws Error for a kind whose devices post */
async function loadPulled(kind: string): Promise<{ connector: Connector; source: Source }> {
  const { source, connector } = driverOf(kind);
  if (!connector) throw new Error(`devices of the kind ${kind} are not connected to`);
  return { connector: await connector(), source: await source() };
}
