import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { RaiseAlarm } from '../alarm/port.ts';
import type { SubscriptionRecord } from '../subscription/port.ts';

/** Characters of the reason that an alarm shows. */
const MAX_REASON = 800;

/** @param failures in a row */
export function pushFailingAlarm(
  instance: string,
  consumer: string,
  failures: number,
  error: string,
): RaiseAlarm {
  const params = { consumer, failures, error: error.slice(0, MAX_REASON) };
  return {
    key: `push_failing:${consumer}`,
    instance,
    tenantCode: null,
    severity: 'warning',
    ...alarmText(coreAlarmMessages, { code: 'push_failing', params }, { failures }),
  };
}

/**
 * The alarm that events between the position of a consumer and the oldest that is kept were deleted before it
 * had them.
 */
export function pushMissedAlarm(
  instance: string,
  { consumer, pushCursor }: SubscriptionRecord,
  oldest: number,
): RaiseAlarm {
  const missed = { from: pushCursor + 1, to: oldest - 1 };
  return {
    key: `push_missed:${consumer}`,
    instance,
    tenantCode: null,
    severity: 'critical',
    ...alarmText(coreAlarmMessages, { code: 'push_missed', params: { consumer, ...missed } }, missed),
  };
}
