import { groupOf, type IndexedRow } from '../../../common/core/event/index/entry.ts';
import {
  DAY_MS,
  partsOf,
  type TimeSpan,
  UNDATED,
  type WindowParts,
} from '../../../common/core/event/index/window.ts';
import { EventTally } from '../../../common/core/stats/decide.ts';
import type { StatsPort, StatsQuery, WindowCounts } from '../../../common/core/stats/port.ts';
import type { EventCount, TaskCount } from '../../../common/core/stats/record.ts';
import type { Database } from '../engine/database.ts';
import { type Ask, atOneMoment } from './moment.ts';
import { tasksIn } from './task-counts.ts';
import { uncounted } from './uncounted.ts';

/**
 * Statistics on Postgres, in one snapshot: counted days and hours, rows at the ends of the window, and what
 * is not counted yet.
 */
export class HubStats implements StatsPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  window(query: StatsQuery, withinMs: number): Promise<WindowCounts> {
    return atOneMoment(this.#database, withinMs, async (ask) => ({
      ...(await countEvents(ask, query)),
      tasks: await countTasks(ask, query),
    }));
  }
}

const GROUP_FIELDS =
  'g.source, g.kind, g.type, g.verdict, g.corrected_to as "correctedTo", g.is_test as test, ' +
  'g.judged, g.judged_type as "judgedType", ' +
  'g.severity, g.instance';

async function countEvents(ask: Ask, query: StatsQuery): Promise<Pick<WindowCounts, 'events' | 'undated'>> {
  const { tenantCode, since, until } = query;
  const [dated, undated] = [new EventTally(), new EventTally()];
  const tallyOf = ({ at }: Pick<IndexedRow, 'at'>): EventTally => (at === null ? undated : dated);
  for (const { count, ...group } of await counted(ask, tenantCode, partsOf(since, until)))
    dated.add(group, count);
  const noTime = { days: [[UNDATED, UNDATED + DAY_MS] as const], hours: [], rows: [] };
  for (const { count, ...group } of await counted(ask, tenantCode, noTime)) undated.add(group, count);
  for await (const { was, ...row } of uncounted(ask, query)) {
    if (was !== null) tallyOf(row).add(was, -1);
    tallyOf(row).add(groupOf(row), 1);
  }
  return { events: dated.take(), undated: undated.take() };
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
