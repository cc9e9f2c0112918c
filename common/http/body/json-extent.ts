// How much a JSON text holds, told from its bytes before it is parsed: one pass, nothing is allocated.
import { AppError, fault } from '../error.ts';

/** What the JSON of a route may hold. */
export interface JsonLimits {
  /** Levels of objects and lists within each other. */
  depth: number;
  /** Elements, and members, which count three times: their names have to be kept too. */
  values: number;
  /**
   * The same for one piece that is parsed in one go: an entry of the body's list, or what stands beside it.
   */
  run: number;
}

export const DEFAULT_LIMITS: JsonLimits = { depth: 64, values: 20_000, run: 20_000 };

/**
 * Bytes of one string, as written. What is larger is no text of any member, and each check of it would take
 * its time.
 */
const MAX_STRING = 1024 * 1024;
/** Bytes of one piece; an event with 64 KiB of payload, all of it in escapes, has a quarter. */
const MAX_RUN_BYTES = 2 * 1024 * 1024;
/**
 * A piece of the list is parsed by itself from this many bytes on, or from this many members and elements,
 * counted as above.
 */
const PIECE_BYTES = 128 * 1024;
const PIECE_VALUES = 8_000;
/** Bytes that are looked at in one go. */
export const SCAN_BYTES = 256 * 1024;
/** What one of them takes in memory once it is parsed, bytes, from above. */
const VALUE_BYTES = 12;
/** A member is one value by its comma or bracket already. */
const NAME = 2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the first large list that is a member of the body can be taken apart. Offsets in bytes. */
export interface Cuts {
  /** Of its opening bracket. */
  open: number;
  /** Of its closing bracket; -1 when it has none. */
  close: number;
  /** Of commas between its entries. */
  commas: number[];
}

/**
 * Goes over a text in one or more steps. It finds no faults of syntax: the parser does, and takes no longer
 * for it.
 */
export class JsonExtent {
  /** null while everything so far is best parsed at once. */
  cuts: Cuts | null = null;
  #bytes: Uint8Array;
  #limits: JsonLimits;
  #at = 0;
  #depth = 0;
  #values = 0;
  /** Whether the outermost value is an object. */
  #object = false;
  /** Of the bracket of the list at the second level, while that is open; -1 outside. */
  #open = -1;
  #runFrom = 0;
  #runFromByte = 0;
  #pieceFrom = 0;
  #pieceValues = 0;

  constructor(bytes: Uint8Array, limits: JsonLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  /** Bytes of memory that the parsed value will take, from above. */
  get parsedBytes(): number {
    return this.#values * VALUE_BYTES;
  }

  /** Elements and members so far. */
  get values(): number {
    return this.#values;
  }

  /** Whether the end is reached. @throws AppError 400, 413 past a limit */
  step(most = SCAN_BYTES): boolean {
    const bytes = this.#bytes;
    const { depth: deepest, values: mostValues } = this.#limits;
    const end = Math.min(bytes.length, this.#at + most);
    let at = this.#at;
    let depth = this.#depth;
    let values = this.#values;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) at = this.#stringEnd(at);
      else if (byte === COMMA) {
        values += 1;
        if (depth === 2) this.#entryEnds(at, values);
      } else if (byte === COLON) values += NAME;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        values += 1;
        depth += 1;
        if (depth > deepest) throw tooDeep(deepest);
        if (depth <= 2) this.#opens(depth, byte === OPEN_OBJECT, at, values);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth === 1) this.#closes(at, values);
      }
    }
    this.#at = at;
    this.#depth = depth;
    this.#values = values;
    if (values > mostValues) throw tooMany(mostValues);
    this.#checkRun(at, values);
    return at >= bytes.length;
  }

  /** Of the closing quotation mark, also when it lies beyond the step. */
  #stringEnd(opened: number): number {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, opened + MAX_STRING);
    let at = opened + 1;
    for (; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    if (end < bytes.length) throw tooLong(MAX_STRING);
    return at;
  }

  #opens(depth: number, object: boolean, at: number, values: number): void {
    if (depth === 1) this.#object = object;
    else if (this.#object && !object && this.cuts === null) {
      this.#open = at;
      this.#pieceFrom = at;
      this.#pieceValues = values;
      this.#entryBegins(at, values);
    }
  }

  #entryEnds(at: number, values: number): void {
    if (this.#open < 0) return;
    this.#entryBegins(at, values);
    if (at - this.#pieceFrom < PIECE_BYTES && values - this.#pieceValues < PIECE_VALUES) return;
    this.cuts ??= { open: this.#open, close: -1, commas: [] };
    this.cuts.commas.push(at);
    this.#pieceFrom = at;
    this.#pieceValues = values;
  }

  #closes(at: number, values: number): void {
    if (this.#open < 0) return;
    if (this.cuts) this.cuts.close = at;
    this.#open = -1;
    this.#entryBegins(at, values);
  }

  #entryBegins(at: number, values: number): void {
    this.#checkRun(at, values);
    this.#runFrom = values;
    this.#runFromByte = at;
  }

  #checkRun(at: number, values: number): void {
    if (at - this.#runFromByte > MAX_RUN_BYTES) throw tooLong(MAX_RUN_BYTES);
    if (values - this.#runFrom > this.#limits.run) throw tooMany(this.#limits.run);
  }
}

const tooDeep = (levels: number): AppError => fault('', 'too_deep', { levels });

const tooMany = (most: number): AppError =>
  new AppError(
    413,
    'body_too_large',
    `The body, or one entry of its list, has more than ${most} members and elements; send less at once.`,
  );

const tooLong = (most: number): AppError =>
  new AppError(
    413,
    'body_too_large',
    `A text of the body, or one entry of its list, is larger than ${most} bytes; send less at once.`,
  );
