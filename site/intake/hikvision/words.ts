// What an alert is called: Hikvision hides what happened behind a word for the kind of message.
import { isObject } from '../message/json.ts';
import { memberOf, wordOf } from '../message/member.ts';
import { ownOf, type TypeNames, typeOf } from '../message/text.ts';
import { isOfPlatform, ruleIdOf } from './aiop.ts';
import type { Document } from './document.ts';
import { hikvisionTypes } from './types.ts';

const VENDOR = 'hikvision';

export interface Words {
  /** The device's own. */
  raw: string;
  /** In small letters, with what tells what happened, as `accesscontrollerevent/5/27`. */
  word: string;
}

/** null: the alert names no type. */
export function wordsOf(alert: Document): Words | null {
  const raw = rawTypeOf(alert);
  if (raw === null) return null;
  const word = raw.toLowerCase();
  const more = [...detailOf(word, alert)].filter((one) => one !== null).map((one) => one.toLowerCase());
  return { raw, word: [word, ...more].join('/') };
}

/** Some firmwares wrap the type of a lasting alarm: `duration`, and inside the event that it belongs to. */
function rawTypeOf(alert: Document): string | null {
  // A call at a door station comes under several names.
  if (isObject(memberOf(alert, 'VoiceTalkEvent', 1))) return 'voiceTalkEvent';
  const told = wordOf(alert.eventType);
  if (!isDuration(alert)) return told;
  return wordOf(memberOf(alert.DurationList ?? alert, 'relationEvent')) ?? told;
}

/** Whether it tells only that an alarm lasts, of which another alert says where it is. */
export const isDuration = (alert: Document): boolean => /^duration$/i.test(wordOf(alert.eventType) ?? '');

function detailOf(word: string, alert: Document): (string | null)[] {
  // Counts that come all the time, and alarms about them.
  if (word === 'persondensitydetection') return [wordOf(memberOf(alert.personDensityResult, 'dataSource'))];
  if (isOfPlatform(word)) return [ruleIdOf(alert)];
  if (word !== 'accesscontrollerevent') return [];
  const event = alert.AccessControllerEvent;
  return [wordOf(memberOf(event, 'majorEventType', 1)), wordOf(memberOf(event, 'subEventType', 1))];
}

/** Its type: as configured for the word or for its kind of message, and then by the table. */
export function hikvisionType(
  { raw, word }: Words,
  configured: TypeNames | undefined,
): ReturnType<typeof typeOf> {
  const options = { vendor: VENDOR, table: hikvisionTypes, configured };
  const whole = raw + word.slice(raw.length);
  const own = [whole, word].find((one) => ownOf(configured, one) !== undefined);
  if (own !== undefined) return typeOf(own, options);
  const special = typeOf(word, options);
  return special.known && ownOf(configured, raw) === undefined ? special : typeOf(raw, options);
}

/** Whether the device says that it is over; of a call, that it does not ring any more. */
export function isEnded(alert: Document): boolean {
  const call = memberOf(alert, 'VoiceTalkEvent', 1);
  if (isObject(call)) return wordOf(memberOf(call, 'cmdType', 1))?.toLowerCase() !== 'request';
  return /^(?:inactive|stop)$/i.test(wordOf(alert.eventState) ?? '');
}
