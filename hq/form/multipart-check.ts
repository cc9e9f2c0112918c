// Bounds a multipart body before koa-body sees it. formidable, the parser behind it, puts the headers of a
// part together whatever their length, takes preambles, unknown encodings and parts without a name, and at
// some throws where nobody can catch it (`Content-Transfer-Encoding: 7bit` would end the process). What comes
// through is what browsers and curl send: parts with a name and few headers.
import { bodyTooLarge } from '../../common/http/body/body.ts';
import { AppError, badRequest } from '../../common/http/error.ts';
import { faultAt } from './form-fault-messages.ts';

export interface MultipartLimits {
  /** Parts with a file by their names, with the most bytes of each; every other part is text. */
  files: Readonly<Record<string, { maxBytes: number }>>;
  /** Most text parts. */
  texts: number;
  /** Most bytes of all text parts together. */
  textBytes: number;
}

const MAX_HEAD = 1024;
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const HEAD_END = Buffer.from('\r\n\r\n');
const BOUNDARY =
  /^multipart\/form-data\s*;\s*boundary=(?:"([A-Za-z0-9'()+_,./:=?-]{1,70})"|([\w'+.-]{1,70}))$/i;

/** The boundary that a `Content-Type` names. @throws AppError 400, 415 */
export function boundaryOf(contentType: string | undefined): string {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType ?? ''))
    throw new AppError(415, 'unsupported_media_type', 'Send the form as multipart/form-data.');
  const [, quoted, plain] = BOUNDARY.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('its Content-Type names no boundary of 1 to 70 characters');
  return boundary;
}

type State = 'start' | 'delimiter' | 'head' | 'data' | 'end';

/** Follows a body part by part; each piece of it must pass before it is handed on. */
export class MultipartCheck {
  #delimiter: Buffer;
  #limits: MultipartLimits;
  #state: State = 'start';
  /** Bytes that nothing could be said of yet; bounded by MAX_HEAD. */
  #rest: Buffer = Buffer.alloc(0);
  #names = new Set<string>();
  #texts = 0;
  /** Bytes that may still come in the present part, and in all text parts. */
  #fileRoom: { left: number; most: number } | null = null;
  #textRoom: { left: number; most: number };

  constructor(boundary: string, limits: MultipartLimits) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#limits = limits;
    this.#textRoom = { left: limits.textBytes, most: limits.textBytes };
  }

  /** @throws AppError 400 malformed_form, validation_failed; 413 */
  take(piece: Buffer): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    for (;;) {
      const read = this.#step(bytes);
      if (read === null) break;
      bytes = bytes.subarray(read);
    }
    // A copy: the piece itself belongs to the connection.
    this.#rest = Buffer.from(bytes);
  }

  /** The names that came. @throws AppError 400 when the body ended too early */
  end(): ReadonlySet<string> {
    if (this.#state !== 'end') throw malformed('it ends too early');
    return this.#names;
  }

  /** @returns bytes that are done with; null to wait for more */
  #step(bytes: Buffer): number | null {
    switch (this.#state) {
      case 'start':
        return this.#begin(bytes);
      case 'delimiter':
        return this.#afterDelimiter(bytes);
      case 'head':
        return this.#head(bytes);
      case 'data':
        return this.#data(bytes);
      case 'end':
        return bytes.length > 0 ? bytes.length : null;
    }
  }

  /** The body begins with a boundary; the line break of the other delimiters is not there. */
  #begin(bytes: Buffer): number | null {
    const first = this.#delimiter.subarray(2);
    if (bytes.length < first.length) return null;
    if (!bytes.subarray(0, first.length).equals(first))
      throw malformed('it does not begin with its boundary');
    this.#state = 'delimiter';
    return first.length;
  }

  #afterDelimiter(bytes: Buffer): number | null {
    if (bytes.length < 2) return null;
    const sign = bytes.toString('latin1', 0, 2);
    if (sign !== '\r\n' && sign !== '--') throw malformed('a boundary is not followed by a line break');
    this.#state = sign === '--' ? 'end' : 'head';
    return 2;
  }

  #head(bytes: Buffer): number | null {
    const end = bytes.subarray(0, MAX_HEAD).indexOf(HEAD_END);
    if (end < 0) {
      if (bytes.length >= MAX_HEAD)
        throw malformed(`the headers of a part are larger than ${MAX_HEAD} bytes`);
      return null;
    }
    this.#begins(bytes.toString('utf8', 0, end));
    this.#state = 'data';
    return end + HEAD_END.length;
  }

  #begins(head: string): void {
    const { name, isFile } = readHead(head);
    const file = Object.hasOwn(this.#limits.files, name) ? this.#limits.files[name] : undefined;
    if (this.#names.has(name)) throw badRequest([faultAt(name, 'given_twice')]);
    this.#names.add(name);
    if (isFile && !file) throw badRequest([faultAt(name, 'not_text')]);
    if (!isFile && file) throw badRequest([faultAt(name, 'not_file')]);
    this.#texts += isFile ? 0 : 1;
    if (this.#texts > this.#limits.texts)
      throw malformed(`it has more than ${this.#limits.texts} text parts`);
    this.#fileRoom = file ? { left: file.maxBytes, most: file.maxBytes } : null;
  }

  #data(bytes: Buffer): number | null {
    const at = bytes.indexOf(this.#delimiter);
    // What may be the beginning of a delimiter waits for the rest of it.
    const data = at < 0 ? Math.max(0, bytes.length - this.#delimiter.length + 1) : at;
    const room = this.#fileRoom ?? this.#textRoom;
    room.left -= data;
    if (room.left < 0) throw bodyTooLarge(room.most);
    if (at < 0) return data > 0 ? data : null;
    this.#state = 'delimiter';
    return at + this.#delimiter.length;
  }
}

/** The two headers that a part of a form has (RFC 7578); others could change how it is read. */
function readHead(head: string): { name: string; isFile: boolean } {
  const lines = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, Math.max(0, at)).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const known = [...headers.keys()].every(
    (name) => name === 'content-disposition' || name === 'content-type',
  );
  if (!known || headers.size !== lines.length)
    throw malformed('a part has other headers than Content-Disposition and Content-Type');
  const disposition = headers.get('content-disposition') ?? '';
  const [, name = '', file] =
    /^form-data; name="([^"]*)"(; filename="[^"]*"(?:; filename\*=[\w.'%-]+)?)?$/i.exec(disposition) ?? [];
  if (!NAME.test(name)) throw malformed('a part has no name of 1 to 64 letters, digits and _.-');
  const typed = headers.has('content-type');
  if (typed !== (file !== undefined))
    throw malformed(`the part ${name} must have filename and Content-Type, or neither`);
  return { name, isFile: typed };
}

export const malformed = (why: string): AppError =>
  new AppError(400, 'malformed_form', `The body is not a form that is taken here: ${why}.`);
