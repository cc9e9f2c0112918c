import { hash } from 'node:crypto';
import type { Clock } from '../../../common/clock.ts';
import type { DevicePort } from '../port.ts';
import type { Device, Refusal } from '../record.ts';
import { LONGEST_REFUSED_MS } from './decide.ts';
import { type ConnectionMessage, connectionTexts } from './fault.ts';
import type { ConnectionState } from './state.ts';

/** What is left of a pause that began before this process. */
export interface RemainingPause {
  /** Epoch ms; past: the device may be tried now. */
  until: number;
  failures: number;
  fault: ConnectionMessage;
}

/**
 * How long devices are left alone that refused what they were shown, kept over restarts: cameras lock an
 * account after a few wrong passwords, and a service that is started again and again would show one each
 * time.
 */
export class Refusals {
  #devices: Pick<DevicePort, 'refusal' | 'refused' | 'admitted'>;
  #clock: Pick<Clock, 'now'>;
  /** Devices of which one is kept. */
  #kept = new Set<string>();

  constructor(devices: Pick<DevicePort, 'refusal' | 'refused' | 'admitted'>, clock: Pick<Clock, 'now'>) {
    this.#devices = devices;
    this.#clock = clock;
  }

  /** null: it refused nothing, or what it is shown now is something else. */
  async waiting(device: Device): Promise<RemainingPause | null> {
    const kept = await this.#devices.refusal(device.keyId);
    if (kept === null) return null;
    this.#kept.add(device.keyId);
    // A clock that was set may have put it far off.
    const until = Math.min(kept.until, this.#clock.now() + LONGEST_REFUSED_MS);
    if (kept.settings !== settingsOf(device)) return null;
    return { until, failures: kept.failures, fault: faultOf(device, kept) };
  }

  /** Called with each change of the state of a connection. */
  async keep(device: Device, { condition, fault, failures, nextAttemptAt }: ConnectionState): Promise<void> {
    const { keyId } = device;
    if (condition === 'refused' && fault !== null && nextAttemptAt !== null) {
      this.#kept.add(keyId);
      const settings = settingsOf(device);
      await this.#devices.refused({ keyId, settings, failures, until: nextAttemptAt, fault });
    } else if (condition === 'connected' && this.#kept.delete(keyId)) await this.#devices.admitted(keyId);
  }
}

const settingsOf = ({ secretRef, config }: Device): string =>
  hash('sha256', JSON.stringify([secretRef, config]), 'hex');

/** One that this program has no words for is a password that was refused. */
function faultOf({ config }: Device, { fault }: Refusal): ConnectionMessage {
  if (Object.hasOwn(connectionTexts, fault.code)) return fault as ConnectionMessage;
  return { code: 'device_password_refused', params: { host: new URL(config.address ?? '').host } };
}
