// A posted message, whole or broken off, taken apart.
import { TextDecoder } from 'node:util';
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import type { Part } from '../record.ts';
import { parsedJson } from './json.ts';
import { PartReader, PartTooLarge } from './part-reader.ts';
import { announcedBoundary, formOf } from './parts.ts';

/** Parts of one message: a document and a few pictures. */
const MAX_PARTS = 64;

/** What a message holds. */
export interface Parts {
  parts: Part[];
  /** Pictures that did not come whole, and are not among the parts. */
  picturesLost: number;
  /** Whether nothing came whole, and what broke off was no picture. */
  nothingWhole: boolean;
  /** What is more than is taken, and is not among the parts; null: nothing is. */
  tooMuch: string | null;
}

/**
 * The parts of a message. Whether it is multipart is told by the bytes: devices announce one and send the
 * other.
 * @param cut whether the body is not all that was sent: what broke off is then left out
 */
export function messageParts(contentType: string | undefined, body: Buffer, cut = false): Parts {
  const start = withoutMark(body);
  const { parts, open, tooMuch } = looksMultipart(start)
    ? partsOf(contentType, start)
    : { parts: start.length === 0 ? [] : [alone(contentType, start)], open: 0, tooMuch: null };
  if (!cut) return { parts, picturesLost: 0, nothingWhole: false, tooMuch };
  const whole = parts.filter((part, index) => index < open || isWhole(part));
  const broken = parts.slice(open).filter((part) => !isWhole(part));
  const pictures = broken.filter(isOfPicture).length;
  const nothingWhole = whole.length === 0 && pictures < broken.length;
  return { parts: whole, picturesLost: pictures, nothingWhole, tooMuch };
}

const alone = (contentType: string | undefined, body: Buffer): Part => ({
  headers: { 'content-type': contentType ?? '' },
  body,
});

/** @returns also behind which of them no boundary came */
function partsOf(
  contentType: string | undefined,
  start: Buffer,
): Pick<Parts, 'parts' | 'tooMuch'> & { open: number } {
  const parts: Part[] = [];
  let tooMuch: string | null = null;
  const reader = new PartReader({
    boundary: announcedBoundary(contentType),
    maxPart: start.length,
    lasting: true,
    onPart: (part) => {
      if (parts.length < MAX_PARTS) parts.push(part);
      else tooMuch = `more than ${MAX_PARTS} parts`;
    },
  });
  let open = 0;
  try {
    reader.push(start);
    open = parts.length;
    reader.end();
  } catch (error) {
    if (!(error instanceof PartTooLarge)) throw error;
    tooMuch = error.message;
    open = parts.length;
  }
  // What begins like parts and has none is for its source to refuse.
  return { parts: parts.length > 0 ? parts : [{ headers: {}, body: start }], open, tooMuch };
}

const announcedOf = ({ headers }: Part): number =>
  Number(/^\d{1,9}$/.exec(headers['content-length'] ?? '')?.[0] ?? NaN);

/** Whether a part has less than its header announces, and does not end as one that is whole. */
export const isCutOff = (part: Part): boolean => part.body.length < announcedOf(part) && !isWhole(part);

/** Whether a part at the end of what broke off is all of it. */
export function isWhole({ headers, body }: Part): boolean {
  if (body.length === announcedOf({ headers, body })) return true;
  const form = formOf({ headers, body });
  if (form === 'picture') return pictureType(body) === 'image/jpeg' && /\xff\xd9$/.test(endOf(body));
  return form === 'other' ? false : wholeDocument(form, { headers, body });
}

const isOfPicture = (part: Part): boolean =>
  formOf(part) === 'picture' ||
  /^image\//i.test(part.headers['content-type'] ?? '') ||
  /filename="?[^"]*\.(?:jpe?g|png)/i.test(part.headers['content-disposition'] ?? '');

const endOf = (body: Buffer): string => body.subarray(-256).toString('latin1');

function wholeDocument(form: 'xml' | 'json', { headers, body }: Part): boolean {
  if (form === 'json') return parsedJson(body, headers['content-type']) !== undefined;
  const root = /<([\w:.-]+)[\s/>]/.exec(body.subarray(0, 2048).toString('latin1'))?.[1];
  return root !== undefined && endOf(body).trimEnd().endsWith(`</${root}>`);
}

function looksMultipart(body: Buffer): boolean {
  const head = body.subarray(0, 512).toString('latin1').trimStart();
  return head.startsWith('--') || /^(?:content-[a-z]+:[^\n]*\n)+\s*--/i.test(head);
}

/** As UTF-8, without a byte order mark and blanks before the first byte that says something. */
function withoutMark(body: Buffer): Buffer {
  const wide = WIDE_MARKS[body.subarray(0, 2).toString('hex')];
  if (wide !== undefined) return withoutMark(Buffer.from(new TextDecoder(wide).decode(body)));
  let at = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  while (at < body.length && (body[at] as number) <= 32) at += 1;
  return body.subarray(at);
}

const WIDE_MARKS: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };
