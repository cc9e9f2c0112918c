import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { pictureType } from '../../../common/core/evidence/picture-type.ts';
import type { Part } from '../record.ts';

/** Of a header `Content-Type`; null where it names none. */
export function announcedBoundary(contentType: string | undefined): string | null {
  const match = /boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType ?? '');
  return match?.[1] ?? match?.[2] ?? null;
}

export type PartForm = 'xml' | 'json' | 'picture' | 'other';

/** By its first bytes, whatever its headers say. */
export function formOf({ body }: Part): PartForm {
  if (pictureType(body) !== null) return 'picture';
  const head = body
    .subarray(0, 2048)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (head.startsWith('<') || /<(?:\?xml|\w+:?\w*EventNotificationAlert)\b/.test(head)) return 'xml';
  return head.startsWith('{') || head.startsWith('[') ? 'json' : 'other';
}

/**
 * The text of a document, in the encoding that its declaration or its header names. Devices write Chinese
 * names in GB 18030 and name UTF-8, or nothing; they also cut UTF-8 in the middle of a sign. Bytes that are
 * of no encoding become U+FFFD.
 */
export function textOf(body: Buffer, contentType?: string): string {
  const head = body.subarray(0, 120).toString('latin1');
  const named =
    /^[^>{]{0,100}encoding=["']([A-Za-z0-9_-]{1,20})["']/.exec(head)?.[1] ??
    /charset\s*=\s*"?([A-Za-z0-9_-]{1,20})/i.exec(contentType ?? '')?.[1];
  // What can be read as ASCII is no UTF-16, whatever it says.
  const other = named !== undefined && !/^utf-?(?:8|16)/i.test(named) ? decoded(body, named) : null;
  const text = new TextDecoder('utf-8').decode(body);
  if (isUtf8(body)) return other !== null && !/[\u0800-\uffff]/.test(text) ? other : text;
  return other ?? (isMostlyUtf8(text) ? text : (decoded(body, 'gb18030') ?? text));
}

/** Whether more signs were read than could not be. */
function isMostlyUtf8(text: string): boolean {
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  return (text.match(/[^\x00-\x7f]/g)?.length ?? 0) - bad > bad;
}

/** null: no such encoding, or not all of it is in it. */
function decoded(body: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch (error) {
    // A label that no decoder has; bytes that are not of the encoding.
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}
