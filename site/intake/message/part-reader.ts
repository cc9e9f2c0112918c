// Reads the parts of a multipart message or stream as devices really send them: a boundary twice, lines that
// end with LF alone, a Content-Length that is wrong or missing, headers without an empty line after them, any
// split of the bytes. What counts is the boundary, and where a document is whole; never the announced length
// alone. formidable, which reads forms at headquarters, is for bodies that keep to the form and end, and puts
// headers together whatever their length; and a stream of alarms has no end after which it could be read.
import { GatheredBytes } from '../../../common/http/body/gathered-bytes.ts';
import type { Part } from '../record.ts';
import { announcedLength, begunBody, lineStart, mayEnd, trimmed, withoutLineEnd } from './part-bytes.ts';

export interface PartReaderOptions {
  /** As the header announces it, which the parts do not always keep to; null: it announces none. */
  boundary: string | null;
  /** Most bytes of one part. */
  maxPart: number;
  /**
   * Whether a document is whole although no boundary has come: on a stream the next boundary comes with the
   * next part, which may be hours away.
   * Called for each part, for what looks at its growing body. @param announced bytes by its Content-Length;
   * null where it has none
   */
  whole?: () => (body: Buffer, announced: number | null) => boolean;
  /** Whether the bytes that are pushed stay as they are, so that parts may be views of them. */
  lasting?: boolean;
  onPart: (part: Part) => void;
}

const EMPTY = Buffer.alloc(0);
const LF = 10;
const HYPHEN = 45;
const MAX_HEADERS = 16 * 1024;
const HEADER = /^([A-Za-z][A-Za-z0-9-]{1,63})\s*:\s*(.*)$/;

/** A part, or what stands before the first one, is larger than is taken. */
export class PartTooLarge extends Error {}

export class PartReader {
  readonly #options: PartReaderOptions;
  /** The lines that the announced boundary may stand for, without what follows it. */
  readonly #announced: readonly string[];
  /** The one that is there; null before the first. */
  #boundary: Buffer | null = null;
  readonly #gathered: GatheredBytes;
  /** The bytes that are gathered. */
  #held: Buffer = EMPTY;
  /** Where the search for a boundary, or for the end of a line, goes on: no byte is looked at twice. */
  #from = 0;
  /** Up to where the last end of a line was looked for. */
  #lined = 0;
  #state: 'before' | 'headers' | 'body' | 'told' = 'before';
  #headers: Record<string, string> = {};
  /** Of the part that is being read. */
  #whole: ReturnType<NonNullable<PartReaderOptions['whole']>> | null = null;

  constructor(options: PartReaderOptions) {
    this.#options = options;
    this.#gathered = new GatheredBytes(options.maxPart + MAX_HEADERS);
    const { boundary } = options;
    // Some devices announce it with the two hyphens that belong to its line.
    this.#announced =
      boundary === null ? [] : [`--${boundary}`, ...(boundary.startsWith('--') ? [boundary] : [])];
  }

  /** @throws PartTooLarge */
  push(bytes: Buffer): void {
    this.#gathered.push(bytes);
    this.#held = this.#gathered.bytes;
    while (this.#step(false));
    if (this.#held.length > this.#options.maxPart + MAX_HEADERS)
      throw new PartTooLarge('a part is too large');
  }

  /** Bytes of memory that what has come so far takes. */
  get room(): number {
    return this.#gathered.room;
  }

  /** The message is over: what is held is its last part, also without a closing boundary. */
  end(): void {
    while (this.#step(true));
    const end = withoutLineEnd(this.#held, this.#held.length);
    if (this.#state === 'body' && end > 0) this.#tell(this.#held.subarray(0, end));
    this.#drop(this.#held.length);
    this.#state = 'told';
  }

  /** @returns whether there may be more to do */
  #step(over: boolean): boolean {
    if (this.#boundary === null && !this.#findFirst(over)) return false;
    return this.#state === 'headers' ? this.#readHeaders(over) : this.#readBody(over);
  }

  /** The first line that begins with two hyphens is the boundary, also where another one is announced. */
  #findFirst(over: boolean): boolean {
    for (;;) {
      const end = this.#held.indexOf(LF, this.#from);
      this.#from = 0;
      if (end < 0 && !over) {
        this.#from = this.#held.length;
        return false;
      }
      // Longer than any boundary or header is a line that is neither.
      const line = this.#held.subarray(0, Math.min(end < 0 ? this.#held.length : end, MAX_HEADERS));
      const boundary = this.#boundaryOf(line.toString('latin1').trim());
      if (boundary !== null) {
        this.#boundary = Buffer.from(boundary, 'latin1');
        return true;
      }
      const [told] = this.#announced;
      if (told !== undefined && (begunBody(line) || /^content-/i.test(line.toString('latin1')))) {
        // The first part comes without its boundary.
        this.#boundary = Buffer.from(told, 'latin1');
        this.#state = 'headers';
        return true;
      }
      if (end < 0) return false;
      this.#drop(end + 1);
    }
  }

  #boundaryOf(line: string): string | null {
    const announced = this.#announcedOf(line);
    if (announced !== null) return announced;
    return /^--[^\s]{1,200}$/.test(line) && /[A-Za-z0-9]/.test(line) ? line.replace(/--$/, '') : null;
  }

  #announcedOf = (line: string): string | null =>
    this.#announced.find((one) => line.startsWith(one) && /^(?:--)?(?:\s|$)/.test(line.slice(one.length))) ??
    null;

  #readBody(over: boolean): boolean {
    const boundary = this.#boundary as Buffer;
    const found = this.#nextBoundary(boundary, over);
    if (found === null) {
      this.#tellWhole();
      return false;
    }
    if (this.#state === 'body') {
      const body = this.#held.subarray(0, withoutLineEnd(this.#held, found.at));
      if (body.length > 0) this.#tell(body);
    }
    this.#drop(found.next);
    this.#headers = {};
    this.#whole = null;
    this.#state = 'headers';
    return true;
  }

  /** The next boundary, with the bytes that follow it known. */
  #nextBoundary(boundary: Buffer, over: boolean): { at: number; next: number } | null {
    for (;;) {
      const at = this.#held.indexOf(boundary, this.#from);
      if (at < 0) {
        this.#from = Math.max(0, this.#held.length - boundary.length);
        return null;
      }
      const after = at + boundary.length;
      if (at > 0 && !mayEnd(this.#held[at - 1] as number)) {
        this.#from = at + 1;
        continue;
      }
      this.#from = at;
      // What follows on the line tells a boundary from a longer word that begins with it.
      const known = this.#held.length - after;
      if (!over && (known === 0 || (known === 1 && this.#held[after] === HYPHEN))) return null;
      const rest = this.#held.subarray(after, after + 2).toString('latin1');
      if (rest === '--') return { at, next: Math.min(after + 2, this.#held.length) };
      if (rest === '' || /^[\r\n \t]/.test(rest)) return { at, next: after };
      this.#from = at + 1;
    }
  }

  #readHeaders(over: boolean): boolean {
    for (;;) {
      const end = this.#held.indexOf(LF);
      if (end < 0 && !over) {
        if (this.#held.length > MAX_HEADERS) throw new PartTooLarge('the headers of a part are too large');
        if (!begunBody(this.#held)) return false;
      }
      const line = this.#held.subarray(0, end < 0 ? this.#held.length : end);
      const text = line.toString('latin1').trim();
      const header = HEADER.exec(text);
      if (text === '' && end >= 0) {
        this.#drop(end + 1);
        // The rest of the line of the boundary is empty too.
        if (Object.keys(this.#headers).length === 0) {
          if (this.#held.length === 0 && !over) return false;
          continue;
        }
        this.#state = 'body';
        return true;
      }
      if (header && end >= 0) {
        const [, name = '', value = ''] = header;
        if (Object.keys(this.#headers).length < 32) this.#headers[name.toLowerCase()] = value;
        this.#drop(end + 1);
        continue;
      }
      const announced = this.#announcedOf(text);
      if (announced !== null) this.#boundary = Buffer.from(announced, 'latin1');
      // A boundary right after a boundary, or a body without an empty line before it.
      this.#state = 'body';
      this.#from = 0;
      return this.#held.length > 0;
    }
  }

  /** Tells a document at once when it is whole; what follows it until the next boundary is dropped. */
  #tellWhole(): void {
    const { whole } = this.#options;
    if (this.#state === 'body') {
      if (!whole || this.#held.length === 0) return;
      this.#whole ??= whole();
      if (this.#whole(this.#held, announcedLength(this.#headers))) {
        this.#tell(trimmed(this.#held));
        // The line that has begun may be the next boundary.
        this.#drop(lineStart(this.#held));
        this.#state = 'told';
      }
      return;
    }
    // Before the first boundary, and after a part that was told, only what may begin a boundary is kept.
    const keep = this.#held.subarray(this.#lined).lastIndexOf(LF) + 1;
    if (keep > 0) this.#drop(this.#lined + keep);
    this.#lined = this.#held.length;
  }

  #tell(body: Buffer): void {
    // Otherwise a copy, so that a small part does not keep what it came with.
    const { lasting, onPart } = this.#options;
    onPart({ headers: this.#headers, body: lasting ? body : Buffer.from(body) });
    this.#state = 'told';
  }

  #drop(bytes: number): void {
    this.#gathered.drop(bytes);
    this.#held = this.#gathered.bytes;
    this.#from = 0;
    this.#lined = 0;
  }
}
