/**
 * Lists of events, newest first, under any filter. The newest rows are looked at themselves; below them the
 * blocks tell which events match. In slices, so that a filter that matches little keeps nobody waiting.
 */
import type Database from 'better-sqlite3';
import type { EventFilter } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import type { Block } from './block-table.ts';
import type { Dictionary, Word } from './dictionary.ts';
import { boundsIn, GONE, type Place } from './event-block.ts';
import type { EventIndex, IndexView } from './event-index.ts';
import { Slices } from './slices.ts';

/** Ids that one statement looks at. */
const STEP = 500;

export interface EventListParts {
  sqlite: Database.Database;
  words: Dictionary;
  index: EventIndex;
  read(id: number): EventRecord | null;
}

export class EventLists {
  #parts: EventListParts;
  #newest: Database.Statement<[number], number | null>;

  constructor(parts: EventListParts) {
    this.#parts = parts;
    this.#newest = parts.sqlite.prepare<[number], number | null>('SELECT max(id) FROM events WHERE id <= ?').pluck();
  }

  /** As `EventPort.list`. */
  async list(filter: EventFilter, before: number | null, limit: number): Promise<EventRecord[]> {
    const { index, words, sqlite } = this.#parts;
    const view = index.view();
    const listing: Listing = { filter, limit, found: [], slices: new Slices(() => performance.now()), rows: rowsMatching(sqlite, filter, words) };
    const top = Math.min(before === null ? Infinity : before - 1, view.head);
    const floor = Math.min(view.upto, top - view.probe);
    // Ids may leave wide gaps, so that each step begins at a row.
    for (let high = this.#newest.get(top); high && high > floor && listing.found.length < limit; ) {
      const low = Math.max(floor, high - STEP);
      for (const id of listing.rows(low, high, limit - listing.found.length)) this.#take(id, listing);
      await listing.slices.step();
      high = this.#newest.get(low);
    }
    if (listing.found.length < limit && floor > 0) await this.#fromBlocks(view, floor, listing);
    return listing.found;
  }

  /** Events up to `floor`. Those with a verdict that the blocks may not know are looked at themselves. */
  async #fromBlocks(view: IndexView, floor: number, listing: Listing): Promise<void> {
    const { index } = this.#parts;
    const { filter, found, limit, slices } = listing;
    const blocks = new BlockFilter(filter, index.groups.matching(filter));
    const late = filter.verdict === undefined ? [] : (await view.late(slices)).map(({ eventId }) => eventId);
    const unsure = new Set(late);
    let last = late.length;
    for (let block = index.before(floor + 1); block; block = index.before(block.firstId)) {
      const { firstId } = block;
      const sure = blocks.idsIn(block, floor + 1).filter((id) => !unsure.has(id));
      const end = last;
      while (last > 0 && (late[last - 1] ?? 0) >= firstId) last -= 1;
      const looked = late.slice(last, end).filter((id) => id <= floor && listing.rows(id - 1, id, 1).length > 0);
      for (const id of looked.length === 0 ? sure : [...sure, ...looked].sort((a, b) => b - a)) {
        this.#take(id, listing);
        if (found.length >= limit) return;
        await slices.step();
      }
      await slices.step();
    }
  }

  /** A verdict may have been written since the id was found. */
  #take(id: number, { filter, found }: Listing): void {
    const event = this.#parts.read(id);
    if (event && (filter.verdict === undefined || (event.verdict ?? 'none') === filter.verdict)) found.push(event);
  }
}

/** One request under way. */
interface Listing {
  filter: EventFilter;
  limit: number;
  found: EventRecord[];
  slices: Slices;
  rows: RowsMatching;
}

type RowsMatching = (low: number, high: number, limit: number) => number[];

/** Ids of rows in (low, high] that match, newest first. */
function rowsMatching(sqlite: Database.Database, filter: EventFilter, words: Dictionary): RowsMatching {
  const where = ['e.id > ? AND e.id <= ?'];
  const values: Word[] = [];
  const also = (condition: string, value: Word | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    values.push(value);
  };
  const word = (text: string | null | undefined): Word | undefined => (text === null || text === undefined ? undefined : words.find(text));
  also('e.tenant_code = ?', word(filter.tenantCode));
  also('e.type = ?', word(filter.type));
  also('e.kind = ?', word(filter.kind));
  also('e.source = ?', word(filter.source));
  also('e.occurred_at >= ?', filter.since);
  also('e.occurred_at < ?', filter.until);
  also("e.doc ->> '$.siteRef' = ?", filter.siteRef);
  also("e.doc ->> '$.cameraRef' = ?", filter.cameraRef);
  if (!filter.includeTest) where.push('e.is_test = 0');
  const verdict = '(SELECT verdict FROM verdicts v WHERE v.event_id = e.id)';
  if (filter.verdict === 'none') where.push(`${verdict} IS NULL`);
  else also(`${verdict} = ?`, filter.verdict);
  const statement = sqlite.prepare<Word[], number>(`SELECT e.id FROM events e WHERE ${where.join(' AND ')} ORDER BY e.id DESC LIMIT ?`).pluck();
  return (low, high, limit) => statement.all(low, high, ...values, limit);
}

/** A filter as blocks are asked. */
class BlockFilter {
  #filter: EventFilter;
  #groups: Uint8Array;

  /** @param groups 1 at the number of each group that the filter takes */
  constructor(filter: EventFilter, groups: Uint8Array) {
    this.#filter = filter;
    this.#groups = groups;
  }

  /** Ids of matching events of a block below `below`, newest first. */
  idsIn(block: Block, below: number): number[] {
    const { since, until, siteRef, cameraRef } = this.#filter;
    const dated = since !== undefined || until !== undefined;
    if (dated && !overlaps(block, since, until)) return [];
    const { ids: numbers, counts } = block.list;
    const groups = Uint8Array.from(numbers, (id, index) => (this.#groups[id] === 1 && (counts[index] ?? 0) > 0 ? 1 : 0));
    if (!groups.includes(1)) return [];
    const places = siteRef === undefined && cameraRef === undefined ? null : block.places();
    const allowed = places && Uint8Array.from(places.names, (place) => (this.#takesPlace(place) ? 1 : 0));
    if (allowed && !allowed.includes(1)) return [];
    const times = dated ? block.times() : null;
    const bounds = times && boundsIn(times, since ?? -Infinity, until ?? Infinity);
    const cells = block.cells();
    const ids: number[] = [];
    for (let at = Math.min(cells.length, below - block.firstId) - 1; at >= 0; at -= 1) {
      const cell = cells[at] ?? GONE;
      if (cell === GONE || groups[cell] !== 1) continue;
      if (allowed && allowed[places?.numbers[at] ?? 0] !== 1) continue;
      if (times && bounds && !within(times.data[at], bounds)) continue;
      ids.push(block.firstId + at);
    }
    return ids;
  }

  #takesPlace([site, camera]: Place): boolean {
    const { siteRef, cameraRef } = this.#filter;
    return (siteRef === undefined || site === siteRef) && (cameraRef === undefined || camera === cameraRef);
  }
}

const within = (value: number | undefined, { from, to }: { from: number; to: number }): boolean => value !== undefined && value >= from && value < to;

function overlaps({ minAt, maxAt }: Block, since: number | undefined, until: number | undefined): boolean {
  return minAt !== null && maxAt !== null && (until === undefined || minAt < until) && (since === undefined || maxAt >= since);
}
