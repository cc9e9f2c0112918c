import { displayWidth } from '../../common/terminal/table.ts';
import type { SiteFacts } from '../status/schema.ts';

export type Language = 'zh' | 'en';

const en = {
  notRunning: 'NOT RUNNING', well: 'ALL IS WELL', look: 'TAKE A LOOK', bad: 'SOMETHING IS WRONG', site: 'site', version: 'version', up: 'running for', storing: 'storing',
  yes: 'yes', diskFull: 'NO: the disk is full, events are refused', failed: 'NO: the store takes no write; see the log', soFar: 'events so far, in', link: 'headquarters', linkUp: 'connected', linkDown: 'CUT OFF',
  linkNever: 'NEVER REACHED', noHub: 'no headquarters is configured', heard: 'last answer', ago: 'ago', neverHeard: 'it has never answered', error: 'last error', events: 'events', verdicts: 'verdicts',
  waiting: 'waiting', oldest: 'the oldest for', sent: 'sent', parked: 'parked', disk: 'disk', left: 'left', used: 'used', refused: 'requests refused', shed: 'deleted for want of room', evidence: 'evidence files',
  observations: 'observations', wear: 'wear', perEvent: 'per event', syncs: 'syncs', life: 'of its life used', endOfLife: 'SPARE BLOCKS RUN OUT', noEvents: 'no event since start', clock: 'clock', clockGood: 'good', synchronized: 'synchronized',
  clockBad: 'NOT TO BE TRUSTED: set it, or check the time service', lastSet: 'last set', data: 'data', good: 'every row could be read', checking: 'being read', unchecked: 'not read through yet', damaged: 'DAMAGED', cameras: 'cameras',
  none: 'none registered; add one with: fieldline-site node add', silent: 'silent', never: 'never heard', alarms: 'alarms', noAlarms: 'none', since: 'since', set: 'set aside',
  s: 's', m: 'min', h: 'h', d: 'days',
};
const zh: typeof en = {
  notRunning: '未运行', well: '运行正常', look: '需要查看', bad: '有故障', site: '站点', version: '版本', up: '已运行', storing: '存储',
  yes: '正常', diskFull: '否：磁盘已满，拒绝新事件', failed: '否：无法写入，请查看日志', soFar: '个事件，位于', link: '总部', linkUp: '已连接', linkDown: '已断开',
  linkNever: '从未连通', noHub: '未配置总部', heard: '上次应答', ago: '前', neverHeard: '从未应答', error: '上次错误', events: '事件', verdicts: '研判',
  waiting: '条待上传', oldest: '最早已等', sent: '已上传', parked: '搁置', disk: '磁盘', left: '剩余', used: '已用', refused: '个请求被拒绝', shed: '因空间不足已删除', evidence: '个证据文件',
  observations: '条观察', wear: '磨损', perEvent: '每事件', syncs: '次同步', life: '寿命已用', endOfLife: '备用块即将耗尽', noEvents: '启动后尚无事件', clock: '时钟', clockGood: '正常', synchronized: '已同步',
  clockBad: '不可信：请校时或检查时间服务', lastSet: '上次调整', data: '数据', good: '全部可读', checking: '检查中', unchecked: '尚未检查', damaged: '已损坏', cameras: '摄像机',
  none: '未登记；用 fieldline-site node add 登记', silent: '静默', never: '从无数据', alarms: '告警', noAlarms: '无', since: '始于', set: '已隔离',
  s: '秒', m: '分钟', h: '小时', d: '天',
};
export const words = { en, zh };

/** The language asked for, or that of the environment; English where it says nothing of Chinese. */
export function languageOf(asked: string | undefined, env: Readonly<Record<string, string | undefined>>): Language {
  if (asked === 'zh' || asked === 'en') return asked;
  return /^zh/i.test(env.LC_ALL ?? env.LC_MESSAGES ?? env.LANG ?? '') ? 'zh' : 'en';
}

type Tone = 'good' | 'look' | 'bad' | 'plain';
const COLOURS: Record<Tone, string> = { good: '\u001b[32m', look: '\u001b[33m', bad: '\u001b[31m', plain: '' };
const SHOWN = 12;

interface Line {
  name: string;
  tone: Tone;
  text: string;
}

/** One screen for a technician. Pure. */
export function statusScreen(facts: SiteFacts, { language, colour }: { language: Language; colour: boolean }): string {
  const w = words[language];
  const now = Date.parse(facts.now);
  const age = (since: string): string => span(now - Date.parse(since), w);
  const lines: Line[] = [
    { name: w.site, tone: 'plain', text: `${facts.instance}, ${w.version} ${facts.version}, ${w.up} ${span(facts.uptimeSeconds * 1000, w)}` },
    storingLine(facts, w), ...uplinkLines(facts, w, age), diskLine(facts, w), wearLine(facts, w), clockLine(facts, w, age), dataLine(facts, w), ...cameraLines(facts, w, age),
    { name: w.alarms, tone: facts.alarms.length === 0 ? 'good' : facts.alarms.some((one) => one.severity === 'critical') ? 'bad' : 'look', text: facts.alarms.length === 0 ? w.noAlarms : String(facts.alarms.length) },
    ...facts.alarms.slice(0, SHOWN).map((one): Line => ({ name: '', tone: one.severity === 'critical' ? 'bad' : 'look', text: `${one.key}, ${w.since} ${age(one.raisedAt)}: ${one.message}` })),
  ];
  const width = Math.max(...lines.map(({ name }) => displayWidth(name)));
  const paint = (tone: Tone, text: string): string => (colour && tone !== 'plain' ? `${COLOURS[tone]}${text}\u001b[0m` : text);
  const head = paint(facts.state === 'well' ? 'good' : facts.state, `● ${w[facts.state]}`);
  return `${head}\n\n${lines.map(({ name, tone, text }) => `${name}${' '.repeat(width - displayWidth(name))}  ${paint(tone, text)}\n`).join('')}`;
}

type Words = typeof en;
type Age = (since: string) => string;

function storingLine({ storing, uplink, dataDir }: SiteFacts, w: Words): Line {
  const head = uplink.channels.find((channel) => channel.name === 'events')?.head ?? 0;
  if (storing.ok) return { name: w.storing, tone: 'good', text: `${w.yes}, ${head} ${w.soFar} ${dataDir}` };
  return { name: w.storing, tone: 'bad', text: storing.reason === 'disk_full' ? w.diskFull : w.failed };
}

function uplinkLines({ uplink }: SiteFacts, w: Words, age: Age): Line[] {
  if (!uplink.enabled) return [{ name: w.link, tone: 'plain', text: w.noHub }];
  const acked = uplink.channels.flatMap((channel) => channel.lastAckAt ?? []).sort().at(-1);
  const error = uplink.channels.flatMap((channel) => channel.lastError ?? [])[0];
  const link = { up: w.linkUp, down: w.linkDown, never: w.linkNever }[uplink.link];
  return [
    { name: w.link, tone: uplink.link === 'up' ? 'good' : 'look', text: `${link}, ${acked ? `${w.heard} ${age(acked)} ${w.ago}` : w.neverHeard}${error ? `; ${w.error}: ${error}` : ''}` },
    ...uplink.channels.map((channel): Line => ({
      name: `  ${channel.name === 'events' ? w.events : w.verdicts}`, tone: channel.parked > 0 ? 'look' : 'plain',
      text: `${channel.backlog} ${w.waiting}${channel.oldestUnsentAt ? `, ${w.oldest} ${age(channel.oldestUnsentAt)}` : ''}, ${channel.sentTotal} ${w.sent}, ${channel.parked} ${w.parked}`,
    })),
  ];
}

function diskLine({ disk }: SiteFacts, w: Words): Line {
  const { shed } = disk;
  const gone = [[shed.evidence, w.evidence], [shed.observations, w.observations], [shed.events, w.events]].filter(([count]) => Number(count) > 0).map(([count, what]) => `${count} ${what}`);
  const text = [
    `${w.left} ${size(disk.roomBytes)}, ${w.used} ${size(disk.usedBytes)}`, ...(disk.refused > 0 ? [`${disk.refused} ${w.refused}`] : []),
    ...(gone.length > 0 ? [`${w.shed}: ${gone.join(', ')}`] : []), ...disk.aside.map((file) => `${w.set}: ${file.name} (${size(file.bytes)})`),
  ].join('; ');
  return { name: w.disk, tone: ({ ok: 'good', short: 'look', full: 'bad' } as const)[disk.level], text };
}

function wearLine({ wear }: SiteFacts, w: Words): Line {
  const worn = (wear.lifeUsedPercent ?? 0) >= 90 || (wear.endOfLife !== null && wear.endOfLife !== 'normal');
  const parts = [
    wear.bytesPerEvent === null ? w.noEvents : `${size(wear.bytesPerEvent)}, ${wear.syncsPerEvent ?? '–'} ${w.syncs} ${w.perEvent}`,
    ...(wear.lifeUsedPercent === null ? [] : [`${wear.disk ?? ''}: ${wear.lifeUsedPercent} % ${w.life}`]), ...(worn && wear.endOfLife !== 'normal' && wear.endOfLife !== null ? [w.endOfLife] : []),
  ];
  return { name: w.wear, tone: worn ? 'look' : 'plain', text: parts.join('; ') };
}

function clockLine({ clock, now }: SiteFacts, w: Words, age: Age): Line {
  const step = clock.lastStep;
  const set = step ? `; ${w.lastSet} ${age(step.at)} ${w.ago}, ${step.stepMs > 0 ? '+' : '−'}${span(Math.abs(step.stepMs), w)}` : '';
  return { name: w.clock, tone: clock.suspect ? 'look' : 'good', text: `${clock.suspect ? w.clockBad : clock.synchronized ? w.synchronized : w.clockGood}, ${now}${set}` };
}

function dataLine({ integrity }: SiteFacts, w: Words): Line {
  return { name: w.data, tone: integrity.state === 'damaged' ? 'bad' : 'plain', text: `${w[integrity.state]}${integrity.fault ? `: ${integrity.fault}` : ''}` };
}

function cameraLines({ cameras }: SiteFacts, w: Words, age: Age): Line[] {
  const silent = cameras.filter((camera) => camera.silent);
  const top: Line = { name: w.cameras, tone: silent.length > 0 ? 'look' : 'plain', text: cameras.length === 0 ? w.none : `${cameras.length}, ${silent.length} ${w.silent}` };
  return [top, ...silent.slice(0, SHOWN).map((camera): Line => ({
    name: '', tone: 'look', text: `${camera.name} (${camera.keyId}): ${w.silent}, ${camera.lastEventAt ? `${age(camera.lastEventAt)}` : w.never}`,
  }))];
}

function span(ms: number, w: Words): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} ${w.s}`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} ${w.m}`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} ${w.h}` : `${Math.round(seconds / 86_400)} ${w.d}`;
}

/** Bytes for a person. Room below nothing, which is when the reserve is in use, is none. */
export function size(bytes: number | null): string {
  if (bytes === null) return '–';
  let at = 0;
  let value = Math.max(0, bytes);
  for (; value >= 1024 && at < 4; at += 1) value /= 1024;
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][at]}`;
}
