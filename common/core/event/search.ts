import type { Clock } from '../../clock.ts';
import type { CameraBook } from '../camera/record.ts';
import type { EventFilter, EventPort } from './port.ts';
import type { EventRecord } from './record.ts';
import { says } from './text.ts';

/** Events that one request looks at, and the time that it takes for it, ms; the next page goes on below. */
const MOST_LOOKED_AT = 20_000;
const LOOKS_FOR_MS = 1_000;
const STEP = 500;

export interface Found {
  /** Newest first, as far as there was room. */
  items: EventRecord[];
  /** The event that was looked at last; null: none was. */
  last: EventRecord | null;
  /** Whether older events are left. */
  more: boolean;
}

export interface SearchOptions {
  words: readonly string[];
  /** Only smaller ids; null: from the newest. */
  before: number | null;
  limit: number;
  /** Of event text at most; also what is looked at in one step. */
  bytes: number;
  /** Names that people gave cameras, where one of them has a word. */
  cameras?: CameraBook | undefined;
}

/**
 * Looks through the events of a filter for words, newest first, as far as one request may. Words are in no
 * index: what was found and how far was looked is exact, also in Chinese and for parts of words. An index of
 * trigrams (pg_trgm, which PostgreSQL and the embedded one bring) was measured over 60,000 events: with one
 * over the texts that are searched the server stored an event in 290 to 480 µs, with one over the document in
 * 570 to 720 µs, without in 47 to 71 µs. And it serves no word of one or two characters, as most in Chinese
 * are.
 */
export async function searchEvents(
  { events, clock }: { events: Pick<EventPort, 'newest'>; clock: Pick<Clock, 'monotonic'> },
  filter: EventFilter,
  { words, before, limit, bytes, cameras }: SearchOptions,
): Promise<Found> {
  const until = clock.monotonic() + LOOKS_FOR_MS;
  const items: EventRecord[] = [];
  let last: EventRecord | null = null;
  let left = bytes;
  for (let looked = 0; looked < MOST_LOOKED_AT && clock.monotonic() < until;) {
    const found = await events.newest(filter, last?.id ?? before, { rows: STEP, bytes });
    looked += found.items.length;
    for (const row of found.items) {
      const said = says(row, words, cameras);
      // The next page begins with what this one has no room for.
      if (said && (items.length === limit || left <= 0)) return { items, last, more: true };
      last = row;
      if (!said) continue;
      items.push(row);
      left -= Buffer.byteLength(row.doc);
    }
    if (!found.more) return { items, last, more: false };
  }
  return { items, last, more: true };
}
