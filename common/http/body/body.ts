import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AppError } from '../error.ts';
import type { BodyDigest } from '../signing/signature.ts';
import type { BodyHold } from './budget.ts';

export const DEFAULT_MAX_BODY = 1024 * 1024;
/** For calls that take no body: some clients send an empty object. */
export const NO_BODY_MAX = 4 * 1024;

const gunzip = promisify(zlib.gunzip);
const unzstd = promisify(zlib.zstdDecompress);

/** Bytes that are set aside for a body in parts to begin with. */
const FIRST_BYTES = 4 * 1024;
/**
 * Above this the room that was announced is set aside at once: the system gives memory only where something
 * is written.
 */
const ANNOUNCED_ABOVE = 64 * 1024;

/** How a body is read. */
export interface Reading {
  /** Most bytes. */
  max: number;
  hold: BodyHold;
  /** For a caller who signs: the digest is made as the parts come, not at the end in one go. */
  signed: boolean;
  /**
   * Whether the body is wanted. That of an unknown key is counted and digested as any other, so that nobody
   * can tell, but not kept.
   */
  kept: boolean;
}

export interface Received {
  raw: Buffer;
  /** What was signed. */
  signed: Buffer | BodyDigest;
}

/**
 * Reads a body to its end; it takes at most twice what has arrived, and less where its size is announced.
 * @throws AppError 413 past `max` bytes, 503 without room, 400 when the peer breaks off
 */
export function readWhole(request: IncomingMessage, reading: Reading): Promise<Received> {
  if (announcedBytes(request) > reading.max) return Promise.reject(bodyTooLarge(reading.max));
  const body = new Arriving(announcedBytes(request), reading);
  return new Promise((resolve, reject) => {
    let over = false;
    const fail = (error: Error): void => {
      // What was handed over is in use when the connection breaks off.
      if (over) return;
      over = true;
      body.drop();
      reject(error);
    };
    request.on('data', (part: Buffer) => {
      try {
        body.take(part);
      } catch (error) {
        request.removeAllListeners('data');
        fail(error as Error);
      }
    });
    request.on('end', () => {
      if (over) return;
      over = true;
      resolve(body.received());
    });
    request.on('error', (cause) => fail(bodyBrokenOff(cause)));
    request.on('close', () => {
      if (!request.complete) fail(bodyBrokenOff());
    });
  });
}

/** Takes what arrives of a body, as far as there is room. */
export class Arriving {
  #announced: number;
  #reading: Reading;
  #whole: Buffer | null = null;
  #size = 0;
  #hash: Hash | null = null;

  constructor(announced: number, reading: Reading) {
    this.#announced = announced;
    this.#reading = reading;
  }

  /** @throws AppError 413, 503 */
  take(part: Buffer): void {
    const { max, hold, signed, kept } = this.#reading;
    const size = this.#size + part.length;
    if (size > max) throw bodyTooLarge(max);
    hold.take(part.length);
    const first = this.#whole;
    if (first === null) {
      // One part is kept as it came; of several, each would take room of its own, however small it is.
      this.#whole = part;
    } else {
      if (signed) (this.#hash ??= createHash('sha256').update(first.subarray(0, this.#size))).update(part);
      if (kept) {
        if (size > first.length)
          this.#whole = grown(first, this.#size, size, this.#announced || Math.min(max, first.length * 2));
        part.copy(this.#whole as Buffer, this.#size);
      }
      freePart(part);
    }
    this.#size = size;
  }

  /** @returns why not all of it was taken */
  takeWhatFits(part: Buffer): AppError | null {
    const room = this.#reading.max - this.#size;
    try {
      if (room > 0) this.take(part.subarray(0, room));
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    return part.length > room ? bodyTooLarge(this.#reading.max) : null;
  }

  received(): Received {
    const raw = this.#whole?.subarray(0, this.#size) ?? EMPTY;
    return { raw, signed: this.#hash ? { sha256: this.#hash.digest('hex') } : raw };
  }

  drop(): void {
    if (this.#whole) free(this.#whole);
    this.#whole = EMPTY;
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * Gives the memory of a large body back at once; the collector would see to it much later. Nothing may look
 * at it any more. A small one is as it came from the connection, and not ours alone.
 */
export function discard(body: Buffer, hold: BodyHold): void {
  if (body.length <= ANNOUNCED_ABOVE) return;
  hold.give(body.length);
  free(body);
}

function free(body: Buffer): void {
  if (body.buffer.byteLength > ANNOUNCED_ABOVE) (body.buffer as ArrayBuffer).transfer(0);
}

/** Below this the collector is quicker, and some are not alone in their memory. */
const OWN_ABOVE = 16 * 1024;

/**
 * Gives the memory of a part of a body back at once, as `discard` does that of a whole one; of a long body,
 * parts of many times its size would wait for the collector.
 */
export function freePart(part: Buffer): void {
  const { length, buffer } = part;
  if (length > OWN_ABOVE && buffer.byteLength === length) (buffer as ArrayBuffer).transfer(0);
}

/** A larger buffer with the first `size` bytes of `whole`. @param end most bytes that the body can have */
function grown(whole: Buffer, size: number, needed: number, end: number): Buffer {
  const room = needed > ANNOUNCED_ABOVE ? end : Math.min(end, Math.max(FIRST_BYTES, needed * 2));
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, room));
  whole.copy(larger, 0, 0, size);
  return larger;
}

/** Bytes that the headers speak of; 0 when they do not. */
export const announcedBytes = (request: IncomingMessage): number =>
  Number(request.headers['content-length'] ?? 0);

/** The body as it arrives, at most `max` bytes of it. @throws as `readWhole` */
export async function* readStream(request: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  if (announcedBytes(request) > max) throw bodyTooLarge(max);
  let size = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > max) throw bodyTooLarge(max);
      yield part;
    }
  } catch (error) {
    throw error instanceof AppError ? error : bodyBrokenOff(error);
  }
  if (!request.complete) throw bodyBrokenOff();
}

export const isCompressed = (request: IncomingMessage): boolean =>
  (request.headers['content-encoding'] ?? 'identity') !== 'identity';

/**
 * Undoes `Content-Encoding`; the cap holds for what comes out, so that a small body cannot unfold into a
 * large one, and there must be room for as much before it is begun. It waits for its turn first.
 * @throws AppError 400, 413, 415, 503
 */
export async function decompress(
  request: IncomingMessage,
  raw: Buffer,
  max: number,
  hold: BodyHold,
): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  const unfold = encoding === 'gzip' ? gunzip : encoding === 'zstd' ? unzstd : null;
  if (unfold === null)
    throw new AppError(
      415,
      'unsupported_encoding',
      'Send the body plain, or with Content-Encoding gzip or zstd.',
    );
  const done = await hold.unfoldingTurn();
  try {
    hold.take(max);
    const plain = await unfold(raw, { maxOutputLength: max });
    hold.give(max - plain.length);
    return plain;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(max);
    throw new AppError(400, 'bad_encoding', `The body is not valid ${encoding}.`, { cause });
  } finally {
    done();
  }
}

/** For calls that take no compressed body. @throws AppError 415 */
export function refuseEncoded(request: IncomingMessage): void {
  if (isCompressed(request))
    throw new AppError(415, 'unsupported_media_type', 'Send the body plain, without Content-Encoding.');
}

export function bodyTooLarge(max: number): AppError {
  return new AppError(413, 'body_too_large', `The body is larger than ${max} bytes; send less at once.`);
}

export function bodyBrokenOff(cause?: unknown): AppError {
  return new AppError(400, 'body_incomplete', 'The body broke off before its end; nothing was stored.', {
    cause,
  });
}
