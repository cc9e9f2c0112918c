// Pure: the periods that reports are of, whole ones in the zone of whoever reads them.
import { lastShift, localOf, type ShiftPlan } from '../course/fold.ts';

export const draftKinds = ['shift_handover', 'weekly_report', 'monthly_report'] as const;
export type DraftKind = (typeof draftKinds)[number];

interface Span {
  since: number;
  until: number;
}

const HOUR_MS = 3_600_000;

/** The moment at which a day begins, also on one that clocks are changed on. @param date `2026-11-28` */
function startOf(date: string, zone: string): number {
  let at = Date.parse(`${date}T00:00:00Z`) - 15 * HOUR_MS;
  while (localOf(at, zone).date < date) at += HOUR_MS / 4;
  return at;
}

const dateOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The last shift, week from Monday on, or month that is over. */
export function lastSpan(kind: DraftKind, now: number, plan: ShiftPlan, zone: string): Span {
  if (kind === 'shift_handover') return lastShift(now, plan, zone);
  const { date, weekday } = localOf(now, zone);
  const end = new Date(`${date}T00:00:00Z`);
  if (kind === 'weekly_report') end.setUTCDate(end.getUTCDate() - weekday);
  else end.setUTCDate(1);
  const begin = new Date(end);
  if (kind === 'weekly_report') begin.setUTCDate(begin.getUTCDate() - 7);
  else begin.setUTCMonth(begin.getUTCMonth() - 1);
  return { since: startOf(dateOf(begin), zone), until: startOf(dateOf(end), zone) };
}
