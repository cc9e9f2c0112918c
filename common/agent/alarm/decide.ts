import type { AlarmRecord } from '../../core/alarm/port.ts';
import type { Called, ZoneOf } from '../../core/instance/record.ts';
import { timeInZone, timesInZone } from '../../time.ts';
import { cutTogether } from '../channel/decide.ts';
import type { ChannelFormat, ChannelRecord } from '../channel/record.ts';
import { type AlarmNotice, type NoticeChange, OPERATORS, type QuietHours } from './record.ts';

const MINUTE_MS = 60_000;
/** After a message a channel gets no other for so long, ms: what comes in a burst is one message. */
export const GATHER_MS = 30_000;
/** Alarms that a message names; of more it says how many. */
const NAMED = 5;

/** An alarm that stands, with its sentence in Chinese. */
export type StandingAlarm = Pick<
  AlarmRecord,
  'instance' | 'key' | 'tenantCode' | 'severity' | 'message' | 'raisedAt'
> & { messageZh: string | null; takenOver: boolean };

export interface AlarmDispatch {
  changes: NoticeChange[];
  severity: AlarmRecord['severity'];
  text: string;
}

interface NoticeFacts {
  alarms: readonly StandingAlarm[];
  /** Of this channel. */
  notices: readonly AlarmNotice[];
  /** When the channel was last sent a message, epoch ms; null: not since the start. */
  lastToldAt: number | null;
  /** What people call who raised it. */
  called: Called;
  zoneOf: ZoneOf;
  now: number;
}

const idOf = ({ instance, key }: { instance: string; key: string }): string => `${instance}\n${key}`;

/** Whether `now` lies in the quiet hours. */
export function isQuiet({ begin, end, zone }: QuietHours, now: number): boolean {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  const time = clock.format(now);
  return begin <= end ? time >= begin && time < end : time >= begin || time < end;
}

/** A channel of the operators takes the alarms of all, one of a tenant those of its tenant alone. */
function takes({ id, tenantCode, alarms }: ChannelRecord, alarm: StandingAlarm): boolean {
  if (alarms === null || (tenantCode !== OPERATORS && alarm.tenantCode !== tenantCode)) return false;
  // That nothing goes through this channel would not go through it either.
  if (alarm.key === `notification_failed:${id}`) return false;
  return alarms.from === 'warning' || alarm.severity === 'critical';
}

/** What a channel is to be told now of the alarms that stand; null: nothing. */
export function messageFor(channel: ChannelRecord, facts: NoticeFacts): AlarmDispatch | null {
  const { alarms, notices, lastToldAt, now } = facts;
  const taking = channel.alarms;
  if (taking === null || (lastToldAt !== null && Math.abs(now - lastToldAt) < GATHER_MS)) return null;
  const quiet = taking.quiet !== null && isQuiet(taking.quiet, now);
  const mayTell = (severity: AlarmRecord['severity']): boolean =>
    !quiet || (severity === 'critical' && taking.quiet?.criticalThrough === true);
  const known = new Map(notices.map((notice) => [idOf(notice), notice]));
  const standing = new Map(alarms.filter((one) => takes(channel, one)).map((one) => [idOf(one), one]));
  const lines: { line: string; severity: AlarmRecord['severity'] }[] = [];
  const changes: NoticeChange[] = [];
  for (const [id, alarm] of standing) {
    const said = wordOf(alarm, known.get(id), taking.repeatMinutes, now);
    if (said === null || !mayTell(alarm.severity)) continue;
    lines.push({ line: lineOf(said, alarm, facts), severity: alarm.severity });
    changes.push(change(channel.id, alarm, known.get(id) ?? null, now));
  }
  for (const [id, notice] of known) {
    if (standing.has(id) || !mayTell(notice.severity)) continue;
    lines.push({ line: lineOf('over', notice, facts), severity: 'warning' });
    changes.push({ alarm: notice, before: notice.toldAt, after: null });
  }
  if (lines.length === 0) return null;
  const severity = lines.some((one) => one.severity === 'critical') ? 'critical' : 'warning';
  return {
    changes,
    severity,
    text: textOf(
      channel.format,
      lines.map(({ line }) => line),
    ),
  };
}

type Word = keyof typeof WORDS;
const WORDS = {
  begun: '告警 Alarm',
  again: '仍未处理 Still standing',
  over: '已解除 Over',
} as const;
const SEVERITIES = { critical: '严重 critical', warning: '警告 warning' } as const;

function wordOf(
  { raisedAt, severity, takenOver }: StandingAlarm,
  notice: AlarmNotice | undefined,
  repeatMinutes: number,
  now: number,
): Word | null {
  if (!notice || notice.raisedAt !== raisedAt) return 'begun';
  if (notice.severity !== severity && severity === 'critical') return 'begun';
  if (takenOver || repeatMinutes === 0) return null;
  return now - notice.toldAt >= repeatMinutes * MINUTE_MS ? 'again' : null;
}

const SINCE = '自 since';

/** In full, with its times by the clock of whoever raised it. */
function lineOf(
  word: Word,
  { instance, key, severity, message, messageZh, raisedAt }: Omit<StandingAlarm, 'tenantCode' | 'takenOver'>,
  { called, zoneOf }: Pick<NoticeFacts, 'called' | 'zoneOf'>,
): string {
  const zone = zoneOf(instance);
  return [
    `【${WORDS[word]}】${SEVERITIES[severity]} · ${called(instance)} · ${key}`,
    `${SINCE} ${timeInZone(raisedAt, zone)}`,
    ...(messageZh === null ? [] : [timesInZone(messageZh, zone)]),
    timesInZone(message, zone),
  ].join('\n');
}

function textOf(format: ChannelFormat, lines: readonly string[]): string {
  const more = lines.length - NAMED;
  const rest = more > 0 ? [`另有 ${more} 条，见告警列表。${more} more: see the list of alarms.`] : [];
  return cutTogether(format, [...lines.slice(0, NAMED), ...rest], '\n\n');
}

function change(
  channelId: string,
  alarm: StandingAlarm,
  notice: AlarmNotice | null,
  toldAt: number,
): NoticeChange {
  const { instance, key, severity, message, messageZh, raisedAt } = alarm;
  const after = { channelId, instance, key, severity, message, messageZh, raisedAt, toldAt };
  return { alarm: after, before: notice?.toldAt ?? null, after };
}
