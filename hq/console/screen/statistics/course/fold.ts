// Pure: what hours of UTC add up to, in the zone in which people read them.
import { write } from '../../../time/zone.ts';

/** Events by the verdict as it stands. */
export interface Standings {
  confirmed: number;
  falseAlarm: number;
  merged: number;
  unjudged: number;
}
export const standings = ['unjudged', 'falseAlarm', 'merged', 'confirmed'] as const;

export type Hour = Standings & { at: string };
export type Step = Standings & { label: string };

const HOUR_MS = 3_600_000;
/** A period no longer than this is shown by hours. */
const BY_HOURS_MS = 49 * HOUR_MS;

const NAMES = { confirmed: 'confirmed', false_alarm: 'falseAlarm', merged: 'merged' } as const;
type Verdict = keyof typeof NAMES;

/** As what an event stands: the last correction, or else the first verdict. */
export function standingOf(event: { verdict: Verdict | null; correctedTo: Verdict | null }): keyof Standings {
  const standing = event.correctedTo ?? event.verdict;
  return standing === null ? 'unjudged' : NAMES[standing];
}

export const totalOf = ({ confirmed, falseAlarm, merged, unjudged }: Standings): number =>
  confirmed + falseAlarm + merged + unjudged;

const NONE: Standings = { confirmed: 0, falseAlarm: 0, merged: 0, unjudged: 0 };

const plus = (a: Standings, b: Standings): Standings => ({
  confirmed: a.confirmed + b.confirmed,
  falseAlarm: a.falseAlarm + b.falseAlarm,
  merged: a.merged + b.merged,
  unjudged: a.unjudged + b.unjudged,
});

export const sumOf = (all: readonly Standings[]): Standings => all.reduce<Standings>(plus, NONE);

/** Of those that were judged, 0 to 1; null while none is. */
export function shareOfFalse(sums: Standings): number | null {
  const judged = totalOf(sums) - sums.unjudged;
  return judged === 0 ? null : sums.falseAlarm / judged;
}

/** Where an hour lies in the zone. An hour of a zone that is half an hour off belongs to where it begins. */
interface Local {
  date: string;
  /** 0 to 23. */
  hour: number;
  /** 0 is Monday. */
  weekday: number;
}

export function localOf(at: number, zone: string): Local {
  const { date, clock } = write(at, zone);
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return { date, hour: Number(clock.slice(0, 2)), weekday };
}

/** Days of the period, or its hours where it is short; those without events too. */
export function stepsOf(
  hours: readonly Hour[],
  { since, until }: { since: number; until: number },
  zone: string,
): Step[] {
  const byHours = until - since <= BY_HOURS_MS;
  const labelOf = (at: number): string => {
    const { date, hour } = localOf(at, zone);
    return byHours ? `${date.slice(5)} ${String(hour).padStart(2, '0')}:00` : date;
  };
  const steps = new Map<string, Standings>();
  for (let at = Math.floor(since / HOUR_MS) * HOUR_MS; at < until; at += HOUR_MS)
    steps.set(labelOf(at), NONE);
  for (const { at, ...sums } of hours) {
    const label = labelOf(Date.parse(at));
    steps.set(label, plus(steps.get(label) ?? NONE, sums));
  }
  return [...steps].map(([label, sums]) => ({ label, ...sums }));
}

/** Events by hour of the day: 24 of them. */
export function dayOf(hours: readonly Hour[], zone: string): Standings[] {
  const day = Array.from({ length: 24 }, () => NONE);
  for (const { at, ...sums } of hours) {
    const { hour } = localOf(Date.parse(at), zone);
    day[hour] = plus(day[hour] ?? NONE, sums);
  }
  return day;
}

/** Number of events by weekday, from Monday on, and hour of the day. */
export function weekOf(hours: readonly Hour[], zone: string): number[][] {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { at, ...sums } of hours) {
    const { weekday, hour } = localOf(Date.parse(at), zone);
    const row = week[weekday];
    if (row) row[hour] = (row[hour] ?? 0) + totalOf(sums);
  }
  return week;
}

/** How shifts divide the day. */
export const shiftPlans = ['two', 'three'] as const;
export type ShiftPlan = (typeof shiftPlans)[number];
const BEGINS: Record<ShiftPlan, readonly number[]> = { two: [8, 20], three: [0, 8, 16] };

export interface Shift extends Standings {
  /** `08:00–20:00`. */
  name: string;
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export function shiftsOf(day: readonly Standings[], plan: ShiftPlan): Shift[] {
  const begins = BEGINS[plan];
  return begins.map((begin, index) => {
    const end = begins[(index + 1) % begins.length] ?? 0;
    const within = day.filter((_, hour) =>
      begin < end ? hour >= begin && hour < end : hour >= begin || hour < end,
    );
    return { name: `${clock(begin)}–${clock(end)}`, ...sumOf(within) };
  });
}

/** The last shift that is over, epoch ms. */
export function lastShift(now: number, plan: ShiftPlan, zone: string): { since: number; until: number } {
  const begins = BEGINS[plan];
  const isEdge = (at: number): boolean => begins.includes(localOf(at, zone).hour);
  const back = (from: number): number => {
    let at = from;
    while (!isEdge(at)) at -= HOUR_MS;
    return at;
  };
  // Zones lie a whole number of quarters of an hour off.
  const minutes = Number(write(now, zone).clock.slice(3, 5));
  const until = back(Math.floor(now / 60_000) * 60_000 - minutes * 60_000);
  return { since: back(until - HOUR_MS), until };
}

/** How dark a field of the heat map is: 0 for none, else 1 to 5 of the most. */
export const heatOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(1, Math.ceil((count / most) * 5));
