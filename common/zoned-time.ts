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

/** A sentence whose times are in UTC, as RFC 3339 writes them, with each by the clock of the zone. */
export const timesInZone = (text: string, zone: string): string =>
  text.replace(UTC_TIME, (time) => {
    const at = Date.parse(time);
    return Number.isNaN(at) ? time : timeInZone(at, zone);
  });
