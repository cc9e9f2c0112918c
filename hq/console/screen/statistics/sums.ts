// Pure: what the counts of a window add up to.
import type { Counts } from './queries.ts';

type EventCount = Counts['events'][number];
type TaskCount = Counts['tasks'][number];

/** Types of events that a chart names; the others are one bar. */
const TYPES = 12;

export interface Bars {
  names: string[];
  /** One for each name. */
  now: number[];
  before: number[];
}

function totals<T extends { count: number }>(
  rows: readonly T[],
  nameOf: (row: T) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.count);
  return sums;
}

/** Sums of two windows by one name, the largest of the present one first. */
export function bars<T extends { count: number }>(
  now: readonly T[],
  before: readonly T[],
  nameOf: (row: T) => string,
): Bars {
  const [present, earlier] = [totals(now, nameOf), totals(before, nameOf)];
  const names = [...new Set([...present.keys(), ...earlier.keys()])].toSorted(
    (a, b) => (present.get(b) ?? 0) - (present.get(a) ?? 0) || (earlier.get(b) ?? 0) - (earlier.get(a) ?? 0),
  );
  const of = (sums: Map<string, number>): number[] => names.map((name) => sums.get(name) ?? 0);
  return { names, now: of(present), before: of(earlier) };
}

/** With the smallest put together. @param others the name of those, by how many they are */
export function shortened({ names, now, before }: Bars, others: (count: number) => string): Bars {
  if (names.length <= TYPES + 1) return { names, now, before };
  const cut = (values: number[]): number[] => [
    ...values.slice(0, TYPES),
    values.slice(TYPES).reduce((sum, one) => sum + one, 0),
  ];
  return {
    names: [...names.slice(0, TYPES), others(names.length - TYPES)],
    now: cut(now),
    before: cut(before),
  };
}

export const sum = (rows: readonly { count: number }[]): number =>
  rows.reduce((all, { count }) => all + count, 0);

export interface Figures {
  events: number;
  open: number;
  /** Of those judged, 0 to 1; null while none is. */
  falseAlarms: number | null;
  tasks: number;
  overdue: number;
  escalated: number;
}

export function figures(events: readonly EventCount[], tasks: readonly TaskCount[]): Figures {
  const judged = sum(events.filter(({ verdict }) => verdict !== null));
  const wrong = sum(events.filter(({ verdict }) => verdict === 'false_alarm'));
  return {
    events: sum(events),
    open: sum(events) - judged,
    falseAlarms: judged === 0 ? null : wrong / judged,
    tasks: sum(tasks),
    overdue: sum(tasks.filter(({ overdue }) => overdue)),
    escalated: sum(tasks.filter(({ escalated }) => escalated)),
  };
}

/** Without what is only a test, unless it is wanted; an event that is no longer kept counts. */
export const withoutTests = ({ events, undated, tasks, knowledge }: Counts, tests: boolean) => ({
  events: tests ? events : events.filter(({ test }) => !test),
  undated: tests ? undated : undated.filter(({ test }) => !test),
  tasks: tests ? tasks : tasks.filter(({ eventTest }) => eventTest !== true),
  knowledge,
});
export type Counted = ReturnType<typeof withoutTests>;
