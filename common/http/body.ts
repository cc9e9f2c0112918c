import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { BodyHold } from './body-budget.ts';
import { AppError } from './error.ts';

export const DEFAULT_MAX_BODY = 1024 * 1024;
/** For calls that take no body: some clients send an empty object. */
export const NO_BODY_MAX = 4 * 1024;

const gunzip = promisify(zlib.gunzip);
const unzstd = promisify(zlib.zstdDecompress);

/** Bytes that are set aside for a body in parts to begin with. */
const FIRST_BYTES = 4 * 1024;
/** Above this the room that was announced is set aside at once: the system gives memory only where something is written. */
const ANNOUNCED_ABOVE = 64 * 1024;

/** Reads a body whole; it takes at most twice what has arrived, and less where its size is announced. @throws AppError 413 past `max` bytes, 503 without room, 400 when the peer breaks off */
export function readRaw(request: IncomingMessage, max: number, hold: BodyHold): Promise<Buffer> {
  const announced = announcedBytes(request);
  if (announced > max) return Promise.reject(tooLarge(max));
  return new Promise((resolve, reject) => {
    let whole: Buffer | null = null;
    let size = 0;
    const keep = (part: Buffer): void => {
      if (size + part.length > max) throw tooLarge(max);
      // One part is kept as it came; of several, each would take room of its own, however small it is.
      hold.take(part.length);
      if (whole === null) whole = part;
      else if (size + part.length > whole.length) whole = grown(whole, size, size + part.length, announced || Math.min(max, whole.length * 2));
      if (whole !== part) part.copy(whole, size);
      size += part.length;
    };
    const fail = (error: Error): void => {
      if (whole) free(whole);
      whole = EMPTY;
      reject(error);
    };
    request.on('data', (part: Buffer) => {
      try {
        keep(part);
      } catch (error) {
        request.removeAllListeners('data');
        fail(error as Error);
      }
    });
    request.on('end', () => resolve(whole?.subarray(0, size) ?? EMPTY));
    request.on('error', (cause) => fail(brokenOff(cause)));
    request.on('close', () => {
      if (!request.complete) fail(brokenOff());
    });
  });
}

const EMPTY = Buffer.alloc(0);

/**
 * Gives the memory of a large body back at once; the collector would see to it much later. Nothing may look at it any more.
 * A small one is as it came from the connection, and not ours alone.
 */
export function discard(body: Buffer, hold: BodyHold): void {
  if (body.length <= ANNOUNCED_ABOVE) return;
  hold.give(body.length);
  free(body);
}

function free(body: Buffer): void {
  if (body.buffer.byteLength > ANNOUNCED_ABOVE) (body.buffer as ArrayBuffer).transfer(0);
}

/** @param end of what is known of the body */
function grown(whole: Buffer, size: number, needed: number, end: number): Buffer {
  const room = needed > ANNOUNCED_ABOVE ? end : Math.min(end, Math.max(FIRST_BYTES, needed * 2));
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, room));
  whole.copy(larger, 0, 0, size);
  return larger;
}

/** Bytes that the headers speak of; 0 when they do not. */
export const announcedBytes = (request: IncomingMessage): number => Number(request.headers['content-length'] ?? 0);

/** The body as it arrives, at most `max` bytes of it. @throws as `readRaw` */
export async function* readStream(request: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  if (announcedBytes(request) > max) throw tooLarge(max);
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

export const isCompressed = (request: IncomingMessage): boolean => (request.headers['content-encoding'] ?? 'identity') !== 'identity';

/**
 * Undoes `Content-Encoding`; the cap holds for what comes out, so that a small body cannot unfold into a large one, and there must be
 * room for as much before it is begun.
 * @throws AppError 400, 413, 415, 503
 */
export async function decompress(request: IncomingMessage, raw: Buffer, max: number, hold: BodyHold): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  const unfold = encoding === 'gzip' ? gunzip : encoding === 'zstd' ? unzstd : null;
  if (unfold === null) throw new AppError(415, 'unsupported_encoding', 'Send the body plain, or with Content-Encoding gzip or zstd.');
  hold.take(max);
  try {
    const plain = await unfold(raw, { maxOutputLength: max });
    hold.give(max - plain.length);
    return plain;
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(max);
    throw new AppError(400, 'bad_encoding', `The body is not valid ${encoding}.`, { cause });
  }
}

/** For calls that take no compressed body. @throws AppError 415 */
export function refuseEncoded(request: IncomingMessage): void {
  if (isCompressed(request)) throw new AppError(415, 'unsupported_media_type', 'Send the body plain, without Content-Encoding.');
}

function tooLarge(max: number): AppError {
  return new AppError(413, 'body_too_large', `The body is larger than ${max} bytes; send less at once.`);
}

function brokenOff(cause?: unknown): AppError {
  return new AppError(400, 'body_incomplete', 'The body broke off before its end; nothing was stored.', { cause });
}
