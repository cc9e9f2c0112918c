// What Frigate tells beside its reviews: whether its cameras bring a picture, and what its models say of an
// object.
import { isObject, parsedJson, textAt, valueAt } from '../message/json.ts';
import { cleanText, ownOf, typeWord } from '../message/text.ts';
import { epochTime } from '../message/time.ts';
import type { DeviceConfig, Occurrence, Reading } from '../record.ts';

/** As Frigate writes it: `0.13.2-6476f8a`. null: the figures do not say. */
export const versionIn = (stats: Buffer): string | null =>
  cleanText(textAt(parsedJson(stats), 'service.version'), 40);

const isSince = (version: string, minor: number): boolean => {
  const [, major = '0', own = '0'] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 0 || Number(own) >= minor;
};
export const hasReviews = (version: string): boolean => isSince(version, 14);

/** What every alarm of this source has in common. */
type Made = (told: {
  camera: string;
  word: string;
  type: string;
  known: boolean;
  each: string | null;
}) => Occurrence;

/**
 * By `<camera>/status/detect`, from 0.16 on: `online`, `offline` or `disabled`, which is meant so.
 */
export function cameraStatus(camera: string, body: Buffer, made: Made): Reading[] {
  const word = body.toString('utf8').slice(0, 40).trim().toLowerCase();
  if (!['online', 'offline', 'disabled'].includes(word)) return [{ what: 'heartbeat', time: null }];
  return [pictureOf(camera, word !== 'offline', made)];
}

/** By the figures of every minute, before 0.16: later ones list cameras that are switched off, too. */
export function cameraFigures(body: Buffer, made: Made): Reading[] {
  const version = versionIn(body);
  const cameras = valueAt(parsedJson(body), 'cameras');
  if (version === null || isSince(version, 16) || !isObject(cameras))
    return [{ what: 'heartbeat', time: null }];
  return Object.entries(cameras).flatMap(([camera, figures]) => {
    const frames = valueAt(figures, 'camera_fps');
    const name = cleanText(camera, 64);
    return name === null || typeof frames !== 'number' ? [] : [pictureOf(name, frames > 0, made)];
  });
}

/** The picture of a camera is lost until it is there again; it is told again and again meanwhile. */
function pictureOf(camera: string, there: boolean, made: Made): Occurrence {
  const told = { camera, word: 'status', type: 'camera.video_loss', known: true, each: null };
  return { ...made(told), state: there ? 'ended' : 'active', lasts: true };
}

/** What models that look for protective gear say where it is missing. */
const MISSING = /^(?:no|none|without|missing|false|off)\b|^(?:no|without)_/;
const GEAR: readonly (readonly [named: RegExp, type: string])[] = [
  [/helmet|hard_?hat/, 'person.no_helmet'],
  [/vest/, 'person.no_vest'],
  [/harness/, 'person.no_harness'],
  [/mask/, 'ppe.mask'],
];

/**
 * What a model of one's own says of an object that is followed: an alarm where it is configured
 * (`helmet_detector:no`), or where it says that protective gear is missing. All else is of no alarm.
 */
export function classification(body: Buffer, { types }: DeviceConfig, made: Made): Reading[] {
  const update = parsedJson(body);
  const [id, camera, model] = ['id', 'camera', 'model'].map((name) => textAt(update, name));
  const label = textAt(update, 'attribute') ?? textAt(update, 'sub_label');
  const none: Reading[] = [{ what: 'heartbeat', time: null }];
  if (textAt(update, 'type') !== 'classification' || !id || !camera || !model || !label) return none;
  const word = `${model}:${label}`;
  const own = ownOf(types, word);
  const missing = MISSING.test(label.toLowerCase())
    ? GEAR.find(([named]) => named.test(typeWord(model)))
    : null;
  const type = own ?? missing?.[1];
  if (type === undefined) return none;
  const time = epochTime(valueAt(update, 'timestamp'));
  const occurrence: Occurrence = {
    ...made({ camera, word, type, known: true, each: id }),
    unique: true,
    id: `${id}-${typeWord(word)}`,
    time,
    payload: { object: id, frigate: isObject(update) ? update : {} },
    pictureUrls: /^[A-Za-z0-9._-]{1,64}$/.test(id) ? [`/api/events/${id}/snapshot.jpg`] : [],
  };
  return [occurrence, { ...occurrence, state: 'ended' }];
}
