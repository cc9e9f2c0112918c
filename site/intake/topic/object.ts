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

/** The type of the object that the data of a message names; null where they name none. */
export function objectIn(data: unknown): string | null {
  if (!isObject(data)) return null;
  const words = Object.entries(data).flatMap(([name, value]) => {
    const text = cleanText(value, 128)?.toLowerCase() ?? '';
    const [, own] = /^is([A-Za-z]+)$/i.exec(name) ?? [];
    if (own !== undefined) return text === 'true' || text === '1' ? [own.toLowerCase()] : [];
    return NAMING.has(name.toLowerCase()) ? text.split(/[^a-z]+/) : [];
  });
  return OBJECTS.find(([, named]) => words.some((word) => named.test(word)))?.[0] ?? null;
}
