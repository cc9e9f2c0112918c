// JSON of any form, read by the paths that the administrator gave.
import { hash } from 'node:crypto';
import { severities } from '../../../common/core/event/schema.ts';
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import type { Source } from '../driver.ts';
import { isObject, parsedJson, textAt, valueAt } from '../message/json.ts';
import { typeOf } from '../message/text.ts';
import { deviceTime, epochTime } from '../message/time.ts';
import type { DeviceConfig, DeviceSeverity, Occurrence, Picture, Reading } from '../record.ts';
import type { WebhookFields } from './record.ts';

const VENDOR = 'webhook';
const MAX_EVENTS = 500;
/** Pictures of one event that are fetched. */
const MAX_PICTURES = 4;
/** A word that is an event type as it stands needs no table. */
const PLAIN_TYPE = /^(?=.{1,128}$)[a-z0-9_]+(?:\.[a-z0-9_]+)+$/;
/** Words for an alarm that is over, where the administrator names none. */
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
  return events.flatMap((event) => readingsOfOne(event, fields, config));
}

/**
 * With a number of its own each message is an event, and one that tells the end of what was never told is one
 * too. Without a number, repetitions are told by what stands.
 */
function readingsOfOne(event: unknown, fields: WebhookFields, config: DeviceConfig): Reading[] {
  const made = readingOf(event, fields, config);
  if (made.what !== 'occurrence' || made.id === null) return [made];
  if (made.state === 'ended') return [{ ...made, unique: true }];
  if (fields.state === undefined && made.pictureUrls.length === 0) return [{ ...made, state: 'single' }];
  const told: Occurrence = { ...made, unique: true };
  return [told, { ...told, state: 'ended' }];
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
    state: state !== undefined && endsOf(config).has(state) ? 'ended' : 'active',
    tellsBeginning: true,
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
    number: id,
    rawType: raw,
    ...(known || !PLAIN_TYPE.test(raw) ? { type, known } : { type: raw, known: true }),
    severity: severityOf(severity, config),
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
    pictureUrls: urlsAt(event, fields.pictureUrl),
  };
  return made;
}

const endsOf = ({ stateEnds }: DeviceConfig): ReadonlySet<string> =>
  stateEnds === undefined ? ENDED : new Set(stateEnds.map((one) => one.toLowerCase()));

function severityOf(told: string | undefined, { severityWords = {} }: DeviceConfig): DeviceSeverity | null {
  if (told === undefined) return null;
  const own = Object.entries(severityWords).find(([one]) => one.toLowerCase() === told)?.[1];
  return own ?? severities.find((one) => one === told) ?? null;
}

/** Addresses at a path, in which `*` stands for any member. */
function urlsAt(event: unknown, path: string | undefined): string[] {
  if (path === undefined) return [];
  const found = path
    .split('.')
    .reduce<unknown[]>((at, name) => at.flatMap((one) => step(one, name)), [event]);
  const texts = found.flat().filter((one) => typeof one === 'string');
  return [...new Set(texts)].filter((one) => /^https?:\/\//i.test(one)).slice(0, MAX_PICTURES);
}

function step(value: unknown, name: string): unknown[] {
  if (name === '*') return typeof value === 'object' && value !== null ? Object.values(value) : [];
  const next = valueAt(value, name);
  return next === undefined ? [] : [next];
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
