import type { Entry } from './entry.ts';
import { startOf } from './window.ts';

/** What a store writes of an event. */
export interface EventFact {
  id: number;
  tenant: string;
  at: number | null;
  group: number;
  place: number;
}

/** An event that is counted once more, or once less, in its group. */
export interface Counted {
  id: number;
  at: number | null;
  group: number;
  /** 1 or -1. */
  by: number;
}

/** Whether a change of the log of verdicts moves its event to another group. */
export const movesEvent = ({ kind }: { kind: string }): boolean =>
  kind === 'verdict' || kind === 'correction';

/** The same in the SQL of both stores. */
export const MOVES_EVENT = "kind in ('verdict', 'correction')";

/** What is added to the count of a group in an hour or a day. */
export interface Count<C extends Counted = Counted> {
  /** Start of the unit, epoch ms. */
  start: number;
  group: number;
  by: number;
  /** Smallest and largest id of those that are counted here. */
  first: number;
  last: number;
  /** One of the events that are counted here; all are of one tenant, as their group is. */
  of: C;
}

/** Numbers of groups and places by their texts. */
export interface Numbers {
  group: (text: string) => number;
  place: (text: string) => number;
}

/** An event of the index whose verdict has changed, as it is now, and the group that it was put into. */
export type Rejudged = Entry & { was: number };

export interface IndexRound {
  facts: EventFact[];
  /** Events that their verdicts move to another group. */
  moves: Pick<EventFact, 'id' | 'tenant' | 'group'>[];
  counted: (Counted & { tenant: string })[];
}

/**
 * What a round writes: new events with their facts, and those that their verdicts move. The same verdict
 * again moves nothing.
 */
export function planRound(
  fresh: readonly Entry[],
  rejudged: readonly Rejudged[],
  numbers: Numbers,
): IndexRound {
  const facts = fresh.map(({ id, tenant, at, group, place }) => ({
    id,
    tenant,
    at,
    group: numbers.group(group),
    place: numbers.place(place),
  }));
  const moved = rejudged
    .map(({ id, tenant, at, was, group }) => ({ id, tenant, at, was, group: numbers.group(group) }))
    .filter(({ was, group }) => group !== was);
  return {
    facts,
    moves: moved,
    counted: [
      ...facts.map((fact) => ({ ...fact, by: 1 })),
      ...moved.flatMap((fact) => [
        { ...fact, group: fact.was, by: -1 },
        { ...fact, by: 1 },
      ]),
    ],
  };
}

/**
 * Sums by the hour or the day, in the order of time and group. What has no time is in none.
 * @param unit ms
 */
export function countsOf<C extends Counted>(all: readonly C[], unit: number): Count<C>[] {
  const found = new Map<string, Count<C>>();
  for (const one of all) {
    const { id, at, group, by } = one;
    if (at === null) continue;
    const start = startOf(at, unit);
    const key = `${start} ${group}`;
    const sum = found.get(key);
    if (sum) {
      sum.by += by;
      sum.first = Math.min(sum.first, id);
      sum.last = Math.max(sum.last, id);
    } else found.set(key, { start, group, by, first: id, last: id, of: one });
  }
  return [...found.values()].sort((a, b) => a.start - b.start || a.group - b.group);
}

/** The groups and places that a round has no number for yet. */
export function missingOf(keys: readonly string[], known: { has: (key: string) => boolean }): string[] {
  return [...new Set(keys.filter((key) => !known.has(key)))];
}
