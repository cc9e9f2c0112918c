// The lines of the screen of a site, each from what the site tells. Pure.
import { type Language, sayer } from '../../../common/message.ts';
import { size } from '../../../common/terminal/amounts.ts';
import { localTimeWithZone } from '../../../common/terminal/local-time.ts';
import { timesShown } from '../../../common/time.ts';
import { isAway } from '../../status/judge.ts';
import type { SiteFacts } from '../../status/schema.ts';
import { linkNow } from '../../uplink/status.ts';
import { span } from '../amounts.ts';
import { type StatusMessages, statusMessages } from './status-messages.ts';

export type Tone = 'good' | 'look' | 'bad' | 'plain';
/** Silent cameras, and alarms, that the screen names. */
const SHOWN = 12;
/** With fewer events than this no writes per event are told: those of a site at rest outweigh them. */
export const ENOUGH_EVENTS = 100;

/** How long ago a moment is, as a person reads it. */
export type Age = (since: string) => string;

export interface Line {
  name: string;
  /** How the first line of the screen names it, where that is not `name`. */
  headline?: string;
  tone: Tone;
  text: string;
}

export function storingLine({ storing, dataDir }: SiteFacts, w: StatusMessages): Line {
  if (storing.ok)
    return {
      name: w('storing'),
      tone: 'good',
      text: `${w('yes')}${w('comma')}${w('kept', { count: storing.events, dir: dataDir })}`,
    };
  return {
    name: w('storing'),
    tone: 'bad',
    text: storing.reason === 'disk_full' ? w('diskFull') : w('failed'),
  };
}

interface Form {
  w: StatusMessages;
  /** Whether the configuration names headquarters that the running site does not use yet. */
  restartWanted?: boolean;
  age: Age;
  language: Language;
}

export function uplinkLines(
  { uplink, now: asked }: SiteFacts,
  { w, age, language, restartWanted }: Form,
): Line[] {
  if (restartWanted) return [{ name: w('link'), tone: 'look', text: w('notUsedYet') }];
  if (!uplink.enabled) return [{ name: w('link'), tone: 'plain', text: w('noHub') }];
  const acked = uplink.channels
    .flatMap((channel) => channel.lastAckAt ?? [])
    .sort()
    .at(-1);
  const failed = uplink.channels.find(({ lastErrorCode: code }) => code !== null);
  const fault = failed && ((language === 'zh' ? failed.lastErrorZh : null) ?? failed.lastError);
  const next = uplink.channels.flatMap((channel) => channel.nextAttemptAt ?? []).sort()[0];
  const now = linkNow(uplink);
  const states = { up: w('linkUp'), down: w('linkDown'), never: w('linkNever'), untried: w('linkUntried') };
  const text = [
    states[now] + w('comma') + (acked ? `${w('heard')} ${age(acked)}${w('ago')}` : w('neverHeard')),
    ...(fault ? [fault] : []),
    ...(next && now !== 'up' ? [w('nextTry', { after: span(Date.parse(next) - Date.parse(asked), w) })] : []),
  ].join(w('semicolon'));
  return [
    { name: w('link'), tone: now === 'up' ? 'good' : now === 'untried' ? 'plain' : 'look', text },
    ...uplink.flows.map((flow) => flowLine(flow, uplink, { w, age, language })),
  ];
}

/** One kind of thing that travels: what of it waits, and what has gone. */
function flowLine(
  { name, waiting, bytes, oldestAt, late, parked, ...tries }: SiteFacts['uplink']['flows'][number],
  uplink: SiteFacts['uplink'],
  { w, age, language }: Form,
): Line {
  // A fault of every channel, or of a link that is down, is told in the line of the link.
  const channel = uplink.channels.find((one) => one.name === name);
  const withLink = channel || uplink.link !== 'up';
  const fault = withLink ? null : ((language === 'zh' ? tries.lastErrorZh : null) ?? tries.lastError);
  const gone = {
    evidence: uplink.evidence && w('filesSent', { count: uplink.evidence.sentFiles }),
    notifications: uplink.notifications && w('delivered', { count: uplink.notifications.delivered }),
    orders:
      uplink.orders && w('carriedOut', { count: uplink.orders.carriedOut, refused: uplink.orders.refused }),
  };
  const sent = channel ? `${channel.sentTotal}${w('sent')}` : gone[name as keyof typeof gone];
  const counted = name === 'orders' ? w('underWay', { count: waiting }) : `${waiting}${w('waiting')}`;
  return {
    name: `  ${w(`flows_${name}`)}`,
    headline: parked > 0 ? w('parked') : w('backlog'),
    tone: parked > 0 || late ? 'look' : 'plain',
    text: [
      [
        counted + (waiting > 0 && bytes !== null ? ` (${size(bytes)})` : ''),
        ...(oldestAt ? [`${w('oldest')} ${age(oldestAt)}`] : []),
        ...(sent ? [sent] : []),
        ...(parked > 0 ? [`${parked} ${w('parkedItems')}`] : []),
      ].join(w('comma')),
      ...(parked > 0 ? [w('seeParked')] : []),
      ...(fault ? [fault] : []),
    ].join(w('semicolon')),
  };
}

export function diskLine({ disk }: SiteFacts, w: StatusMessages, language: Language): Line {
  const tone = ({ ok: 'good', short: 'look', full: 'bad' } as const)[disk.level];
  return { name: w('disk'), tone, text: diskText(disk, language) };
}

/** The disk: its room, and what was refused, deleted or set aside. Pure. */
export function diskText({ shed, ...disk }: SiteFacts['disk'], language: Language): string {
  const w = sayer(statusMessages, language);
  const gone = (
    [
      [shed.evidence, 'evidence'],
      [shed.observations, 'observations'],
      [shed.events, 'shedEvents'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, what]) => w(what, { count }));
  return [
    `${w('left')} ${size(disk.roomBytes)}${w('comma')}${w('used')} ${size(disk.usedBytes)}`,
    ...(disk.refused > 0 ? [w('refused', { count: disk.refused })] : []),
    ...(gone.length > 0 ? [`${w('shed')}${w('colon')}${gone.join(w('comma'))}`] : []),
    ...(shed.lost > 0 ? [w('lost', { count: shed.lost })] : []),
    ...disk.aside.map((file) => `${w('set')}${w('colon')}${file.name} (${size(file.bytes)})`),
  ].join(w('semicolon'));
}

export function wearLine({ wear }: SiteFacts, w: StatusMessages): Line {
  const worn = (wear.lifeUsedPercent ?? 0) >= 90 || (wear.endOfLife !== null && wear.endOfLife !== 'normal');
  const parts = [
    ...(wear.bytesPerDay === null ? [] : [w('perDay', { bytes: size(wear.bytesPerDay) })]),
    wear.bytesPerEvent === null
      ? w('noEvents')
      : wear.events < ENOUGH_EVENTS
        ? w('fewEvents', { count: wear.events })
        : w('perEvent', { bytes: size(wear.bytesPerEvent), syncs: String(wear.syncsPerEvent ?? '–') }),
    ...(wear.lifeUsedPercent === null
      ? []
      : [w('life', { disk: wear.disk ?? '', percent: wear.lifeUsedPercent })]),
    ...(worn && wear.endOfLife !== 'normal' && wear.endOfLife !== null ? [w('endOfLife')] : []),
  ];
  return { name: w('wear'), tone: worn ? 'look' : 'plain', text: parts.join(w('semicolon')) };
}

export function clockLine({ clock, now }: SiteFacts, w: StatusMessages, age: Age): Line {
  const step = clock.lastStep;
  const set = step
    ? `${w('semicolon')}${w('lastSet')} ` +
      `${age(step.at)}${w('ago')}${w('comma')}${step.stepMs > 0 ? '+' : '−'}${span(Math.abs(step.stepMs), w)}`
    : '';
  const state = clock.suspect ? w('clockBad') : clock.synchronized ? w('synchronized') : w('clockGood');
  return {
    name: w('clock'),
    tone: clock.suspect ? 'look' : 'good',
    text: `${state}${w('comma')}${localTimeWithZone(now)}${set}`,
  };
}

/** How the store is, and what the site works by. */
export const dataLines = (facts: SiteFacts, form: Form): Line[] => [
  dataLine(facts, form.w),
  ...settingsLines(facts, form),
];

function dataLine({ integrity }: SiteFacts, w: StatusMessages): Line {
  return {
    name: w('data'),
    tone: integrity.state === 'damaged' ? 'bad' : 'plain',
    text: `${w(integrity.state)}${integrity.fault ? `${w('colon')}${integrity.fault}` : ''}`,
  };
}

/** The last backup, and ends that nobody had asked for; what is wrong with either is an alarm. */
export const runLines = (facts: SiteFacts, w: StatusMessages, age: Age): Line[] => [
  backupLine(facts, w, age),
  ...endsLines(facts, w, age),
  ...stallLines(facts, w, age),
];

function backupLine({ lastBackup }: SiteFacts, w: StatusMessages, age: Age): Line {
  const text = lastBackup === null ? w('noBackup') : `${age(lastBackup.at)}${w('ago')}`;
  return { name: w('backup'), tone: 'plain', text };
}

/** Shown where there were any. */
function endsLines({ unplannedEnds: ends }: SiteFacts, w: StatusMessages, age: Age): Line[] {
  if (ends.count === 0 || ends.lastAt === null || ends.lastKind === null) return [];
  const last = `${w('lastEnd')} ${age(ends.lastAt)}${w('ago')}${w('comma')}${w(`endKinds_${ends.lastKind}`)}`;
  return [
    {
      name: w('ends'),
      tone: 'plain',
      text: [
        w('endsCount', { count: ends.count, days: ends.days }),
        ...(ends.hangs > 0 ? [w('hangs', { count: ends.hangs })] : []),
        last,
      ].join(w('semicolon')),
    },
  ];
}

/** Shown where headquarters has set something: who looks for a value in the site's own file finds it here. */
function settingsLines({ settings }: SiteFacts, { w, age }: Form): Line[] {
  if (!settings) return [];
  const { version, by, state, since, inUse } = settings;
  const values = inUse.map(({ name, value }) => `${name}=${value}`).join(w('comma'));
  const about = { version, by, since: `${age(since)}${w('ago')}`, state: w(`settings_${state}`) };
  return [
    {
      name: w('settings'),
      tone: state === 'in_force' ? 'plain' : 'look',
      text: `${values === '' ? w('settingsNone') : values}${w('semicolon')}${w('settingsOf', about)}`,
    },
  ];
}

/** Shown where there were any. */
function stallLines({ unplannedEnds: { days, stalls } }: SiteFacts, w: StatusMessages, age: Age): Line[] {
  const { count, longestSeconds, lastAt, lastSeconds } = stalls;
  if (lastAt === null || lastSeconds === null) return [];
  const last = `${w('lastEnd')} ${age(lastAt)}${w('ago')}${w('comma')}${lastSeconds}${w('s')}`;
  const longest = count > 1 ? [w('longest', { seconds: longestSeconds })] : [];
  const text = [w('endsCount', { count, days }), ...longest, last].join(w('semicolon'));
  return [{ name: w('stalls'), tone: 'plain', text }];
}

export function cameraLines({ cameras }: SiteFacts, { w, age, language }: Form): Line[] {
  const away = cameras.filter(isAway);
  const refused = cameras.flatMap(({ refused: all, ...one }) => (all ? [{ ...one, refused: all }] : []));
  const silent = cameras.filter((camera) => camera.silent && !isAway(camera) && camera.refused === null);
  const heard = cameras.every((camera) => camera.lastEventAt !== null);
  const allHeard = heard ? w('allHeard') : w('noneSilent');
  const top: Line = {
    name: w('cameras'),
    tone: silent.length + away.length > 0 ? 'look' : 'plain',
    text:
      cameras.length === 0
        ? w('none')
        : [
            String(cameras.length),
            ...(away.length > 0 ? [`${away.length} ${w('away')}`] : []),
            ...(refused.length > 0 ? [`${refused.length} ${w('refusedPosts')}`] : []),
            ...(silent.length > 0
              ? [`${silent.length} ${w('silent')}`]
              : away.length + refused.length > 0
                ? []
                : [allHeard]),
          ].join(w('comma')),
  };
  return [
    top,
    ...away.slice(0, SHOWN).map(({ name, keyId, connection }): Line => {
      const reason = (language === 'zh' ? connection?.reasonZh : null) ?? connection?.reason ?? '';
      return { name: '', tone: 'look', text: `${name} (${keyId})${w('colon')}${reason}` };
    }),
    // Whether a person should look is said by its alarm: one forged message is nobody's matter.
    ...refused.slice(0, SHOWN).map(({ name, keyId, refused: { count, since, reason } }): Line => {
      const about = { since: `${age(since)}${w('ago')}`, why: w(`refusalReasons_${reason}`) };
      const text = count === 1 ? w('postRefused', about) : w('postsRefused', { count, ...about });
      return { name: '', tone: 'plain', text: `${name} (${keyId})${w('colon')}${text}` };
    }),
    ...silent.slice(0, SHOWN).map(({ name, keyId, lastEventAt }): Line => {
      const heard = lastEventAt ? `${w('silentFor')} ${age(lastEventAt)}` : w('never');
      return { name: '', tone: 'look', text: `${name} (${keyId})${w('colon')}${heard}` };
    }),
  ];
}

export function alarmLines({ alarms }: SiteFacts, { w, age, language }: Form): Line[] {
  const tone = (severity: string): Tone => (severity === 'critical' ? 'bad' : 'look');
  const worst: Tone = alarms.some((one) => one.severity === 'critical') ? 'bad' : 'look';
  const text = alarms.length === 0 ? w('noAlarms') : String(alarms.length);
  const top: Line = { name: w('alarms'), tone: alarms.length === 0 ? 'good' : worst, text };
  return [
    top,
    ...alarms.slice(0, SHOWN).map((one): Line => {
      const name = `${one.key}${w('comma')}${w('since')} ${age(one.raisedAt)}`;
      return { name: '', tone: tone(one.severity), text: `${name}${w('colon')}${alarmText(one, language)}` };
    }),
  ];
}

/** What an alarm says; in English where only another version knows its code. */
export function alarmText({ message, messageZh }: SiteFacts['alarms'][number], language: Language): string {
  return timesShown((language === 'zh' ? messageZh : null) ?? message, localTimeWithZone);
}
