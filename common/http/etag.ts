/**
 * Whether `If-None-Match` names the tag (RFC 9110 §13.1.2): one of a list, also as the weak tag that a
 * compressing proxy makes of it, or `*`.
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
