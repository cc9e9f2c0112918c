// By what one alarm of a registration is told from another. Every source fills in the parts; the key is made
// here alone.
import { hash } from 'node:crypto';
import type { AlarmIdentity, Occurrence } from '../record.ts';

/**
 * Parts that an end may leave open: it then ends the alarms of any. Who speaks, of which channel and of what
 * is never left open.
 */
const FIXED = 3;

/**
 * The name of an alarm among those of its registration, at most 128 characters. Two alarms that differ in one
 * part have two names; one part that is not told is told from every other.
 */
export function alarmKey({ device, channel, word, rule, object, each }: AlarmIdentity): string {
  return [device, channel, word, rule, object, each].map(partOf).join('|');
}

/** null, which is told apart from an empty text, is empty. */
const partOf = (part: string | null): string =>
  part === null ? '' : hash('sha256', part, 'hex').slice(0, 16);

/** What the reports of one message are put in order by: one may end several alarms of these. */
export const laneOf = ({ device, channel, word }: AlarmIdentity): string =>
  [device, channel, word].map(partOf).join('|');

/** Whether an end, or a word that it lasts, speaks of an alarm: of this one, or of all of its kind there. */
export function speaksOf(told: string, alarm: string): boolean {
  if (told === alarm) return true;
  const [parts, own] = [told.split('|'), alarm.split('|')];
  return (
    parts.length === own.length &&
    parts.every((part, index) => part === own[index] || (part === '' && index >= FIXED))
  );
}

/**
 * Whether two alarms may be the same one: they differ in nothing but that one tells a part that the other
 * does not tell.
 */
export function maybeSame(one: string, other: string): boolean {
  const [parts, own] = [one.split('|'), other.split('|')];
  return (
    parts.length === own.length && parts.every((part, i) => part === own[i] || part === '' || own[i] === '')
  );
}

/** All that a report says, as a digest: two that are alike are one message that was sent again. */
export function reportDigest(occurrence: Occurrence): string {
  const { identity, id, rawType, title, description, time, payload, pictures, pictureUrls } = occurrence;
  const shown = pictures.map(({ bytes }) => hash('sha256', bytes, 'hex'));
  const said = [identity, id, rawType, title, description, time?.text ?? null, payload, shown, pictureUrls];
  return hash('sha256', JSON.stringify(said), 'hex').slice(0, 32);
}
