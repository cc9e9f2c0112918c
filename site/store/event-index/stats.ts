import type Database from 'better-sqlite3';
import { groupOf } from '../../../common/core/event/index/entry.ts';
import {
  DAY_MS,
  HOUR_MS,
  partsOf,
  startOf,
  type TimeSpan,
  UNDATED,
} from '../../../common/core/event/index/window.ts';
import { EventTally } from '../../../common/core/stats/decide.ts';
import {
  type StatsPort,
  type StatsQuery,
  statsTimeout,
  type WindowCounts,
} from '../../../common/core/stats/port.ts';
import type { EventGroup } from '../../../common/core/stats/record.ts';
import { Slices } from '../engine/slices.ts';
import type { EventIndex, Marks } from './event-index.ts';
import { TaskCounts } from './task-counts.ts';

/** Rows, facts, and days or hours that one statement reads. */
const STEP = 250;
const FACT_STEP = 8_192;
const UNIT_STEP = 8;

/**
 * Statistics on SQLite: counted days and hours, facts at the ends of the window, and the newest events row by
 * row. In slices on the main thread: a worker with its own connection would cost 15 MB of memory and hold the
 * WAL back, for work of some milliseconds. The counts, the marks and the verdicts beyond the marks are of one
 * moment; the rest goes event by event, each of which is counted once, whatever is moved meanwhile.
 */
export class SiteStats implements StatsPort {
  #index: EventIndex;
  #monotonic: () => number;
  #sql: ReturnType<typeof prepare>;
  #tasks: TaskCounts;

  constructor(sqlite: Database.Database, index: EventIndex, monotonic: () => number) {
    this.#index = index;
    this.#monotonic = monotonic;
    this.#sql = prepare(sqlite);
    this.#tasks = new TaskCounts(sqlite);
  }

  async window(query: StatsQuery, withinMs: number): Promise<WindowCounts> {
    const slices = new Slices(this.#monotonic, { withinMs, late: statsTimeout });
    return { ...(await this.#events(query, slices)), tasks: await this.#tasks.count(query, slices) };
  }

  async #events(query: StatsQuery, slices: Slices): Promise<Pick<WindowCounts, 'events' | 'undated'>> {
    const ends = partsOf(query.since, query.until).rows;
    const counted = await this.#counted(query, ends, slices);
    const { counts, undated, tallies } = counted;
    for (const end of ends) await this.#countFacts(end, counted, slices);
    // Read afterwards: meanwhile events may have moved to new groups.
    for (const { id, ...group } of this.#sql.groups.all(query.tenantCode)) {
      tallies.dated.add(truthOf(group), counts.get(id) ?? 0);
      tallies.undated.add(truthOf(group), undated.get(id) ?? 0);
    }
    await this.#countTail(query, counted, slices);
    return { events: tallies.dated.take(), undated: tallies.undated.take() };
  }

  /** Counts by the number of the group, and the moment of which they are. */
  async #counted(query: StatsQuery, ends: readonly TimeSpan[], slices: Slices): Promise<Counted> {
    for (let again = false; ; again = true) {
      const { writes } = this.#index;
      const counts = new Map<number, number>();
      const undated = new Map(this.#sql.days.all(query.tenantCode, UNDATED, UNDATED + DAY_MS));
      for (const [statement, from, to] of this.#spans(query)) {
        for (const [group, count] of statement.all(query.tenantCode, from, to)) add(counts, group, count);
        // Counts that were written meanwhile are read once more, then without a pause.
        if (!again) await slices.step();
      }
      if (this.#index.writes !== writes) continue;
      const marks = this.#index.marks();
      const tallies = { dated: new EventTally(), undated: new EventTally() };
      return { counts, undated, marks, tallies, late: this.#late(query, marks, ends, tallies) };
    }
  }

  #spans({ since, until }: StatsQuery): [statement: CountStatement, from: number, to: number][] {
    const { days, hours } = partsOf(since, until);
    const found: [CountStatement, number, number][] = [];
    const cut = (statement: CountStatement, spans: readonly TimeSpan[], step: number): void => {
      for (const [begin, end] of spans) {
        for (let at = begin; at < end; at += step) found.push([statement, at, Math.min(end, at + step)]);
      }
    };
    cut(this.#sql.days, days, UNIT_STEP * DAY_MS);
    cut(this.#sql.hours, hours, UNIT_STEP * HOUR_MS);
    return found;
  }

  /**
   * Moves events whose verdicts the index may not know yet; those at the ends of the window are left to this.
   * @returns their ids
   */
  #late(
    query: StatsQuery,
    { changes, through }: Marks,
    ends: readonly TimeSpan[],
    tallies: Tallies,
  ): Set<number> {
    const { tenantCode, since, until } = query;
    const ids = this.#index.tables.changed(changes, through);
    for (const row of this.#index.tables.rejudged(ids)) {
      const { tenant, at, was } = row;
      if (tenant !== tenantCode || (at !== null && (at < since || at >= until))) continue;
      const tally = tallyOf(row, tallies);
      tally.add(groupOf(row), 1);
      if (at === null || !ends.some(([from, to]) => at >= from && at < to)) this.#uncount(was, tally);
    }
    return new Set(ids);
  }

  #uncount(id: number, tally: EventTally): void {
    const group = this.#sql.group.get(id);
    if (!group) throw new Error(`event group ${id} is missing from the store`);
    tally.add(truthOf(group), -1);
  }

  /** The facts of an end of the window, which lie where those of its days do. */
  async #countFacts(
    [since, until]: TimeSpan,
    { counts, marks, late }: Counted,
    slices: Slices,
  ): Promise<void> {
    const { first, last } = this.#sql.idsOf.get(startOf(since, DAY_MS), until) ?? { first: null, last: null };
    const end = Math.min(last ?? 0, marks.through);
    for (let low = first; low !== null && low <= end; low = this.#sql.nextFact.get(low + FACT_STEP) ?? null) {
      for (const [id, group] of this.#sql.facts.all(low, Math.min(end, low + FACT_STEP - 1), since, until)) {
        if (!late.has(id)) add(counts, group, 1);
      }
      await slices.step();
    }
  }

  async #countTail(query: StatsQuery, { marks, tallies }: Counted, slices: Slices): Promise<void> {
    const { tenantCode: tenant, since, until } = query;
    const { through, head: highWaterMark } = marks;
    for (let after = through; after < highWaterMark;) {
      const last = this.#sql.lastOf.get(after, highWaterMark, STEP);
      if (typeof last !== 'number') return;
      const rows = this.#index.tables.tail({ after, through: last, tenant, since, until });
      for (const row of rows) tallyOf(row, tallies).add(groupOf(row), 1);
      after = last;
      await slices.step();
    }
  }
}

const add = (counts: Map<number, number>, group: number, count: number): void =>
  void counts.set(group, (counts.get(group) ?? 0) + count);

type CountStatement = ReturnType<typeof prepare>['days'];

/** Of the events of the window, and of those without a time. */
interface Tallies {
  dated: EventTally;
  undated: EventTally;
}

const tallyOf = ({ at }: { at: number | null }, { dated, undated }: Tallies): EventTally =>
  at === null ? undated : dated;

interface Counted {
  counts: Map<number, number>;
  undated: ReadonlyMap<number, number>;
  marks: Marks;
  /** Ids of events whose verdicts the index may not know, and what they change. */
  late: ReadonlySet<number>;
  tallies: Tallies;
}

type GroupRow = Omit<EventGroup, 'test' | 'judged'> & { test: number; judged: number };

const truthOf = (group: GroupRow): EventGroup => ({
  ...group,
  test: group.test === 1,
  judged: group.judged === 1,
});

function prepare(sqlite: Database.Database) {
  type Count = [group: number, count: number];
  const counted = (table: 'event_hours' | 'event_days') =>
    sqlite
      .prepare<[string, number, number], Count>(
        `SELECT group_id, sum(count) FROM ${table} WHERE tenant_code = ? AND start_at >= ? AND start_at < ?
     GROUP BY group_id`,
      )
      .raw();
  const group = `SELECT id, source, kind, type, verdict, corrected_to AS correctedTo, is_test AS test,
    judged, judged_type AS judgedType, severity, instance FROM event_groups WHERE`;
  return {
    hours: counted('event_hours'),
    days: counted('event_days'),
    groups: sqlite.prepare<[string], GroupRow & { id: number }>(`${group} tenant_code = ?`),
    group: sqlite.prepare<[number], GroupRow>(`${group} id = ?`),
    idsOf: sqlite.prepare<[number, number], { first: number | null; last: number | null }>(
      `SELECT min(first_id) AS first, max(last_id) AS last FROM event_days
       WHERE start_at >= ? AND start_at < ?`,
    ),
    facts: sqlite
      .prepare<[number, number, number, number], [id: number, group: number]>(
        `SELECT event_id, group_id FROM event_facts
       WHERE event_id BETWEEN ? AND ? AND occurred_at >= ? AND occurred_at < ?`,
      )
      .raw(),
    nextFact: sqlite
      .prepare<[number], number | null>('SELECT min(event_id) FROM event_facts WHERE event_id >= ?')
      .pluck(),
    lastOf: sqlite
      .prepare<[number, number, number], number | null>(
        'SELECT max(id) FROM (SELECT id FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT ?)',
      )
      .pluck(),
  };
}
