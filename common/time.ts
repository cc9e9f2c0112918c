/** Times are epoch milliseconds inside, RFC 3339 outside (DESIGN.md, "Time"). */

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})?$/;

/** The years 0000 to 9999 in UTC, epoch ms; RFC 3339 cannot write others. */
export const EARLIEST = -62_167_219_200_000;
export const LATEST = 253_402_300_799_999;

/**
 * The last time that the clock of a machine can stand at, in the year 2262: Linux counts nanoseconds in 63
 * bits. What a store writes by its own clock lies between 0 and this.
 */
export const LAST_CLOCK = 9_223_372_036_854;

export const BEIJING_OFFSET_MINUTES = 480;
/** Where neither a site nor headquarters says which clock people read. */
export const STANDARD_ZONE = 'Asia/Shanghai';

/**
 * Parses an RFC 3339 time to epoch milliseconds.
 * @param zonelessOffset minutes from UTC assumed for a value without zone; without it such a value is
 *   refused.
 * @returns null when the text is no such time or names a day that does not exist.
 */
export function parseTime(text: string, zonelessOffset?: number): number | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  const offset = offsetMinutes(match[2], zonelessOffset);
  const day = dayOf(text.slice(0, 10));
  if (day === null || offset === null || hour > 23 || minute > 59 || second > 59) return null;
  const millis = match[1] ? Math.trunc(Number(`0.${match[1]}`) * 1000) : 0;
  const at = day + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millis;
  return at < EARLIEST || at > LATEST ? null : at;
}

const ZERO = 48;
const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** The last day is remembered, since thousands of events share one and the calendar is what takes time. */
const days = { text: '', start: null as number | null };

/** Start of a day `YYYY-MM-DD`, epoch ms; null when there is no such day. */
function dayOf(text: string): number | null {
  if (text !== days.text) Object.assign(days, { text, start: startOfDay(text) });
  return days.start;
}

function startOfDay(text: string): number | null {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  const utc = new Date(0);
  const start = utc.setUTCFullYear(year, month - 1, day);
  return utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day ? start : null;
}

function offsetMinutes(zone: string | undefined, zoneless: number | undefined): number | null {
  if (zone === undefined) return zoneless ?? null;
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

const DAY_MS = 86_400_000;
const PAIRS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
/** The day that was written last, with the `T` behind it. */
const written = { start: Number.NaN, text: '' };

/** RFC 3339 in UTC with milliseconds and `Z`. */
export function formatTime(at: number): string {
  const inDay = at - written.start;
  if (!(inDay >= 0 && inDay < DAY_MS)) return formatNewDay(at);
  const seconds = Math.floor(inDay / 1000);
  const millis = inDay - seconds * 1000;
  const minutes = Math.floor(seconds / 60);
  const clock = `${PAIRS[Math.floor(minutes / 60)]}:${PAIRS[minutes % 60]}:${PAIRS[seconds % 60]}`;
  return `${written.text}${clock}.${millis < 100 ? '0' : ''}${millis < 10 ? '0' : ''}${millis}Z`;
}

function formatNewDay(at: number): string {
  const text = new Date(at).toISOString();
  Object.assign(written, {
    start: Math.floor(at / DAY_MS) * DAY_MS,
    text: text.slice(0, -'00:00:00.000Z'.length),
  });
  return text;
}

export function formatTimeOrNull(at: number | null): string | null {
  return at === null ? null : formatTime(at);
}

// Times as people read them: by the clock of a zone, whose offset stands beside them.

const UTC_TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z/g;
/** Whether this machine knows a time zone of this name, or an offset of this form. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: zone, hourCycle: 'h23', timeZoneName: 'longOffset' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
    formats.set(zone, format);
  }
  return format;
}

/**
 * As `2026-11-21 19:38:18 UTC+08:00`. @param at epoch ms
 * @param zone IANA name, or an offset as `+08:00`
 */
export function timeInZone(at: number, zone: string): string {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const offset = (part.timeZoneName ?? '').replace('GMT', 'UTC').replace('+00:00', '');
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${offset}`;
}

/** A sentence whose times are in UTC, as RFC 3339 writes them, with each as `shown` gives it. */
export const timesShown = (text: string, shown: (at: number) => string): string =>
  text.replace(UTC_TIME, (time) => {
    const at = Date.parse(time);
    return Number.isNaN(at) ? time : shown(at);
  });

/** The same by the clock of a zone. */
export const timesInZone = (text: string, zone: string): string =>
  timesShown(text, (at) => timeInZone(at, zone));
