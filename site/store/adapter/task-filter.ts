// Which tasks a list shows, and in which order, as conditions on their table.
import { and, desc, eq, gt, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { DuePosition, TaskFilter } from '../../../common/core/task/port.ts';
import { tasks } from '../schema/tables.ts';

/** What the filter asks of each row, undefined where it asks nothing. */
export function conditions(filter: TaskFilter): (SQL | undefined)[] {
  return [
    filter.tenantCode === null ? undefined : eq(tasks.tenantCode, filter.tenantCode),
    filter.types === undefined ? undefined : inArray(tasks.type, [...filter.types]),
    filter.states === undefined ? undefined : inArray(tasks.state, [...filter.states]),
    filter.instance === undefined ? undefined : sql`${tasks.instance} is ${filter.instance}`,
    filter.originId === undefined ? undefined : eq(tasks.originId, filter.originId),
    filter.takenOverBy === undefined ? undefined : eq(tasks.takenOverBy, filter.takenOverBy),
    filter.eventId === undefined ? undefined : eq(tasks.eventId, filter.eventId),
    filter.assigneeOrg === undefined ? undefined : eq(tasks.assigneeOrg, filter.assigneeOrg),
    filter.overdue === undefined ? undefined : overdue(filter.overdue),
  ];
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
export function afterDue({ dueAt, id }: DuePosition): SQL | undefined {
  const older = lt(tasks.id, id);
  return dueAt === null
    ? and(isNull(tasks.dueAt), older)
    : or(isNull(tasks.dueAt), gt(tasks.dueAt, dueAt), and(eq(tasks.dueAt, dueAt), older));
}

export const byDue = [sql`${tasks.dueAt} asc nulls last`, desc(tasks.id)];
