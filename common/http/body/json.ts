// From the bytes of a body to its value. What it holds is counted first; a large list is parsed piece by
// piece, so that the event loop turns in between.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { timeSlice } from '../../time-slice.ts';
import { AppError, badRequest } from '../error.ts';
import { type Fault, faultAt } from '../fault/fault.ts';
import { type Cuts, JsonExtent, type JsonLimits } from './json-extent.ts';

export interface JsonReading {
  limits: JsonLimits;
  parse: (text: string) => unknown;
  /**
   * Told what the parsed value will take, bytes, before it is made. @throws AppError when there is no room
   * for it
   */
  onExtent: (bytes: number) => void;
  /**
   * Lets texts through that a store cannot keep: the caller looks for them, and says where they are in words
   * of its own.
   */
  anyText?: boolean;
}

/** What is below both is parsed at once: an event, a call of the console. */
const [LIGHT_BYTES, LIGHT_VALUES] = [16 * 1024, 2_000];

/** @throws AppError 415 for another media type; as `parseBytes` */
export function parseJson(request: IncomingMessage, body: Buffer, reading: JsonReading): unknown {
  const type = request.headers['content-type'];
  if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new AppError(
      415,
      'unsupported_media_type',
      'Send a JSON body with Content-Type: application/json.',
    );
  }
  return parseBytes(body, reading);
}

/**
 * At once where it is light. @throws AppError 400 for malformed JSON or text that a store cannot keep, 413
 * past a limit
 */
export function parseBytes(body: Buffer, reading: JsonReading): unknown {
  if (!isUtf8(body)) throw new AppError(400, 'malformed_json', 'The body is not UTF-8 text.');
  const extent = new JsonExtent(body, reading.limits);
  if (body.length > LIGHT_BYTES) return parseHeavy(body, extent, reading);
  extent.step();
  return extent.values > LIGHT_VALUES ? parseHeavy(body, extent, reading) : parseText(body, reading);
}

/**
 * An answer, in one go: for what is small by its bytes. What it holds is counted first, since values of a
 * byte each take many times that.
 * @returns undefined for what is no JSON, or past a limit
 */
export function parseAnswer(body: Buffer, limits: JsonLimits): unknown {
  const extent = new JsonExtent(body, limits);
  try {
    while (!extent.step());
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof AppError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function parseHeavy(body: Buffer, extent: JsonExtent, reading: JsonReading): Promise<unknown> {
  do await timeSlice();
  while (!extent.step());
  reading.onExtent(extent.parsedBytes);
  await timeSlice();
  return extent.cuts ? parseInPieces(body, extent.cuts, reading) : parseText(body, reading);
}

/** Stands in the emptied list; nobody outside knows it. */
const MARK = randomUUID();

/**
 * The body with its large list emptied is parsed first, then the list in pieces that end at commas between
 * its entries.
 */
async function parseInPieces(body: Buffer, cuts: Cuts, reading: JsonReading): Promise<unknown> {
  const { open, close, commas } = cuts;
  if (close < 0) throw malformed(': it ends too early');
  const rest = Buffer.concat([body.subarray(0, open + 1), Buffer.from(`"${MARK}"`), body.subarray(close)]);
  const value = parseText(rest, reading) as Record<string, unknown>;
  // A member that is given again later goes before the list, as JSON.parse has it.
  const name = Object.keys(value).find(
    (one) => Array.isArray(value[one]) && (value[one] as unknown[])[0] === MARK,
  );
  const entries: unknown[] = [];
  let from = open + 1;
  for (const to of [...commas, close]) {
    await timeSlice();
    const piece = parsePiece(body.subarray(from, to), { name: name ?? '', first: entries.length }, reading);
    if (piece.length === 0) throw malformed(`: there is no value before byte ${to}`);
    for (const entry of piece) entries.push(entry);
    from = to + 1;
  }
  if (name !== undefined) value[name] = entries;
  return value;
}

function parsePiece(
  bytes: Buffer,
  { name, first }: { name: string; first: number },
  { parse, anyText }: JsonReading,
): unknown[] {
  const text = `[${bytes.toString('utf8')}]`;
  let piece: unknown[];
  try {
    piece = parse(text) as unknown[];
  } catch (cause) {
    throw malformed(`: look at the entries of ${JSON.stringify(name.slice(0, 100))} from ${first} on`, cause);
  }
  if (!anyText && text.includes('\\u'))
    piece.forEach((entry, index) => checkText(entry, `${name}.${first + index}`));
  return piece;
}

function parseText(bytes: Buffer, { parse, anyText }: JsonReading): unknown {
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw malformed(whereBroken((cause as Error).message), cause);
  }
  // Only an escape can bring NUL or half a surrogate pair into text that is valid UTF-8.
  if (!anyText && text.includes('\\u')) checkText(value, '');
  return value;
}

function malformed(where: string, cause?: unknown): AppError {
  return new AppError(400, 'malformed_json', `The body is not valid JSON${where}.`, { cause });
}

/** The place, out of the engine's own words. */
function whereBroken(message: string): string {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) return `: look at line ${line}, column ${column}`;
  if (/end of JSON input|Unterminated/.test(message)) return ': it ends too early';
  if (message.startsWith("Unexpected token '\uFEFF'"))
    return ': it begins with a byte order mark; leave that out';
  const [, token] = /^Unexpected token '(.{1,4})'/su.exec(message) ?? [];
  return token === undefined ? '' : `: ${JSON.stringify(token)} does not belong where it stands`;
}

/** The depth is bounded by what was counted before. @throws AppError 400 for text that a store cannot keep */
export function checkText(value: unknown, path: string): void {
  const found = textFault(value, path);
  if (found !== null) throw badRequest([found]);
}

/** The first text that a store cannot keep; null: there is none. The depth is bounded by who calls. */
export function textFault(value: unknown, path: string): Fault | null {
  if (typeof value === 'string') return storableText(value) ? null : faultAt(path, 'unicode');
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    if (!storableText(key)) return faultAt(path, 'unicode_name');
    const found = textFault(member, path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

/** PostgreSQL keeps no NUL, and neither store keeps half a surrogate pair as it was. */
export function storableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
