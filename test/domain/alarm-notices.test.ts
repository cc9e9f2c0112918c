// Which alarms a channel is told, and when.
import { expect, test } from 'vitest';
import { GATHER_MS, isQuiet, messageFor, type StandingAlarm } from '../../common/agent/alarm/decide.ts';
import { type AlarmNotice, type AlarmTaking, OPERATORS } from '../../common/agent/alarm/record.ts';
import { cutFor } from '../../common/agent/channel/decide.ts';
import type { ChannelFormat } from '../../common/agent/channel/record.ts';
import { timesInZone } from '../../common/time.ts';
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
function channelOf(
  over: Partial<AlarmTaking> = {},
  tenantCode: string = OPERATORS,
  format: ChannelFormat = 'wecom',
) {
  const own = channel('robot', { tenantCode, format, alarms: taking(over) });
  const notices = new Map<string, AlarmNotice>();
  let lastToldAt: number | null = null;
  return (alarms: StandingAlarm[], now: number): string | null => {
    const told = messageFor(own, {
      ...{ alarms, notices: [...notices.values()], lastToldAt, called, now },
      zoneOf: () => 'Asia/Shanghai',
    });
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
    /告警 Alarm】严重 critical · Tunnel 7 \(tunnel\) · disk_full\n自 since 2026-03-01 20:00:00 UTC\+08:00\ndisk_full 需要处理\n/,
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

test('a message is whole as far as its channel takes it, and says where it was cut', () => {
  const long = `${'It is full. '.repeat(60)}Clear it with: alarms clear.`;
  const many = Array.from({ length: 5 }, (_, index) =>
    alarm(`a${index}`, { message: long, messageZh: '满' }),
  );
  const whole = channelOf({}, OPERATORS, 'email')(many, NOW) ?? '';
  expect(whole.split('alarms clear.')).toHaveLength(6);
  expect(channelOf({}, OPERATORS, 'feishu')(many, NOW)).toBe(whole);
  const cut = channelOf({}, OPERATORS, 'wecom')(many, NOW) ?? '';
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(2_048);
  expect([cut.split('【告警 Alarm】').length, cut.split('【此处截断 cut here】').length]).toEqual([6, 6]);
  const [short, one] = [alarm('b'), alarm('c', { message: long })];
  expect(channelOf({}, OPERATORS, 'wecom')([short, one], NOW)).toContain('alarms clear.');
});

test('what is cut keeps its characters whole, and fits', () => {
  const text = '火😀'.repeat(600);
  const cut = cutFor('wecom', text);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(2_048);
  expect(cut).toMatch(/^(火😀)+火?…【此处截断 cut here】$/u);
  expect([...cutFor('sms_gateway', text)]).toHaveLength(500);
  expect(cutFor('webhook', text)).toBe(text);
});

test('times within a sentence are by the clock of a zone, named or as an offset', () => {
  const said = 'put back at 2026-03-01T16:30:05.123Z from the copy of 2026-07-01T00:00:00Z.';
  const summer = 'put back at 2026-03-01 17:30:05 UTC+01:00 from the copy of 2026-07-01 02:00:00 UTC+02:00.';
  expect(timesInZone(said, 'Europe/Berlin')).toBe(summer);
  expect(timesInZone('2026-03-01T16:30:05Z', '-03:30')).toBe('2026-03-01 13:00:05 UTC-03:30');
  expect(timesInZone('2026-03-01T16:30:05Z, 2026-99-01T00:00:00Z', 'UTC')).toBe(
    '2026-03-01 16:30:05 UTC, 2026-99-01T00:00:00Z',
  );
});
