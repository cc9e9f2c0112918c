/**
 * Lists of events, newest first, under any filter. The newest rows are looked at themselves; below them the
 * days tell where the groups that match have events, and the facts there which. In slices, so that a filter
 * that matches little keeps nobody waiting.
 */
import type Database from 'better-sqlite3';
import {
  type Asked,
  askedOf,
  asksForVerdict,
  type Condition,
  type FilterColumn,
  hasVerdict,
  sqlOfConditions,
} from '../../../common/core/event/index/filter.ts';
import { DAY_MS, startOf } from '../../../common/core/event/index/window.ts';
import type { EventFilter, Room, Stretch } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import { Slices } from '../engine/slices.ts';
import type { EventIndex } from './event-index.ts';

/** Ids of rows, and of facts, that one statement looks at. */
const ROW_STEP = 500;
const FACT_STEP = 8_192;
/** Days that one statement looks at. */
const DAY_STEP = 16;

export interface EventListParts {
  sqlite: Database.Database;
  index: EventIndex;
  read(id: number): EventRecord | null;
}

/** One request under way. */
interface Listing {
  filter: EventFilter;
  asked: Asked;
  limit: number;
  /** What is left of it, of `doc`. */
  bytes: number;
  found: EventRecord[];
  slices: Slices;
}

const isFull = ({ found, limit, bytes }: Listing): boolean => found.length >= limit || bytes <= 0;

interface RowsMatching {
  all: (...values: unknown[]) => number[];
  values: unknown[];
}

/** The groups that match now, as a JSON text: events may be moved to new ones while a list is under way. */
type Groups = () => string;

interface FactsMatching {
  groups: Groups;
  all: (first: number, last: number, limit: number) => number[];
}

/** Ids from `first` to `last`. */
interface Ids {
  first: number;
  last: number;
}

export class EventLists {
  readonly #parts: EventListParts;
  #newest: Database.Statement<[number], number | null>;
  #newestFact: Database.Statement<[number], number | null>;
  #newestDay: Database.Statement<[number], number | null>;

  constructor(parts: EventListParts) {
    this.#parts = parts;
    const newest = (sql: string) => parts.sqlite.prepare<[number], number | null>(sql).pluck();
    this.#newest = newest('SELECT max(id) FROM events WHERE id <= ?');
    this.#newestFact = newest('SELECT max(event_id) FROM event_facts WHERE event_id <= ?');
    this.#newestDay = newest('SELECT max(start_at) FROM event_days WHERE start_at < ?');
  }

  /** As `EventPort.newest`. */
  async newest(filter: EventFilter, before: number | null, room: Room): Promise<Stretch> {
    const { rows: limit, bytes } = room;
    const { index } = this.#parts;
    const { head: highWaterMark, through, changes } = index.marks();
    const slices = new Slices(() => performance.now());
    const listing: Listing = { filter, asked: askedOf(filter), limit, bytes, found: [], slices };
    const top = Math.min(before === null ? Infinity : before - 1, highWaterMark);
    const floor = Math.min(through, top - index.probe);
    // Verdicts that the facts may not know yet; these events are looked at themselves.
    const late = asksForVerdict(filter) ? index.tables.changed(changes, floor) : [];
    await this.#fromRows(listing, floor, top);
    if (!isFull(listing) && floor > 0) await this.#fromFacts(listing, floor, late);
    return { items: listing.found, more: isFull(listing) };
  }

  async #fromRows(listing: Listing, floor: number, top: number): Promise<void> {
    const { found, limit, slices } = listing;
    const rows = this.#rowsMatching(listing.asked, 'e.id > ? AND e.id <= ?');
    // Ids may leave wide gaps, so that each step begins at a row, here and below.
    for (let high = this.#newest.get(top); high && high > floor && !isFull(listing);) {
      const low = Math.max(floor, high - ROW_STEP);
      for (const id of rows.all(low, high, ...rows.values, limit - found.length)) this.#take(id, listing);
      await slices.step();
      high = this.#newest.get(low);
    }
  }

  /** Events up to `floor`. @param late newest first */
  async #fromFacts(listing: Listing, floor: number, late: readonly number[]): Promise<void> {
    const { asked, limit, slices } = listing;
    const looked = this.#rowsMatching(asked, oneOf('e.id'));
    const rest = late.length === 0 ? [] : looked.all(JSON.stringify(late), ...looked.values, late.length);
    const unsure = new Set(late);
    const facts = this.#factsMatching(asked);
    for (const { first, last } of facts === null ? [] : await this.#stretches(listing, facts.groups)) {
      for (let high = this.#newestFact.get(Math.min(last, floor)); facts && high && high >= first;) {
        let low = Math.max(first, high - FACT_STEP + 1);
        const ids = facts.all(low, high, limit);
        // There may be more of them below.
        if (ids.length === limit) low = ids.at(-1) ?? low;
        const sure = ids.filter((id) => !unsure.has(id));
        const also = rest.splice(0, rest.findLastIndex((id) => id >= low) + 1);
        for (const id of also.length === 0 ? sure : [...sure, ...also].sort((a, b) => b - a)) {
          this.#take(id, listing);
          if (isFull(listing)) return;
          await slices.step();
        }
        await slices.step();
        high = this.#newestFact.get(low - 1);
      }
    }
    for (const id of rest) this.#take(id, listing);
  }

  /** Where events of these groups lie, newest first, by the days in which they occurred. */
  async #stretches({ filter, slices }: Listing, groups: Groups): Promise<Ids[]> {
    const { since = -Infinity, until = Infinity } = filter;
    const days = this.#parts.sqlite.prepare<[string, number, number], Ids>(
      `SELECT min(first_id) AS first, max(last_id) AS last FROM event_days
       WHERE ${oneOf('group_id')} AND start_at > ? AND start_at <= ? GROUP BY start_at`,
    );
    const found: Ids[] = [];
    for (let day = this.#newestDay.get(until); typeof day === 'number' && day > since - DAY_MS;) {
      const low = startOf(day, DAY_MS) - DAY_STEP * DAY_MS;
      found.push(...days.all(groups(), Math.max(low, since - DAY_MS), day));
      await slices.step();
      day = this.#newestDay.get(low + 1);
    }
    return united(found);
  }

  /** Ids of rows that match, newest first: `all(…bounds, …values, limit)`. */
  #rowsMatching({ group, time, place }: Asked, bounds: string): RowsMatching {
    const values = new Values();
    const where = values.where([...group, ...time, ...place], (column) => ROW_SQL[column] ?? `e.${column}`);
    const statement = this.#parts.sqlite
      .prepare<unknown[], number>(
        `SELECT e.id FROM events e WHERE ${bounds} AND ${where} ORDER BY e.id DESC LIMIT ?`,
      )
      .pluck();
    return { all: (...given) => statement.all(...given), values: values.all };
  }

  /** null: no group, or no place, matches. */
  #factsMatching({ group, time, place }: Asked): FactsMatching | null {
    const groups = this.#groupsNow(group);
    const places = place.length === 0 ? null : this.#idsIn('event_places', place);
    if (groups() === '[]' || places === '[]') return null;
    const values = new Values();
    const statement = this.#parts.sqlite
      .prepare<unknown[], number>(
        `SELECT event_id FROM event_facts WHERE event_id BETWEEN ? AND ? AND ${oneOf('group_id')}
       AND ${places === null ? 'true' : oneOf('place_id')} AND ${values.where(time)}
       ORDER BY event_id DESC LIMIT ?`,
      )
      .pluck();
    const given = [...(places === null ? [] : [places]), ...values.all];
    return { groups, all: (first, last, limit) => statement.all(first, last, groups(), ...given, limit) };
  }

  #groupsNow(group: readonly Condition[]): Groups {
    let [known, writes] = ['[]', -1];
    return () => {
      if (writes !== this.#parts.index.writes) known = this.#idsIn('event_groups', group);
      writes = this.#parts.index.writes;
      return known;
    };
  }

  #idsIn(table: 'event_groups' | 'event_places', conditions: readonly Condition[]): string {
    const values = new Values();
    const where = values.where(conditions, (column) => GROUP_SQL[column] ?? column);
    const { sqlite } = this.#parts;
    const ids = sqlite.prepare<unknown[], number>(`SELECT id FROM ${table} WHERE ${where}`).pluck();
    return JSON.stringify(ids.all(...values.all));
  }

  /** A verdict may have been written since the id was found. */
  #take(id: number, listing: Listing): void {
    if (isFull(listing)) return;
    const event = this.#parts.read(id);
    if (!event || !hasVerdict(listing.filter, event)) return;
    listing.found.push(event);
    listing.bytes -= Buffer.byteLength(event.doc);
  }
}

const VERDICT = '(SELECT v.verdict FROM verdicts v WHERE v.event_id = e.id)';
const CORRECTED = '(SELECT c.verdict FROM corrections c WHERE c.event_id = e.id ORDER BY c.seq DESC LIMIT 1)';

/** Rows of events know neither their verdict nor their place. */
const ROW_SQL: Partial<Record<FilterColumn, string>> = {
  severity: "coalesce(e.severity, 'medium')",
  verdict: VERDICT,
  corrected_to: CORRECTED,
  standing: `coalesce(${CORRECTED}, ${VERDICT})`,
  site_ref: "e.doc ->> '$.siteRef'",
  camera_ref: "e.doc ->> '$.cameraRef'",
};

const GROUP_SQL: Partial<Record<FilterColumn, string>> = { standing: 'coalesce(corrected_to, verdict)' };

/** Of a JSON text that is bound. */
const oneOf = (column: string): string => `${column} IN (SELECT value FROM json_each(?))`;

/** Collects the values of a statement. */
class Values {
  readonly all: (string | number)[] = [];

  where(conditions: readonly Condition[], sqlOf: (column: FilterColumn) => string = String): string {
    return sqlOfConditions(conditions, sqlOf, (value) => {
      this.all.push(typeof value === 'boolean' ? Number(value) : value);
      return '?';
    });
  }
}

/** Stretches that do not overlap, newest first. */
function united(stretches: readonly Ids[]): Ids[] {
  const found: Ids[] = [];
  for (const { first, last } of stretches.toSorted((a, b) => b.last - a.last)) {
    const newer = found.at(-1);
    if (newer && newer.first <= last + 1) newer.first = Math.min(newer.first, first);
    else found.push({ first, last });
  }
  return found;
}
