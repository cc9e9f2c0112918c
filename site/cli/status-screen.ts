import { displayWidth } from '../../common/terminal/table.ts';
import { isLate } from '../status/judge.ts';
import type { SiteFacts } from '../status/schema.ts';
import { linkNow } from '../uplink/status.ts';
import { fold } from '../../common/terminal/fold.ts';
import { localTimeWithZone } from '../../common/terminal/local-time.ts';
import type { Language } from '../../common/message.ts';
import { statusMessages, type StatusMessages } from './status-messages.ts';

type Tone = 'good' | 'look' | 'bad' | 'plain';
const COLOURS: Record<Tone, string> = {
  good: '\u001b[32m',
  look: '\u001b[33m',
  bad: '\u001b[31m',
  plain: '',
};
const SHOWN = 12;
/** With fewer the writes at rest outweigh theirs. */
export const ENOUGH_EVENTS = 100;

interface Line {
  name: string;
  /** What the first line calls it, where that is not `name`. */
  headline?: string;
  tone: Tone;
  text: string;
}

export interface ScreenForm {
  language: Language;
  colour: boolean;
  /** Width of the terminal; null folds no line. */
  columns: number | null;
}

/** With less room beside the names than this, columns, nothing is folded. */
const NARROWEST = 20;

/** One screen for a technician. Pure. */
export function statusScreen(facts: SiteFacts, { language, colour, columns }: ScreenForm): string {
  const w = statusMessages[language];
  const now = Date.parse(facts.now);
  const age = (since: string): string => span(now - Date.parse(since), w);
  const lines: Line[] = [
    {
      name: w.site,
      tone: 'plain',
      text: [
        facts.instance,
        `${w.version} ${facts.version}`,
        `${w.up} ${span(facts.uptimeSeconds * 1000, w)}`,
      ].join(w.comma),
    },
    storingLine(facts, w),
    ...uplinkLines(facts, { w, age, language }),
    diskLine(facts, w, language),
    wearLine(facts, w),
    clockLine(facts, w, age),
    dataLine(facts, w),
    ...cameraLines(facts, w, age),
    ...alarmLines(facts, { w, age, language }),
  ];
  const width = Math.max(...lines.map(({ name }) => displayWidth(name)));
  const paint = (tone: Tone, text: string): string =>
    colour && tone !== 'plain' ? `${COLOURS[tone]}${text}\u001b[0m` : text;
  const why = [
    ...new Set(
      lines
        .filter(({ name, tone }) => name !== '' && (tone === 'look' || tone === 'bad'))
        .map(({ name, headline }) => headline ?? name),
    ),
  ];
  const head = paint(
    facts.state === 'well' ? 'good' : facts.state,
    '● ' +
      `${w[facts.state]}${facts.state === 'well' || why.length === 0 ? '' : `${w.colon}${why.join(w.comma)}`}`,
  );
  const room = columns === null ? Infinity : Math.max(NARROWEST, columns - width - 2);
  const shown = lines.flatMap(({ name, tone, text }) =>
    fold(text, room).map(
      (part, at) =>
        `${at === 0 ? name : ''}${' '.repeat(width - displayWidth(at === 0 ? name : ''))}  ` +
        `${paint(tone, part)}\n`,
    ),
  );
  return `${head}\n\n${shown.join('')}`;
}

type Age = (since: string) => string;

function storingLine({ storing, dataDir }: SiteFacts, w: StatusMessages): Line {
  if (storing.ok)
    return { name: w.storing, tone: 'good', text: `${w.yes}${w.comma}${w.kept(storing.events, dataDir)}` };
  return { name: w.storing, tone: 'bad', text: storing.reason === 'disk_full' ? w.diskFull : w.failed };
}

interface Form {
  w: StatusMessages;
  age: Age;
  language: Language;
}

function uplinkLines({ uplink, now: asked }: SiteFacts, { w, age, language }: Form): Line[] {
  if (!uplink.enabled) return [{ name: w.link, tone: 'plain', text: w.noHub }];
  const acked = uplink.channels
    .flatMap((channel) => channel.lastAckAt ?? [])
    .sort()
    .at(-1);
  const failed = uplink.channels.find((channel) => channel.lastError !== null);
  const fault = failed && ((language === 'zh' ? failed.lastErrorZh : null) ?? failed.lastError);
  const next = uplink.channels.flatMap((channel) => channel.nextAttemptAt ?? []).sort()[0];
  const now = linkNow(uplink);
  const text = [
    `${{ up: w.linkUp, down: w.linkDown, never: w.linkNever, untried: w.linkUntried }[now]}${w.comma}${acked ? `${w.heard} ${age(acked)}${w.ago}` : w.neverHeard}`,
    ...(fault ? [fault] : []),
    ...(next && now !== 'up' ? [w.nextTry(span(Date.parse(next) - Date.parse(asked), w))] : []),
  ].join(w.semicolon);
  return [
    { name: w.link, tone: now === 'up' ? 'good' : now === 'untried' ? 'plain' : 'look', text },
    ...uplink.channels.map((channel): Line => ({
      name: `  ${channel.name === 'events' ? w.events : w.verdicts}`,
      headline: channel.parked > 0 ? w.parked : w.backlog,
      tone: channel.parked > 0 || isLate(channel, asked) ? 'look' : 'plain',
      text:
        [
          `${channel.backlog}${w.waiting}`,
          ...(channel.oldestUnsentAt ? [`${w.oldest} ${age(channel.oldestUnsentAt)}`] : []),
          `${channel.sentTotal}${w.sent}`,
          ...(channel.parked > 0 ? [`${channel.parked} ${w.parkedItems}`] : []),
        ].join(w.comma) + (channel.parked > 0 ? `${w.semicolon}${w.seeParked}` : ''),
    })),
  ];
}

function diskLine({ disk }: SiteFacts, w: StatusMessages, language: Language): Line {
  const tone = ({ ok: 'good', short: 'look', full: 'bad' } as const)[disk.level];
  return { name: w.disk, tone, text: diskText(disk, language) };
}

/** Room, and what was refused, deleted or set aside. Pure. */
export function diskText({ shed, ...disk }: SiteFacts['disk'], language: Language): string {
  const w = statusMessages[language];
  const gone = (
    [
      [shed.evidence, w.evidence],
      [shed.observations, w.observations],
      [shed.events, w.shedEvents],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, what]) => what(count));
  return [
    `${w.left} ${size(disk.roomBytes)}${w.comma}${w.used} ${size(disk.usedBytes)}`,
    ...(disk.refused > 0 ? [w.refused(disk.refused)] : []),
    ...(gone.length > 0 ? [`${w.shed}${w.colon}${gone.join(w.comma)}`] : []),
    ...disk.aside.map((file) => `${w.set}${w.colon}${file.name} (${size(file.bytes)})`),
  ].join(w.semicolon);
}

function wearLine({ wear }: SiteFacts, w: StatusMessages): Line {
  const worn = (wear.lifeUsedPercent ?? 0) >= 90 || (wear.endOfLife !== null && wear.endOfLife !== 'normal');
  const parts = [
    ...(wear.bytesPerDay === null ? [] : [w.perDay(size(wear.bytesPerDay))]),
    wear.bytesPerEvent === null
      ? w.noEvents
      : wear.events < ENOUGH_EVENTS
        ? w.fewEvents(wear.events)
        : w.perEvent(size(wear.bytesPerEvent), String(wear.syncsPerEvent ?? '–')),
    ...(wear.lifeUsedPercent === null ? [] : [w.life(wear.disk ?? '', wear.lifeUsedPercent)]),
    ...(worn && wear.endOfLife !== 'normal' && wear.endOfLife !== null ? [w.endOfLife] : []),
  ];
  return { name: w.wear, tone: worn ? 'look' : 'plain', text: parts.join(w.semicolon) };
}

function clockLine({ clock, now }: SiteFacts, w: StatusMessages, age: Age): Line {
  const step = clock.lastStep;
  const set = step
    ? `${w.semicolon}${w.lastSet} ` +
      `${age(step.at)}${w.ago}${w.comma}${step.stepMs > 0 ? '+' : '−'}${span(Math.abs(step.stepMs), w)}`
    : '';
  return {
    name: w.clock,
    tone: clock.suspect ? 'look' : 'good',
    text: `${clock.suspect ? w.clockBad : clock.synchronized ? w.synchronized : w.clockGood}${w.comma}${localTimeWithZone(now)}${set}`,
  };
}

function dataLine({ integrity }: SiteFacts, w: StatusMessages): Line {
  return {
    name: w.data,
    tone: integrity.state === 'damaged' ? 'bad' : 'plain',
    text: `${w[integrity.state]}${integrity.fault ? `${w.colon}${integrity.fault}` : ''}`,
  };
}

function cameraLines({ cameras }: SiteFacts, w: StatusMessages, age: Age): Line[] {
  const silent = cameras.filter((camera) => camera.silent);
  const top: Line = {
    name: w.cameras,
    tone: silent.length > 0 ? 'look' : 'plain',
    text:
      cameras.length === 0
        ? w.none
        : `${cameras.length}${w.comma}${silent.length === 0 ? (cameras.every((camera) => camera.lastEventAt !== null) ? w.allHeard : w.noneSilent) : `${silent.length} ${w.silent}`}`,
  };
  return [
    top,
    ...silent.slice(0, SHOWN).map((camera): Line => ({
      name: '',
      tone: 'look',
      text:
        `${camera.name} ` +
        `(${camera.keyId})${w.colon}${camera.lastEventAt ? `${w.silentFor} ${age(camera.lastEventAt)}` : w.never}`,
    })),
  ];
}

function alarmLines({ alarms }: SiteFacts, { w, age, language }: Form): Line[] {
  const tone = (severity: string): Tone => (severity === 'critical' ? 'bad' : 'look');
  const worst: Tone = alarms.some((one) => one.severity === 'critical') ? 'bad' : 'look';
  const text = alarms.length === 0 ? w.noAlarms : String(alarms.length);
  const top: Line = { name: w.alarms, tone: alarms.length === 0 ? 'good' : worst, text };
  return [
    top,
    ...alarms.slice(0, SHOWN).map((one): Line => ({
      name: '',
      tone: tone(one.severity),
      text: `${one.key}${w.comma}${w.since} ${age(one.raisedAt)}${w.colon}${alarmText(one, language)}`,
    })),
  ];
}

/** What an alarm says; in English where an older version raised it. */
export function alarmText({ message, messageZh }: SiteFacts['alarms'][number], language: Language): string {
  return (language === 'zh' ? messageZh : null) ?? message;
}

/** How long, for a person. */
export function span(ms: number, w: Pick<StatusMessages, 's' | 'm' | 'h' | 'd'>): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds}${w.s}`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}${w.m}`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)}${w.h}` : `${Math.round(seconds / 86_400)}${w.d}`;
}

/** Bytes for a person. Room below nothing, which is when the reserve is in use, is none. */
export function size(bytes: number | null): string {
  if (bytes === null) return '–';
  let at = 0;
  let value = Math.max(0, bytes);
  for (; value >= 1024 && at < 4; at += 1) value /= 1024;
  return (
    `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ` +
    `${['B', 'KiB', 'MiB', 'GiB', 'TiB'][at]}`
  );
}
