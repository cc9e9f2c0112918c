// Hikvision ISAPI: what a device posts to its listening host, and what its alertStream brings.
import { hash } from 'node:crypto';
import type { Source } from '../driver.ts';
import { isObject } from '../message/json.ts';
import { memberOf, wordOf } from '../message/member.ts';
import { isCutOff } from '../message/message.ts';
import { formOf } from '../message/parts.ts';
import { cleanText } from '../message/text.ts';
import { deviceTime } from '../message/time.ts';
import type { DeviceConfig, Occurrence, Part, Reading } from '../record.ts';
import { eachRule, ruleNameOf } from './aiop.ts';
import { type Document, documentsOf } from './document.ts';
import { mayBeDocument, pictureOf, picturesAnnounced } from './pictures.ts';
import { plateOf, regionOf, stayingOf, targetOf, targetsOf, trackOf } from './target.ts';
import { HEARTBEATS, ONE_EACH } from './types.ts';
import { hikvisionType, isDuration, isEnded, type Words, wordsOf } from './words.ts';

const VENDOR = 'hikvision';
/** Channels above are the digital ones of a recorder that may have analogue ones too. */
const ANALOGUE_CHANNELS = 32;
/** Members that say what the event has members for, or nothing that a reader wants. */
const NOT_KEPT = new Set(['eventType', 'eventState', 'portNo', 'protocol', 'xmlns', 'version']);

export const hikvision: Source = {
  vendor: VENDOR,
  /** Pictures belong to the document before them; those before the first one to that. */
  parse(parts, config) {
    const readings: Reading[] = [];
    const early: Part[] = [];
    const announced = new Map<Occurrence, number>();
    let last: Occurrence | null = null;
    for (const part of parts) {
      const form = formOf(part);
      if (form === 'picture' && isCutOff(part)) continue;
      if (form === 'picture') {
        if (last) last.pictures.push(pictureOf(part, last.pictures.length));
        else early.push(part);
      } else if (form === 'other' && !mayBeDocument(part)) {
        // A picture that is broken, or what a firmware appends: the alarm counts.
        if (last) last.payload.parts_not_read = Number(last.payload.parts_not_read ?? 0) + 1;
      } else {
        for (const reading of readingsOf(part, config)) {
          readings.push(reading);
          if (reading.what === 'occurrence') last = reading;
        }
        if (last) announced.set(last, picturesAnnounced(part) ?? 0);
      }
    }
    const first = readings.find((one) => one.what === 'occurrence');
    if (first) first.pictures.unshift(...early.map((part, index) => pictureOf(part, 20 + index)));
    else if (early.length > 0 && readings.length === 0)
      readings.push({ what: 'unreadable', reason: 'there is a picture without a document' });
    for (const [occurrence, count] of announced)
      occurrence.picturesLost = Math.max(0, count - occurrence.pictures.length);
    return readings;
  },
};

function readingsOf(part: Part, config: DeviceConfig): Reading[] {
  const alerts = documentsOf(part);
  if (typeof alerts === 'string') return [{ what: 'unreadable', reason: alerts }];
  return alerts.flatMap(eachRule).map((alert) => readingOf(alert, config));
}

function readingOf(alert: Document, config: DeviceConfig): Reading {
  const words = wordsOf(alert);
  if (words === null) return { what: 'unreadable', reason: 'a document names no eventType' };
  const ended = isEnded(alert);
  // The heartbeat of cameras and recorders. It names a channel although it tells nothing of it, and so ends
  // no alarm.
  if (HEARTBEATS.has(words.word) || (words.word === 'videoloss' && ended))
    return { what: 'heartbeat', time: deviceTime(wordOf(alert.dateTime)) };
  return occurrenceOf(alert, { ...words, ended }, config);
}

function occurrenceOf(
  alert: Document,
  { raw, word, ended }: Words & { ended: boolean },
  config: DeviceConfig,
): Occurrence {
  const { type, known, kind } = hikvisionType({ raw, word }, config.types);
  const channel = channelOf(alert);
  const region = regionOf(alert);
  const uuid = wordOf(alert.uuid) ?? wordOf(alert.UUID);
  const plate = plateOf(alert);
  const oneEach = ONE_EACH.has(raw.toLowerCase());
  const own = oneEach ? (uuid ?? ownNumberOf(alert, plate)) : null;
  const each = own ?? (oneEach ? saidOf(alert) : stayingOf(alert));
  const url =
    wordOf(memberOf(alert, 'bkgUrl')) ?? wordOf(memberOf(alert.AccessControllerEvent, 'pictureURL'));
  return {
    what: 'occurrence',
    // Some firmwares call a vehicle or a card that is told once inactive.
    state: ended && own === null ? 'ended' : 'active',
    repeats: true,
    identity: {
      device: serialOf(alert),
      channel,
      word,
      rule: region ?? inputOf(alert),
      object: targetsOf(alert),
      each,
    },
    lasts: isDuration(alert) && region === null,
    id: uuid,
    rawType: raw + word.slice(raw.length),
    type,
    known,
    severity: null,
    kind,
    serial: serialOf(alert),
    channel,
    cameraName: wordOf(alert.channelName),
    title: plate ?? ruleNameOf(alert),
    description: wordOf(alert.eventDescription),
    time: deviceTime(wordOf(alert.dateTime)),
    late: isSentLate(alert),
    payload: payloadOf(alert, region),
    pictures: [],
    pictureUrls: url !== null && /^https?:\/\//i.test(url) ? [url.replaceAll('&amp;', '&')] : [],
  };
}

/** What was kept in the device while nobody answered; access controllers say so in a member of their own. */
const isSentLate = (alert: Document): boolean =>
  wordOf(alert.isDataRetransmission)?.toLowerCase() === 'true' ||
  wordOf(memberOf(alert, 'currentEvent', 2))?.toLowerCase() === 'false';

const inputOf = (alert: Document): string | null =>
  wordOf(alert.inputIOPortID) ?? wordOf(alert.dynInputIOPortID);

/** What tells one vehicle, face, card or report of an alarm panel from the next. */
function ownNumberOf(alert: Document, plate: string | null): string | null {
  if (isObject(alert.CIDEvent)) return panelReport(alert.CIDEvent, wordOf(alert.dateTime));
  return plate ?? wordOf(memberOf(alert, 'serialNo')) ?? trackOf(alert);
}

/** All that an alert without a number says: its time has seconds, in which two faces may pass. */
const saidOf = ({ activePostCount: _count, ...said }: Document): string =>
  hash('sha256', JSON.stringify(said), 'hex');

/** A panel tells each report once, by a code of the Contact ID protocol and where it arose. */
const panelReport = (cid: Document, time: string | null): string =>
  [
    ...['code', 'type', 'system', 'zone', 'trigger', 'userName'].map((name) => wordOf(memberOf(cid, name))),
    wordOf(memberOf(cid, 'trigger')) === null ? time : null,
  ].join('|');

/** `D1` is the first digital channel of a recorder, as its own pages name it. */
function channelOf(alert: Document): string | null {
  const told =
    wordOf(alert.channelID) ?? wordOf(alert.dynChannelID) ?? wordOf(memberOf(alert, 'channelID', 2));
  if (told === null) return null;
  const number = /^\d{1,4}$/.test(told) ? Number(told) : null;
  if (number === null) return told;
  return number > ANALOGUE_CHANNELS ? `D${number - ANALOGUE_CHANNELS}` : String(number);
}

/** The MAC in one form, whatever stands between its digits; otherwise a serial number. */
function serialOf(alert: Document): string | null {
  const mac =
    wordOf(alert.macAddress)
      ?.toLowerCase()
      .replace(/[^0-9a-f]/g, '') ?? '';
  if (mac.length === 12 && !/^0+$/.test(mac)) return (mac.match(/../g) ?? []).join(':');
  return cleanText(wordOf(memberOf(alert.Extensions, 'serialNumber')) ?? wordOf(alert.deviceID), 64);
}

function payloadOf(alert: Document, region: string | null): Record<string, unknown> {
  const target = targetOf(alert);
  const kept = Object.entries(alert).filter(([name]) => !NOT_KEPT.has(name) && !name.startsWith('@'));
  return {
    ...(region === null ? {} : { region }),
    ...(target === null ? {} : { target }),
    hikvision: Object.fromEntries(kept),
  };
}
