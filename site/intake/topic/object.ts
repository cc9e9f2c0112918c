// What was seen, where a topic says only that something was.
import { isObject } from '../message/json.ts';
import { cleanText } from '../message/text.ts';

/** By preference: of a person in a car the person counts. */
const OBJECTS: readonly (readonly [type: string, words: RegExp])[] = [
  ['object.person', /^(?:humans?|persons?|people|pedestrians?)$/],
  ['object.vehicle', /^(?:vehicles?|cars?|trucks?|bus|bikes?|bicycles?|motorcycles?|motorbikes?)$/],
  ['object.animal', /^(?:animals?|pets?|dogs?|cats?)$/],
];
/** Members whose value names the object; some name several. */
const NAMING = new Set(['classtypes', 'classtype', 'objecttype', 'reason']);
const CLASSES = 'classtypes';

const isOfObject = (word: string): boolean => OBJECTS.some(([, named]) => named.test(word));
/** `IsPeople` tells of people; null for a member that tells of nothing that is known. */
const objectOf = (member: string): string | null => {
  const own = /^is([A-Za-z]+)$/i.exec(member)?.[1]?.toLowerCase();
  return own !== undefined && isOfObject(own) ? own : null;
};

/** The type of the object that the data of a message names; null where they name none. */
export function objectIn(data: unknown): string | null {
  if (!isObject(data)) return null;
  const words = Object.entries(data).flatMap(([name, value]) => {
    const text = cleanText(value, 128)?.toLowerCase() ?? '';
    const own = objectOf(name);
    if (own !== null) return text === 'true' || text === '1' ? [own] : [];
    return NAMING.has(name.toLowerCase()) ? text.split(/[^a-z]+/) : [];
  });
  return OBJECTS.find(([, named]) => words.some((word) => named.test(word)))?.[0] ?? null;
}

/**
 * The kind of object that data are about, also where they tell that it is there no more; null where they name
 * none.
 */
export function objectNamed(data: unknown): string | null {
  if (!isObject(data)) return null;
  const words = Object.entries(data).flatMap(([name, value]) => {
    if (NAMING.has(name.toLowerCase())) return wordsIn(value);
    return objectOf(name) ?? [];
  });
  return words.length === 0 ? null : [...new Set(words)].sort().join(' ');
}

const wordsIn = (value: unknown): string[] =>
  (cleanText(value, 128)?.toLowerCase() ?? '').split(/[^a-z0-9_]+/).filter((word) => word !== '');

/**
 * The data of each object where one message tells of several: by a member each (`IsPeople` beside `IsPet`),
 * or by a list of classes. People come first.
 */
export function eachObject(data: Record<string, string>): Record<string, string>[] {
  const members = Object.keys(data).filter((name) => objectOf(name) !== null);
  if (members.length > 1)
    return members.map((name) =>
      Object.fromEntries(Object.entries(data).filter(([own]) => own === name || !members.includes(own))),
    );
  const classes = Object.keys(data).find((name) => name.toLowerCase() === CLASSES);
  const words = classes === undefined ? [] : wordsIn(data[classes]);
  if (classes === undefined || words.length < 2) return [data];
  const rank = (word: string): number => (OBJECTS[0]?.[1].test(word) ? 0 : 1);
  return [...new Set(words)].sort((a, b) => rank(a) - rank(b)).map((word) => ({ ...data, [classes]: word }));
}

/** Whether a list of classes has any, which is all that some detectors tell. null: there is no such list. */
export function hasClasses(data: Record<string, string>): boolean | null {
  const classes = Object.entries(data).find(([name]) => name.toLowerCase() === CLASSES);
  return classes === undefined ? null : wordsIn(classes[1]).length > 0;
}
