// Which alarms a channel is told, and when.
import { expect, test } from 'vitest';
import { GATHER_MS, isQuiet, messageFor, type StandingAlarm } from '../../common/agent/alarm/decide.ts';
import { type AlarmNotice, type AlarmTaking, OPERATORS } from '../../common/agent/alarm/record.ts';
import { channel } from '../contract/agent.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const alarm = (key: string, over: Partial<StandingAlarm> = {}): StandingAlarm => ({
  instance: 'tunnel',
  key,
  tenantCode: null,
  severity: 'critical',
  message: `${key} needs a person`,
  messageZh: `${key} 需要处理`,
  raisedAt: NOW,
  takenOver: false,
  ...over,
});
const taking = (over: Partial<AlarmTaking> = {}): AlarmTaking => ({
  from: 'warning',
  repeatMinutes: 30,
  quiet: null,
  ...over,
});

const called = (instance: string): string => (instance === 'tunnel' ? 'Tunnel 7 (tunnel)' : instance);

/** A channel, with what it was told so far. */
function channelOf(over: Partial<AlarmTaking> = {}, tenantCode: string = OPERATORS) {
  const own = channel('robot', { tenantCode, alarms: taking(over) });
  const notices = new Map<string, AlarmNotice>();
  let lastToldAt: number | null = null;
  return (alarms: StandingAlarm[], now: number): string | null => {
    const told = messageFor(own, { alarms, notices: [...notices.values()], lastToldAt, called, now });
    if (!told) return null;
    lastToldAt = now;
    for (const { alarm: about, after } of told.changes)
      if (after) notices.set(about.key, after);
      else notices.delete(about.key);
    return told.text;
  };
}

test('what begins is told once, again until somebody takes it over, and when it is over', () => {
  const tell = channelOf();
  const disk = alarm('disk_full');
  const at = (minutes: number): number => NOW + minutes * MINUTE;
  expect(tell([disk], at(0))).toMatch(
    /告警 Alarm】严重 critical · Tunnel 7 \(tunnel\) · disk_full\ndisk_full 需要处理\n/,
  );
  expect(tell([disk], at(29))).toBeNull();
  expect(tell([disk], at(30))).toMatch(/仍未处理 Still standing】/);
  expect(tell([{ ...disk, takenOver: true }], at(90))).toBeNull();
  expect(tell([], at(91))).toMatch(/已解除 Over】/);
  expect(tell([], at(120))).toBeNull();
  expect(tell([{ ...disk, raisedAt: at(121) }], at(121))).toMatch(/告警 Alarm】/);
});

test('one that ended and began again between two looks is new; so is one that became critical', () => {
  const tell = channelOf();
  tell([alarm('a', { severity: 'warning' })], NOW);
  expect(tell([alarm('a')], NOW + MINUTE)).toMatch(/告警 Alarm】严重/);
  expect(tell([alarm('a', { raisedAt: NOW + 2 * MINUTE })], NOW + 3 * MINUTE)).toMatch(/告警 Alarm】/);
});

test('a burst is one message, which names a few', () => {
  const tell = channelOf();
  const many = Array.from({ length: 300 }, (_, index) => alarm(`site_silent:${index}`));
  const text = tell(many, NOW);
  expect(text).toContain('另有 295 条');
  expect(Buffer.byteLength(text ?? '')).toBeLessThan(2_000);
  expect(tell([...many, alarm('late')], NOW + GATHER_MS - 1)).toBeNull();
  expect(tell([...many, alarm('late')], NOW + GATHER_MS)).toContain('late');
});

test('the least severity, and repeating, are as they were set', () => {
  const tell = channelOf({ from: 'critical', repeatMinutes: 0 });
  expect(tell([alarm('a', { severity: 'warning' })], NOW)).toBeNull();
  expect(tell([alarm('a')], NOW)).not.toBeNull();
  expect(tell([alarm('a')], NOW + 1_000 * MINUTE)).toBeNull();
});

test('in the quiet hours only critical ones are told, and the rest afterwards if it stands', () => {
  const quiet = { begin: '22:00', end: '06:00', zone: 'UTC', criticalThrough: true };
  const night = Date.parse('2026-03-01T23:00:00Z');
  const morning = Date.parse('2026-03-02T06:00:00Z');
  const warning = alarm('short', { severity: 'warning' });
  const tell = channelOf({ quiet });
  expect(tell([warning], night)).toBeNull();
  const text = tell([warning, alarm('full')], night);
  expect([text?.includes('full'), text?.includes('short')]).toEqual([true, false]);
  expect(tell([warning, alarm('full')], morning)).toContain('short');
  expect(channelOf({ quiet: { ...quiet, criticalThrough: false } })([alarm('full')], night)).toBeNull();
});

test('quiet hours are by the clock of their zone, and may pass midnight', () => {
  const hours = { begin: '22:00', end: '06:00', zone: 'Asia/Shanghai', criticalThrough: true };
  const at = (time: string): boolean => isQuiet(hours, Date.parse(`2026-03-01T${time}+08:00`));
  expect(['21:59', '22:00', '00:30', '05:59', '06:00'].map(at)).toEqual([false, true, true, true, false]);
  const noon = { ...hours, begin: '12:00', end: '13:30' };
  expect(isQuiet(noon, Date.parse('2026-03-01T12:30:00+08:00'))).toBe(true);
  expect(isQuiet(noon, Date.parse('2026-03-01T13:30:00+08:00'))).toBe(false);
});

test('a tenant hears of its own alarms alone, the operators of all, and none of its own channel', () => {
  const alarms = [
    alarm('ours', { tenantCode: 'acme' }),
    alarm('theirs', { tenantCode: 'metro' }),
    alarm('all'),
  ];
  const ours = channelOf({}, 'acme')(alarms, NOW);
  expect(['ours', 'theirs', 'all needs'].map((one) => ours?.includes(one))).toEqual([true, false, false]);
  const all = channelOf()(alarms, NOW);
  expect(['ours', 'theirs', 'all needs'].map((one) => all?.includes(one))).toEqual([true, true, true]);
  expect(channelOf()([alarm('notification_failed:robot')], NOW)).toBeNull();
  expect(channelOf()([alarm('notification_failed:other')], NOW)).not.toBeNull();
});
