import nodeCron, { type ParsedFields } from 'node-cron';

const BEIJING_MS = 8 * 3_600_000;
const DAY_MS = 86_400_000;
/** A 29th of February that is a given weekday comes within 40 years. */
const MAX_DAYS = 366 * 41;

/** What is wrong with a cron expression; null when it can be used. */
export function scheduleFault(expression: string): string | null {
  const checked = nodeCron.validateDetailed(expression);
  if (!checked.valid || !checked.fields) return checked.errors.map(({ message }) => message).join('; ') || 'is not a cron expression';
  const { dayOfMonth, dayOfWeek } = checked.fields;
  if ([...dayOfMonth, ...dayOfWeek].some((value) => typeof value !== 'number')) return 'must name days by number or name; L, W and # are not known here';
  return nextRun(expression, 0) === null ? 'names no day that exists' : null;
}

/**
 * The first moment after `after` that the expression names in Beijing time (which has no summer time); a day must fit both
 * day fields. Not node-cron's own search, which begins at the machine's clock.
 * @param after epoch ms @returns epoch ms; null when there is none
 */
export function nextRun(expression: string, after: number): number | null {
  const fields = nodeCron.parse(expression);
  const local = after + BEIJING_MS;
  const today = Math.floor(local / DAY_MS) * DAY_MS;
  for (let index = 0; index < MAX_DAYS; index += 1) {
    const day = today + index * DAY_MS;
    const inDay = dayFits(fields, new Date(day)) ? firstAfter(fields, local - day) : null;
    if (inDay !== null) return day + inDay - BEIJING_MS;
  }
  return null;
}

const dayFits = ({ month, dayOfMonth, dayOfWeek }: ParsedFields, day: Date): boolean =>
  month.includes(day.getUTCMonth() + 1) && dayOfMonth.includes(day.getUTCDate()) && dayOfWeek.includes(day.getUTCDay());

/** @param after milliseconds into the day, below 0 on a later day */
function firstAfter({ hour, minute, second }: ParsedFields, after: number): number | null {
  let first: number | null = null;
  for (const h of hour) {
    if ((h + 1) * 3_600_000 <= after) continue;
    for (const m of minute) {
      for (const s of second) {
        const at = ((h * 60 + m) * 60 + s) * 1000;
        if (at > after && (first === null || at < first)) first = at;
      }
    }
    if (first !== null) return first;
  }
  return first;
}
