import type Database from 'better-sqlite3';
import type { EventSource } from '../../common/core/event/schema.ts';
import { EventTally } from '../../common/core/stats/decide.ts';
import { statsTimeout, type StatsPort, type StatsQuery } from '../../common/core/stats/port.ts';
import { factsOf, judgementOf } from '../../common/core/event/facts.ts';
import type { EventCount, TaskCount } from '../../common/core/stats/record.ts';
import { isOverdue } from '../../common/core/task/decide.ts';
import type { TaskState, TaskType } from '../../common/core/task/schema.ts';
import type { VerdictValue } from '../../common/core/verdict/schema.ts';
import { judgedGroup, type Block, type Judgement } from './block-table.ts';
import type { Dictionary, Word } from './dictionary.ts';
import { boundsIn, GONE } from './event-block.ts';
import { judgedOf, type EventIndex, type IndexView } from './event-index.ts';
import { Slices } from './slices.ts';

/** Rows that one statement reads. */
const STEP = 250;

/**
 * Statistics on SQLite. Blocks that lie in the window as a whole give the counts of their groups, others are gone
 * through position by position, and the newest events row by row. It runs in slices on the main thread: a worker
 * with its own connection would cost 15 MB of memory and hold the WAL back, for work of some milliseconds.
 */
export class SiteStats implements StatsPort {
  #words: Dictionary;
  #index: EventIndex;
  #monotonic: () => number;
  #sql: ReturnType<typeof prepare>;

  constructor(parts: { sqlite: Database.Database; words: Dictionary; index: EventIndex; monotonic: () => number }) {
    this.#words = parts.words;
    this.#index = parts.index;
    this.#monotonic = parts.monotonic;
    this.#sql = prepare(parts.sqlite);
  }

  async window(query: StatsQuery, withinMs: number): Promise<{ events: EventCount[]; tasks: TaskCount[] }> {
    const slices = new Slices(this.#monotonic, { withinMs, late: statsTimeout });
    return { events: await this.#events(query, slices), tasks: await this.#tasks(query, slices) };
  }

  async #events(query: StatsQuery, slices: Slices): Promise<EventCount[]> {
    const index = this.#index;
    const view = index.view();
    const counts: number[] = [];
    const tally = new EventTally();
    const late = await view.late(slices);
    for (let block = index.before(view.upto + 1); block; block = index.before(block.firstId)) {
      const { firstId } = block;
      addCounts(block, query, counts);
      // In the same step: a moment later the block may know these verdicts, which it did not when it was counted.
      const from = late.findLastIndex(({ eventId }) => eventId < firstId) + 1;
      this.#addLate(block, late.splice(from), query, tally);
      await slices.step();
    }
    // Read afterwards: meanwhile events may have moved to new groups.
    for (const [id, group] of index.groups.ofTenant(query.tenantCode)) tally.add(group, counts[id] ?? 0);
    await this.#addRows(view, query, { tally, slices });
    return tally.take();
  }

  /** Verdicts that the block may not know yet move their events. */
  #addLate(block: Block, judgements: readonly Judgement[], { tenantCode, since, until }: StatsQuery, tally: EventTally): void {
    if (judgements.length === 0) return;
    const tenant = this.#words.find(tenantCode);
    const { blocks, groups } = this.#index;
    const times = block.times();
    const { from, to } = boundsIn(times, since, until);
    const cells = block.cells();
    for (const judgement of judgements) {
      const at = judgement.eventId - block.firstId;
      const [cell, time] = [cells[at] ?? GONE, times.data[at] ?? Number.NaN];
      if (cell === GONE || !(time >= from && time < to)) continue;
      const group = blocks.groupIn(block, cell);
      if (group.tenant !== tenant) continue;
      tally.add(groups.view(group), -1);
      tally.add(groups.view(judgedGroup(group, judgement)), 1);
    }
  }

  async #addRows(view: IndexView, { tenantCode, since, until }: StatsQuery, { tally, slices }: Counting): Promise<void> {
    const tenant = this.#words.find(tenantCode);
    for (let after = view.upto; after < view.head; ) {
      const upto = this.#sql.lastOf.get(after, view.head, STEP);
      if (typeof upto !== 'number') return;
      for (const { isTest, judged, doc, ...words } of this.#sql.rows.all(after, upto, tenant, since, until)) {
        const judgement = judged === null ? factsOf({ doc }) : judgementOf(judgedOf(judged), null);
        tally.add(this.#index.groups.view({ ...words, ...judgement, tenant, test: isTest === 1, dated: true }), 1);
      }
      after = upto;
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
          type: row.type, state: row.state, eventTest: row.isTest === null ? null : row.isTest === 1,
          eventSource: row.source === null ? null : (this.#words.decode(row.source) as EventSource),
          overdue: isOverdue(row, query.asOf), escalated: row.escalatedAt !== null,
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

interface Counting {
  tally: EventTally;
  slices: Slices;
}

/** Adds the events of a block in the window to the counts by group number. */
function addCounts(block: Block, { since, until }: StatsQuery, counts: number[]): void {
  const { minAt, maxAt, list } = block;
  if (minAt === null || maxAt === null || minAt >= until || maxAt < since) return;
  if (minAt >= since && maxAt < until) {
    list.ids.forEach((id, index) => (counts[id] = (counts[id] ?? 0) + (list.counts[index] ?? 0)));
    return;
  }
  const times = block.times();
  const { from, to } = boundsIn(times, since, until);
  const cells = block.cells();
  for (let at = 0; at < cells.length; at += 1) {
    const [cell, time] = [cells[at] ?? GONE, times.data[at] ?? Number.NaN];
    const id = list.ids[cell];
    if (id !== undefined && time >= from && time < to) counts[id] = (counts[id] ?? 0) + 1;
  }
}

interface EventRow {
  source: Word;
  kind: Word;
  type: Word;
  isTest: number;
  doc: string;
  verdict: VerdictValue | null;
  judged: string | null;
}

interface TaskRow {
  id: number;
  createdAt: number;
  type: TaskType;
  state: TaskState;
  dueAt: number | null;
  escalatedAt: number | null;
  isTest: number | null;
  source: Word | null;
}

function prepare(sqlite: Database.Database) {
  return {
    lastOf: sqlite.prepare<[number, number, number], number | null>(
      'SELECT max(id) FROM (SELECT id FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT ?)',
    ).pluck(),
    rows: sqlite.prepare<[number, number, Word, number, number], EventRow>(
      `SELECT e.source, e.kind, e.type, e.is_test AS isTest, e.doc, v.verdict, v.judged FROM events e LEFT JOIN verdicts v ON v.event_id = e.id
       WHERE e.id > ? AND e.id <= ? AND e.tenant_code = ? AND e.occurred_at >= ? AND e.occurred_at < ?`,
    ),
    tasks: sqlite.prepare<[string, number, number, number, number], TaskRow>(
      `SELECT t.id, t.created_at AS createdAt, t.type, t.state, t.due_at AS dueAt, t.escalated_at AS escalatedAt, e.is_test AS isTest, e.source
       FROM tasks t LEFT JOIN events e ON e.id = t.event_id
       WHERE t.tenant_code = ? AND (t.created_at, t.id) > (?, ?) AND t.created_at < ? ORDER BY t.created_at, t.id LIMIT ?`,
    ),
  };
}
