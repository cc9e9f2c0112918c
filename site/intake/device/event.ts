// The event that an occurrence becomes.
import { hash } from 'node:crypto';
import { type EventInput, MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH } from '../../../common/core/event/schema.ts';
import type { SeverityOf } from '../../../common/core/event/service.ts';
import { deeperThan } from '../../../common/json-size.ts';
import { formatTime } from '../../../common/time.ts';
import { alarmKey } from '../episode/identity.ts';
import type { Doubt } from '../episode/report.ts';
import { cleanText, ownOf } from '../message/text.ts';
import type { Device, Occurrence, Picture } from '../record.ts';
import { believed } from './clock.ts';

/** Room in a payload for what is added to that of the source, bytes. */
const ADDED_BYTES = 4 * 1024;
const MAX_KEY = 128;
const MAX_CAMERA = 128;
/** Characters of `local_alert_no`. */
const MAX_NUMBER = 128;
/** Pictures of one event that are kept; an event announces 20 files at most. */
const MAX_PICTURES = 8;

/** Any event that intake takes of a device. */
export type DeviceEvent = Partial<EventInput> & Pick<EventInput, 'idempotency_key' | 'type'>;

/**
 * @param now receipt of the first report, epoch ms
 * @param vendor of the source
 */
export function eventOf(device: Device, vendor: string, occurrence: Occurrence, now: number): DeviceEvent {
  const { config } = device;
  const at = believed(occurrence, now);
  const camera = cameraOf(device, occurrence);
  const localNo = occurrence.id ?? episodeNo(device, occurrence, at ?? now);
  const event: DeviceEvent = {
    idempotency_key: keyOf(vendor, camera, localNo),
    type: occurrence.type,
    kind: occurrence.kind,
    ...optional(
      'severity',
      occurrence.severity ?? ownOf(config.severities, occurrence.type) ?? config.severity,
    ),
    occurred_at: formatTime(at ?? now),
    ...optional('site_ref', config.siteRef),
    camera_ref: camera,
    camera_name: cleanText(occurrence.cameraName, 256) ?? device.name,
    ...optional('title', cleanText(occurrence.title, 512)),
    ...optional('description', cleanText(occurrence.description, 2000)),
    local_alert_no: numberOf(occurrence) ?? cleanText(localNo, 128) ?? hashed(localNo),
    ...optional('feedback_url', occurrence.feedbackUrl),
    ...announcement(occurrence.pictures),
    payload: payloadOf(occurrence, at),
  };
  return withLost(event, occurrence.picturesLost ?? 0);
}

/** The event as grave as its type is, where neither the device nor its settings say how grave it is. */
export function ranked(event: DeviceEvent, { tenantCode }: Device, severityOf: SeverityOf): DeviceEvent {
  const severity = event.severity ?? severityOf(tenantCode, event.type);
  return severity === null ? event : { ...event, severity };
}

/** Announces the pictures of an event. */
export function announcement(pictures: readonly Picture[]): Pick<DeviceEvent, 'evidence'> {
  if (pictures.length === 0) return {};
  return {
    evidence: pictures.slice(0, MAX_PICTURES).map(({ name, contentType, bytes }) => ({
      name,
      content_type: contentType,
      size: bytes.length,
      sha256: hash('sha256', bytes, 'hex'),
    })),
  };
}

/** The event of an alarm that may be one which stood already. */
export const withDoubt = (event: DeviceEvent, { eventId, mark }: Doubt): DeviceEvent => ({
  ...event,
  ...(mark === null ? {} : { idempotency_key: fitting(`${event.idempotency_key}:${mark}`) }),
  payload: { ...event.payload, maybe_same_as: eventId },
});

/** The event, with the number of pictures that did not come. */
export const withLost = (event: DeviceEvent, lost: number): DeviceEvent =>
  lost === 0 ? event : { ...event, payload: { ...event.payload, pictures_lost: lost } };

/** The camera: of the channel as configured, or by the identity that the device tells. */
function cameraOf({ config, keyId }: Device, { channel, serial }: Occurrence): string {
  const named = channel === null ? undefined : ownOf(config.channels, channel);
  if (named !== undefined) return named;
  const device = config.cameraRef ?? cleanText(serial, 80) ?? keyId;
  const part = cleanText(channel, 40);
  if (part === null || (config.cameraRef !== undefined && !config.channels)) return device;
  return `${cleanText(device, MAX_CAMERA - 1 - part.length)}-${part}`;
}

/**
 * Its number where the device gives none. A report that is sent again makes the same one, since the device's
 * own time is in it where that is believed.
 */
const episodeNo = ({ keyId }: Device, { identity }: Occurrence, at: number): string =>
  hash('sha256', `${keyId}\0${alarmKey(identity)}\0${at}`, 'hex').slice(0, 32);

/** Under which the sender has it; one that an event has no room for is none. */
function numberOf({ number }: Occurrence): string | null {
  const text = cleanText(number, MAX_NUMBER + 1);
  return text === null || text.length > MAX_NUMBER ? null : text;
}

const hashed = (text: string): string => hash('sha256', text, 'hex').slice(0, 40);

const keyOf = (vendor: string, camera: string, localNo: string): string =>
  fitting(`${vendor}:${camera}:${localNo}`);

/** A key, made no longer than one may be. */
const fitting = (key: string): string =>
  key.length <= MAX_KEY ? key : `${key.slice(0, key.indexOf(':'))}:${hash('sha256', key, 'hex')}`;

function payloadOf({ payload, rawType, known, time, late, channel }: Occurrence, at: number | null) {
  return {
    ...bounded(payload),
    device_type: cleanText(rawType, 256) ?? '',
    ...(channel === null ? {} : { channel: cleanText(channel, 64) ?? '' }),
    ...(known ? {} : { unknown_type: true }),
    ...(late ? { sent_late: true } : {}),
    ...(time === null || at !== null ? {} : { device_time: time.text }),
  };
}

/** What is too much for an event is left out, and said to be: the alarm counts. */
function bounded(payload: Record<string, unknown>): Record<string, unknown> {
  const deep = deeperThan(payload, MAX_PAYLOAD_DEPTH - 1);
  const text = deep ? '' : JSON.stringify(payload);
  if (!deep && Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES - ADDED_BYTES) return payload;
  return { left_out: deep ? 'nested too deep' : `${Buffer.byteLength(text)} bytes` };
}

const optional = <K extends keyof DeviceEvent, V>(name: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as Record<K, V> | Record<never, never>;
