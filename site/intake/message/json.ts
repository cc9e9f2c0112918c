import { textOf } from './parts.ts';
import { cleanText } from './text.ts';

/** Levels that a document of a device may be nested. */
const MAX_DEPTH = 64;
/** Values that it may hold: what is parsed takes up to a hundred bytes for each. */
const MAX_VALUES = 100_000;

/** A JSON document; undefined for what is none, is nested too deep or holds too many values. */
export function parsedJson(body: Buffer, contentType?: string): unknown {
  const text = textOf(body, contentType).trim();
  if (holdsTooMuch(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Counts outside strings: the parser and all that walks what it makes go as deep, and take as much. */
function holdsTooMuch(text: string): boolean {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === CURLY || sign === SQUARE) [depth, values] = [depth + 1, values + 1];
    else if (sign === CURLY + 2 || sign === SQUARE + 2) depth -= 1;
    else if (sign === COMMA) values += 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CURLY = 0x7b;
const SQUARE = 0x5b;

/** Where the quote stands that ends the string; the end of the text where none does. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted path; `a.0.b` goes into lists. undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** A text or number at a dotted path, as text. */
export const textAt = (value: unknown, path: string | undefined): string | null =>
  path === undefined ? null : cleanText(valueAt(value, path), 2000);
