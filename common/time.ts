/** Times are epoch milliseconds inside, RFC 3339 outside (design §2.9, §5). */

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})?$/;

export const BEIJING_OFFSET_MINUTES = 480;

/**
 * Parses an RFC 3339 time to epoch milliseconds.
 * @param zonelessOffset minutes from UTC assumed for a value without zone; without it such a value is refused.
 * @returns null when the text is no such time or names a day that does not exist.
 */
export function parseTime(text: string, zonelessOffset?: number): number | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number, number, number, number, number, number,
  ];
  const offset = offsetMinutes(match[8], zonelessOffset);
  if (offset === null || hour > 23 || minute > 59 || second > 59) return null;
  const millis = match[7] ? Math.trunc(Number(`0.${match[7]}`) * 1000) : 0;
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, millis);
  const back = new Date(utc);
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day) return null;
  return utc - offset * 60_000;
}

function offsetMinutes(zone: string | undefined, zoneless: number | undefined): number | null {
  if (zone === undefined) return zoneless ?? null;
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** RFC 3339 in UTC with milliseconds and `Z`. */
export function formatTime(at: number): string {
  return new Date(at).toISOString();
}

export function formatTimeOrNull(at: number | null): string | null {
  return at === null ? null : formatTime(at);
}
