// Which tasks a list shows, as conditions on their table.
import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { DuePosition, TaskFilter } from '../../../../common/core/task/port.ts';
import type { TaskSummary } from '../../../../common/core/task/record.ts';
import type { Db } from '../../engine/database.ts';
import { tasks } from '../../schema/tables.ts';

const { body: _body, ...summaryColumns } = getTableColumns(tasks);

/** A page of the tasks that the filter takes. @param after what comes after the page before */
export function listTasks(
  db: Db,
  filter: TaskFilter,
  { after, order }: { after: SQL | undefined; order: SQL[] },
  limit: number,
): Promise<TaskSummary[]> {
  return db
    .select(summaryColumns)
    .from(tasks)
    .where(and(...conditions(filter), after))
    .orderBy(...order)
    .limit(limit);
}

/** What the filter asks of each row, undefined where it asks nothing. */
function conditions(filter: TaskFilter): (SQL | undefined)[] {
  return [
    filter.tenantCode === null ? undefined : eq(tasks.tenantCode, filter.tenantCode),
    filter.types === undefined ? undefined : inArray(tasks.type, [...filter.types]),
    filter.states === undefined ? undefined : inArray(tasks.state, [...filter.states]),
    filter.takenOverBy === undefined ? undefined : eq(tasks.takenOverBy, filter.takenOverBy),
    filter.eventId === undefined ? undefined : eq(tasks.eventId, filter.eventId),
    filter.assigneeOrg === undefined ? undefined : eq(tasks.assigneeOrg, filter.assigneeOrg),
    ofInstance(filter.instance),
    filter.originId === undefined ? undefined : eq(tasks.originId, filter.originId),
    filter.overdue === undefined ? undefined : overdue(filter.overdue),
  ];
}

function ofInstance(instance: TaskFilter['instance']): SQL | undefined {
  if (instance === undefined) return undefined;
  return instance === null ? isNull(tasks.instance) : eq(tasks.instance, instance);
}

// Written out, so that the partial index over open tasks is used.
const open = sql`${tasks.state} = 'open'`;

/** As `isOverdue` says it. */
function overdue({ is, now }: { is: boolean; now: number }): SQL | undefined {
  return is
    ? and(open, lt(tasks.dueAt, now))
    : or(ne(tasks.state, 'open'), isNull(tasks.dueAt), gte(tasks.dueAt, now));
}

/** What comes after the position in the order by deadline. */
export function afterDue(position: DuePosition | null): SQL | undefined {
  if (position === null) return undefined;
  const { dueAt, id } = position;
  const older = lt(tasks.id, id);
  return dueAt === null
    ? and(isNull(tasks.dueAt), older)
    : or(isNull(tasks.dueAt), gt(tasks.dueAt, dueAt), and(eq(tasks.dueAt, dueAt), older));
}

export const byDue = [sql`${tasks.dueAt} asc nulls last`, desc(tasks.id)];

/** What comes after the task in the order by age, the newest first. @param id null: every one */
export const olderThan = (id: number | null): SQL | undefined => (id === null ? undefined : lt(tasks.id, id));

export const newest = [desc(tasks.id)];
