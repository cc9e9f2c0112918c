import nodeCron from 'node-cron';
import { type FaultMessage } from '../../common/http/fault/fault.ts';
import { saidOf } from './source-fault-messages.ts';

/** What is wrong with a cron expression; null when it can be used. */
export function scheduleFault(expression: string): FaultMessage | null {
  const checked = nodeCron.validateDetailed(expression);
  if (!checked.valid || !checked.fields)
    return saidOf('cron', {
      parts: checked.errors.map(({ field, value }) => `${field} ${value}`).join(', '),
    });
  const { dayOfMonth, dayOfWeek } = checked.fields;
  if ([...dayOfMonth, ...dayOfWeek].some((value) => typeof value !== 'number')) return saidOf('cron_days');
  return nextRun(expression, 0) === null ? saidOf('cron_never') : null;
}

const DAY_S = 86_400;
const HOUR_S = 3_600;
/** Beijing time ahead of UTC, which has no summer time. */
const BEIJING_S = 8 * HOUR_S;
/** 29 February falls on each day of the week within 28 years, and within 40 across a century without it. */
const FARTHEST_DAYS = 41 * 366;

/**
 * The first moment after `after` that the expression names in Beijing time; a day must fit both day fields.
 * node-cron reads the expression. It knows the next run only from the machine's clock on, not from a given
 * moment, and keeps its schedules in one process: those of datasets are rows that any hub may take up. So its
 * numbers are searched here, in a zone without summer time.
 * @param after epoch ms @returns epoch ms; null when there is none
 */
export function nextRun(expression: string, after: number): number | null {
  const fields = nodeCron.parse(expression);
  const local = Math.floor(after / 1000) + 1 + BEIJING_S;
  const today = Math.floor(local / DAY_S);
  for (let day = today; day < today + FARTHEST_DAYS; day += 1) {
    if (!fits(fields, new Date(day * DAY_S * 1000))) continue;
    const time = timeWithin(fields, day === today ? local - day * DAY_S : 0);
    if (time !== null) return (day * DAY_S + time - BEIJING_S) * 1000;
  }
  return null;
}

type Fields = ReturnType<typeof nodeCron.parse>;
type Numbers = readonly (number | string)[];

const fits = ({ dayOfMonth, month, dayOfWeek }: Fields, date: Date): boolean =>
  (month as Numbers).includes(date.getUTCMonth() + 1) &&
  (dayOfMonth as Numbers).includes(date.getUTCDate()) &&
  (dayOfWeek as Numbers).includes(date.getUTCDay());

/** The first time of a day that the expression names, from a second of the day on; null when none is left. */
function timeWithin({ hour, minute, second }: Fields, from: number): number | null {
  for (const h of ascending(hour)) {
    if ((h + 1) * HOUR_S <= from) continue;
    for (const m of ascending(minute)) {
      const start = h * HOUR_S + m * 60;
      const s = ascending(second).find((one) => start + one >= from);
      if (s !== undefined) return start + s;
    }
  }
  return null;
}

const ascending = (values: Numbers): number[] => values.map(Number).sort((a, b) => a - b);
