// What a person is told of deletions that were refused because too much would go at once.
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { RaiseAlarm } from '../alarm/port.ts';
import type { GuardedKind, Refusal, RetentionState } from './record.ts';

export const GUARD_ALARM = 'retention_guard';

/** @param guards all that stand, for the details */
export function guardAlarm(
  kind: GuardedKind,
  { expired, total }: Refusal,
  guards: RetentionState['guards'],
  instance: string,
): RaiseAlarm {
  const what = { code: kind === 'events' ? 'guarded_events' : 'guarded_audit', params: {} };
  return {
    key: GUARD_ALARM,
    instance,
    tenantCode: null,
    severity: 'critical',
    ...alarmText(
      coreAlarmMessages,
      { code: 'retention_guard', params: { expired, total, kind: what } },
      guards,
    ),
  };
}
