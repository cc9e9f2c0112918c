// What the bytes of a part of a multipart message look like.
const LF = 10;
const CR = 13;

/**
 * What stands before a boundary: the end of a line, or of a document or picture where a device forgets it.
 */
export const mayEnd = (byte: number): boolean =>
  byte === LF || byte === 0x3e || byte === 0x7d || byte === 0xd9;

/** Whether the bytes are the beginning of a document, which no header begins like. */
export const begunBody = (held: Buffer): boolean => held.length > 0 && (held[0] === 0x3c || held[0] === 0x7b);

/** By its Content-Length; null where it has none. */
export function announcedLength(headers: Readonly<Record<string, string>>): number | null {
  const text = headers['content-length'];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Where the last line begins, which may yet become a boundary. */
export function lineStart(held: Buffer): number {
  return held.lastIndexOf(LF) + 1;
}

/** Where a body ends that is followed by a boundary. */
export function withoutLineEnd(held: Buffer, at: number): number {
  if (at > 0 && held[at - 1] === LF) return at > 1 && held[at - 2] === CR ? at - 2 : at - 1;
  return at;
}

/** Without blanks and line ends behind it. */
export function trimmed(held: Buffer): Buffer {
  let end = held.length;
  while (end > 0 && (held[end - 1] === LF || held[end - 1] === CR || held[end - 1] === 32)) end -= 1;
  return held.subarray(0, end);
}
