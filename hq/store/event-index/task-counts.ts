// Counts of tasks by day of creation. Triggers (schema/by-hand.ts) mark each task whose group may have
// changed in task_stale; a round counts those anew. What is counted, less what is counted of marked tasks,
// and the rows of marked tasks together are every task once at any moment. SQL throughout: plans must not
// hang on statistics, so that marked tasks are looked up one by one (`offset 0` keeps the planner from
// another join).
import { DAY_MS, startOf, type TimeSpan } from '../../../common/core/event/index/window.ts';
import type { TaskCount, TaskGroup } from '../../../common/core/stats/record.ts';
import type { Tx } from '../engine/database.ts';
import { takeAgain, takeAll, type Work } from '../engine/stepped-over.ts';
import { columnsOf } from './counts.ts';

/** Most tasks of one round. */
const ROUND = 2_000;

/** Group of a task `t` on the event `e` as JSON text; `groupOf` reads it. */
const KEY =
  'json_build_array(t.type, t.state, e.is_test, e.source, t.escalated_at is not null, t.instance)::text';
/** When a task may become overdue; what is no longer open does not. */
const DUE = "case when t.state = 'open' then t.due_at end";

/** @param marks which tasks, as `tenant` and `id` */
const tasksOf = (marks: string): string => `${marks} k
  cross join lateral (select * from tasks where tenant_code = k.tenant and id = k.id offset 0) t
  left join lateral (select is_test, source from events
    where tenant_code = t.tenant_code and id = t.event_id offset 0) e on true`;
const factsOf = (marks: string): string => `${marks} k cross join lateral (select ctid, * from task_facts
  where tenant_code = k.tenant and task_id = k.id offset 0) f`;
const GIVEN = '(select * from unnest($1::text[], $2::bigint[]) as g (tenant, id))';
const MARKED =
  '(select tenant_code as tenant, task_id as id from task_stale where tenant_code = $1 offset 0)';

const groupOf = (key: string): Omit<TaskGroup, 'overdue'> => {
  const [type, state, eventTest, eventSource, escalated, instance] = JSON.parse(key) as [
    TaskGroup['type'],
    TaskGroup['state'],
    TaskGroup['eventTest'],
    TaskGroup['eventSource'],
    boolean,
    string | null,
  ];
  return { type, state, eventTest, eventSource, escalated, instance };
};

interface CountedTask {
  tenant: string;
  at: number;
  key: string;
}

/** Counts marked tasks anew; one that cannot be counted keeps its mark. @returns whether there may be more */
export async function countMarked(tx: Tx): Promise<boolean> {
  // Whoever marks a task locks its mark until it commits: such a mark is left for the next round.
  const { rows: marked } = await tx.client.query<{ id: number }>(
    `select m.task_id as id from task_stale m where not exists (select 1 from stepped_over s
       where s.tenant_code = m.tenant_code and s.work = 'task counts' and s.row_id = m.task_id)
     order by m.tenant_code, m.task_id limit $1 for update of m skip locked`,
    [ROUND],
  );
  const work: Work = {
    name: 'task counts',
    tenantOf: 'select tenant_code as tenant from task_stale where task_id = $1',
    take: (ids) => countAll(tx, ids),
  };
  await takeAgain(tx, work);
  await takeAll(
    tx,
    work,
    marked.map(({ id }) => id),
  );
  return marked.length === ROUND;
}

async function countAll(tx: Tx, ids: readonly number[]): Promise<void> {
  const { rows: marked } = await tx.client.query<{ tenant: string; id: number }>(
    'delete from task_stale where task_id = any($1) returning tenant_code as tenant, task_id as id',
    [ids],
  );
  if (marked.length === 0) return;
  const these = columnsOf(marked, ['tenant', 'id']);
  const { rows: before } = await tx.client.query<CountedTask>(
    `delete from task_facts where ctid = any(array(select f.ctid from ${factsOf(GIVEN)}))
     returning tenant_code as tenant, created_at as at, group_key as key`,
    these,
  );
  const { rows: after } = await tx.client.query<CountedTask>(
    `insert into task_facts (tenant_code, task_id, created_at, due_at, group_key)
     select t.tenant_code, t.id, t.created_at, ${DUE}, ${KEY} from ${tasksOf(GIVEN)}
     returning tenant_code as tenant, created_at as at, group_key as key`,
    these,
  );
  await addToDays(tx, before, after);
}

async function addToDays(
  tx: Tx,
  before: readonly CountedTask[],
  after: readonly CountedTask[],
): Promise<void> {
  const days = new Map<string, { tenant: string; start: number; key: string; by: number }>();
  const add = ({ tenant, at, key }: CountedTask, by: number): void => {
    const start = startOf(at, DAY_MS);
    const name = JSON.stringify([tenant, start, key]);
    const day = days.get(name) ?? { tenant, start, key, by: 0 };
    days.set(name, { ...day, by: day.by + by });
  };
  for (const task of before) add(task, -1);
  for (const task of after) add(task, 1);
  const changed = [...days.values()].filter(({ by }) => by !== 0);
  if (changed.length === 0) return;
  await tx.client.query(
    `insert into task_days as d (tenant_code, start_at, group_key, count)
     select * from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
     on conflict (tenant_code, start_at, group_key) do update set count = d.count + excluded.count`,
    columnsOf(changed, ['tenant', 'start', 'key', 'by']),
  );
  await tx.client.query(
    `delete from task_days d using unnest($1::text[], $2::bigint[], $3::text[]) as k (tenant, start, key)
     where d.tenant_code = k.tenant and d.start_at = k.start and d.group_key = k.key and d.count = 0`,
    columnsOf(
      changed.filter(({ by }) => by < 0),
      ['tenant', 'start', 'key'],
    ),
  );
}

/**
 * Marks the tasks on these events, which retention is about to delete; in its transaction. In a fixed order,
 * so that two of them wait for each other instead of deadlocking.
 */
export async function markTasksOf(tx: Tx, eventIds: readonly number[]): Promise<void> {
  await tx.client.query(
    `insert into task_stale (tenant_code, task_id)
     select tenant_code, id from tasks where event_id = any($1) order by 1, 2
     on conflict (tenant_code, task_id) do update set task_id = excluded.task_id`,
    [eventIds],
  );
}

/** The same for all events between two ids. */
export async function markTasksIn(tx: Tx, first: number, last: number): Promise<void> {
  await tx.client.query(
    `insert into task_stale (tenant_code, task_id)
     select tenant_code, id from tasks where event_id between $1 and $2 order by 1, 2
     on conflict (tenant_code, task_id) do update set task_id = excluded.task_id`,
    [first, last],
  );
}

/**
 * Locks and marks these tasks, which the transaction is about to change one by one: in the same order as
 * everyone else, whatever order the changes come in.
 */
export async function lockTasks(tx: Tx, tasks: readonly { tenantCode: string; id: number }[]): Promise<void> {
  if (tasks.length === 0) return;
  const these = columnsOf(tasks, ['tenantCode', 'id']);
  await tx.client.query(
    `select 1 from ${GIVEN} k join tasks t on t.tenant_code = k.tenant and t.id = k.id
     order by t.tenant_code, t.id for update of t`,
    these,
  );
  await tx.client.query(
    `insert into task_stale (tenant_code, task_id) select distinct tenant, id from ${GIVEN} k order by 1, 2
     on conflict (tenant_code, task_id) do update set task_id = excluded.task_id`,
    these,
  );
}

export interface TaskWindow {
  tenantCode: string;
  span: TimeSpan;
  /** The parts of the span that whole days make up, and the others. */
  days: readonly TimeSpan[];
  rest: readonly TimeSpan[];
  /** Whether tasks are overdue is judged against this time. */
  asOf: number;
}

type Ask = <R extends object>(text: string, values: unknown[]) => Promise<R[]>;

/** Overdue as `isOverdue` has it. */
export async function tasksIn(ask: Ask, window: TaskWindow): Promise<TaskCount[]> {
  const [all, overdue] = [await ask<KeyCount>(...allOf(window)), await ask<KeyCount>(...overdueOf(window))];
  const late = new Map(overdue.map(({ key, count }) => [key, count]));
  return all.flatMap(({ key, count }) => {
    const group = groupOf(key);
    const overdueCount = late.get(key) ?? 0;
    return [
      { ...group, overdue: false, count: count - overdueCount },
      { ...group, overdue: true, count: overdueCount },
    ].filter((one) => one.count > 0);
  });
}

interface KeyCount {
  key: string;
  count: number;
}

function allOf({ tenantCode, span, days, rest }: TaskWindow): [string, unknown[]] {
  const values: unknown[] = [tenantCode, ...span];
  const within = (column: string, [from, to]: TimeSpan): string =>
    `${column} >= $${values.push(from)} and ${column} < $${values.push(to)}`;
  const counted = [
    ...days.map(
      (part) =>
        `select group_key, count from task_days where tenant_code = $1 and ${within('start_at', part)}`,
    ),
    ...rest.map(
      (part) =>
        'select group_key, count(*) from task_facts where tenant_code = $1 and ' +
        `${within('created_at', part)} group by 1`,
    ),
  ];
  return [
    `select group_key as key, sum(count)::bigint as count from (
       ${counted.join(' union all ')}
       union all select f.group_key, -1 from ${factsOf(MARKED)}
         where f.created_at >= $2 and f.created_at < $3
       union all select ${KEY}, 1 from ${tasksOf(MARKED)}
         where t.created_at >= $2 and t.created_at < $3
     ) p group by 1 having sum(count) <> 0`,
    values,
  ];
}

const overdueOf = ({ tenantCode, span, asOf }: TaskWindow): [string, unknown[]] => [
  `select key, sum(count)::bigint as count from (
     select f.group_key as key, count(*) as count from task_facts f
       where f.tenant_code = $1 and f.due_at < $4 and f.created_at >= $2 and f.created_at < $3 group by 1
     union all select f.group_key, -1 from ${factsOf(MARKED)}
       where f.due_at < $4 and f.created_at >= $2 and f.created_at < $3
     union all select ${KEY}, 1 from ${tasksOf(MARKED)}
       where t.created_at >= $2 and t.created_at < $3 and ${DUE} < $4
   ) p group by 1 having sum(count) <> 0`,
  [tenantCode, ...span, asOf],
];
