// Frigate over MQTT: `<prefix>/reviews`, one review item each, told as `new`, `update` and `end`, and
// `<prefix>/available`.
import type { Severity } from '../../../common/core/event/schema.ts';
import { standardSeverity } from '../../../common/core/event/type-table.ts';
import type { Source } from '../driver.ts';
import { isObject, parsedJson, textAt, valueAt } from '../message/json.ts';
import { cleanText, ownOf, typeWord } from '../message/text.ts';
import { epochTime } from '../message/time.ts';
import type { DeviceConfig, Occurrence, Reading } from '../record.ts';
import { cameraFigures, cameraStatus, classification } from './camera.ts';

const VENDOR = 'frigate';
export const FRIGATE_TOPIC = 'frigate';
/** Objects of a review whose snapshots are fetched. */
const MAX_SNAPSHOTS = 3;
/** Words that a device's ids may have in a path. */
const DETECTION = /^[A-Za-z0-9._-]{1,64}$/;

/** The prefix of Frigate's topics (`mqtt.topic_prefix`); it tells one Frigate of a broker from the next. */
export const prefixOf = ({ topic = FRIGATE_TOPIC }: DeviceConfig): string => topic.replace(/\/+$/, '');

export const frigate: Source = {
  vendor: VENDOR,
  parse(parts, config, { headers }) {
    const topic = String(headers.topic ?? '');
    const late = headers.retained !== undefined || headers.queued !== undefined;
    if (topic === `${prefixOf(config)}/available`) {
      // It says so when it starts, and forgets the reviews that were under way. One that the broker kept may
      // have been said long before them.
      const begun = headers.retained === undefined && parts[0]?.body.toString('utf8').trim() === 'online';
      return [{ what: 'heartbeat', time: null, begun }];
    }
    return parts.flatMap(
      ({ body }) => besideReviews(topic, body, config) ?? readingsOf(parsedJson(body), config, late),
    );
  },
};

/** null: the message is of a review. */
function besideReviews(topic: string, body: Buffer, config: DeviceConfig): Reading[] | null {
  const name = topic.slice(prefixOf(config).length + 1);
  if (name === 'stats') return cameraFigures(body, (told) => alarmOf(told, config));
  if (name === 'tracked_object_update') return classification(body, config, (told) => alarmOf(told, config));
  const camera = /^([^/]{1,64})\/status\/detect$/.exec(name)?.[1];
  return camera === undefined ? null : cameraStatus(camera, body, (told) => alarmOf(told, config));
}

/** An alarm that is no review. */
function alarmOf(
  { camera, word, type, known, each }: Parameters<Parameters<typeof cameraStatus>[2]>[0],
  config: DeviceConfig,
): Occurrence {
  return {
    what: 'occurrence',
    state: 'active',
    repeats: false,
    identity: { device: prefixOf(config), channel: camera, word, rule: null, object: null, each },
    id: null,
    rawType: word,
    type,
    known,
    severity: null,
    kind: 'alert',
    serial: prefixOf(config),
    channel: camera,
    cameraName: camera,
    title: null,
    description: null,
    time: null,
    late: false,
    payload: {},
    pictures: [],
    pictureUrls: [],
  };
}

function readingsOf(message: unknown, config: DeviceConfig, late: boolean): Reading[] {
  const review = valueAt(message, 'after');
  const id = textAt(review, 'id');
  const camera = textAt(review, 'camera');
  const severity = textAt(review, 'severity');
  if (!isObject(review) || id === null || camera === null || severity === null)
    return [
      {
        what: 'unreadable',
        reason: 'no review of Frigate: after.id, after.camera or after.severity is missing',
      },
    ];
  const begunBefore = textAt(message, 'type') !== 'new';
  const ended = textAt(message, 'type') === 'end' || typeof review.end_time === 'number';
  const alert = severity === 'alert';
  const told = occurrenceOf(review, { id, camera, ended, alert, late, begunBefore }, config);
  if (!alert) return [told];
  // What was a detection at first and has become an alert is told as such; the detection is over with it.
  const detection: Occurrence = {
    ...told,
    state: 'ended',
    identity: { ...told.identity, word: wordOf(false) },
    unique: false,
  };
  return [told, detection];
}

const wordOf = (alert: boolean): string => (alert ? 'alert' : 'detection');

interface Review {
  id: string;
  camera: string;
  ended: boolean;
  alert: boolean;
  late: boolean;
  /** Told in the course of the review, or when it is over: its time is that of the beginning all the same. */
  begunBefore: boolean;
}

function occurrenceOf(
  review: Record<string, unknown>,
  { id, camera, ended, alert, late, begunBefore }: Review,
  config: DeviceConfig,
): Occurrence {
  const labels = labelsOf(review);
  const zones = textsAt(review, 'data.zones');
  const { label, type, known } = typeOfReview(labels, zones, config);
  const own = ownOf(config.severities, type) ?? config.severity;
  return {
    what: 'occurrence',
    state: ended ? 'ended' : 'active',
    repeats: false,
    unique: true,
    identity: {
      device: prefixOf(config),
      channel: camera,
      word: wordOf(alert),
      rule: null,
      object: null,
      each: id,
    },
    id: alert ? id : `${id}-detection`,
    rawType: label,
    type,
    known,
    severity: own === undefined ? graver(alert ? 'high' : 'low', standardSeverity(type)) : null,
    kind: 'alert',
    serial: prefixOf(config),
    channel: camera,
    cameraName: camera,
    title: null,
    description: null,
    time: epochTime(review.start_time),
    late,
    begunBefore,
    payload: { review: id, zones, frigate: withoutPictures(review) },
    pictures: [],
    pictureUrls:
      config.apiAddress === undefined ? [] : detectionsOf(review).map((one) => `${one}/snapshot.jpg`),
    feedbackUrl: config.apiAddress === undefined ? undefined : feedbackOf(config.apiAddress, review),
  };
}

/** A review tells how much it is to be looked at, which makes a fire no smaller than it is. */
const graver = (told: Severity, standard: Severity | null): Severity =>
  standard === 'critical' ? standard : told;

/**
 * The objects that were seen, or sounds that were heard; `person-verified` has a name beside it. Frigate
 * lists them in any order: a person comes first here, and the rest by name, so that one review has one type.
 */
function labelsOf(review: Record<string, unknown>): string[] {
  const objects = textsAt(review, 'data.objects').map((one) => one.replace(/-verified$/, ''));
  const sounds = textsAt(review, 'data.audio').map((one) => `audio:${one}`);
  const seen = [...new Set(objects.length > 0 ? objects : sounds)].sort();
  if (seen.length === 0) return ['motion'];
  return [...seen.filter((one) => one === 'person'), ...seen.filter((one) => one !== 'person')];
}

/** As configured for a label in one of the zones (`person@yard`) or anywhere; else by the first label. */
function typeOfReview(
  labels: readonly string[],
  zones: readonly string[],
  { types }: DeviceConfig,
): { label: string; type: string; known: boolean } {
  const zoned = labels.flatMap((label) => zones.map((zone) => ({ label, word: `${label}@${zone}` })));
  for (const { label, word } of [...zoned, ...labels.map((one) => ({ label: one, word: one }))]) {
    const own = ownOf(types, word);
    if (own !== undefined) return { label, type: own, known: true };
  }
  const [label = 'motion'] = labels;
  if (label.startsWith('audio:')) return { label, type: `sound.${typeWord(label.slice(6))}`, known: true };
  return { label, type: label === 'motion' ? 'motion.detected' : `object.${typeWord(label)}`, known: true };
}

/** The paths of the objects that were seen. */
const detectionsOf = (review: Record<string, unknown>): string[] =>
  textsAt(review, 'data.detections')
    .filter((id) => DETECTION.test(id))
    .slice(0, MAX_SNAPSHOTS)
    .map((id) => `/api/events/${id}`);

/** What is told of a review is told of its first object too. */
function feedbackOf(apiAddress: string, review: Record<string, unknown>): string {
  const [first] = detectionsOf(review);
  return new URL(first === undefined ? '/api/reviews/viewed' : `${first}/description`, apiAddress).href;
}

function textsAt(value: unknown, path: string): string[] {
  const list = valueAt(value, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => cleanText(one, 128) ?? []);
}

/** Older versions write a thumbnail in base64 into their messages. */
const withoutPictures = (review: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(review).filter(([name]) => name !== 'thumbnail' && name !== 'thumb_path'),
  );
