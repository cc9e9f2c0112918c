/** Below this the clocks agree, ms: `Date` has whole seconds, and answers are on their way for a while. */
const AGREES_MS = 3_000;

let ahead = 0;

/**
 * Learns from an answer what time it is at headquarters: the clock of this browser may be wrong by hours.
 * @param date of its header `Date`; null where a proxy took it out
 */
export function hear(date: string | null, now = Date.now()): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  const difference = at + 500 - now;
  ahead = Math.abs(difference) < AGREES_MS ? 0 : difference;
}

/** The time by the clock of headquarters, epoch ms. */
export const timeNow = (): number => Date.now() + ahead;
