import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { EVENT_OF_ANOTHER, KEY_OF_ANOTHER, type ChannelName } from '../../common/uplink/wire.ts';
import type { UplinkStatePort } from './port.ts';

/** Keys of the alarms that the uplink of a site raises. */
export type UplinkAlarmKey =
  | 'uplink_hub_lost_data' | 'uplink_hub_epoch_changed' | 'store_restored' | 'clock_skewed' | 'uplink_parked' | 'uplink_key_conflict';

/** Raises and clears the alarms of the uplink; asks the store only when something changes. */
export class UplinkAlarms {
  #alarms: AlarmPort;
  #instance: string;
  #clock: Clock;
  /** Alarms known not to stand. */
  #clear = new Set<UplinkAlarmKey>();

  constructor(alarms: AlarmPort, instance: string, clock: Clock) {
    this.#alarms = alarms;
    this.#instance = instance;
    this.#clock = clock;
  }

  async raise(key: UplinkAlarmKey, severity: 'warning' | 'critical', message: string, details?: unknown): Promise<void> {
    this.#clear.delete(key);
    await this.#alarms.raise({ key, instance: this.#instance, tenantCode: null, severity, message, details }, this.#clock.now());
  }

  async clear(key: UplinkAlarmKey): Promise<void> {
    if (this.#clear.has(key)) return;
    await this.#alarms.clear(key, this.#instance, this.#clock.now());
    this.#clear.add(key);
  }

  /** Parked items stand as one alarm for as long as there are any, those whose key another instance has used as one more. */
  async parked(uplink: UplinkStatePort): Promise<void> {
    const events = uplink.parkedCount('events');
    const verdicts = uplink.parkedCount('verdicts');
    if (events + verdicts === 0) await this.clear('uplink_parked');
    else {
      await this.raise('uplink_parked', 'warning',
        `Headquarters refused ${counted(events, verdicts)}; see fieldline-site parked list, then replay or discard them.`, { events, verdicts });
    }
    await this.#conflicts(conflictCount(uplink, 'events'), conflictCount(uplink, 'verdicts'));
  }

  async #conflicts(events: number, verdicts: number): Promise<void> {
    if (events + verdicts === 0) return this.clear('uplink_key_conflict');
    await this.raise('uplink_key_conflict', 'critical',
      `${counted(events, verdicts)} of this site ${events + verdicts === 1 ? 'is' : 'are'} not at headquarters: another site of the tenant has used the same idempotency keys. ` +
      'See fieldline-site parked list; give the cameras of each site keys of their own.', { events, verdicts });
  }
}

/** Parked items of a channel whose key is of another instance at headquarters. */
export const conflictCount = (uplink: Pick<UplinkStatePort, 'parkedCount'>, channel: ChannelName): number =>
  uplink.parkedCount(channel, channel === 'events' ? KEY_OF_ANOTHER : EVENT_OF_ANOTHER);

function counted(events: number, verdicts: number): string {
  return [
    ...(events > 0 ? [`${events} ${events === 1 ? 'event' : 'events'}`] : []),
    ...(verdicts > 0 ? [`${verdicts} verdict ${verdicts === 1 ? 'change' : 'changes'}`] : []),
  ].join(' and ');
}
