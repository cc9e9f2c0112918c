// The records of Dahua's stream: `Code=…;action=…;index=…;data={…}`, and `Heartbeat`. They are looked for
// themselves, not by the parts that they come in: boundaries come twice, lengths are wrong, header lines
// stand in the middle, one part holds several, and `data` goes on over lines and has semicolons.

import { GatheredBytes } from '../../../common/http/body/gathered-bytes.ts';

const EMPTY = Buffer.alloc(0);
const LF = 10;
/** Bytes of one record. */
const MAX_RECORD = 512 * 1024;
const CODE = Buffer.from('Code=');
const HEARTBEAT = Buffer.from('Heartbeat');
/** What begins a line that is no part of a record's data. */
const FOREIGN = /^(?:--[^\s]|Code=|Heartbeat\s*$|Content-(?:Type|Length)\s*:)/i;
/** Bytes of a line that are looked at for that. */
const MAX_FOREIGN = 200;
const MAY_BE_FOREIGN = new Set(Buffer.from('-CcHh'));
/** Bytes in which `data=` is looked for. */
const HEAD = 512;
const DATA = /;\s*data\s*=\s*/i;
/** The next boundary, where a record without data has no end of line before it. */
const GLUED = /--[A-Za-z]/;
/** The last field of a record without data. */
const INDEX = /;\s*index\s*=\s*\d{1,4}\s*$/i;
const LENGTH = /^Content-Length\s*:\s*(\d{1,6})\s*$/i;

export class RecordReader {
  readonly #onRecord: (record: Buffer) => void;
  readonly #gathered = new GatheredBytes();
  /** The bytes that are gathered. */
  #held: Buffer = EMPTY;
  /** Up to where the end of a line was looked for, so that no byte is looked at twice. */
  #lined = 0;
  /** How far the JSON of the record that has begun was looked at. */
  #scan: Scan | null = null;
  /** Bytes of the part that has begun, as its header announces them. */
  #announced: number | null = null;

  constructor(onRecord: (record: Buffer) => void) {
    this.#onRecord = onRecord;
  }

  push(bytes: Buffer): void {
    this.#gathered.push(bytes);
    this.#held = this.#gathered.bytes;
    while (this.#step(false));
  }

  /** Bytes of memory that what has come so far takes. */
  get room(): number {
    return this.#gathered.room;
  }

  /** The stream is over: what is held is its last record. */
  end(): void {
    while (this.#step(true));
    this.#drop(this.#held.length);
  }

  /** @returns whether there may be more to do */
  #step(over: boolean): boolean {
    let blank = 0;
    while (blank < this.#held.length && (this.#held[blank] as number) <= 32) blank += 1;
    if (blank > 0) this.#drop(blank);
    if (this.#held.length === 0) return false;
    if (!begins(this.#held, CODE)) return this.#skipLine(over);
    const end = this.#endOfRecord(over);
    if (end === null) return false;
    this.#onRecord(Buffer.from(this.#held.subarray(0, end)));
    this.#announced = null;
    this.#drop(end);
    return true;
  }

  #skipLine(over: boolean): boolean {
    const end = this.#lineEnd();
    const line = this.#held.subarray(0, end < 0 ? this.#held.length : end);
    if (end < 0 && !over) {
      // A line without end is no record and no heartbeat.
      if (this.#held.length > MAX_RECORD) this.#drop(this.#held.length);
      return false;
    }
    if (begins(line, HEARTBEAT)) this.#onRecord(HEARTBEAT);
    const length = LENGTH.exec(line.subarray(0, 64).toString('latin1'))?.[1];
    if (length !== undefined) this.#announced = Number(length);
    this.#drop(end < 0 ? this.#held.length : end + 1);
    return true;
  }

  /** Where the record ends that is held from the first byte; null: that is not known yet. */
  #endOfRecord(over: boolean): number | null {
    const line = this.#lineEnd();
    const first = line < 0 ? this.#held : this.#held.subarray(0, line);
    const data = DATA.exec(first.subarray(0, HEAD).toString('latin1'));
    const json = data ? data.index + data[0].length : -1;
    const opens = json >= 0 && json < first.length && (first[json] === 0x7b || first[json] === 0x5b);
    // `data=` may stand at the end of its line, and its JSON on the next one.
    const later = json === withoutCr(first).length;
    if (!opens && !later) {
      const text = first.subarray(0, HEAD).toString('latin1');
      const glued = json < 0 ? text.search(GLUED) : -1;
      if (glued >= 0) return glued;
      if (line >= 0) return line;
      // Some devices end a record with the boundary of the next one, which may be hours away.
      const whole = this.#held.length === this.#announced && INDEX.test(text);
      return over || whole || this.#held.length > MAX_RECORD ? this.#held.length : null;
    }
    return this.#endOfJson(json, over);
  }

  #endOfJson(from: number, over: boolean): number | null {
    this.#scan ??= new Scan(from);
    const end = this.#scan.go(this.#held);
    if (end !== null) return end;
    return over || this.#held.length > MAX_RECORD ? this.#held.length : null;
  }

  /** Where the first line ends; -1: not yet. */
  #lineEnd(): number {
    const end = this.#held.indexOf(LF, this.#lined);
    this.#lined = end < 0 ? this.#held.length : end;
    return end;
  }

  #drop(bytes: number): void {
    this.#gathered.drop(bytes);
    this.#held = this.#gathered.bytes;
    this.#lined = 0;
    this.#scan = null;
  }
}

/** In whatever letters the device writes it. */
const begins = (held: Buffer, word: Buffer): boolean =>
  held.subarray(0, word.length).toString('latin1').toLowerCase() === word.toString('latin1').toLowerCase();

const withoutCr = (line: Buffer): Buffer => (line.at(-1) === 13 ? line.subarray(0, -1) : line);

/** Looks for the end of a JSON text, once at each byte. */
class Scan {
  #at: number;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(from: number) {
    this.#at = from;
  }

  /** Behind the last bracket, or before the line that shows that there is none; null: not yet. */
  go(held: Buffer): number | null {
    for (; this.#at < held.length; this.#at += 1) {
      const byte = held[this.#at] as number;
      if (byte === LF) {
        const cut = this.#cutAt(held);
        if (cut !== false) return cut;
        // No string goes over lines: one that is open was cut.
        this.#inString = false;
        this.#escaped = false;
      } else if (this.#inString) this.#readString(byte);
      else if (byte === 0x22) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
      else if (byte === 0x7d || byte === 0x5d) {
        this.#depth -= 1;
        if (this.#depth <= 0) return this.#at + 1;
      }
    }
    return null;
  }

  #readString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === 0x5c) this.#escaped = true;
    else if (byte === 0x22) this.#inString = false;
  }

  /** Whether the next line ends the record; null while it is not known. */
  #cutAt(held: Buffer): number | null | false {
    const next = this.#at + 1;
    const found = held.subarray(next, next + MAX_FOREIGN).indexOf(LF);
    const end = found < 0 ? -1 : next + found;
    if (end < 0 && held.length - next < MAX_FOREIGN)
      return next < held.length && !MAY_BE_FOREIGN.has(held[next] as number) ? false : null;
    const line = held.subarray(next, Math.min(end < 0 ? held.length : end, next + MAX_FOREIGN));
    return FOREIGN.test(line.toString('latin1')) ? this.#at : false;
  }
}
