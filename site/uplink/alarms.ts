import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { UplinkStatePort } from './port.ts';

/** Keys of the alarms that the uplink of a site raises. */
export type UplinkAlarmKey =
  | 'uplink_hub_lost_data' | 'uplink_hub_epoch_changed' | 'store_restored' | 'clock_skewed' | 'uplink_parked';

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

  /** Parked items stand as one alarm for as long as there are any. */
  async parked(uplink: UplinkStatePort): Promise<void> {
    const events = uplink.parkedCount('events');
    const verdicts = uplink.parkedCount('verdicts');
    if (events + verdicts === 0) return this.clear('uplink_parked');
    const refused = [...(events > 0 ? [`${events} ${events === 1 ? 'event' : 'events'}`] : []), ...(verdicts > 0 ? [`${verdicts} verdict ${verdicts === 1 ? 'change' : 'changes'}`] : [])].join(' and ');
    const message = `Headquarters refused ${refused}; see fieldline-site parked list, then replay or discard them.`;
    await this.raise('uplink_parked', 'warning', message, { events, verdicts });
  }
}
