import type Database from 'better-sqlite3';
import { groupOf } from '../../../common/core/event/index/entry.ts';
import { DAY_MS, HOUR_MS, partsOf, startOf, type TimeSpan } from '../../../common/core/event/index/window.ts';
import type { EventSource } from '../../../common/core/event/schema.ts';
import { EventTally } from '../../../common/core/stats/decide.ts';
import { type StatsPort, type StatsQuery, statsTimeout } from '../../../common/core/stats/port.ts';
import type { EventCount, EventGroup, TaskCount } from '../../../common/core/stats/record.ts';
import { isOverdue } from '../../../common/core/task/states.ts';
import type { TaskState, TaskType } from '../../../common/core/task/schema.ts';
import { Slices } from '../engine/slices.ts';
import type { EventIndex, Marks } from './event-index.ts';

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

  constructor(sqlite: Database.Database, index: EventIndex, monotonic: () => number) {
    this.#index = index;
    this.#monotonic = monotonic;
    this.#sql = prepare(sqlite);
  }

  async window(query: StatsQuery, withinMs: number): Promise<{ events: EventCount[]; tasks: TaskCount[] }> {
    const slices = new Slices(this.#monotonic, { withinMs, late: statsTimeout });
    return { events: await this.#events(query, slices), tasks: await this.#tasks(query, slices) };
  }

  async #events(query: StatsQuery, slices: Slices): Promise<EventCount[]> {
    const ends = partsOf(query.since, query.until).rows;
    const counted = await this.#counted(query, ends, slices);
    const { counts, tally } = counted;
    for (const end of ends) await this.#countFacts(end, counted, slices);
    // Read afterwards: meanwhile events may have moved to new groups.
    for (const { id, ...group } of this.#sql.groups.all(query.tenantCode)) {
      tally.add({ ...group, test: group.test === 1, judged: group.judged === 1 }, counts.get(id) ?? 0);
    }
    await this.#countTail(query, counted, slices);
    return tally.take();
  }

  /** Counts by the number of the group, and the moment of which they are. */
  async #counted(query: StatsQuery, ends: readonly TimeSpan[], slices: Slices): Promise<Counted> {
    for (let again = false; ; again = true) {
      const { writes } = this.#index;
      const counts = new Map<number, number>();
      for (const [statement, from, to] of this.#spans(query)) {
        for (const [group, count] of statement.all(query.tenantCode, from, to)) add(counts, group, count);
        // Counts that were written meanwhile are read once more, then without a pause.
        if (!again) await slices.step();
      }
      if (this.#index.writes !== writes) continue;
      const [marks, tally] = [this.#index.marks(), new EventTally()];
      return { counts, marks, tally, late: this.#late(query, marks, ends, tally) };
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
    tally: EventTally,
  ): Set<number> {
    const { tenantCode, since, until } = query;
    const ids = this.#index.tables.changed(changes, through);
    for (const row of this.#index.tables.rejudged(ids)) {
      const { tenant, at, was } = row;
      if (tenant !== tenantCode || at === null || at < since || at >= until) continue;
      tally.add(groupOf(row), 1);
      if (!ends.some(([from, to]) => at >= from && at < to)) this.#uncount(was, tally);
    }
    return new Set(ids);
  }

  #uncount(id: number, tally: EventTally): void {
    const group = this.#sql.group.get(id);
    if (!group) throw new Error(`event group ${id} is missing from the store`);
    tally.add({ ...group, test: group.test === 1, judged: group.judged === 1 }, -1);
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

  async #countTail(query: StatsQuery, { marks, tally }: Counted, slices: Slices): Promise<void> {
    const { tenantCode: tenant, since, until } = query;
    const { through, head: highWaterMark } = marks;
    for (let after = through; after < highWaterMark;) {
      const last = this.#sql.lastOf.get(after, highWaterMark, STEP);
      if (typeof last !== 'number') return;
      const rows = this.#index.tables.tail({ after, through: last, tenant, since, until });
      for (const row of rows) tally.add(groupOf(row), 1);
      after = last;
      await slices.step();
    }
  }

  async #tasks(query: StatsQuery, slices: Slices): Promise<TaskCount[]> {
    const counts = new Map<string, TaskCount>();
    let [at, id] = [query.since, 0];
    for (;;) {
      const rows = this.#sql.tasks.all(query.tenantCode, at, id, query.until, STEP);
      for (const row of rows) {
        const group = {
          type: row.type,
          state: row.state,
          eventTest: row.isTest === null ? null : row.isTest === 1,
          eventSource: row.source,
          overdue: isOverdue(row, query.asOf),
          escalated: row.escalatedAt !== null,
          instance: null,
        };
        const key = JSON.stringify(group);
        const known = counts.get(key);
        if (known) known.count += 1;
        else counts.set(key, { ...group, count: 1 });
      }
      const last = rows.at(-1);
      if (!last || rows.length < STEP) return [...counts.values()];
      [at, id] = [last.createdAt, last.id];
      await slices.step();
    }
  }
}

const add = (counts: Map<number, number>, group: number, count: number): void =>
  void counts.set(group, (counts.get(group) ?? 0) + count);

type CountStatement = ReturnType<typeof prepare>['days'];

interface Counted {
  counts: Map<number, number>;
  marks: Marks;
  /** Ids of events whose verdicts the index may not know, and what they change. */
  late: ReadonlySet<number>;
  tally: EventTally;
}

interface TaskRow {
  id: number;
  createdAt: number;
  type: TaskType;
  state: TaskState;
  dueAt: number | null;
  escalatedAt: number | null;
  isTest: number | null;
  source: EventSource | null;
}

type GroupRow = Omit<EventGroup, 'test' | 'judged'> & { id: number; test: number; judged: number };

function prepare(sqlite: Database.Database) {
  type Count = [group: number, count: number];
  const counted = (table: 'event_hours' | 'event_days') =>
    sqlite
      .prepare<[string, number, number], Count>(
        `SELECT group_id, sum(count) FROM ${table} WHERE tenant_code = ? AND start_at >= ? AND start_at < ?
     GROUP BY group_id`,
      )
      .raw();
  const group = `SELECT id, source, kind, type, verdict, is_test AS test, judged, judged_type AS judgedType,
    severity, instance
    FROM event_groups WHERE`;
  return {
    hours: counted('event_hours'),
    days: counted('event_days'),
    groups: sqlite.prepare<[string], GroupRow>(`${group} tenant_code = ?`),
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
    tasks: sqlite.prepare<[string, number, number, number, number], TaskRow>(
      `SELECT t.id, t.created_at AS createdAt, t.type, t.state, t.due_at AS dueAt,
         t.escalated_at AS escalatedAt, e.is_test AS isTest, e.source
       FROM tasks t LEFT JOIN events e ON e.id = t.event_id
       WHERE t.tenant_code = ? AND (t.created_at, t.id) > (?, ?) AND t.created_at < ?
       ORDER BY t.created_at, t.id LIMIT ?`,
    ),
  };
}
