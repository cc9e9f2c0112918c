// Pure: one way of writing a time for the whole console.

/** In whose zone times are shown. */
export const zoneChoices = ['site', 'mine', 'utc'] as const;
export type ZoneChoice = (typeof zoneChoices)[number];

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface Written {
  /** `2026-11-22`. */
  date: string;
  /** `16:42:03`. */
  clock: string;
  /** `+08:00`; `UTC` for none. */
  offset: string;
}

/** To make one takes longer than to write a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: knownZone(zone),
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
    formats.set(zone, format);
  }
  return format;
}

/** @param at ms @param zone IANA name; one that this browser does not know is taken for UTC */
export function write(at: number, zone: string): Written {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    clock: `${part('hour')}:${part('minute')}:${part('second')}`,
    offset: part('timeZoneName').replace(/^GMT/, '') || 'UTC',
  };
}

function knownZone(zone: string): string {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return zone;
  } catch {
    return 'UTC'; // it came from a machine with newer zones
  }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `5 minutes ago`, in the largest unit that fits; what is to come, as it is when clocks differ, is now. */
export function ago(at: number, now: number, language: string): string {
  const passed = Math.max(0, now - at);
  const [unit, length] = UNITS.find(([, one]) => passed >= one) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(
    -Math.floor(passed / length),
    unit,
  );
}

/** `5 min`: how long something lasts. */
export function duration(ms: number, language: string): string {
  const [unit, length] = UNITS.find(([, one]) => ms >= one) ?? UNITS[3];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.floor(ms / length),
  );
}
