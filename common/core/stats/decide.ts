import type { Fault } from '../../http/fault/fault.ts';
import type { EventCount, EventGroup } from './record.ts';
import { faultAt } from '../../http/fault/fault.ts';

export const MAX_WINDOW_MS = 93 * 86_400_000;

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

/** Sums counts by group. */
export class EventTally {
  #counts = new Map<string, EventCount>();

  /** @param count may be negative, for an event that moves to another group */
  add(group: EventGroup, count: number): void {
    const { source, kind, type, verdict, test, judged, judgedType, severity, instance } = group;
    const key = JSON.stringify([source, kind, type, verdict, test, judged, judgedType, severity, instance]);
    const known = this.#counts.get(key);
    const counted = { source, kind, type, verdict, test, judged, judgedType, severity, instance, count };
    if (known) known.count += count;
    else this.#counts.set(key, counted);
  }

  take(): EventCount[] {
    return [...this.#counts.values()].filter(({ count }) => count !== 0);
  }
}
