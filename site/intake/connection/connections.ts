import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../../common/log.ts';
import type { DevicePort } from '../port.ts';
import type { Device } from '../record.ts';
import type { ConnectionView } from '../schema.ts';
import { ConnectionAlarms, type ConnectionAlarmsOptions } from './alarm.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { Refusals } from './refusals.ts';
import { connectionViewOf } from './view.ts';

export interface ConnectionsOptions
  extends
    ConnectionAlarmsOptions,
    Omit<ConnectionOptions, 'device' | 'load' | 'password' | 'waiting' | 'onState'> {
  devices: Pick<DevicePort, 'refusal' | 'refused' | 'admitted'>;
  load: (device: Device) => ReturnType<ConnectionOptions['load']>;
  password: (device: Device) => Promise<string | null>;
  log: Logger;
}

/** The devices that are connected to, as the registry has them. */
export class Connections {
  readonly #options: ConnectionsOptions;
  #alarms: ConnectionAlarms;
  #refusals: Refusals;
  #byKey = new Map<string, Connection>();
  /** The connections that are being ended, by device: the next one waits for it. */
  #ending = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#alarms = new ConnectionAlarms(options);
    this.#refusals = new Refusals(options.devices, options.clock);
  }

  /** Ends what is registered no more or otherwise, and begins what is new. */
  follow(devices: readonly Device[]): void {
    if (this.#stopped) return;
    const wanted = new Map(
      devices.filter(({ config }) => config.address !== undefined).map((one) => [one.keyId, one]),
    );
    for (const [keyId, connection] of this.#byKey) {
      const now = wanted.get(keyId);
      if (now && isDeepStrictEqual(now, connection.device)) continue;
      this.#byKey.delete(keyId);
      this.#end(connection, now === undefined);
    }
    for (const [keyId, device] of wanted) if (!this.#byKey.has(keyId)) this.#begin(keyId, device);
  }

  view(keyId: string): ConnectionView | null {
    const connection = this.#byKey.get(keyId);
    return connection ? connectionViewOf(connection.state) : null;
  }

  /** Connects to a device at once that waits to be tried again. */
  retry(keyId: string): void {
    this.#byKey.get(keyId)?.retry();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#byKey.values()].map(({ loop }) => loop.stop()));
    await Promise.all(this.#ending.values());
  }

  #begin(keyId: string, device: Device): void {
    const { load, password, devices: _devices, ...rest } = this.#options;
    const connection = new Connection({
      ...rest,
      device,
      load: () => load(device),
      password: () => password(device),
      waiting: () => this.#refusals.waiting(device),
      onState: async ({ device: of, state }) => {
        await this.#refusals.keep(of, state);
        await this.#alarms.tell(of, state);
      },
    });
    this.#byKey.set(keyId, connection);
    const begin = (): void => {
      if (!this.#stopped && this.#byKey.get(keyId) === connection) connection.loop.start();
    };
    const before = this.#ending.get(keyId);
    if (before) void before.then(begin);
    else begin();
  }

  #end({ loop, device }: Connection, gone: boolean): void {
    const { keyId } = device;
    const ending: Promise<void> = Promise.all([loop.stop(), this.#ending.get(keyId)])
      .then(() => (gone ? this.#alarms.forget(keyId) : undefined))
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'an alarm could not be cleared'))
      .finally(() => {
        if (this.#ending.get(keyId) === ending) this.#ending.delete(keyId);
      });
    this.#ending.set(keyId, ending);
  }
}
