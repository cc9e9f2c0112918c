/**
 * When a presigned address expires, epoch ms, read from its query as S3 and its like, Google, Azure, and
 * stores with a Unix time write it. null where the address does not say.
 */
export function expiresAt(putUrl: string): number | null {
  const query = new Map(
    [...new URL(putUrl).searchParams].map(([name, value]) => [name.toLowerCase(), value]),
  );
  for (const family of ['x-amz', 'x-goog', 'x-oss', 'x-obs', 'x-tos']) {
    const from = compactTime(query.get(`${family}-date`));
    const seconds = wholeNumber(query.get(`${family}-expires`));
    if (from !== null && seconds !== null) return from + seconds * 1000;
  }
  const azure = query.has('sig') ? Date.parse(query.get('se') ?? '') : NaN;
  if (!Number.isNaN(azure)) return azure;
  const unix = query.has('signature') ? wholeNumber(query.get('expires')) : null;
  return unix === null ? null : unix * 1000;
}

/** `20260102T030405Z`. */
function compactTime(text: string | undefined): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '');
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
