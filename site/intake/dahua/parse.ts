// Dahua and Amcrest: the records of eventManager.cgi, each a part of its own.
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject, parsedJson, textAt } from '../message/json.ts';
import { textOf } from '../message/parts.ts';
import { cleanText, typeOf } from '../message/text.ts';
import { epochTime } from '../message/time.ts';
import type { DeviceConfig, DeviceTime, Occurrence, Part, Reading } from '../record.ts';
import type { Source } from '../source.ts';
import { dahuaTypes, ONE_EACH, STATUS, WITHOUT_PICTURE } from './types.ts';

const VENDOR = 'dahua';
const SERIAL = 'dahua-serial';
/** Characters of data that is no JSON that are kept. */
const KEPT_TEXT = 500;

/** Puts the serial number of a device to its messages. */
export const headersOf = (serial: string | null): IncomingHttpHeaders =>
  serial === null ? {} : { [SERIAL]: serial };

/** Where a plate stands, by the kind of device. */
const PLATES = ['TrafficCar.PlateNumber', 'Plate.PlateNumber', 'Object.Text'];

/** Where the picture of a channel is, counted from 1. */
export const snapshotPath = (channel: string): string =>
  `/cgi-bin/snapshot.cgi?channel=${encodeURIComponent(channel.toWellFormed())}`;

export const dahua: Source = {
  vendor: VENDOR,
  parse: (parts, config, { headers }) => {
    const serial = cleanText(headers[SERIAL], 64);
    return parts.flatMap((part) => readingsOf(part, config, serial));
  },
};

interface Told {
  code: string;
  action: string;
  /** Counted from 0. */
  index: string;
  data: unknown;
  /** What stands in place of JSON; null where nothing does. */
  unread: string | null;
}

function readingsOf(part: Part, config: DeviceConfig, serial: string | null): Reading[] {
  const text = textOf(part.body, part.headers['content-type']);
  if (/^\s*Heartbeat\s*$/i.test(text)) return [{ what: 'heartbeat', time: null }];
  const told = toldIn(text);
  if (told === null) return [{ what: 'unreadable', reason: 'a record names no Code' }];
  if (STATUS.has(told.code.toLowerCase())) return [{ what: 'heartbeat', time: null }];
  const occurrence = occurrenceOf(told, config, serial);
  if (told.action === 'stop') return [{ ...occurrence, state: 'ended' }];
  const lasts = told.action === 'start' && !(ONE_EACH.has(occurrence.type) && tellsItself(told.data));
  return lasts ? [occurrence] : once(occurrence, told);
}

function toldIn(text: string): Told | null {
  const marked = /;\s*data\s*=/i.exec(text);
  const head = text.slice(0, marked?.index);
  const rest = marked ? text.slice(marked.index + marked[0].length).trim() : '';
  const fields = new Map(
    head.split(';').map((field) => {
      const [name = '', value = ''] = field.split('=');
      return [name.trim().toLowerCase(), value.trim()] as const;
    }),
  );
  const code = cleanText(fields.get('code'), 128);
  if (code === null) return null;
  const data = rest === '' ? undefined : jsonIn(rest);
  return {
    code,
    action: fields.get('action')?.toLowerCase() ?? '',
    index: fields.get('index') ?? '',
    data,
    unread: rest !== '' && data === undefined ? cleanText(rest, KEPT_TEXT) : null,
  };
}

/** Some firmwares leave line ends and other control characters in strings. */
const jsonIn = (text: string): unknown =>
  parsedJson(Buffer.from(text)) ?? parsedJson(Buffer.from(text.replace(/[\x00-\x1f]+/g, ' ')));

/**
 * A pulse has no end. Where its data tell it from the next one it is an event of its own; otherwise those
 * that follow within the silence are the same.
 */
function once(occurrence: Occurrence, { code, index, data }: Told): Reading[] {
  if (!tellsItself(data)) return [{ ...occurrence, repeats: true }];
  const id = occurrence.id ?? digestOf([code, index, data]);
  const unique = { ...occurrence, unique: true, alarm: digestOf([code, index, data]), id };
  return [unique, { ...unique, state: 'ended' }];
}

const tellsItself = (data: unknown): boolean =>
  ['EventID', 'UTC', 'PTS', ...PLATES].some((path) => textAt(data, path) !== null);

function occurrenceOf(
  { code, index, data, unread }: Told,
  config: DeviceConfig,
  serial: string | null,
): Occurrence {
  const { type, known, kind } = typeOf(code, { vendor: VENDOR, table: dahuaTypes, configured: config.types });
  const channel = channelOf(index);
  const time = timeOf(data);
  const rule = textAt(data, 'Name') ?? textAt(data, 'RuleID') ?? textAt(data, 'RuleId');
  const plate = PLATES.map((path) => textAt(data, path)).find((text) => text !== null) ?? null;
  const pictured = kind === 'alert' && channel !== null && !WITHOUT_PICTURE.test(type);
  return {
    what: 'occurrence',
    state: 'active',
    repeats: false,
    alarm: digestOf([code.toLowerCase(), index, rule]),
    id: numberOf(code, index, data, time),
    rawType: code,
    type,
    known,
    severity: null,
    kind,
    serial,
    channel,
    cameraName: null,
    title: type === 'vehicle.plate' ? plate : null,
    description: null,
    time,
    late: false,
    payload: payloadOf({ data, unread }, rule),
    pictures: [],
    pictureUrls: pictured ? [snapshotPath(channel)] : [],
  };
}

/** As the pages of devices count them: from 1. */
function channelOf(index: string): string | null {
  if (!/^\d{1,4}$/.test(index)) return cleanText(index, 40);
  return String(Number(index) + 1);
}

/** The device's own number of an occurrence; it counts from each restart, so that the time belongs to it. */
function numberOf(code: string, index: string, data: unknown, time: DeviceTime | null): string | null {
  const event = textAt(data, 'EventID');
  if (event === null || !/^[1-9]\d{0,17}$/.test(event)) return null;
  return typeof time?.at === 'number' ? `${code}-${index}-${event}-${time.at}` : null;
}

/** Some firmwares write local time as UTC. */
function timeOf(data: unknown): DeviceTime | null {
  const seconds = Number(textAt(data, 'UTC') ?? NaN);
  if (!Number.isFinite(seconds)) return null;
  const ms = Number(textAt(data, 'UTCMS') ?? 0);
  const time = epochTime(seconds + (ms >= 0 && ms < 1000 ? ms / 1000 : 0));
  return time && { ...time, zoneDoubted: true };
}

function payloadOf(
  { data, unread }: Pick<Told, 'data' | 'unread'>,
  rule: string | null,
): Record<string, unknown> {
  const target = textAt(data, 'Object.ObjectType') ?? textAt(data, 'Objects.0.ObjectType');
  const region = textAt(data, 'RegionName.0') ?? textAt(data, 'RegionName');
  const direction = textAt(data, 'Direction');
  return {
    ...(rule === null ? {} : { rule }),
    ...(region === null ? {} : { region }),
    ...(target === null ? {} : { target: target.toLowerCase() }),
    ...(direction === null ? {} : { direction }),
    ...(unread === null ? {} : { data_not_read: unread }),
    ...(data === undefined ? {} : { dahua: isObject(data) ? data : { data } }),
  };
}

const digestOf = (told: unknown[]): string => hash('sha256', JSON.stringify(told), 'hex').slice(0, 40);
