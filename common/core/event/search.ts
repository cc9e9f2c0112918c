import type { Clock } from '../../clock.ts';
import type { EventFilter, EventPort } from './port.ts';
import type { EventRecord } from './record.ts';
import { says } from './text.ts';

/** Events that one request looks at, and the time that it takes for it, ms; the next page goes on below. */
const MOST_LOOKED_AT = 20_000;
const LOOKS_FOR_MS = 1_000;
const STEP = 500;

export interface Found {
  /** Newest first, at most as many as were asked for and one. */
  items: EventRecord[];
  /** The event that was looked at last; null: none was. */
  last: EventRecord | null;
  /** Whether older events are left. */
  more: boolean;
}

/**
 * Looks through the events of a filter for words, newest first, as far as one request may. Words are in no
 * index: what was found and how far was looked is exact, also in Chinese and for parts of words.
 * @param before only smaller ids; null: from the newest
 */
export async function searchEvents(
  { events, clock }: { events: Pick<EventPort, 'list'>; clock: Pick<Clock, 'monotonic'> },
  filter: EventFilter,
  { words, before, limit }: { words: readonly string[]; before: number | null; limit: number },
): Promise<Found> {
  const until = clock.monotonic() + LOOKS_FOR_MS;
  const items: EventRecord[] = [];
  let last: EventRecord | null = null;
  for (let looked = 0; looked < MOST_LOOKED_AT && clock.monotonic() < until; looked += STEP) {
    const rows = await events.list(filter, last?.id ?? before, STEP);
    for (const row of rows) {
      if (says(row, words)) items.push(row);
      last = row;
      if (items.length > limit) return { items, last, more: true };
    }
    if (rows.length < STEP) return { items, last, more: false };
  }
  return { items, last, more: true };
}
