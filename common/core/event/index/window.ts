/** A span of time, left-closed, right-open, epoch ms. */
export type TimeSpan = readonly [since: number, until: number];

/** How a window is put together from counted days and hours, and single events at its ends. */
export interface WindowParts {
  days: TimeSpan[];
  hours: TimeSpan[];
  /** Each is shorter than two hours. */
  rows: TimeSpan[];
}

/**
 * The start of the day in which events without a time of occurrence are counted. It lies before every window,
 * and a whole number of days before 1970, as the start of every day does.
 */
export const UNDATED = -8_640_000_000_000_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** @param since @param until epoch ms, since < until */
export function partsOf(since: number, until: number): WindowParts {
  const [rows, wholeHours] = cut([since, until], HOUR_MS);
  const [hours, days] = wholeHours ? cut(wholeHours, DAY_MS) : [[], null];
  return { days: days ? [days] : [], hours, rows };
}

/** The part that whole units make up, and what is left at its sides. */
function cut([since, until]: TimeSpan, unit: number): [TimeSpan[], TimeSpan | null] {
  const from = Math.ceil(since / unit) * unit;
  const to = Math.floor(until / unit) * unit;
  if (from >= to) return [[[since, until]], null];
  const sides: TimeSpan[] = [
    [since, from],
    [to, until],
  ];
  return [sides.filter(([begin, end]) => begin < end), [from, to]];
}

/** Start of the unit that a time lies in. */
export const startOf = (at: number, unit: number): number => Math.floor(at / unit) * unit;
