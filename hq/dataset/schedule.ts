import { Cron } from 'croner';
import nodeCron from 'node-cron';
import { type FaultMessage, saidOf } from '../../common/http/fault/fault.ts';

/** Beijing time in minutes ahead of UTC; it has no summer time. */
const BEIJING = 480;

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

/**
 * The first moment after `after` that the expression names in Beijing time; a day must fit both day fields.
 * node-cron reads the expression and croner searches: node-cron knows the next run only from the machine's
 * clock on, not from a given moment, and croner does not read all that node-cron does (`22-4`, `sunday`), so
 * it gets the numbers.
 * @param after epoch ms @returns epoch ms; null when there is none
 */
export function nextRun(expression: string, after: number): number | null {
  const { second, minute, hour, dayOfMonth, month, dayOfWeek } = nodeCron.parse(expression);
  const numbers = [second, minute, hour, dayOfMonth, month, dayOfWeek]
    .map((values) => values.join(','))
    .join(' ');
  return (
    new Cron(numbers, { utcOffset: BEIJING, domAndDow: true, paused: true })
      .nextRun(new Date(after))
      ?.getTime() ?? null
  );
}
