// Topics of ONVIF, as cameras write them by MQTT and in notifications.
import { isObject } from '../message/json.ts';
import { cleanText, ownOf, type TypeNames, typeWord } from '../message/text.ts';
import { objectIn } from './object.ts';
import { STATE_MEMBERS, topics } from './types.ts';

/** `onvif:Device/axis:Sensor/PIR` and `tns1:Device/tnsaxis:Sensor/PIR` are `device/sensor/pir`. */
export const plainTopic = (topic: string): string =>
  topic
    .split('/')
    .map((member) => member.slice(member.lastIndexOf(':') + 1))
    .filter((member) => member !== '' && member !== '.')
    .join('/')
    .toLowerCase();

/**
 * Whether a condition holds; null where the message tells no state. Of members that no list has, such as
 * `IsPeople` beside `IsVehicle`, one that holds is enough; one that stands alone and says `true` or `false`
 * is the state whatever its name is.
 */
export function stateOf(data: unknown): boolean | null {
  if (!isObject(data)) return null;
  const named = Object.entries(data).map(
    ([name, value]) => [name.toLowerCase(), cleanText(value, 16)] as const,
  );
  for (const name of STATE_MEMBERS) {
    const state = holds(named.find(([own]) => own === name)?.[1]);
    if (state !== null) return state;
  }
  const others = named.filter(([name]) => /^is[a-z]/.test(name)).map(([name, value]) => is(name, value));
  if (others.length > 0) return others.includes(true) ? true : others.includes(false) ? false : null;
  const [alone, more] = named;
  // A number that stands alone may count something.
  return more === undefined && !/^\d*$/.test(alone?.[1] ?? '') ? holds(alone?.[1]) : null;
}

/** `IsNotPerson` says the contrary of what it is about. */
function is(name: string, value: string | null): boolean | null {
  const state = holds(value);
  return state !== null && /^isnot[a-z]/.test(name) ? !state : state;
}

function holds(value: string | null | undefined): boolean | null {
  const text = value?.toLowerCase();
  if (text === '1' || text === 'true' || text === 'active' || text === 'on') return true;
  return text === '0' || text === 'false' || text === 'inactive' || text === 'off' ? false : null;
}

/** What raised it: the source and the key together, by their names. null where neither is told. */
export function ruleOf(source: Record<string, string>, key: Record<string, string>): string | null {
  const members = [source, key].map((one) => Object.entries(one).sort());
  return members.every((one) => one.length === 0) ? null : JSON.stringify(members);
}

interface Meaning {
  vendor: string;
  configured: TypeNames | undefined;
  data: unknown;
}

/**
 * The type of an event by its topic: as configured, by the table, which tells objects apart by the data, or
 * under the last members of its name.
 */
export function typeOfTopic(
  topic: string,
  path: string,
  { vendor, configured, data }: Meaning,
): { type: string; known: boolean; kind: 'alert' | 'observation' } {
  const members = path.split('/');
  const shorter = members.slice(0, -1).join('/');
  const entry = inTable(members);
  const own = ownOf(configured, topic) ?? ownOf(configured, path) ?? ownOf(configured, shorter);
  const kind = entry?.kind ?? 'alert';
  if (own !== undefined) return { type: own, known: true, kind };
  if (entry?.type === 'object.detected') {
    const counted = stateOf(data) === null && isObject(data) && Object.hasOwn(data, 'total');
    if (counted) return { type: 'object.count', known: true, kind: 'observation' };
    return { type: objectIn(data) ?? entry.type, known: true, kind };
  }
  if (entry) return { type: entry.type, known: true, kind };
  return { type: `${vendor}.${typeWord(members.slice(-2).join('_'))}`, known: false, kind };
}

/**
 * Without its last member, which may be a name, and without the first ones, since some devices put a topic
 * under another: `VideoSource/tns1:Device/Trigger/DigitalInput`.
 */
function inTable(members: readonly string[]): (typeof topics)[string] | undefined {
  for (let from = 0; from < Math.max(1, members.length - 1); from += 1) {
    const path = members.slice(from).join('/');
    const entry = ownOf(topics, path) ?? ownOf(topics, members.slice(from, -1).join('/'));
    if (entry) return entry;
  }
  return undefined;
}
