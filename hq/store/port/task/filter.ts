// Which tasks a list shows, as conditions on their table.
import { and, eq, gte, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { TaskFilter } from '../../../../common/core/task/port.ts';
import { tasks } from '../../schema/tables.ts';

/** What the filter asks of each row, undefined where it asks nothing. */
export function conditions(filter: TaskFilter): (SQL | undefined)[] {
  return [
    filter.tenantCode === null ? undefined : eq(tasks.tenantCode, filter.tenantCode),
    filter.type === undefined ? undefined : eq(tasks.type, filter.type),
    filter.state === undefined ? undefined : eq(tasks.state, filter.state),
    filter.eventId === undefined ? undefined : eq(tasks.eventId, filter.eventId),
    filter.assigneeOrg === undefined ? undefined : eq(tasks.assigneeOrg, filter.assigneeOrg),
    ofInstance(filter.instance),
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
