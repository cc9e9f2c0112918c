// Axis over MQTT: its event bridge, which tells `{timestamp, serial, topic, message: {source, key, data}}`.
import { hash } from 'node:crypto';
import type { Source } from '../driver.ts';
import { isObject, parsedJson, textAt, valueAt } from '../message/json.ts';
import { cleanText, ownOf } from '../message/text.ts';
import { epochTime } from '../message/time.ts';
import type { DeviceConfig, Occurrence, Reading } from '../record.ts';
import { objectNamed } from '../topic/object.ts';
import { plainTopic, ruleOf, stateOf, typeOfTopic } from '../topic/topic.ts';
import { STATUS } from '../topic/types.ts';

const VENDOR = 'axis';
/** Where cameras publish as they are delivered: `axis/<serial>/event/…`. */
export const AXIS_TOPIC = 'axis/+/event/#';

export const axis: Source = {
  vendor: VENDOR,
  parse(parts, config, { headers }) {
    const late = headers.retained !== undefined || headers.queued !== undefined;
    return parts.map(({ body }) => readingOf(parsedJson(body), config, late));
  },
};

const NO_SERIAL =
  'the message names no serial number; tick “Include serial number in payload” under MQTT publication';

const unreadable = (reason: string): Reading => ({ what: 'unreadable', reason });

function readingOf(message: unknown, config: DeviceConfig, late: boolean): Reading {
  if (!isObject(message)) return unreadable('this is no message of the event bridge of Axis');
  const topic = textAt(message, 'topic');
  const serial = textAt(message, 'serial');
  // The last will, and the message of a connection.
  if (topic === null && message.message === undefined) return { what: 'heartbeat', time: null };
  if (topic === null) return unreadable('the message names no topic');
  if (!isObject(message.message)) return unreadable('the message has a topic and nothing to tell of it');
  if (serial === null) return unreadable(NO_SERIAL);
  const time = epochTime(message.timestamp);
  const path = plainTopic(topic);
  if (STATUS.test(path)) return { what: 'heartbeat', time: null };
  const source = labelsOf(valueAt(message, 'message.source'));
  const key = labelsOf(valueAt(message, 'message.key'));
  const data = valueAt(message, 'message.data');
  const state = stateOf(data);
  const { type, known, kind } = typeOfTopic(topic, path, {
    vendor: VENDOR,
    configured: config.types,
    data,
  });
  const part = [...Object.values(source), ...Object.values(key)].join('-');
  const rule = ruleOf(source, key);
  return {
    what: 'occurrence',
    state: state === false ? 'ended' : state === true ? 'active' : 'single',
    repeats: false,
    unique: false,
    identity: { device: serial, channel: null, word: path, rule, object: objectNamed(data), each: null },
    // One without a state is told once: its time and what it says tell it from the next.
    id: state === null ? hash('sha256', JSON.stringify(message), 'hex').slice(0, 40) : null,
    rawType: path,
    type,
    known,
    severity: null,
    kind,
    serial,
    channel: mapped(serial, part, config) ?? (part === '' ? null : part),
    cameraName: null,
    title: null,
    description: null,
    time,
    late,
    payload: { axis: { topic, source, key, ...(isObject(data) ? { data } : {}) } },
    pictures: [],
    pictureUrls: [],
  } satisfies Occurrence;
}

/** The name under which the settings have a camera of this source: serial number, or with the source. */
const mapped = (serial: string, part: string, { channels }: DeviceConfig): string | undefined =>
  [`${serial}-${part}`, serial].find((name) => ownOf(channels, name) !== undefined);

function labelsOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  const texts = Object.entries(value).map(([name, one]) => [name, cleanText(one, 40)] as const);
  return Object.fromEntries(texts.filter((pair): pair is [string, string] => pair[1] !== null));
}
