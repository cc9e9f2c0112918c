// The documents of Hikvision devices, XML and JSON, as one tree of members without attributes.
import { XMLParser } from 'fast-xml-parser';
import { isObject, parsedJson } from '../message/json.ts';
import { formOf, textOf } from '../message/parts.ts';
import type { Part } from '../record.ts';

const ROOT = 'EventNotificationAlert';
/** Bytes of one document; those with the most regions seen have a tenth. */
export const MAX_DOCUMENT = 512 * 1024;
/** Alerts of one document. */
const MAX_ALERTS = 64;

const parser = new XMLParser({
  // A plate 0012345 is no number.
  parseTagValue: false,
  ignoreAttributes: true,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  trimValues: true,
  processEntities: true,
  // With them come signs by their numbers, such as &#38376;.
  htmlEntities: true,
});

export type Document = Record<string, unknown>;

/** @returns the members of each alert of the document; a text says what is wrong with it */
export function documentsOf(part: Part): Document[] | string {
  if (part.body.length > MAX_DOCUMENT) return 'a document is larger than is taken';
  return formOf(part) === 'json' ? fromJson(part) : fromXml(part);
}

function fromJson({ headers, body }: Part): Document[] | string {
  const parsed = parsedJson(body, headers['content-type']);
  const alerts = (Array.isArray(parsed) ? parsed : [parsed]).flatMap((one: unknown) =>
    isObject(one) && ROOT in one ? one[ROOT] : one,
  );
  return allObjects(alerts) ?? 'a document is no JSON, or breaks off';
}

function fromXml({ headers, body }: Part): Document[] | string {
  const text = textOf(body, headers['content-type']);
  const root = new RegExp(`<((?:\\w+:)?${ROOT})[\\s/>]`).exec(text);
  if (!root) return `a document has no ${ROOT}`;
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return 'a document brings a DTD of its own';
  // The parser takes XML that breaks off for whole.
  const close = text.lastIndexOf(`</${root[1]}`);
  if (close < root.index) return 'a document breaks off before its end';
  const whole = `${text.slice(root.index, close)}</${root[1]}>`;
  try {
    const alerts = (parser.parse(whole) as Document)[ROOT];
    return allObjects(Array.isArray(alerts) ? alerts : [alerts]) ?? 'a document is empty';
  } catch (error) {
    return `a document is no XML: ${(error as Error).message.slice(0, 120)}`;
  }
}

/** Some recorders send several alerts at once. null: there is something else among them, or nothing. */
function allObjects(alerts: readonly unknown[]): Document[] | null {
  const found = alerts.filter(isObject);
  return found.length > 0 && found.length === alerts.length && found.length <= MAX_ALERTS ? found : null;
}
