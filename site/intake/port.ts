import type { Stamp } from '../../common/clock.ts';
import type { Device, DeviceRecord, Episode, Refusal } from './record.ts';

/**
 * Devices and their alarms. Changes are audited as `device.added`, `device.changed` and `device.removed`,
 * without tokens and references to secrets.
 */
export interface DevicePort {
  /** Audited. The node key of the same id must be there. */
  add(device: DeviceRecord, actor: string, stamp: Stamp): Promise<void>;
  /** Those whose node key is live, by key id. */
  list(): Promise<Device[]>;
  /** false: there is no such device. */
  change(
    keyId: string,
    change: Partial<Pick<DeviceRecord, 'tokenHash' | 'secretRef' | 'config'>>,
    actor: string,
    stamp: Stamp,
  ): Promise<boolean>;
  /** Removes it with its episodes. false: there is no such device. */
  remove(keyId: string, actor: string, stamp: Stamp): Promise<boolean>;

  /** null: it refused nothing, as far as is known. */
  refusal(keyId: string): Promise<Refusal | null>;
  refused(refusal: Refusal): Promise<void>;
  /** It let the site in. */
  admitted(keyId: string): Promise<void>;

  /** Those that are open, or whose event is not stored. */
  unsettled(): Promise<Episode[]>;
  episode(keyId: string, alarm: string): Promise<Episode | null>;
  /** Writes them as they are, in one transaction, over those of the same alarms. */
  save(episodes: readonly Episode[]): Promise<void>;
  /** Removes those that closed before. */
  prune(before: number): Promise<void>;
}
