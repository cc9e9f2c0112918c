// What a person is told of events that were deleted before a consumer had confirmed them.
import type { Message } from '../../message.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { RaiseAlarm } from '../alarm/port.ts';
import type { UnreportedLoss } from './record.ts';

/** The response rules take their events under this name (spec 3). */
const RESPONSE_RULES = 'agent';

/** @param why what became of the events */
export function lossAlarm(
  { consumer, events, more, from, to }: UnreportedLoss,
  instance: string,
  why: 'became_old' | 'disk_was_short',
): RaiseAlarm {
  const rules = consumer === RESPONSE_RULES;
  const params = {
    events,
    where: from === null || to === null ? [] : [whereOf({ from, to }, more === events ? null : more)],
    why: { code: why, params: {} },
  };
  return {
    key: `retention_passed_consumer:${consumer}`,
    instance,
    tenantCode: null,
    severity: rules ? 'critical' : 'warning',
    ...alarmText(
      coreAlarmMessages,
      rules ? { code: 'rules_passed', params } : { code: 'consumer_passed', params: { consumer, ...params } },
      { consumer, events, more, from, to },
    ),
  };
}

/** @param more of how many events the ids are known; null: of all */
function whereOf({ from, to }: { from: number; to: number }, more: number | null): Message {
  const code = from === to ? 'with_id' : 'with_ids';
  const ids: Message['params'] = from === to ? { id: from } : { from, to };
  return more === null ? { code, params: ids } : { code: `last_${code}`, params: { ...ids, more } };
}
