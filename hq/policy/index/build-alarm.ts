// The alarm that stands from a build of the search index that failed until one succeeds.
import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { hubMessages } from '../../hub-messages.ts';

const ALARM = 'policy_index';

interface Teller {
  alarms: AlarmPort;
  instance: string;
  clock: Clock;
}

export async function raiseBuildFailed(
  { alarms, instance, clock }: Teller,
  reason: string,
  error: string,
): Promise<void> {
  await alarms.raise(
    {
      key: ALARM,
      instance,
      tenantCode: null,
      severity: 'warning',
      ...alarmText(hubMessages, { code: 'policy_index', params: {} }, { reason, error }),
    },
    clock.now(),
  );
}

export async function clearBuildFailed({ alarms, instance, clock }: Teller): Promise<void> {
  await alarms.clear(ALARM, instance, clock.now());
}
