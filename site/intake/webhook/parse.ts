// JSON of any form, read by the paths that the administrator gave.
import { hash } from 'node:crypto';
import { severities } from '../../../common/core/event/schema.ts';
import { isObject, parsedJson, textAt, valueAt } from '../message/json.ts';
import { pictureType } from '../message/parts.ts';
import { typeOf } from '../message/text.ts';
import { deviceTime, epochTime } from '../message/time.ts';
import type { DeviceConfig, Occurrence, Picture, Reading } from '../record.ts';
import type { Source } from '../source.ts';
import type { WebhookFields } from './record.ts';

const VENDOR = 'webhook';
const MAX_EVENTS = 500;
/** A word that is an event type as it stands needs no table. */
const PLAIN_TYPE = /^(?=.{1,128}$)[a-z0-9_]+(?:\.[a-z0-9_]+)+$/;
/** Words for an alarm that is over. */
const ENDED = new Set([
  '0',
  'false',
  'off',
  'end',
  'ended',
  'stop',
  'stopped',
  'inactive',
  'clear',
  'cleared',
  'closed',
  'finished',
  'idle',
  'normal',
  'resolved',
]);

export const webhook: Source = {
  vendor: VENDOR,
  parse(parts, config) {
    const readings = parts.flatMap(({ headers, body }) => {
      const pictures = pictureType(body) !== null;
      return pictures ? [] : readingsOf(parsedJson(body, headers['content-type']), config);
    });
    const pictures = parts.flatMap(({ body }) => pictureOf(body));
    const first = readings.find((one) => one.what === 'occurrence');
    if (first)
      first.pictures.push(...pictures.map((one, index) => ({ ...one, name: `picture-${index + 2}` })));
    return readings;
  },
};

function readingsOf(body: unknown, config: DeviceConfig): Reading[] {
  const { fields = {} } = config;
  const list = fields.list === undefined ? body : valueAt(body, fields.list);
  const events = Array.isArray(list) ? list : [list];
  if (events.length > MAX_EVENTS)
    return [{ what: 'unreadable', reason: `a message holds ${MAX_EVENTS} events at most` }];
  return events.map((event) => readingOf(event, fields, config));
}

function readingOf(event: unknown, fields: WebhookFields, config: DeviceConfig): Reading {
  if (!isObject(event)) return { what: 'unreadable', reason: 'this is no JSON object' };
  const raw = textAt(event, fields.type);
  if (raw === null) return { what: 'unreadable', reason: `there is no type at ${fields.type ?? ''}` };
  const id = textAt(event, fields.id);
  const state = textAt(event, fields.state)?.toLowerCase();
  const camera = textAt(event, fields.camera);
  const device = textAt(event, fields.device);
  const severity = textAt(event, fields.severity)?.toLowerCase();
  const { type, known, kind } = typeOf(raw, { vendor: VENDOR, table: {}, configured: config.types });
  const made: Occurrence = {
    what: 'occurrence',
    // With a number of its own each message is an event; without one, repetitions are told by what stands.
    state: state !== undefined && ENDED.has(state) ? 'ended' : id === null ? 'active' : 'single',
    repeats: state === undefined,
    identity: {
      device,
      channel: camera,
      word: raw,
      rule: textAt(event, fields.rule),
      object: textAt(event, fields.object)?.toLowerCase() ?? null,
      each: id,
    },
    id: id === null ? null : hash('sha256', id, 'hex').slice(0, 48),
    rawType: raw,
    ...(known || !PLAIN_TYPE.test(raw) ? { type, known } : { type: raw, known: true }),
    severity: severities.find((one) => one === severity) ?? null,
    kind,
    serial: device,
    channel: camera,
    cameraName: textAt(event, fields.cameraName),
    title: textAt(event, fields.title),
    description: textAt(event, fields.description),
    time: timeAt(event, fields.time),
    late: false,
    payload: withoutPicture(event, fields.picture),
    pictures: picturesAt(event, fields.picture),
    pictureUrls: [],
  };
  return made;
}

function timeAt(event: unknown, path: string | undefined) {
  if (path === undefined) return null;
  const value = valueAt(event, path);
  return epochTime(value) ?? deviceTime(textAt(event, path));
}

function picturesAt(event: unknown, path: string | undefined): Picture[] {
  const text = path === undefined ? null : valueAt(event, path);
  if (typeof text !== 'string') return [];
  return pictureOf(Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64'));
}

function pictureOf(bytes: Buffer): Picture[] {
  const contentType = pictureType(bytes);
  return contentType === null ? [] : [{ name: 'picture', contentType, bytes }];
}

/** The document without its picture, which is kept as a file. */
function withoutPicture(event: Record<string, unknown>, path: string | undefined): Record<string, unknown> {
  if (path === undefined || typeof valueAt(event, path) !== 'string') return event;
  const copy = structuredClone(event);
  const names = path.split('.');
  const parent = names.length === 1 ? copy : valueAt(copy, names.slice(0, -1).join('.'));
  if (isObject(parent)) delete parent[names.at(-1) ?? ''];
  return copy;
}
