import type pg from 'pg';
import { groupOf, type IndexedRow } from '../../../common/core/event/index/entry.ts';
import { MOVES_EVENT } from '../../../common/core/event/index/plan.ts';
import {
  DAY_MS,
  partsOf,
  type TimeSpan,
  UNDATED,
  type WindowParts,
} from '../../../common/core/event/index/window.ts';
import { EventTally } from '../../../common/core/stats/decide.ts';
import {
  type StatsPort,
  type StatsQuery,
  statsTimeout,
  type WindowCounts,
} from '../../../common/core/stats/port.ts';
import type { EventCount, EventGroup, TaskCount } from '../../../common/core/stats/record.ts';
import type { Database } from '../engine/database.ts';
import { asAppError, sqlStateOf } from '../engine/errors.ts';
import { INDEXED, PROGRESS, type Progress } from './event-index.ts';
import { tasksIn } from './task-counts.ts';

const STEP = 2_000;
const CANCELLED = '57014';

/**
 * Statistics on Postgres, in one snapshot: counted days and hours, rows at the ends of the window, and what
 * is not counted yet.
 */
export class HubStats implements StatsPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async window(query: StatsQuery, withinMs: number): Promise<WindowCounts> {
    const until = performance.now() + withinMs;
    try {
      return await this.#database.listing(async (client) => {
        await client.query('begin isolation level repeatable read read only');
        // Every statement here looks up a small part of large tables, for which reading a table as a whole
        // is never right.
        await client.query('set local random_page_cost = 1.1');
        // Tasks that are marked in great numbers are matched with their facts in memory, not in files beside.
        await client.query("set local work_mem = '32MB'");
        const ask: Ask = async (text, values) => {
          const left = Math.floor(until - performance.now());
          if (left < 1) throw statsTimeout();
          await client.query(`set local statement_timeout = ${left}`);
          return (await client.query(text, values)).rows;
        };
        const progress = await progressOf(ask);
        const result = {
          ...(await countEvents(ask, query, progress)),
          tasks: await countTasks(ask, query),
        };
        await client.query('commit');
        return result;
      });
    } catch (error) {
      throw sqlStateOf(error) === CANCELLED ? statsTimeout(error) : asAppError(error);
    }
  }
}

type Ask = <R extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<R[]>;

const GROUP_FIELDS =
  'g.source, g.kind, g.type, g.verdict, g.corrected_to as "correctedTo", g.is_test as test, ' +
  'g.judged, g.judged_type as "judgedType", ' +
  'g.severity, g.instance';

/** The group `g` as the index has it. */
const WAS = `json_build_object('source', g.source, 'kind', g.kind, 'type', g.type,
  'verdict', g.verdict, 'correctedTo', g.corrected_to, 'test', g.is_test, 'judged', g.judged,
  'judgedType', g.judged_type, 'severity', g.severity, 'instance', g.instance)`;
const LEFT_OUT = `select s.row_id from stepped_over s where s.work = 'event index'`;

async function progressOf(ask: Ask): Promise<Progress> {
  const [progress] = await ask<Progress>(PROGRESS, []);
  if (!progress) throw new Error('the event index has no progress');
  return progress;
}

async function countEvents(
  ask: Ask,
  query: StatsQuery,
  progress: Progress,
): Promise<Pick<WindowCounts, 'events' | 'undated'>> {
  const { tenantCode, since, until } = query;
  const [dated, undated] = [new EventTally(), new EventTally()];
  const tallyOf = ({ at }: Pick<IndexedRow, 'at'>): EventTally => (at === null ? undated : dated);
  for (const { count, ...group } of await counted(ask, tenantCode, partsOf(since, until)))
    dated.add(group, count);
  const noTime = { days: [[UNDATED, UNDATED + DAY_MS] as const], hours: [], rows: [] };
  for (const { count, ...group } of await counted(ask, tenantCode, noTime)) undated.add(group, count);
  const late = await ask<IndexedRow & { was: EventGroup }>(
    `select ${INDEXED}, ${WAS} as was
     from (select distinct event_id from verdict_changes where change_no > $2 and ${MOVES_EVENT}) c
     join event_facts f on f.tenant_code = $1 and f.event_id = c.event_id join event_groups g
       on g.tenant_code = f.tenant_code and g.id = f.group_id
     join events e on e.tenant_code = f.tenant_code and e.id = f.event_id
     left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id
     where (f.occurred_at >= $3 and f.occurred_at < $4 or f.occurred_at is null)
       and not exists (${LEFT_OUT} and s.tenant_code = $1 and s.row_id = e.id)`,
    [tenantCode, progress.changes, since, until],
  );
  for (const row of late) {
    tallyOf(row).add(row.was, -1);
    tallyOf(row).add(groupOf(row), 1);
  }
  for (const { was, ...row } of await leftOut(ask, query, progress.events)) {
    if (was !== null) tallyOf(row).add(was, -1);
    tallyOf(row).add(groupOf(row), 1);
  }
  for (let after = progress.events; ;) {
    const rows = await ask<IndexedRow>(
      `select ${INDEXED} from events e left join verdicts v on v.tenant_code = e.tenant_code
        and v.event_id = e.id
       where e.id > $2 and e.tenant_code = $1
         and (e.occurred_at >= $3 and e.occurred_at < $4 or e.occurred_at is null)
       order by e.id limit $5`,
      [tenantCode, after, since, until, STEP],
    );
    for (const row of rows) tallyOf(row).add(groupOf(row), 1);
    if (rows.length < STEP) return { events: dated.take(), undated: undated.take() };
    after = rows.at(-1)?.id ?? after;
  }
}

/** Events that the index had to leave out, and as what they are counted; null: they are not. */
function leftOut(
  ask: Ask,
  { tenantCode, since, until }: StatsQuery,
  indexed: number,
): Promise<(IndexedRow & { was: EventGroup | null })[]> {
  return ask<IndexedRow & { was: EventGroup | null }>(
    `select ${INDEXED}, case when g.id is not null then ${WAS} end as was
     from (${LEFT_OUT} and s.tenant_code = $1 and s.row_id <= $2) o
     join events e on e.tenant_code = $1 and e.id = o.row_id
     left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id
     left join event_facts f on f.tenant_code = e.tenant_code and f.event_id = e.id
     left join event_groups g on g.tenant_code = f.tenant_code and g.id = f.group_id
     where e.occurred_at >= $3 and e.occurred_at < $4 or e.occurred_at is null`,
    [tenantCode, indexed, since, until],
  );
}

function counted(ask: Ask, tenantCode: string, { days, hours, rows }: WindowParts): Promise<EventCount[]> {
  const values: unknown[] = [tenantCode];
  const within = (column: string, [from, to]: TimeSpan): string =>
    `${column} >= $${values.push(from)} and ${column} < $${values.push(to)}`;
  const buckets =
    (table: 'event_days' | 'event_hours') =>
    (span: TimeSpan): string =>
      `select group_id, count from ${table} where tenant_code = $1 and ${within('start_at', span)}`;
  const sources = [
    ...days.map(buckets('event_days')),
    ...hours.map(buckets('event_hours')),
    ...rows.map(
      (span) =>
        'select group_id, count(*) from event_facts where tenant_code = $1 and ' +
        `${within('occurred_at', span)} group by group_id`,
    ),
  ];
  return ask<EventCount>(
    `select ${GROUP_FIELDS}, s.count
     from (select group_id, sum(count)::bigint as count from (${sources.join(' union all ')}) p
       group by group_id) s
     join event_groups g on g.tenant_code = $1 and g.id = s.group_id where s.count <> 0`,
    values,
  );
}

function countTasks(ask: Ask, { tenantCode, since, until, asOf }: StatsQuery): Promise<TaskCount[]> {
  const { days, hours, rows } = partsOf(since, until);
  return tasksIn(ask, { tenantCode, span: [since, until], days, rest: [...hours, ...rows], asOf });
}
