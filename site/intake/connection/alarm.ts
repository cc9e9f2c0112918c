import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { Device } from '../record.ts';
import { connectionTexts } from './fault.ts';
import type { ConnectionState } from './state.ts';

/** A device that was away for less, ms, is no alarm: it may have been started anew. */
const AFTER_MS = 180_000;
/** A device that ended so many connections at once is not believed to be there because it lets us in. */
const ENDED_AT_ONCE = 3;
/** Conditions in which nothing gets better by waiting. */
const AT_ONCE = new Set(['refused', 'tls', 'clock']);

export interface ConnectionAlarmsOptions {
  alarms: AlarmPort;
  self: string;
  clock: Clock;
}

/** Names the devices that are not connected. */
export class ConnectionAlarms {
  readonly #options: ConnectionAlarmsOptions;
  /** What was told of each device, as code; null: that it is connected. */
  #told = new Map<string, string | null>();
  /** Since when a device is away without a break, monotonic ms. */
  #away = new Map<string, number>();

  constructor(options: ConnectionAlarmsOptions) {
    this.#options = options;
  }

  async tell({ keyId, name, tenantCode }: Device, state: ConnectionState): Promise<void> {
    const { condition, fault } = state;
    const { alarms, self, clock } = this.#options;
    const key = alarmKey(keyId);
    if (condition === 'connected') {
      if (!state.proven && state.failures > ENDED_AT_ONCE) return;
      this.#away.delete(keyId);
      if (this.#told.get(keyId) === null) return;
      await alarms.clear(key, self, clock.now());
      this.#told.set(keyId, null);
      return;
    }
    const since = this.#away.get(keyId) ?? clock.monotonic();
    this.#away.set(keyId, since);
    if (fault === null || this.#told.get(keyId) === fault.code) return;
    if (!AT_ONCE.has(condition) && clock.monotonic() - since < AFTER_MS) return;
    await alarms.raise(
      {
        key,
        instance: self,
        tenantCode,
        severity: 'warning',
        ...alarmText(
          connectionTexts,
          { code: 'device_not_connected', params: { name, reason: fault } },
          { keyId },
        ),
      },
      clock.now(),
    );
    this.#told.set(keyId, fault.code);
  }

  /** Of a device that is connected to no more. */
  async forget(keyId: string): Promise<void> {
    const { alarms, self, clock } = this.#options;
    this.#told.delete(keyId);
    this.#away.delete(keyId);
    await alarms.clear(alarmKey(keyId), self, clock.now());
  }
}

const alarmKey = (keyId: string): string => `device_connection:${keyId}`;
