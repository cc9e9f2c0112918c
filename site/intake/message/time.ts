import { parseTime } from '../../../common/time.ts';
import type { DeviceTime } from '../record.ts';

const MAX_TEXT = 64;
/** What devices write beside RFC 3339: no zone, a zone without colon or of hours alone, a blank for the T. */
const LOOSE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)\s*(.*)$/;

/** A time as a device wrote it. What follows the seconds and is no zone leaves the time without one. */
export function deviceTime(text: string | null | undefined): DeviceTime | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  const shown = trimmed.slice(0, MAX_TEXT);
  const match = LOOSE.exec(shown);
  if (!match) return { text: shown, at: null, zoned: false };
  const [, day = '', time = '', zone = ''] = match;
  const whole = zoneOf(zone);
  const at = whole === null ? null : parseTime(`${day}T${time}${whole}`);
  if (at !== null) return { text: shown, at, zoned: true };
  return { text: shown, at: parseTime(`${day}T${time}Z`), zoned: false };
}

/** In the form of RFC 3339; null for what is no zone. */
function zoneOf(text: string): string | null {
  if (/^[Zz]$/.test(text)) return 'Z';
  const match = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text);
  if (!match) return null;
  const [, sign = '', hours = '', minutes = '00'] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** A time that a device counts since 1970, in seconds or milliseconds, which has no zone to get wrong. */
export function epochTime(value: unknown): DeviceTime | null {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null;
  const at = Math.round(number > 1e11 ? number : number * 1000);
  return at > 4_102_444_800_000
    ? { text: String(value).slice(0, MAX_TEXT), at: null, zoned: false }
    : { text: String(value).slice(0, MAX_TEXT), at, zoned: true };
}
