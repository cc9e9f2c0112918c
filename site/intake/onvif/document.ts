// The documents of ONVIF devices, as trees of members without the prefixes of their namespaces; attributes
// are members whose name begins with @.
import { XMLParser } from 'fast-xml-parser';
import { isObject } from '../message/json.ts';
import { wordOf } from '../message/member.ts';
import { cleanText } from '../message/text.ts';

const parser = new XMLParser({
  // A token 000 is no number.
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  trimValues: true,
  processEntities: true,
  htmlEntities: true,
});

export type Document = Record<string, unknown>;

/** Members of one list of SimpleItems. */
const MAX_ITEMS = 32;

/**
 * The first element of that name, whatever its prefix. The parser takes XML that breaks off for whole, so the
 * end of the element must be there.
 * @returns its members; a text says what is wrong
 */
export function elementOf(text: string, name: string): Document | string {
  // No tag goes on behind the next one, so that text without an end is looked at once.
  const open = new RegExp(`<((?:[\\w.-]+:)?${name})(?=[\\s/>])[^<>]*>`).exec(text);
  if (!open) return `a document has no ${name}`;
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return 'a document brings a DTD of its own';
  if (open[0].endsWith('/>')) return treeOf(open[0], name);
  const end = `</${open[1]}`;
  const close = text.indexOf(end, open.index);
  if (close < 0) return 'a document breaks off before its end';
  return treeOf(`${text.slice(open.index, close)}${end}>`, name);
}

function treeOf(xml: string, name: string): Document | string {
  try {
    const tree = (parser.parse(xml) as Document)[name];
    return isObject(tree) ? tree : {};
  } catch (error) {
    return `a document is no XML: ${(error as Error).message.slice(0, 120)}`;
  }
}

/** What may be there once, several times or not at all. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The members of an element by their names: `<SimpleItem Name="State" Value="true"/>`. */
export function simpleItems(element: unknown): Record<string, string> {
  const items = listOf(element).flatMap((one) => (isObject(one) ? listOf(one.SimpleItem) : []));
  return Object.fromEntries(
    items.slice(0, MAX_ITEMS).flatMap((item) => {
      if (!isObject(item)) return [];
      const name = cleanText(item['@Name'], 64);
      return name === null ? [] : [[name, cleanText(item['@Value'], 128) ?? '']];
    }),
  );
}

/** The text of an attribute, or null. */
export const attributeOf = (element: unknown, name: string): string | null =>
  isObject(element) ? wordOf(element[`@${name}`]) : null;

/** The `tt:Message` within the message of a notification. */
export function messageOf(notification: Document): Document {
  const [outer] = listOf(notification.Message);
  if (!isObject(outer)) return {};
  const [inner] = listOf(outer.Message);
  return isObject(inner) ? inner : outer;
}
