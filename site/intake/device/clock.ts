// Whose clock counts: that of a device is believed only where it wrote its zone and is near to receipt.
import type { DeviceTime, Occurrence } from '../record.ts';

/** How far the clock of a device may be off, ms. */
export const CLOCK_TOLERANCE_MS = 60_000;
/** What a device sends late lies at most so far back, ms. */
const LATE_MS = 31 * 86_400_000;
/** Zones differ by multiples of this, ms. */
const ZONE_STEP_MS = 900_000;

/** @returns epoch ms of the occurrence by the device's clock; null: receipt is to be taken */
export function believed(
  { time, late, begunBefore = false }: Pick<Occurrence, 'time' | 'late' | 'begunBefore'>,
  now: number,
): number | null {
  if (time === null || time.at === null || !time.zoned) return null;
  const age = now - time.at;
  if (late || begunBefore) return age > -CLOCK_TOLERANCE_MS && age < LATE_MS ? time.at : null;
  return Math.abs(age) <= CLOCK_TOLERANCE_MS ? time.at : null;
}

/**
 * How far the clock of a device is off, ms; 0: not beyond what is allowed. Of a time without zone, or with
 * one that is doubted, only what no zone explains.
 */
export function clockOffMs(time: DeviceTime, now: number): number {
  if (time.at === null) return 0;
  const off = time.at - now;
  if (Math.abs(off) <= CLOCK_TOLERANCE_MS) return 0;
  const zoned = time.zoned && time.zoneDoubted !== true;
  if (zoned || Math.abs(off) > 15 * 3_600_000) return off;
  const rest = off - Math.round(off / ZONE_STEP_MS) * ZONE_STEP_MS;
  return Math.abs(rest) <= CLOCK_TOLERANCE_MS ? 0 : rest;
}
