// How alarms are shown.
import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import type { Catalogue } from '../../message.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import type { Called } from '../instance/record.ts';
import { alarmNameZh } from './alarm-name-messages.ts';
import { readAlarmText } from './alarm-text.ts';
import type { AlarmRecord } from './port.ts';

export const alarmSeverities = ['warning', 'critical'] as const;
export const alarmView = z
  .object({
    key: z.string(),
    instance: z.string(),
    /** What people call the instance, with its own name beside it where that is another one. */
    called: z.string(),
    tenantCode: z.nullable(z.string()),
    severity: z.enum(alarmSeverities),
    message: z.string(),
    /**
     * What `message` says, as a code; its particulars are `details.told.params`. null: reported by a site
     * that is too old to send it.
     */
    code: z.nullable(z.string()),
    /** `message` in Chinese. */
    messageZh: z.nullable(z.string()),
    details: z.unknown(),
    raisedAt: z.string(),
    lastAt: z.string(),
    count: z.int(),
    clearedAt: z.nullable(z.string()),
    /** Who takes care of it; null: nobody has said so. */
    takenBy: z.nullable(z.string()),
    takenAt: z.nullable(z.string()),
  })
  .register(described, { id: 'Alarm' });

export interface AlarmWording {
  /** Sentences of the alarms of this program. */
  messages: Catalogue;
  /** Its instance. */
  self: string;
}

export const viewAlarm = (alarm: AlarmRecord, { messages, self }: AlarmWording, called: Called) => ({
  ...worded(alarm, messages, self),
  key: alarm.key,
  instance: alarm.instance,
  called: called(alarm.instance),
  tenantCode: alarm.tenantCode,
  severity: alarm.severity,
  message: alarm.message,
  details: alarm.details,
  raisedAt: formatTime(alarm.raisedAt),
  lastAt: formatTime(alarm.lastAt),
  count: alarm.count,
  clearedAt: formatTimeOrNull(alarm.clearedAt),
  takenBy: alarm.takenBy,
  takenAt: formatTimeOrNull(alarm.takenAt),
});

function worded({ key, instance, details }: AlarmRecord, messages: Catalogue, self: string) {
  const text = readAlarmText(messages, details);
  return instance === self ? text : { ...text, messageZh: text.messageZh ?? alarmNameZh(key) };
}
