import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { deviceMessages } from '../device-messages.ts';
import type { Device } from '../record.ts';

/** A standing alarm is raised again at most so often, ms. */
const AGAIN_MS = 3_600_000;
/** Messages in a row that must agree before the alarm changes: one may have waited in the device. */
const AGREEING = 2;

export interface ClockAlarmOptions {
  alarms: AlarmPort;
  self: string;
  clock: Clock;
  /** Whether the site's own clock cannot be right now. */
  clockSuspect: () => boolean;
}

interface RaisedClock {
  off: boolean;
  agreeing: number;
  /** null: nothing was told since the process began. */
  standing: boolean | null;
  raisedAt: number;
}

/** Names the devices whose clock is off. */
export class ClockAlarms {
  readonly #options: ClockAlarmOptions;
  #told = new Map<string, RaisedClock>();

  constructor(options: ClockAlarmOptions) {
    this.#options = options;
  }

  /** @param offMs how far the clock of the device is off; 0: it is right */
  async tell({ keyId, name, tenantCode }: Device, offMs: number): Promise<void> {
    const { alarms, self, clock, clockSuspect } = this.#options;
    if (clockSuspect()) return;
    const off = offMs !== 0;
    const told = this.#told.get(keyId) ?? { off, agreeing: 0, standing: null, raisedAt: -Infinity };
    this.#told.set(keyId, told);
    told.agreeing = told.off === off ? told.agreeing + 1 : 1;
    told.off = off;
    if (told.agreeing < AGREEING) return;
    const key = alarmKey(keyId);
    if (!off) {
      if (told.standing === false) return;
      told.standing = false;
      await alarms.clear(key, self, clock.now());
      return;
    }
    if (told.standing && clock.monotonic() - told.raisedAt < AGAIN_MS) return;
    told.standing = true;
    told.raisedAt = clock.monotonic();
    const seconds = Math.round(offMs / 1000);
    const code = seconds > 0 ? 'device_clock_ahead' : 'device_clock_behind';
    await alarms.raise(
      {
        key,
        instance: self,
        tenantCode,
        severity: 'warning',
        ...alarmText(deviceMessages, { code, params: { name, seconds: Math.abs(seconds) } }, { keyId }),
      },
      clock.now(),
    );
  }
  /** Of a device that is gone, also where an earlier process raised its alarm. */
  async forget(keyId: string): Promise<void> {
    const { alarms, self, clock } = this.#options;
    this.#told.delete(keyId);
    await alarms.clear(alarmKey(keyId), self, clock.now());
  }
}

const alarmKey = (keyId: string): string => `device_clock:${keyId}`;
