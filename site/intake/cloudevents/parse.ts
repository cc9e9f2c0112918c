// CloudEvents 1.0 over HTTP: binary, structured and batched (CNCF CloudEvents HTTP protocol binding 1.0.2).
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { severities } from '../../../common/core/event/schema.ts';
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import { parseTime } from '../../../common/time.ts';
import type { Source } from '../driver.ts';
import { isObject, parsedJson, textAt } from '../message/json.ts';
import { cleanText, ownOf, typeWord } from '../message/text.ts';
import { deviceTime } from '../message/time.ts';
import type { DeviceConfig, Occurrence, Part, Picture, Reading } from '../record.ts';

const VENDOR = 'cloudevents';
/** Events of one batch. */
const MAX_BATCH = 500;
/** A type that is an event type as it stands. */
const EVENT_TYPE = /^(?=.{1,128}$)[a-z0-9_]+(?:\.[a-z0-9_]+)*$/;
const JSON_TYPE = /^[a-z]+\/(?:[a-z0-9.-]+\+)?json\b/i;
const CONTEXT = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'datacontenttype',
  'dataschema',
  'data',
  'data_base64',
]);

export const cloudEvents: Source = {
  vendor: VENDOR,
  parse(parts, config, { headers }) {
    const body = parts[0];
    // The media type goes first: what forwards a structured event may put its attributes into headers too.
    const whole = /^application\/cloudevents\b/i.test(headers['content-type'] ?? '');
    if (!whole && headers['ce-specversion'] !== undefined) return [binary(headers, body, config)];
    if (!body) return [unreadable('a CloudEvent has a body, or ce- headers')];
    const parsed = parsedJson(body.body, headers['content-type']);
    if (Array.isArray(parsed)) {
      // A batch may be empty; whoever sends one must not be told to send it again.
      if (parsed.length === 0) return [{ what: 'heartbeat', time: null }];
      if (parsed.length > MAX_BATCH)
        return [unreadable(`a batch holds ${MAX_BATCH} events at most; this one has ${parsed.length}`)];
      return allOrNone(parsed.map((one, index) => structured(one, config, `[${index}] `)));
    }
    return [structured(parsed, config, '')];
  },
};

/**
 * Of a batch with a fault nothing is taken, so that the sender sends it again as a whole when it is mended.
 */
function allOrNone(readings: Reading[]): Reading[] {
  const faults = readings.filter(({ what }) => what === 'unreadable');
  return faults.length > 0 ? faults : readings;
}

const unreadable = (reason: string): Reading => ({ what: 'unreadable', reason });

function structured(event: unknown, config: DeviceConfig, where: string): Reading {
  if (!isObject(event)) return unreadable(`${where}this is no CloudEvent: send a JSON object`);
  const { data, data_base64: encoded } = event;
  const bytes = typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : null;
  const json = bytes !== null && JSON_TYPE.test(cleanText(event.datacontenttype, 128) ?? '');
  const read = json ? parsedJson(bytes) : undefined;
  return occurrence(event, { data: data ?? read, bytes: read === undefined ? bytes : null }, config, where);
}

function binary(headers: IncomingHttpHeaders, body: Part | undefined, config: DeviceConfig): Reading {
  const event: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith('ce-')) event[name.slice(3)] = decoded(String(value));
  event.datacontenttype = headers['content-type'];
  const bytes = body?.body ?? null;
  const data =
    bytes === null || pictureType(bytes) !== null ? undefined : parsedJson(bytes, headers['content-type']);
  return occurrence(event, { data, bytes: data === undefined ? bytes : null }, config, '');
}

/**
 * Header values are percent-encoded where they are no plain ASCII; those of before may stand in quotation
 * marks instead.
 */
function decoded(value: string): string {
  const quoted = /^"(.*)"$/s.exec(value.trim())?.[1]?.replace(/\\(.)/gs, '$1');
  try {
    return decodeURIComponent(quoted ?? value);
  } catch (error) {
    if (error instanceof URIError) return quoted ?? value;
    throw error;
  }
}

const ATTRIBUTE = /^[a-z0-9]+$/;
/** Names that a fault lists. */
const NAMED = 5;

/**
 * Everything that is wrong with the context attributes and the data. What is refused is mended by whoever
 * programmed the sender; a time or an attribute that nobody reads would be missed for ever.
 */
function faultsOf(event: Record<string, unknown>): string[] {
  const faults: string[] = [];
  if (typeof event.specversion !== 'string' || !event.specversion.startsWith('1.'))
    faults.push('specversion must be 1.0');
  for (const name of ['id', 'source', 'type'] as const)
    if (cleanText(event[name], 1) === null) faults.push(`${name} must be a text that is not empty`);
  const given = Object.keys(event).filter((name) => (event[name] ?? null) !== null);
  if (given.includes('time') && (typeof event.time !== 'string' || parseTime(event.time) === null))
    faults.push('time must be a time with a zone as in RFC 3339');
  const named = given.filter((name) => name !== 'data_base64' && !ATTRIBUTE.test(name));
  if (named.length > 0) {
    const shown = named.slice(0, NAMED).map((name) => JSON.stringify(name.slice(0, 40)));
    faults.push(`names of attributes must be of a-z and 0-9, not ${shown.join(' and ')}`);
  }
  if (given.includes('data') && given.includes('data_base64'))
    faults.push('data and data_base64 must not both be there');
  return faults;
}

function occurrence(
  event: Record<string, unknown>,
  { data, bytes }: { data: unknown; bytes: Buffer | null },
  config: DeviceConfig,
  where: string,
): Reading {
  const faults = faultsOf(event);
  if (faults.length > 0) return unreadable(where + faults.join(', '));
  const [id, source, rawType] = [String(event.id), String(event.source), String(event.type)];
  const { type, known } = typeOfEvent(rawType, config);
  const contentType = cleanText(event.datacontenttype, 128);
  const picture = pictureOf(bytes);
  const severity = severities.find((one) => one === event.severity);
  const made: Occurrence = {
    what: 'occurrence',
    state: 'single',
    repeats: false,
    identity: {
      device: source,
      channel: cleanText(event.subject, 64),
      word: rawType,
      rule: null,
      object: null,
      each: id,
    },
    // Together they name the event, whoever brings it.
    id: hash('sha256', `${source}\0${id}`, 'hex').slice(0, 48),
    number: id,
    rawType,
    type,
    known,
    severity: severity ?? null,
    kind: event.kind === 'observation' ? 'observation' : 'alert',
    serial: source,
    channel: cleanText(event.subject, 64),
    cameraName: textAt(data, 'camera_name'),
    title: textAt(data, 'title'),
    description: textAt(data, 'description'),
    time: deviceTime(cleanText(event.time, 64)),
    late: false,
    payload: {
      ...dataOf(data, picture === null ? bytes : null, contentType),
      cloudevent: { id, source, type: rawType, ...extensionsOf(event) },
    },
    pictures: picture ? [picture] : [],
    pictureUrls: [],
  };
  return made;
}

function typeOfEvent(raw: string, { types }: DeviceConfig): { type: string; known: boolean } {
  const own = ownOf(types, raw);
  if (own !== undefined) return { type: own, known: true };
  if (EVENT_TYPE.test(raw)) return { type: raw, known: true };
  return { type: `${VENDOR}.${typeWord(raw)}`, known: false };
}

function pictureOf(bytes: Buffer | null): Picture | null {
  const contentType = bytes && pictureType(bytes);
  return bytes && contentType ? { name: 'picture', contentType, bytes } : null;
}

function dataOf(data: unknown, bytes: Buffer | null, contentType: string | null): Record<string, unknown> {
  if (isObject(data)) return { ...data };
  if (data !== undefined && data !== null) return { data };
  if (bytes === null || bytes.length === 0) return {};
  return /^text\/|[/+](?:xml|json)\b/i.test(contentType ?? '')
    ? { data: bytes.toString('utf8') }
    : { data_base64: bytes.toString('base64') };
}

/** Extension attributes, and those of the context that an event has no member for. */
function extensionsOf(event: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event))
    // One that is null is as one that is not there.
    if ((!CONTEXT.has(name) || name === 'subject' || name === 'dataschema') && (value ?? null) !== null)
      kept[name] = value;
  return kept;
}
