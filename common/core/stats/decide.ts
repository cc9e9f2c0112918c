import { type Fault, faultAt } from '../../http/fault/fault.ts';
import { hasVerdict } from '../event/index/filter.ts';
import type { StatsFilter } from './port.ts';
import type { EventCount, EventGroup, TaskCount } from './record.ts';

export const MAX_WINDOW_MS = 93 * 86_400_000;
/** Longest aggregation (spec 2, "Limits"). */
export const STATS_WITHIN_MS = 15_000;

/** Rules of the window (spec 2, "Limits"). @param since @param until epoch ms */
export function windowFaults(since: number, until: number): Fault[] {
  if (until <= since) return [faultAt('until', 'later_than_since')];
  if (until - since > MAX_WINDOW_MS) return [faultAt('until', 'window_too_long')];
  return [];
}

/**
 * In descending count order; groups of the same count in the order of their keys, so that the answer is the
 * same each time.
 */
export function byCount<T extends { count: number }>(groups: readonly T[]): T[] {
  const keyed = groups.map((group) => ({ group, key: JSON.stringify(Object.values(group)) }));
  keyed.sort((a, b) => b.group.count - a.group.count || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ group }) => group);
}

/** The groups that a filter asks for. It needs no row: all that it names is what events are grouped by. */
export const asked = (groups: readonly EventCount[], filter: StatsFilter): EventCount[] =>
  groups.filter((group) => isAsked(group, filter));

export const isAsked = (group: EventGroup, filter: StatsFilter): boolean =>
  (filter.severities?.includes(group.severity) ?? true) &&
  isThere(group, filter) &&
  hasVerdict(filter, group);

/** As `asked`, of tasks, which are narrowed down by their site alone. */
export const askedTasks = (groups: readonly TaskCount[], filter: StatsFilter): TaskCount[] =>
  groups.filter((group) => isThere(group, filter));

const isThere = ({ instance }: { instance: string | null }, { instances }: StatsFilter): boolean =>
  instances === undefined || (instance !== null && instances.has(instance));

/** Sums counts by group. */
export class EventTally {
  #counts = new Map<string, EventCount>();

  /** @param count may be negative, for an event that moves to another group */
  add(group: EventGroup, count: number): void {
    const { source, kind, type, verdict, correctedTo, test, judged, judgedType, severity, instance } = group;
    const judgement = { verdict, correctedTo, test, judged, judgedType };
    const plain = { source, kind, type, ...judgement, severity, instance };
    const key = JSON.stringify(Object.values(plain));
    const known = this.#counts.get(key);
    if (known) known.count += count;
    else this.#counts.set(key, { ...plain, count });
  }

  take(): EventCount[] {
    return [...this.#counts.values()].filter(({ count }) => count !== 0);
  }
}
