import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AppError, badRequest, fault } from './error.ts';

export const DEFAULT_MAX_BODY = 1024 * 1024;

const gunzip = promisify(zlib.gunzip);
const unzstd = promisify(zlib.zstdDecompress);

/** Reads a body whole. @throws AppError 413 past `max` bytes, 400 when the peer breaks off */
export function readRaw(request: IncomingMessage, max: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > max) return Promise.reject(tooLarge(max));
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > max) {
        request.removeAllListeners('data');
        reject(tooLarge(max));
      } else parts.push(part);
    });
    request.on('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)));
    request.on('error', (cause) => reject(brokenOff(cause)));
    request.on('close', () => {
      if (!request.complete) reject(brokenOff());
    });
  });
}

/** The body as it arrives, at most `max` bytes of it. @throws as `readRaw` */
export async function* readStream(request: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(max);
  let size = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > max) throw tooLarge(max);
      yield part;
    }
  } catch (error) {
    throw error instanceof AppError ? error : brokenOff(error);
  }
  if (!request.complete) throw brokenOff();
}

/** Undoes `Content-Encoding`; the cap holds for what comes out, so that a small body cannot unfold into a large one. */
export async function decompress(request: IncomingMessage, raw: Buffer, max: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  try {
    if (encoding === 'identity') return raw;
    if (encoding === 'gzip') return await gunzip(raw, { maxOutputLength: max });
    if (encoding === 'zstd') return await unzstd(raw, { maxOutputLength: max });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(max);
    throw new AppError(400, 'bad_encoding', `The body is not valid ${encoding}.`, { cause });
  }
  throw new AppError(415, 'unsupported_encoding', 'Send the body plain, or with Content-Encoding gzip or zstd.');
}

/** For calls that take no compressed body. @throws AppError 415 */
export function refuseEncoded(request: IncomingMessage): void {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') throw new AppError(415, 'unsupported_media_type', 'Send the body plain, without Content-Encoding.');
}

/** @throws AppError 415 for another media type, 400 for malformed JSON or text that a store cannot keep */
export function parseJson(request: IncomingMessage, body: Buffer, parse: (text: string) => unknown = JSON.parse): unknown {
  const type = request.headers['content-type'];
  if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new AppError(415, 'unsupported_media_type', 'Send a JSON body with Content-Type: application/json.');
  }
  if (!isUtf8(body)) throw new AppError(400, 'malformed_json', 'The body is not UTF-8 text.');
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new AppError(400, 'malformed_json', `The body is not valid JSON${whereBroken((cause as Error).message)}.`, { cause });
  }
  // Only an escape can bring NUL or half a surrogate pair into text that is valid UTF-8.
  if (text.includes('\\u')) checkText(value, '', 0);
  return value;
}

/** A form or a JSON body. @throws as `parseJson`; 400 when a member is given more than once */
export function parseForm(request: IncomingMessage, body: Buffer): unknown {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) return parseJson(request, body);
  const members = new URLSearchParams(body.toString('utf8'));
  const repeated = [...new Set(members.keys())].filter((name) => members.getAll(name).length > 1);
  if (repeated.length > 0) throw badRequest(repeated.map((path) => ({ path, message: 'is given more than once' })));
  const values = Object.fromEntries(members);
  checkText(values, '', 0);
  return values;
}

/** The place, out of the engine's own words. */
function whereBroken(message: string): string {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) return `: look at line ${line}, column ${column}`;
  if (/end of JSON input|Unterminated/.test(message)) return ': it ends too early';
  if (message.startsWith("Unexpected token '\uFEFF'")) return ': it begins with a byte order mark; leave that out';
  const [, token] = /^Unexpected token '(.{1,4})'/su.exec(message) ?? [];
  return token === undefined ? '' : `: ${JSON.stringify(token)} does not belong where it stands`;
}

const MAX_DEPTH = 64;

function checkText(value: unknown, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw fault(path.slice(0, 200), `is nested more than ${MAX_DEPTH} levels deep`);
  if (typeof value === 'string') {
    if (!storableText(value)) throw fault(path, 'must be well-formed Unicode without NUL');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!storableText(key)) throw fault(path, 'has a member name that is not well-formed Unicode without NUL');
      checkText(member, path === '' ? key : `${path}.${key}`, depth + 1);
    }
  }
}

/** PostgreSQL keeps no NUL, and neither store keeps half a surrogate pair as it was. */
export function storableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

function tooLarge(max: number): AppError {
  return new AppError(413, 'body_too_large', `The body is larger than ${max} bytes; send less at once.`);
}

function brokenOff(cause?: unknown): AppError {
  return new AppError(400, 'body_incomplete', 'The body broke off before its end; nothing was stored.', { cause });
}
