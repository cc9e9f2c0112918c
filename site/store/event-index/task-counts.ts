// Counts of tasks, read row by row: a site has few beside its events.
import type Database from 'better-sqlite3';
import type { EventSource } from '../../../common/core/event/schema.ts';
import type { StatsQuery } from '../../../common/core/stats/port.ts';
import type { TaskCount } from '../../../common/core/stats/record.ts';
import type { TaskState, TaskType } from '../../../common/core/task/schema.ts';
import { isOverdue } from '../../../common/core/task/states.ts';
import type { Slices } from '../engine/slices.ts';

/** Rows that one statement reads. */
const STEP = 250;

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

export class TaskCounts {
  #sql: ReturnType<typeof prepare>;

  constructor(sqlite: Database.Database) {
    this.#sql = prepare(sqlite);
  }

  /** Those that were created in the window. */
  async count(query: StatsQuery, slices: Slices): Promise<TaskCount[]> {
    const counts = new Map<string, TaskCount>();
    let [at, id] = [query.since, 0];
    for (;;) {
      const rows = this.#sql.all(query.tenantCode, at, id, query.until, STEP);
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

const prepare = (sqlite: Database.Database) =>
  sqlite.prepare<[string, number, number, number, number], TaskRow>(
    `SELECT t.id, t.created_at AS createdAt, t.type, t.state, t.due_at AS dueAt,
         t.escalated_at AS escalatedAt, e.is_test AS isTest, e.source
       FROM tasks t LEFT JOIN events e ON e.id = t.event_id
       WHERE t.tenant_code = ? AND (t.created_at, t.id) > (?, ?) AND t.created_at < ?
       ORDER BY t.created_at, t.id LIMIT ?`,
  );
