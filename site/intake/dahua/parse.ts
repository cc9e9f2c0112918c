// Dahua and Amcrest: the records of eventManager.cgi, each a part of its own.
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Source } from '../driver.ts';
import { isObject, textAt } from '../message/json.ts';
import { textOf } from '../message/parts.ts';
import { cleanText, typeOf } from '../message/text.ts';
import { epochTime } from '../message/time.ts';
import type { DeviceConfig, DeviceTime, Occurrence, Part, Reading } from '../record.ts';
import { type Call, callOf, roomOf } from './call.ts';
import { type DahuaRecord, toldIn } from './fields.ts';
import { objectsOf, plateOf, targetOf } from './target.ts';
import { dahuaTypes, ONE_EACH, STATUS, WITHOUT_PICTURE } from './types.ts';

const VENDOR = 'dahua';
const SERIAL = 'dahua-serial';

/** Puts the serial number of a device to its messages. */
export const headersOf = (serial: string | null): IncomingHttpHeaders =>
  serial === null ? {} : { [SERIAL]: serial };

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

function readingsOf(part: Part, config: DeviceConfig, serial: string | null): Reading[] {
  const text = textOf(part.body, part.headers['content-type']);
  if (/^\s*Heartbeat\s*$/i.test(text)) return [{ what: 'heartbeat', time: null }];
  const told = toldIn(text);
  if (told === null) return [{ what: 'unreadable', reason: 'a record names no Code' }];
  const call = callOf(told);
  if (call === 'nothing' || STATUS.has(told.code.toLowerCase())) return [{ what: 'heartbeat', time: null }];
  const occurrence = occurrenceOf(told, config, serial);
  if (call !== null) return [ofCall(occurrence, told, call)];
  const passing = ofPassing(occurrence, told);
  if (told.action === 'stop') return [{ ...passing, state: 'ended' }];
  const lasts = told.action === 'start' && !(ONE_EACH.has(passing.type) && tellsItself(told.data));
  return lasts ? [passing] : once(occurrence, told);
}

/** All codes of one press are one alarm. A door station has one camera. */
function ofCall(occurrence: Occurrence, told: DahuaRecord, call: Call): Occurrence {
  const room = roomOf(told);
  const channel = room === null ? occurrence.channel : '1';
  return {
    ...occurrence,
    state: call === 'over' ? 'ended' : 'active',
    identity: { ...occurrence.identity, channel, word: 'call', rule: null, object: null },
    channel,
    payload: { ...occurrence.payload, ...(room === null ? {} : { room }) },
    pictureUrls: channel === null ? [] : [snapshotPath(channel)],
  };
}

/**
 * One vehicle after another is an alarm each, also where they begin and end; some cameras tell the end alone.
 * Numbers of events are counted from each restart, so that the hour belongs to them.
 */
function ofPassing(occurrence: Occurrence, { data }: DahuaRecord): Occurrence {
  const { title, time } = occurrence;
  if (title === null) return occurrence;
  const event = textAt(data, 'EventID');
  const hour = typeof time?.at === 'number' ? Math.floor(time.at / 3_600_000) : null;
  // Its kind is that of the plate, or of the vehicle, as it pleases the device.
  const identity = { ...occurrence.identity, object: null, each: JSON.stringify([title, event, hour]) };
  return { ...occurrence, identity, ...(event !== null && hour !== null ? { unique: true } : {}) };
}

/**
 * A pulse has no end. Where its data tell it from the next one it is an event of its own; otherwise those
 * that follow within the silence are the same.
 */
function once(occurrence: Occurrence, { code, index, data }: DahuaRecord): Reading[] {
  if (!tellsItself(data)) return [{ ...occurrence, repeats: true }];
  const id = occurrence.id ?? digestOf([code, index, data]);
  const identity = { ...occurrence.identity, each: digestOf([code, index, data]) };
  const unique = { ...occurrence, unique: true, identity, id };
  return [unique, { ...unique, state: 'ended' }];
}

const tellsItself = (data: unknown): boolean =>
  plateOf(data) !== null || ['EventID', 'UTC', 'PTS'].some((path) => textAt(data, path) !== null);

function occurrenceOf(told: DahuaRecord, config: DeviceConfig, serial: string | null): Occurrence {
  const { code, index, data } = told;
  const { type, known, kind } = typeOf(code, {
    vendor: VENDOR,
    table: callOf(told) === null ? dahuaTypes : { [code.toLowerCase()]: { type: 'doorbell.pressed' } },
    configured: config.types,
  });
  // The numbers of its disks and ports are none of its cameras.
  const ofDevice = dahuaTypes[code.toLowerCase()]?.type.startsWith('device.') ?? false;
  const channel = ofDevice ? null : channelOf(index);
  const time = timeOf(data);
  const rule = textAt(data, 'Name') ?? textAt(data, 'RuleID') ?? textAt(data, 'RuleId');
  const pictured = kind === 'alert' && channel !== null && !WITHOUT_PICTURE.test(type);
  return {
    what: 'occurrence',
    state: 'active',
    repeats: false,
    identity: {
      device: serial,
      channel: index,
      word: code.toLowerCase(),
      rule,
      object: objectsOf(told),
      each: null,
    },
    id: numberOf(code, index, data, time),
    rawType: code,
    type,
    known,
    severity: null,
    kind,
    serial,
    channel,
    cameraName: null,
    title: plateOf(data),
    description: null,
    time,
    late: false,
    payload: { ...(ofDevice && index !== '' ? { index } : {}), ...payloadOf(told, rule) },
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

/** Some firmwares write local time as UTC; newer ones add the real one. */
function timeOf(data: unknown): DeviceTime | null {
  const real = Number(textAt(data, 'RealUTC') ?? NaN);
  const seconds = Number.isFinite(real) ? real : Number(textAt(data, 'UTC') ?? NaN);
  if (!Number.isFinite(seconds)) return null;
  const ms = Number(textAt(data, 'UTCMS') ?? 0);
  const time = epochTime(seconds + (ms >= 0 && ms < 1000 ? ms / 1000 : 0));
  return time && { ...time, zoneDoubted: !Number.isFinite(real) };
}

function payloadOf(told: DahuaRecord, rule: string | null): Record<string, unknown> {
  const { data, unread, fields } = told;
  const target = targetOf(told);
  const region = textAt(data, 'RegionName.0') ?? textAt(data, 'RegionName');
  const direction = textAt(data, 'Direction');
  return {
    ...(rule === null ? {} : { rule }),
    ...(region === null ? {} : { region }),
    ...(target === null ? {} : { target }),
    ...(direction === null ? {} : { direction }),
    ...(unread === null ? {} : { data_not_read: unread }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    ...(data === undefined ? {} : { dahua: isObject(data) ? data : { data } }),
  };
}

const digestOf = (told: unknown[]): string => hash('sha256', JSON.stringify(told), 'hex').slice(0, 40);
