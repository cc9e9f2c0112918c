import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { hubMessages } from '../../hub-messages.ts';

const ALARM = 'policy_index';

/** The alarm that stands from a build of the search index that failed until one succeeds. */
export class BuildAlarm {
  #alarms: AlarmPort;
  #instance: string;
  #clock: Clock;

  constructor({ alarms, instance, clock }: { alarms: AlarmPort; instance: string; clock: Clock }) {
    this.#alarms = alarms;
    this.#instance = instance;
    this.#clock = clock;
  }

  async raise(reason: string, error: string): Promise<void> {
    await this.#alarms.raise(
      {
        key: ALARM,
        instance: this.#instance,
        tenantCode: null,
        severity: 'warning',
        ...alarmText(hubMessages, { code: 'policy_index', params: {} }, { reason, error }),
      },
      this.#clock.now(),
    );
  }

  async clear(): Promise<void> {
    await this.#alarms.clear(ALARM, this.#instance, this.#clock.now());
  }
}
