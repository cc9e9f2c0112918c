/** The tables of the index of events. What writes is to be called in a transaction. */
import type Database from 'better-sqlite3';
import {
  type Entry,
  entryOf,
  type GroupKey,
  type IndexedColumns,
  type IndexedRow,
  type PlaceKey,
} from '../../../common/core/event/index/entry.ts';
import {
  countsOf,
  missingOf,
  movesEvent,
  planRound,
  type Rejudged,
} from '../../../common/core/event/index/plan.ts';
import { DAY_MS, HOUR_MS, UNDATED } from '../../../common/core/event/index/window.ts';
import {
  type Change,
  prepareNumbering,
  prepareReading,
  prepareWriting,
  type StoredFact,
  type Tail,
} from './statements.ts';

/** Numbers that are kept in memory; most rounds have the groups and places of the one before. */
const MAX_KNOWN = 4_000;

/** Numbers of groups or places by their texts. */
type Known = Map<string, number>;

export class IndexTables {
  #sql: ReturnType<typeof prepare>;
  /** Of rows that are committed. They never change, and are never removed. */
  #groups: Known = new Map();
  #places: Known = new Map();

  constructor(sqlite: Database.Database) {
    this.#sql = prepare(sqlite);
  }

  /** Rows in (after, through], ascending, without their verdicts. */
  rows(after: number, through: number, limit: number): (IndexedColumns & { doc: string })[] {
    return this.#sql.rows.all(after, through, limit).map(truthOf);
  }

  /** Rows in (after, through] that occurred in a window. */
  tail(query: Tail): IndexedRow[] {
    return this.#sql.tail.all(query).map(truthOf);
  }

  /** The events from one id to another that have a verdict, by their ids. */
  judged(first: number, last: number): Map<number, Entry> {
    return new Map(this.#sql.judged.all(first, last).map((row) => [row.id, entryOf(truthOf(row))]));
  }

  /** Those of the events that are in the index, as they are now. */
  rejudged(ids: readonly number[]): (IndexedRow & Rejudged)[] {
    return ids.flatMap((id) => this.#sql.rejudged.all(id)).map((row) => entryOf(truthOf(row)));
  }

  /** The events of the index that these changes may move to another group, as they are now. */
  rejudgedBy(changes: readonly Change[]): (IndexedRow & Rejudged)[] {
    return this.rejudged([...new Set(changes.filter(movesEvent).map(({ eventId }) => eventId))]);
  }

  /** Events up to an id whose verdicts are later than a change, newest first. */
  changed(afterChange: number, through: number): number[] {
    return this.#sql.changed.all(afterChange, through);
  }

  changes(after: number, through: number, limit: number): Change[] {
    return this.#sql.changes.all(after, through, limit);
  }

  /** Rows with larger ids. */
  countAfter(id: number): number {
    return this.#sql.countAfter.get(id) ?? 0;
  }

  /** @returns takes the numbers that are new, once they are committed */
  write(fresh: readonly Entry[], rejudged: readonly Rejudged[]): () => void {
    const groupTexts = [...fresh, ...rejudged].map(({ group }) => group);
    const groups = numbersIn(this.#groups, groupTexts, (text) => this.#groupOf(text));
    const places = numbersIn(
      this.#places,
      fresh.map(({ place }) => place),
      (text) => this.#placeOf(text),
    );
    const { facts, moves, counted } = planRound(fresh, rejudged, { group: groups.of, place: places.of });
    for (const { id, group, place, at, tenant } of facts) this.#sql.addFact.run(id, group, place, at, tenant);
    for (const { id, group } of moves) this.#sql.move.run(group, id);
    this.#count(counted);
    return () => {
      groups.keep();
      places.keep();
    };
  }

  /** @returns how many of them were in the index */
  forget(ids: readonly number[]): number {
    const gone = ids.flatMap((id) => this.#sql.dropFact.all(id));
    this.#count(gone.map((fact) => ({ ...fact, by: -1 })));
    return gone.length;
  }

  #count(counted: readonly (StoredFact & { by: number })[]): void {
    for (const { start, group, by, of } of countsOf(counted, HOUR_MS)) {
      this.#sql.addHour.run(start, group, by, of.tenant);
      if (by < 0) this.#sql.dropHour.run(start, group);
    }
    const inDays = counted.map((fact) => ({ ...fact, at: fact.at ?? UNDATED }));
    for (const { start, group, by, first, last, of } of countsOf(inDays, DAY_MS)) {
      this.#sql.addDay.run(start, group, by, first, last, of.tenant);
      if (by < 0) this.#sql.dropDay.run(start, group);
    }
  }

  #groupOf(text: string): number {
    const values = (JSON.parse(text) as GroupKey).map((one) =>
      typeof one === 'boolean' ? Number(one) : one,
    );
    return this.#sql.group.get(...values) ?? Number(this.#sql.addGroup.run(...values).lastInsertRowid);
  }

  #placeOf(text: string): number {
    const key = JSON.parse(text) as PlaceKey;
    return this.#sql.place.get(...key) ?? Number(this.#sql.addPlace.run(...key).lastInsertRowid);
  }
}

const prepare = (sqlite: Database.Database) => ({
  ...prepareReading(sqlite),
  ...prepareWriting(sqlite),
  ...prepareNumbering(sqlite),
});

/** @param find looks a number up, or makes it */
function numbersIn(known: Known, texts: readonly string[], find: (text: string) => number) {
  const fresh: Known = new Map(missingOf(texts, known).map((text) => [text, find(text)]));
  return {
    of: (text: string): number => known.get(text) ?? fresh.get(text) ?? find(text),
    keep: (): void => {
      if (known.size > MAX_KNOWN) known.clear();
      for (const [text, id] of fresh) known.set(text, id);
    },
  };
}

const truthOf = <R extends { test: number }>(row: R): Omit<R, 'test'> & { test: boolean } => ({
  ...row,
  test: row.test === 1,
});
