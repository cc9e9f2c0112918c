// A device's clock, as GetSystemDateAndTime tells it.
import { isObject } from '../message/json.ts';
import { memberOf, wordOf } from '../message/member.ts';
import type { DeviceTime } from '../record.ts';
import type { Document } from './document.ts';

/** @returns null where the device told no time; one without UTC has no zone that could be believed */
export function systemTime(answer: Document): DeviceTime | null {
  const utc = instantOf(memberOf(answer, 'UTCDateTime'));
  if (utc !== null) return { text: new Date(utc).toISOString(), at: utc, zoned: true };
  const local = instantOf(memberOf(answer, 'LocalDateTime'));
  return local === null
    ? null
    : { text: new Date(local).toISOString().slice(0, 19), at: local, zoned: false };
}

/**
 * What must be added to our time for that of the device, ms. Of a time without zone the quarter of an hour is
 * left that no zone explains.
 */
export function offsetOf({ at, zoned }: DeviceTime, now: number): number {
  if (at === null) return 0;
  return zoned ? at - now : at - now - Math.round((at - now) / 900_000) * 900_000;
}

function instantOf(value: unknown): number | null {
  if (!isObject(value)) return null;
  const [year, month, day] = ['Year', 'Month', 'Day'].map((name) => numberOf(value.Date, name));
  const [hour, minute, second] = ['Hour', 'Minute', 'Second'].map((name) => numberOf(value.Time, name));
  const at = Date.UTC(year ?? NaN, (month ?? NaN) - 1, day, hour, minute, second);
  return Number.isFinite(at) ? at : null;
}

const numberOf = (value: unknown, name: string): number => {
  const word = isObject(value) ? wordOf(value[name]) : null;
  return word !== null && /^\d{1,4}$/.test(word) ? Number(word) : NaN;
};
