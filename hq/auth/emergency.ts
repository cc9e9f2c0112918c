import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { AuditPort } from '../../common/core/audit/port.ts';
import { sessionActor } from '../../common/core/session/login.ts';
import { hubMessages } from '../hub-messages.ts';

const CODE = 'emergency_login';

export interface EmergencyAlarmOptions {
  alarms: AlarmPort;
  audit: AuditPort;
  clock: Clock;
  instance: string;
}

/** Tells when somebody logs in with an emergency account, which is not for every day. */
export class EmergencyAlarm {
  readonly #options: EmergencyAlarmOptions;

  constructor(options: EmergencyAlarmOptions) {
    this.#options = options;
  }

  async used(name: string, ip: string): Promise<void> {
    const { alarms, audit, clock, instance } = this.#options;
    await audit.add({
      ...{ id: clock.newId(), at: clock.now(), actor: sessionActor(name, ip) },
      ...{ action: 'user.emergency_used', subject: `user:${name}`, tenantCode: null },
      ...{ before: null, after: null },
    });
    const params = { name, from: ip || 'local socket' };
    const text = alarmText(hubMessages, { code: CODE, params }, params);
    const alarm = { key: `${CODE}:${name}`, instance, tenantCode: null, severity: 'critical' } as const;
    await alarms.raise({ ...alarm, ...text, shared: true }, clock.now());
  }
}
