// ONVIF notifications, each a part of its own, and what a device says of its clock.
import { hash } from 'node:crypto';
import type { Source } from '../driver.ts';
import { wordOf } from '../message/member.ts';
import { textOf } from '../message/parts.ts';
import { cleanText, ownOf } from '../message/text.ts';
import { deviceTime } from '../message/time.ts';
import type { DeviceConfig, DeviceTime, Occurrence, Part, Reading } from '../record.ts';
import { eachObject, hasClasses, objectNamed } from '../topic/object.ts';
import { plainTopic, ruleOf, stateOf, typeOfTopic } from '../topic/topic.ts';
import { STATUS } from '../topic/types.ts';
import { attributeOf, elementOf, messageOf, simpleItems } from './document.ts';
import { type Identity, identityIn, type Receipt, sourceOf } from './identity.ts';
import { isChange } from './notification.ts';
import { systemTime } from './time.ts';

const VENDOR = 'onvif';
/** How far the time of a notification may be from that of the answer it is in, ms: both are of one clock. */
const NEAR_MS = 60_000;
const QUARTER_MS = 900_000;
/** No zone lies further from UTC, ms. */
const WIDEST_ZONE_MS = 14 * 3_600_000;
/** Names of the member of the source that says which camera it is, by preference. */
const CAMERA_MEMBERS = [
  'videosourceconfigurationtoken',
  'videosourcetoken',
  'videosource',
  'source',
  'channel',
  'videoanalyticsconfigurationtoken',
  'profiletoken',
];

export const onvif: Source = {
  vendor: VENDOR,
  parse: (parts, config, { headers }) => {
    const identity = identityIn(headers);
    return parts.flatMap((part) =>
      readingsOf(textIn(part), config, { ...identity, changed: isChange(part) }),
    );
  },
};

/** `changed`: what it tells as a beginning is a change. */
type Teller = Identity & Receipt & { changed: boolean };

const textIn = ({ body, headers }: Part): string => textOf(body, headers['content-type']);

function readingsOf(text: string, config: DeviceConfig, identity: Teller): Reading[] {
  if (/<(?:[\w.-]+:)?NotificationMessage[\s>]/.test(text)) {
    const notification = elementOf(text, 'NotificationMessage');
    if (typeof notification === 'string') return [{ what: 'unreadable', reason: notification }];
    return readingsOfOne(notification, config, identity);
  }
  const clock = elementOf(text, 'GetSystemDateAndTimeResponse');
  if (typeof clock !== 'string') return [{ what: 'heartbeat', time: systemTime(clock) }];
  const pulled = elementOf(text, 'PullMessagesResponse');
  if (typeof pulled === 'string') return [{ what: 'unreadable', reason: pulled }];
  return [{ what: 'heartbeat', time: writtenAsUtc(deviceTime(wordOf(pulled.CurrentTime)), identity) }];
}

function readingsOfOne(
  notification: Record<string, unknown>,
  config: DeviceConfig,
  identity: Teller,
): Reading[] {
  const topic = cleanText(wordOf(notification.Topic), 256);
  if (topic === null) return [{ what: 'unreadable', reason: 'a notification names no topic' }];
  const message = messageOf(notification);
  const path = plainTopic(topic);
  if (STATUS.test(path)) return [{ what: 'heartbeat', time: null }];
  const about: Omit<OnvifMessage, 'data'> = {
    topic,
    path,
    source: simpleItems(message.Source),
    key: simpleItems(message.Key),
    ...timeOf(writtenAsUtc(deviceTime(attributeOf(message, 'UtcTime')), identity), identity),
  };
  const operation = attributeOf(message, 'PropertyOperation')?.toLowerCase() ?? null;
  return eachObject(simpleItems(message.Data)).flatMap((data) =>
    readingsOfObject({ ...about, data }, operation, config, identity),
  );
}

function readingsOfObject(
  told: OnvifMessage,
  operation: string | null,
  config: DeviceConfig,
  identity: Teller,
): Reading[] {
  const state = stateOf(told.data) ?? hasClasses(told.data);
  // How it stood when the subscription began is no alarm; one that was over meanwhile ends here. Its time
  // may lie far back.
  if (operation === 'initialized' && !identity.changed)
    return state === false
      ? [{ ...occurrenceOf(told, config, identity), state: 'ended', time: null }]
      : [{ what: 'heartbeat', time: null }];
  if (state === null) return once(told, config, identity);
  const occurrence = occurrenceOf(told, config, identity);
  if (operation !== 'deleted') return [{ ...occurrence, state: state ? 'active' : 'ended' }];
  // What is deleted does not stand any more, and whoever missed its beginning has it with its end.
  return [...(state ? [occurrence] : []), { ...occurrence, state: 'ended' }];
}

/**
 * Some firmwares write the time of an earlier notification into later ones, or local time for UTC: a time
 * that the clock of the device contradicts is none.
 */
function timeOf(time: DeviceTime | null, { deviceAt }: Teller): Pick<OnvifMessage, 'time' | 'utc'> {
  const at = time?.at ?? null;
  const contradicted = at !== null && deviceAt !== null && Math.abs(at - deviceAt) > NEAR_MS;
  return { time: contradicted ? null : time, utc: contradicted ? (time?.text ?? null) : null };
}

/**
 * Some firmwares write local time and call it UTC. Asked for its clock, such a device tells the right one: a
 * time that is off from that by whole quarters of an hour has a zone that is doubted.
 */
function writtenAsUtc(time: DeviceTime | null, { at, clockOff }: Teller): DeviceTime | null {
  if (time === null || time.at === null || !time.zoned || clockOff === null) return time;
  const off = time.at - (at + clockOff);
  const rest = off - Math.round(off / QUARTER_MS) * QUARTER_MS;
  const zone = Math.abs(off) > NEAR_MS && Math.abs(off) <= WIDEST_ZONE_MS && Math.abs(rest) <= NEAR_MS;
  return zone ? { ...time, zoneDoubted: true } : time;
}

interface OnvifMessage {
  topic: string;
  path: string;
  source: Record<string, string>;
  key: Record<string, string>;
  data: Record<string, string>;
  time: DeviceTime | null;
  /** The time that it tells and that cannot be. */
  utc: string | null;
}

/** What has no state is told once: its time, or that of receipt, and what it says tell it from the next. */
function once(told: OnvifMessage, config: DeviceConfig, identity: Teller): Reading[] {
  const { path, source, key, data, time } = told;
  const id = digestOf([path, source, key, data, time?.text ?? identity.at]);
  const whole = occurrenceOf(told, config, identity);
  const occurrence = { ...whole, unique: true, identity: { ...whole.identity, each: id }, id };
  return [occurrence, { ...occurrence, state: 'ended' }];
}

function occurrenceOf(
  { topic, path, source, key, data, time, utc }: OnvifMessage,
  config: DeviceConfig,
  { serial, sources, snapshots }: Teller,
): Occurrence {
  const { type, known, kind } = typeOfTopic(topic, path, { vendor: VENDOR, configured: config.types, data });
  const token = cameraToken(source);
  const video = token === null ? null : sourceOf(token, sources);
  const named = [token, video].find((one) => one !== null && ownOf(config.channels, one) !== undefined);
  const snapshot = video === null ? onlyOne(snapshots) : ownOf(snapshots, video);
  return {
    what: 'occurrence',
    state: 'active',
    repeats: false,
    unique: false,
    identity: {
      device: serial,
      channel: null,
      word: path,
      rule: ruleOf(source, key),
      object: objectNamed(data),
      each: null,
    },
    id: null,
    rawType: path,
    type,
    known,
    severity: null,
    kind,
    serial,
    channel: named ?? video,
    cameraName: null,
    title: null,
    description: null,
    time,
    late: false,
    payload: { onvif: { topic, source, key, data, ...(utc === null ? {} : { utc_time: utc }) } },
    pictures: [],
    pictureUrls: snapshot === undefined || kind !== 'alert' ? [] : [snapshot],
  };
}

function cameraToken(source: Record<string, string>): string | null {
  const named = Object.entries(source).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const name of CAMERA_MEMBERS) {
    const value = named.find(([own]) => own === name)?.[1];
    if (value !== undefined && value !== '') return value;
  }
  return null;
}

function onlyOne(snapshots: Readonly<Record<string, string>>): string | undefined {
  const all = Object.values(snapshots);
  return all.length === 1 ? all[0] : undefined;
}

const digestOf = (told: unknown[]): string => hash('sha256', JSON.stringify(told), 'hex').slice(0, 40);
